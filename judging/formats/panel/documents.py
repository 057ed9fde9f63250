"""What a panel came to, as values and as its result document: scores, agreement, disagreements and what closed them."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from operator import mul
from typing import Any

from debates.decimals import plain
from debates.types import Kind
from judging.formats.panel import deliberation, reports
from judging.formats.panel.deliberation import Bar, Body, as_text, placed_quotes, rows_of
from judging.heuristics.text import content_stems, squeezed
from judging.rules import agreement as rules_agreement
from judging.rules import consensus
from judging.rules.agreement import Alpha, Level, Unit, Weighting
from judging.rules.consensus import Policy, Reason
from judging.types import HELPS_UNABLE, OFFLINE, Unable
from scoring.rules import numbers

# Statistics of the rounds of a panel: how far its judges agreed, how each leans, means that allow for it.


SEED = 1


@dataclass(frozen=True, slots=True)
class Round:
    """One closed round. ``sections`` has an entry for every seat: ``None`` where the judge could not be read;
    ``found`` is what the consensus check found; ``struck`` has the criteria on which a judge's score was struck since;
    ``declined`` says of judges who say themselves that they cannot judge the subject, why.
    """

    number: int
    sections: Mapping[str, Body | None]
    found: Mapping[str, Any]
    struck: Mapping[str, Collection[str]] = field(default_factory=dict)
    declined: Mapping[str, Body] = field(default_factory=dict)

    def counting(self, code: str) -> dict[str, Body]:
        """Return the sections of the judges who count on a criterion: who gave it a score that stands."""
        return {
            name: section
            for name, section in self.sections.items()
            if section and code in section["scores"] and code not in self.struck.get(name, ())
        }


def scores_of(section: Body | None) -> Mapping[str, str]:
    """Return what a judge gives, by criterion; nothing where it could not be read."""
    return section["scores"] if section else {}


def units_of(played: Round, codes: Sequence[str]) -> list[Unit]:
    """Return a round as units of agreement: a criterion each, rated by the judges who count on it."""
    return [
        {name: Decimal(section["scores"][code]) for name, section in played.counting(code).items()} for code in codes
    ]


def agreement(*, rounds: Sequence[Round], codes: Sequence[str], people: Collection[str] = ()) -> dict[str, Any]:
    """Return the statistics of the first and the newest round, which may be the same, over the criteria that apply.

    Shape: ``people`` are the judges who are persons; all others are machines.
    Source: docs/reference/agreement.md
    """
    ends = {"first": rounds[0], "last": rounds[-1]} if rounds else {}
    return {
        name: {**_statistics(units), "groups": _groups(units, people)}
        for name, units in ((name, units_of(played, codes)) for name, played in ends.items())
    }


def _groups(units: Sequence[Unit], people: Collection[str]) -> dict[str, Any]:
    """Return how far people agree among themselves, machines among themselves, and each with the other.

    Source: docs/reference/agreement.md#people-and-machines
    """
    names = rules_agreement.judges(units)
    sides = {
        "people": [name for name in names if name in people],
        "machines": [name for name in names if name not in people],
    }
    groups: dict[str, Any] = {}
    for side, members in sides.items():
        own = [{name: value for name, value in unit.items() if name in members} for unit in units]
        alpha = rules_agreement.alpha(units=own, level=Level.INTERVAL, seed=SEED)
        groups[side] = {"judges": members, **_estimated(alpha)}
    between = rules_agreement.between(units=units, first=sides["people"], second=sides["machines"], seed=SEED)
    return {**groups, "between": _estimated(between)}


def _estimated(alpha: Alpha) -> dict[str, Any]:
    return {
        "state": alpha.state.value,
        "units": alpha.units,
        "value": as_text(alpha.value),
        "low": as_text(alpha.low),
        "high": as_text(alpha.high),
    }


def corrected_means(*, rounds: Sequence[Round], codes: Sequence[str]) -> dict[str, str]:
    """Return the means of the newest round, less what each judge seems to lean over all rounds, by criterion.

    Source: docs/reference/agreement.md#the-corrected-mean
    """
    effects = rules_agreement.effects(units=[unit for played in rounds for unit in units_of(played, codes)])
    newest = units_of(rounds[-1], codes) if rounds else []
    means = {
        code: rules_agreement.corrected(unit=unit, effects=effects)
        for code, unit in zip(codes, newest, strict=False)
        if unit
    }
    return {code: plain(numbers.half_up(mean, places=consensus.PLACES)) for code, mean in means.items()}


def _statistics(units: Sequence[Unit]) -> dict[str, Any]:
    levels = {level.value: rules_agreement.alpha(units=units, level=level, seed=SEED) for level in Level}
    pairs = rules_agreement.pairwise(units=units, weighting=Weighting.QUADRATIC)
    intraclass = rules_agreement.intraclass(units=units)
    return {
        "alpha": {name: _estimated(alpha) for name, alpha in levels.items()},
        "fleiss": as_text(rules_agreement.fleiss(units=units)),
        "intraclass": {
            "units": intraclass.units,
            "single": as_text(intraclass.single),
            "average": as_text(intraclass.average),
        },
        "kappa": [{"judges": list(pair), "value": as_text(value)} for pair, value in pairs.items()],
        "judges": {
            name: {"leniency": as_text(leaning.leniency), "deviation": as_text(leaning.deviation)}
            for name, leaning in rules_agreement.leanings(units=units).items()
        },
    }


@dataclass(frozen=True, slots=True)
class PanelCriterion:
    """One criterion of a panel; ``share`` is its part of the whole, ``left_out`` says why it does not apply.

    Shape: ``unable`` is the code of why, where it does not apply because no judge of the panel can judge it.
    """

    code: str
    name: str
    share: str
    left_out: str = ""
    unable: str = ""
    weight: str = "1"


@dataclass(frozen=True, slots=True)
class PanelJudge:
    name: str
    provider: str
    model: str
    strategy: str = ""
    kind: str = Kind.ENGINE.value


@dataclass(frozen=True, slots=True)
class Final:
    """Where the score of a criterion stands now: computed from the judges, and what a person decided.

    Shape: ``mean`` is what the value was rounded from, where it is a mean of judges.
    """

    value: str | None
    override: str | None = None
    mean: Fraction | None = None

    @property
    def unrounded(self) -> Fraction | None:
        return self.mean if self.mean is not None or self.value is None else Fraction(self.value)


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
    criteria: Sequence[PanelCriterion]
    judges: Sequence[PanelJudge]
    rounds: Sequence[Round]
    finals: Mapping[str, Final]
    unfinished: Unfinished | None = None
    replaced: Sequence[Mapping[str, Any]] = ()


def standing(minutes: Minutes) -> Mapping[str, Any]:
    """Return what is found in the newest round now: what was found then, computed anew where a score was struck since.

    Source: docs/reference/panels.md#a-score-that-is-struck
    """
    if not minutes.rounds:
        return {}
    last = minutes.rounds[-1]
    if not last.struck:
        return last.found
    bar = Bar(
        codes=[criterion.code for criterion in minutes.criteria],
        weights=[Decimal(criterion.weight) for criterion in minutes.criteria],
        left_out=[criterion.code for criterion in minutes.criteria if criterion.left_out],
        policy=Policy.from_snapshot(minutes.about["policy"]),
    )
    check = deliberation.check(
        bar=bar,
        sections=[_stance_found(section, last.found) for section in last.sections.values()],
        debate_round=last.number,
        struck=[last.struck.get(name, ()) for name in last.sections],
    )
    return deliberation.found(check=check, bar=bar, judges=list(last.sections))


def _stance_found(section: Body | None, found: Mapping[str, Any]) -> Body | None:
    """Return a section, where it was erased with what was found of all: where all accepted, not to was no reason."""
    if section is None or section["kind"] != deliberation.ERASED:
        return section
    return {**section, "accepts": Reason.NOT_ACCEPTED.value not in found["reasons"]}


# When two judges name the same strength or weakness, in their own words. Pure.


QUOTED = re.compile('[\u201c"]([^\u201c\u201d"]{12,})[\u201d"]')
WORD = re.compile(r"[^\W\d_]+")
ALIKE = 50
"""Per cent of their words of weight, taken together, that two points share when they say the same; two at least."""


def same_point(first: str, second: str) -> bool:
    """Tell whether two points are one: in the same words, but for scores and quotes, or with a passage in common.

    Source: docs/reference/panels.md#what-all-judges-share
    """
    mine, theirs = point_stems(first), point_stems(second)
    shared = mine & theirs
    if shared and (mine == theirs or (len(shared) > 1 and 100 * len(shared) >= ALIKE * len(mine | theirs))):
        return True
    return any(quote in other or other in quote for quote in point_quotes(first) for other in point_quotes(second))


def point_stems(point: str) -> frozenset[str]:
    """Return the stems of what a point says itself; numbers and what it quotes are not among them."""
    return content_stems(QUOTED.sub(" ", point))


def point_quotes(point: str) -> list[str]:
    """Return the passages that a point quotes, on one line and without what marks a cut."""
    return [squeezed(quote).rstrip(" .\u2026").casefold() for quote in QUOTED.findall(point)]


def criterion_of_point(point: str, criteria: Sequence[PanelCriterion]) -> PanelCriterion | None:
    """Return the criterion that a point begins with, or that is the only one it names."""
    beginning = point_stems(point.partition(":")[0])
    named = [item for item in criteria if point_stems(item.name) and point_stems(item.name) <= point_stems(point)]
    first = [item for item in named if point_stems(item.name) == beginning]
    return first[0] if first else named[0] if len(named) == 1 else None


def is_bare_point(point: str, about: PanelCriterion) -> bool:
    """Tell whether a point says no more than which criterion it is about."""
    return WORD.findall(QUOTED.sub(" ", point).casefold()) == WORD.findall(about.name.casefold())


# What closed which disagreement of a panel, or who stayed where they were and why it stands.


def disagreements(minutes: Minutes, now: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return each disagreement of the independent analysis, with what closed it, or that it stands.

    Shape: the criteria that lie further apart than the policy allows; where only the overalls do, those with any
    spread.
    Source: docs/reference/panels.md#reports
    """
    if not minutes.rounds:
        return []
    first = minutes.rounds[0].found
    gaps = {
        criterion.code: Decimal(first["criterion_spreads"].get(criterion.code) or 0) for criterion in minutes.criteria
    }
    wide = {code for code, gap in gaps.items() if gap > _limit(minutes)}
    apart = wide or (set() if _near(minutes, first) else {code for code, gap in gaps.items() if gap})
    return [_disagreement(minutes, criterion, now) for criterion in minutes.criteria if criterion.code in apart]


