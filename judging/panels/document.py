"""The one document of a panel, from what was kept of it: who gave what, how far they agreed, what closed which gap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from operator import mul
from typing import Any

from judging.panels import figures
from judging.panels.deliberation import found_quotes, rows_of
from judging.panels.figures import Round, scores_of
from judging.rules import consensus
from judging.rules.consensus import Policy
from scoring.rules import numbers
from scoring.types import plain

STRONG, WEAK = Decimal(4), Decimal("2.5")
QUOTES_SHOWN = 2


@dataclass(frozen=True, slots=True)
class Criterion:
    """One criterion of a panel; ``share`` is its part of the whole, ``left_out`` says why it does not apply."""

    code: str
    name: str
    share: str
    left_out: str = ""
    weight: str = "1"


@dataclass(frozen=True, slots=True)
class Judge:
    """One seat of a panel."""

    name: str
    provider: str
    model: str
    strategy: str = ""


@dataclass(frozen=True, slots=True)
class Final:
    """Where the score of a criterion stands now: computed from the judges, and what a person decided."""

    value: str | None
    override: str | None = None


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A round in which the panel ended: who had answered by then. What they said stays with their calls, uncounted."""

    number: int
    heard: Sequence[str]
    because: str


@dataclass(frozen=True, slots=True)
class Minutes:
    """What was kept of a panel."""

    about: Mapping[str, Any]
    criteria: Sequence[Criterion]
    judges: Sequence[Judge]
    rounds: Sequence[Round]
    finals: Mapping[str, Final]
    unfinished: Unfinished | None = None


def document(minutes: Minutes) -> dict[str, Any]:
    """Return the result of a panel; rounds that are still played are not in it.

    Source: docs/reference/panels.md#the-result
    """
    last = minutes.rounds[-1] if minutes.rounds else None
    codes = [one.code for one in minutes.criteria if not one.left_out]
    corrected = figures.corrected(rounds=minutes.rounds, codes=codes)
    return {
        **minutes.about,
        "criteria": [
            {**_criterion(one, minutes, last), "corrected": corrected.get(one.code)} for one in minutes.criteria
        ],
        "judges": [_judge(one, minutes) for one in minutes.judges],
        "rounds": [_round(one) for one in minutes.rounds],
        "first": _outcome(minutes.rounds[0]) if minutes.rounds else None,
        "outcome": _outcome(last) if last else None,
        "unfinished": _unfinished(minutes.unfinished),
        "decided": _decided(minutes),
        "strengths": _shared(minutes, last, strong=True),
        "weaknesses": _shared(minutes, last, strong=False),
        "disagreements": _disagreements(minutes),
        "improvements": _improvements(minutes),
        "agreement": figures.agreement(rounds=minutes.rounds, codes=codes),
    }


def _criterion(one: Criterion, minutes: Minutes, last: Round | None) -> dict[str, Any]:
    final = minutes.finals.get(one.code, Final(None))
    found = last.found if last else {}
    return {
        "code": one.code,
        "name": one.name,
        "share": one.share,
        "notApplicable": one.left_out,
        "scores": {name: scores_of(section).get(one.code) for name, section in last.sections.items()} if last else {},
        "mean": found.get("means", {}).get(one.code),
        "spread": found.get("criterion_spreads", {}).get(one.code),
        "disputed": one.code in found.get("disputed", ()) and not found.get("agreed", False),
        "final": final.value,
        "override": final.override,
        "quotes": quoted(minutes, one.code),
    }


def _decided(minutes: Minutes) -> dict[str, str | None]:
    """Return where the whole stands now, with what persons decided; nothing while a criterion is not scored."""
    applying = [one for one in minutes.criteria if not one.left_out]
    values = [minutes.finals[one.code].value if one.code in minutes.finals else None for one in applying]
    scored = [Fraction(value) for value in values if value is not None]
    if len(scored) < len(applying):
        return {"overall": None, "recommendation": ""}
    shares = consensus.normalised(weights=[Decimal(one.weight) for one in applying])
    overall = numbers.half_up(sum(map(mul, scored, shares), Fraction(0)), places=consensus.PLACES)
    policy = Policy.from_snapshot(minutes.about["policy"])
    return {
        "overall": plain(overall),
        "recommendation": consensus.recommendation(overall=overall, policy=policy).value,
    }


def _unfinished(left: Unfinished | None) -> dict[str, Any] | None:
    return {"round": left.number, "heard": list(left.heard), "because": left.because} if left else None


