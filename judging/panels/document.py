"""The one document of a panel, from what was kept of it: who gave what, how far they agreed, what closed which gap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from operator import mul
from typing import Any

from judging.panels import figures, gaps, points, telling
from judging.panels.deliberation import placed_quotes, rows_of
from judging.panels.figures import Round, scores_of
from judging.panels.record import Criterion, Final, Judge, Minutes, Unfinished, standing
from judging.rules import consensus
from judging.rules.consensus import Policy
from scoring.rules import numbers
from scoring.types import plain

STRONG, WEAK = Decimal(4), Decimal("2.5")
QUOTES_SHOWN = 2


def document(minutes: Minutes) -> dict[str, Any]:
    """Return the result of a panel; rounds that are still played are not in it.

    Source: docs/reference/panels.md#the-result
    """
    last = minutes.rounds[-1] if minutes.rounds else None
    now = standing(minutes)
    codes = [one.code for one in minutes.criteria if not one.left_out]
    corrected = figures.corrected(rounds=minutes.rounds, codes=codes)
    whole = {
        **minutes.about,
        "criteria": [
            {**_criterion(one, minutes, last, now), "corrected": corrected.get(one.code)} for one in minutes.criteria
        ],
        "judges": [_judge(one, minutes) for one in minutes.judges],
        "rounds": [_round(one) for one in minutes.rounds],
        "first": _outcome(minutes.rounds[0].number, minutes.rounds[0].found) if minutes.rounds else None,
        "outcome": _outcome(last.number, last.found) if last else None,
        "struck": _struck(minutes),
        "now": _outcome(last.number, now) if last else None,
        "unfinished": _unfinished(minutes.unfinished),
        "decided": _decided(minutes),
        "strengths": _shared(minutes, last, strong=True),
        "weaknesses": _shared(minutes, last, strong=False),
        "disagreements": gaps.disagreements(minutes, now),
        "improvements": _improvements(minutes),
        "agreement": figures.agreement(rounds=minutes.rounds, codes=codes),
    }
    numbered: dict[str, Any] = telling.in_places(whole)
    return numbered


def _struck(minutes: Minutes) -> list[dict[str, Any]]:
    """Return the scores that were struck, in the order of rounds, criteria and seats."""
    return [
        {"round": played.number, "judge": name, "criterion": one.code}
        for played in minutes.rounds
        for one in minutes.criteria
        for name in played.sections
        if one.code in played.struck.get(name, ())
    ]


def _criterion(one: Criterion, minutes: Minutes, last: Round | None, now: Mapping[str, Any]) -> dict[str, Any]:
    final = minutes.finals.get(one.code, Final(None))
    return {
        "code": one.code,
        "name": one.name,
        "share": one.share,
        "notApplicable": one.left_out,
        "scores": {name: scores_of(section).get(one.code) for name, section in last.sections.items()} if last else {},
        "mean": now.get("means", {}).get(one.code),
        "spread": now.get("criterion_spreads", {}).get(one.code),
        "disputed": one.code in now.get("disputed", ()) and not now.get("agreed", False),
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
    """Return what judges would improve, each once: by criterion, first what those say who give it least."""
    read = [section for section in minutes.rounds[0].sections.values() if section] if minutes.rounds else []
    said = [
        (at, Decimal(row["score"]), row["improvement"])
        for at, one in enumerate(minutes.criteria)
        for section in read
        for row in rows_of(section)
        if row["criterion"] == one.code and row["improvement"]
    ]
    return list(dict.fromkeys(words for _, _, words in sorted(said)))


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


def _outcome(number: int, found: Mapping[str, Any]) -> dict[str, Any]:
    names = ("agreed", "reason", "reasons", "overall", "recommendation", "spread", "counted", "needed", "disputed")
    return {"round": number, **{name: found[name] for name in names}}


def _shared(minutes: Minutes, last: Round | None, *, strong: bool) -> list[dict[str, Any]]:
    """Return the criteria on which every counted judge is at or beyond a mark, with what they quote for it, and what
    all of them name.
    """
    given = {
        one.code: [Decimal(section["scores"][one.code]) for section in last.counting(one.code).values()]
        for one in minutes.criteria
        if last and not one.left_out
    }
    beyond = [
        {"criterion": one.code, "name": one.name, "quotes": quoted(minutes, one.code)}
        for one in minutes.criteria
        if given.get(one.code) and all(_beyond(score, strong) for score in given[one.code])
    ]
    return [*beyond, *(point for point in _named(minutes, last, strong=strong) if point not in beyond)]


def _named(minutes: Minutes, last: Round | None, *, strong: bool) -> list[dict[str, Any]]:
    """Return what every counted judge names as a strength or weakness, whatever scores it goes with: the same criterion
    or the same words.
    """
    if last is None:
        return []
    counted = [
        name for name in last.sections if any(name in last.counting(criterion.code) for criterion in minutes.criteria)
    ]
    listed = [_points(minutes, name, strong=strong) for name in counted]
    texts = sorted({text for texts in listed for text in texts}, key=lambda text: (len(text), text))
    shared: list[str] = []
    for text in texts:
        if all(any(points.same(text, other) for other in others) for others in listed) and not any(
            points.same(text, other) for other in shared
        ):
            shared.append(text)
    criteria = [criterion for criterion in minutes.criteria if not criterion.left_out]
    return [_point(minutes, text, points.criterion(text, criteria)) for text in shared]


def _points(minutes: Minutes, judge: str, *, strong: bool) -> Sequence[str]:
    section = minutes.rounds[0].sections.get(judge) or {}
    listed: Sequence[str] = section.get("strengths" if strong else "weaknesses", ())
    return listed


def _point(minutes: Minutes, text: str, about: Criterion | None) -> dict[str, Any]:
    if about is not None and points.is_bare(text, about):
        return {"criterion": about.code, "name": about.name, "quotes": quoted(minutes, about.code)}
    return {"criterion": about.code if about else "", "name": text, "quotes": []}


def _beyond(score: Decimal, strong: bool) -> bool:  # noqa: FBT001 -- one of two marks
    return score >= STRONG if strong else score <= WEAK


def quoted(minutes: Minutes, code: str) -> list[str]:
    """Return the passages that most of the judges who count rest a criterion on, each once; of equals what is said
    first in the subject.
    """
    out = minutes.rounds[-1].struck if minutes.rounds else {}
    judges: dict[str, set[str]] = {}
    places: dict[str, Sequence[int]] = {}
    for played in minutes.rounds:
        for name, section in played.sections.items():
            for quote in placed_quotes(section, code) if section and code not in out.get(name, ()) else ():
                judges.setdefault(quote["text"], set()).add(name)
                places[quote["text"]] = quote["spans"][0]
    return sorted(judges, key=lambda text: (-len(judges[text]), places[text], text))[:QUOTES_SHOWN]