def _limit(minutes: Minutes) -> Decimal:
    return Decimal(minutes.about["policy"]["criterion_spread"])


def _near(minutes: Minutes, found: Mapping[str, Any]) -> bool:
    """Say whether the overalls lie no further apart than the policy allows."""
    return Decimal(found["spread"] or 0) <= Decimal(minutes.about["policy"]["spread"])


def _closed(minutes: Minutes, *, gap: Decimal, left: Decimal, now: Mapping[str, Any]) -> bool:
    """Say whether a disagreement is closed: a wide one is within the limit, any other smaller and the overalls near."""
    if gap > _limit(minutes):
        return left <= _limit(minutes)
    return left == 0 or (left < gap and _near(minutes, now))


def _disagreement(minutes: Minutes, criterion: PanelCriterion, now: Mapping[str, Any]) -> dict[str, Any]:
    first, last = minutes.rounds[0], minutes.rounds[-1]
    gap, left = (
        first.found["criterion_spreads"][criterion.code],
        Decimal(now["criterion_spreads"].get(criterion.code) or 0),
    )
    closed = _closed(minutes, gap=Decimal(gap), left=left, now=now)
    return {
        "criterion": criterion.code,
        "gap": gap,
        "between": _ends(criterion, first),
        "left": plain(left),
        "closed": closed,
        "struck": [name for name in last.sections if criterion.code in last.struck.get(name, ())],
        "silent": _silent(criterion, first, last),
        "held": [] if closed else _held(criterion, last),
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
            if row["criterion"] == criterion.code and row["score"] != row["own_score"]
        ],
    }