def _improvements(minutes: Minutes) -> list[str]:
    """Return what judges would improve, each once, in the order of the criteria."""
    read = [section for section in minutes.rounds[0].sections.values() if section] if minutes.rounds else []
    said = [
        row["improvement"]
        for one in minutes.criteria
        for section in read
        for row in rows_of(section)
        if row["criterion"] == one.code and row["improvement"]
    ]
    return list(dict.fromkeys(said))


def _judge(one: Judge, minutes: Minutes) -> dict[str, Any]:
    read = [played.sections.get(one.name) for played in minutes.rounds]
    overalls = [section["overall"] if section else None for section in read]
    return {
        "name": one.name,
        "provider": one.provider,
        "model": one.model,
        "strategy": one.strategy,
        "first": overalls[0] if overalls else None,
        "overall": overalls[-1] if overalls else None,
        "unreadable": [at for at, section in enumerate(read) if section is None],
    }


def _round(one: Round) -> dict[str, Any]:
    sections = {name: dict(section) if section else None for name, section in one.sections.items()}
    return {"number": one.number, **one.found, "sections": sections}


def _outcome(one: Round) -> dict[str, Any]:
    names = ("agreed", "reason", "reasons", "overall", "recommendation", "spread", "counted", "needed", "disputed")
    return {"round": one.number, **{name: one.found[name] for name in names}}


def _shared(minutes: Minutes, last: Round | None, *, strong: bool) -> list[dict[str, Any]]:
    """Return the criteria on which every counted judge is at or beyond a mark, with what they quote for it."""
    read = [section for section in last.sections.values() if section] if last else []
    return [
        {"criterion": one.code, "name": one.name, "quotes": quoted(minutes, one.code)}
        for one in minutes.criteria
        if read and not one.left_out and all(_beyond(Decimal(section["scores"][one.code]), strong) for section in read)
    ]


def _beyond(score: Decimal, strong: bool) -> bool:  # noqa: FBT001 -- one of two marks
    return score >= STRONG if strong else score <= WEAK


def quoted(minutes: Minutes, code: str) -> list[str]:
    """Return the first passages that judges rest a criterion on, each once."""
    every = [
        quote
        for played in minutes.rounds
        for section in played.sections.values()
        if section
        for quote in found_quotes(section, code)
    ]
    return list(dict.fromkeys(every))[:QUOTES_SHOWN]


# -- what closed which gap ---------------------------------------------------------------------------------------------


def _disagreements(minutes: Minutes) -> list[dict[str, Any]]:
    """Return each disagreement of the independent analysis, with what closed it, or that it stands."""
    if not minutes.rounds:
        return []
    first, last = minutes.rounds[0], minutes.rounds[-1]
    limit = Decimal(minutes.about["policy"]["criterion_spread"])
    return [
        _disagreement(minutes, one, first, last)
        for one in minutes.criteria
        if Decimal(first.found["criterion_spreads"].get(one.code) or 0) > limit
    ]


def _disagreement(minutes: Minutes, one: Criterion, first: Round, last: Round) -> dict[str, Any]:
    given = {name: Decimal(scores_of(section)[one.code]) for name, section in first.sections.items() if section}
    lowest, highest = min(given, key=given.__getitem__), max(given, key=given.__getitem__)
    limit = Decimal(minutes.about["policy"]["criterion_spread"])
    left = Decimal(last.found["criterion_spreads"].get(one.code) or 0)
    return {
        "criterion": one.code,
        "gap": first.found["criterion_spreads"][one.code],
        "between": [lowest, highest],
        "left": plain(left),
        "closed": left <= limit,
        "held": [] if left <= limit else _held(one, last),
        "moves": [
            {
                "round": played.number,
                "judge": name,
                "from": row["own_score"],
                "to": row["score"],
                "because": row["because"],
            }
            for played in minutes.rounds[1:]
            for name, section in played.sections.items()
            if section
            for row in rows_of(section)
            if row["criterion"] == one.code and row["score"] != row["own_score"]
        ],
    }


def _held(one: Criterion, last: Round) -> list[dict[str, Any]]:
    """Return who stayed at their score in the last debate round, and why: that is why a disagreement stands."""
    return [
        {"judge": name, "score": row["score"], "because": row["because"]}
        for name, section in last.sections.items()
        if section and last.number
        for row in rows_of(section)
        if row["criterion"] == one.code and row["score"] == row["own_score"] and not row["refused"]
    ]