def _silent(criterion: PanelCriterion, first: Round, last: Round) -> list[str]:
    """Return who gave a criterion a score alone and could not be read in the newest round."""
    return [
        name
        for name, section in first.sections.items()
        if criterion.code in scores_of(section) and last.sections[name] is None
    ]


def _ends(criterion: PanelCriterion, first: Round) -> list[str]:
    """Return who gave least and who gave most. Among several all their scores tell, which no erasure takes, then what
    they said; never their seats.
    """
    ranks = {
        name: (
            Decimal(section["scores"][criterion.code]),
            Decimal(section["overall"] or 0),
            json.dumps([section["scores"], section], sort_keys=True),
        )
        for name, section in first.sections.items()
        if section and criterion.code in section["scores"]
    }
    return [min(ranks, key=ranks.__getitem__), max(ranks, key=ranks.__getitem__)]


def _held(criterion: PanelCriterion, last: Round) -> list[dict[str, Any]]:
    """Return who stayed at their score in the last debate round, and why: that is why a disagreement stands."""
    return [
        {"judge": name, "score": row["score"], "because": row["because"]}
        for name, section in last.counting(criterion.code).items()
        if last.number
        for row in rows_of(section)
        if row["criterion"] == criterion.code and row["score"] == row["own_score"] and not row["refused"]
    ]


# The one document of a panel, from what was kept of it: who gave what, how far they agreed, what closed which gap.


STRONG, WEAK = Decimal(4), Decimal("2.5")
QUOTES_SHOWN = 2


def document(minutes: Minutes) -> dict[str, Any]:
    """Return the result of a panel; rounds that are still played are not in it.

    Source: docs/reference/panels.md#the-result
    """
    last = minutes.rounds[-1] if minutes.rounds else None
    now = standing(minutes)
    codes = [criterion.code for criterion in minutes.criteria if not criterion.left_out]
    corrected = corrected_means(rounds=minutes.rounds, codes=codes)
    whole = {
        **minutes.about,
        "criteria": [
            {**_criterion(criterion, minutes, last, now), "corrected": corrected.get(criterion.code)}
            for criterion in minutes.criteria
        ],
        "judges": [_judge(judge, minutes) for judge in minutes.judges],
        "rounds": [_round(panel_round) for panel_round in minutes.rounds],
        "first": _outcome(minutes.rounds[0].number, minutes.rounds[0].found) if minutes.rounds else None,
        "outcome": _outcome(last.number, last.found) if last else None,
        "struck": _struck(minutes),
        "replaced": list(minutes.replaced),
        "now": _outcome(last.number, now) if last else None,
        "unfinished": _unfinished(minutes.unfinished),
        "decided": decided(minutes, found=now),
        "strengths": _shared(minutes, last, strong=True),
        "weaknesses": _shared(minutes, last, strong=False),
        "disagreements": disagreements(minutes, now),
        "improvements": _improvements(minutes),
        "agreement": agreement(
            rounds=minutes.rounds,
            codes=codes,
            people=[judge.name for judge in minutes.judges if judge.kind == Kind.HUMAN.value],
        ),
    }
    if not reports.stands(whole):
        whole["decided"] |= {"recommendation": ""}
    numbered: dict[str, Any] = reports.with_places(whole)
    return numbered


def _struck(minutes: Minutes) -> list[dict[str, Any]]:
    """Return the scores that were struck, in the order of rounds, criteria and seats."""
    return [
        {"round": played.number, "judge": name, "criterion": criterion.code}
        for played in minutes.rounds
        for criterion in minutes.criteria
        for name in played.sections
        if criterion.code in played.struck.get(name, ())
    ]


def _criterion(
    criterion: PanelCriterion, minutes: Minutes, last: Round | None, now: Mapping[str, Any]
) -> dict[str, Any]:
    final = minutes.finals.get(criterion.code, Final(None))
    return {
        "code": criterion.code,
        "name": criterion.name,
        "share": criterion.share,
        "notApplicable": criterion.left_out,
        "notAssessed": _declined({"reason": criterion.unable, "why": criterion.left_out}) if criterion.unable else None,
        "scores": {name: scores_of(section).get(criterion.code) for name, section in last.sections.items()}
        if last
        else {},
        "mean": now.get("means", {}).get(criterion.code),
        "spread": now.get("criterion_spreads", {}).get(criterion.code),
        "disputed": criterion.code in now.get("disputed", ()),
        "final": final.value,
        "override": final.override,
        "quotes": quoted(minutes, criterion.code),
    }


def decided(minutes: Minutes, *, found: Mapping[str, Any]) -> dict[str, str | None]:
    """Return where the whole stands now, with what persons decided; nothing while a criterion is not scored.

    Computed from rounded scores it would be rounded twice: so it is from their means, and where every score stands as
    it was found in the newest round, it is what was found.
    """
    applying = [criterion for criterion in minutes.criteria if not criterion.left_out]
    finals = [minutes.finals.get(criterion.code, Final(None)) for criterion in applying]
    scored = [score for final in finals if (score := final.unrounded) is not None]
    if len(scored) < len(applying):
        return {"overall": None, "recommendation": ""}
    means = [found.get("means", {}).get(criterion.code) for criterion in applying]
    if found and all(
        mean and Decimal(mean) == Decimal(final.value or 0) for mean, final in zip(means, finals, strict=True)
    ):
        return {"overall": found["overall"], "recommendation": found["recommendation"]}
    shares = consensus.normalised(weights=[Decimal(criterion.weight) for criterion in applying])
    overall = numbers.half_up(sum(map(mul, scored, shares), Fraction(0)), places=consensus.PLACES)
    policy = Policy.from_snapshot(minutes.about["policy"])
    return {"overall": plain(overall), "recommendation": consensus.recommendation(overall=overall, policy=policy).value}


def _unfinished(left: Unfinished | None) -> dict[str, Any] | None:
    return {"round": left.number, "heard": list(left.heard), "because": left.because} if left else None


def _improvements(minutes: Minutes) -> list[str]:
    """Return what judges would improve, each once: by criterion, first what those say who give it least."""
    read = [section for section in minutes.rounds[0].sections.values() if section] if minutes.rounds else []
    said = [
        (at, Decimal(row["score"]), row["improvement"])
        for at, criterion in enumerate(minutes.criteria)
        for section in read
        for row in rows_of(section)
        if row["criterion"] == criterion.code and row["improvement"]
    ]
    return list(dict.fromkeys(words for _, _, words in sorted(said)))


def _judge(judge: PanelJudge, minutes: Minutes) -> dict[str, Any]:
    read = [played.sections.get(judge.name) for played in minutes.rounds]
    overalls = [section["overall"] if section else None for section in read]
    unable = [played.declined[judge.name] for played in minutes.rounds if judge.name in played.declined]
    return {
        "name": judge.name,
        "provider": judge.provider,
        "model": judge.model,
        "strategy": judge.strategy,
        "kind": judge.kind,
        "first": overalls[0] if overalls else None,
        "overall": overalls[-1] if overalls else None,
        "unreadable": [at for at, section in enumerate(read) if section is None],
        "notAssessed": _declined(unable[0]) if unable else None,
        "readsTask": judge.provider != OFFLINE,
    }


def _declined(body: Body) -> dict[str, str]:
    """Return why a judge judges nothing, and what helps."""
    reason = Unable(body["reason"])
    return {"reason": reason.value, "why": body["why"], "helps": HELPS_UNABLE[reason]}


def _round(panel_round: Round) -> dict[str, Any]:
    sections = {name: dict(section) if section else None for name, section in panel_round.sections.items()}
    return {"number": panel_round.number, **panel_round.found, "sections": sections}


def _outcome(number: int, check: Mapping[str, Any]) -> dict[str, Any]:
    names = ("agreed", "reason", "reasons", "overall", "recommendation", "spread", "counted", "needed", "disputed")
    return {"round": number, **{name: check[name] for name in names}}


def _shared(minutes: Minutes, last: Round | None, *, strong: bool) -> list[dict[str, Any]]:
    """Return the criteria on which every counted judge is at or beyond a mark, with what they quote for it, and what
    all of them name.
    """
    scores = {
        criterion.code: [
            Decimal(section["scores"][criterion.code]) for section in last.counting(criterion.code).values()
        ]
        for criterion in minutes.criteria
        if last and not criterion.left_out
    }
    beyond = [
        {"criterion": criterion.code, "name": criterion.name, "quotes": quoted(minutes, criterion.code)}
        for criterion in minutes.criteria
        if scores.get(criterion.code) and all(_beyond(score, strong) for score in scores[criterion.code])
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
        if all(any(same_point(text, other) for other in others) for others in listed) and not any(
            same_point(text, other) for other in shared
        ):
            shared.append(text)
    criteria = [criterion for criterion in minutes.criteria if not criterion.left_out]
    return [_point(minutes, text, criterion_of_point(text, criteria)) for text in shared]


def _points(minutes: Minutes, judge: str, *, strong: bool) -> Sequence[str]:
    section = minutes.rounds[0].sections.get(judge) or {}
    listed: Sequence[str] = section.get("strengths" if strong else "weaknesses", ())
    return listed


def _point(minutes: Minutes, text: str, about: PanelCriterion | None) -> dict[str, Any]:
    if about is not None and is_bare_point(text, about):
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
