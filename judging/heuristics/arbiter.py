"""The arbiter: names what was asked and what the passages brought have or lack, and weighs severity and them. At the
end it sums up: what the scores say, what is strong, what is weak, and what to write next.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from judging.heuristics import criteria, exchanges, personas, wording
from judging.heuristics.criteria import bearings
from judging.heuristics.evaluator import NOBODY
from judging.heuristics.evidence import Passage
from judging.heuristics.exchanges import Answers, Demand
from judging.heuristics.text import hundredths, limited, written
from judging.types import CriterionCard, Exchange, Material, Reply, Severity, Winner

WON = {Severity.CRITICAL: 100, Severity.SIGNIFICANT: 60, Severity.MINOR: 30}
"""Hundredths that a passage of ordinary weight earns by answering a challenge in the first round."""
LOST = {Severity.CRITICAL: 200, Severity.SIGNIFICANT: 100, Severity.MINOR: 35}
"""Hundredths that a challenge costs in the first round which nothing in the subject answers."""
FURTHER = 4
"""By which every ruling of a round but the first is divided: they are about one criterion, and overlap."""
ORDINARY = 90
"""Quality of a passage that earns just that."""


class Finding(StrEnum):
    """What was found in an exchange; each has sentences of its own."""

    ANSWERED = "answered"
    WEAKENED = "weakened"
    PARTLY = "partly"
    BESIDE = "beside"
    BARE = "bare"
    STALE = "stale"
    CONCEDED = "conceded"
    NEAREST = "nearest"
    SILENT = "silent"
    CONCEDED_AGAIN = "conceded_again"


WINNERS = {
    Finding.ANSWERED: Winner.EVALUATOR,
    Finding.WEAKENED: Winner.EVALUATOR,
    Finding.BESIDE: Winner.RED_TEAM,
    Finding.BARE: Winner.RED_TEAM,
    Finding.CONCEDED: Winner.RED_TEAM,
    Finding.NEAREST: Winner.RED_TEAM,
    Finding.SILENT: Winner.RED_TEAM,
}
"""Every other finding is a draw."""
SURE = {
    Finding.ANSWERED: 70,
    Finding.CONCEDED: 85,
    Finding.NEAREST: 65,
    Finding.SILENT: 85,
    Finding.BARE: 80,
    Finding.BESIDE: 65,
}
UNSURE = 55
"""Hundredths of confidence in a ruling, by what it rests on."""


@dataclass(frozen=True, slots=True)
class Weighing:
    """One exchange as the arbiter sees it: ``target`` was attacked last, and the finding speaks of ``best``."""

    asked: Demand
    answers: Answers
    target: Passage | None
    met: tuple[str, ...]
    finding: Finding
    best: Passage | None

    @property
    def lacking(self) -> tuple[str, ...]:
        return tuple(kind for kind in self.asked.kinds if kind not in self.met)


def judge(material: Material) -> dict[str, Any]:
    """Rule on each exchange that has a reply.

    Shape: ``verdicts`` of challenge (its label), winner, adjustment, impact, confidence and reasoning.
    Units: adjustment -3..3 and impact -0.3..0.3, with the sign of the winner, confidence 0..1; decimal strings.
    Source: docs/explanation/heuristic-judge.md
    """
    card = material.criterion or NOBODY
    answered = [exchange for exchange in material.exchanges if exchange.reply is not None]
    return {"verdicts": [verdict(exchange, card, material, first=not place) for place, exchange in enumerate(answered)]}


def verdict(exchange: Exchange, card: CriterionCard, material: Material, *, first: bool) -> dict[str, Any]:
    weighed = weighing(exchange, card, material.subject)
    winner = WINNERS.get(weighed.finding, Winner.DRAW)
    points = moves(exchange, weighed, winner) // (max(1, material.round) * (1 if first else FURTHER))
    adjustment = -points if winner is Winner.RED_TEAM else points
    return {
        "challenge": exchange.label,
        "winner": winner.value,
        "adjustment": written(adjustment),
        "impact": written(impact(adjustment)),
        "confidence": written(SURE.get(weighed.finding, UNSURE)),
        "reasoning": reasoning(exchange, card, weighed),
    }


def weighing(exchange: Exchange, card: CriterionCard, subject: str) -> Weighing:
    """Find out whether the passages brought for the first time have what the latest challenge asks for."""
    asked = personas.asked(exchange, card)
    answers = exchanges.answers(exchange, subject)
    target = answers.earlier[-1] if answers.earlier else answers.attacked
    bearing = [passage for passage in answers.fresh if to_the_point(passage, target, asked, subject, card)]
    met = tuple(kind for kind in asked.kinds if any(exchanges.has(passage, kind) for passage in bearing))
    having = [passage for passage in bearing if any(exchanges.has(passage, kind) for kind in met)]
    pool = having or list(answers.fresh)
    best = max(
        pool, key=lambda passage: (not exchanges.taken_back(passage), passage.quality, -passage.number), default=None
    )
    return Weighing(asked, answers, target, met, finding(exchange, asked, answers, met, best), best)


def to_the_point(passage: Passage, target: Passage | None, asked: Demand, subject: str, card: CriterionCard) -> bool:
    return not passage.signs.instructs and exchanges.fit(passage, target, asked, subject, card) > 0


def finding(exchange: Exchange, asked: Demand, answers: Answers, met: tuple[str, ...], best: Passage | None) -> Finding:
    if exchange.reply is Reply.CONCEDE:
        return concession(exchange, asked, answers, met)
    if best is None:
        return Finding.STALE if answers.earlier else Finding.BARE
    if not met:
        return Finding.BESIDE
    if not asked.any_of and len(met) < len(asked.kinds):
        return Finding.PARTLY
    return Finding.WEAKENED if exchanges.taken_back(best) else Finding.ANSWERED


def concession(exchange: Exchange, asked: Demand, answers: Answers, met: tuple[str, ...]) -> Finding:
    if len(exchanges.said_by(exchange, exchanges.EVALUATOR)) > 1 and not answers.earlier:
        return Finding.CONCEDED_AGAIN
    if not exchange.quote:
        return Finding.SILENT
    has_one = any(exchanges.has(passage, kind) for passage in answers.fresh for kind in asked.kinds)
    return Finding.NEAREST if asked.of_criterion and has_one and not met else Finding.CONCEDED


def moves(exchange: Exchange, weighed: Weighing, winner: Winner) -> int:
    """Return by how many hundredths a ruling of the first round moves a score, 0 or more: whatever the score is."""
    if winner is Winner.DRAW:
        return 0
    if winner is Winner.EVALUATOR:
        quality = weighed.best.quality if weighed.best else 0
        earned = WON[exchange.severity] * limited(quality, least=45, most=135) // ORDINARY
        return earned // 2 if weighed.finding is Finding.WEAKENED else earned
    cost = LOST[exchange.severity]
    if exchange.quote and weighed.answers.attacked is None:
        cost //= 2  # what it quotes is not in the subject
    return cost // 2 if weighed.finding is Finding.BESIDE else cost


def impact(adjustment: int) -> int:
    """Return what a verdict does to the confidence in the score: a tenth of the adjustment, at least 0.01."""
    if adjustment == 0:
        return 0
    size = limited(abs(adjustment) // 10, least=1, most=30)
    return size if adjustment > 0 else -size


def reasoning(exchange: Exchange, card: CriterionCard, weighed: Weighing) -> str:
    best = weighed.best
    asked = weighed.asked
    lacking = weighed.lacking or asked.kinds
    values = {
        "name": wording.named(card),
        "severity": exchange.severity.value,
        "about": f" for \u201c{wording.snippet(asked.about, limit=60)}\u201d"
        if asked.about
        else f" on {wording.named(card)}",
        "want": wording.wants(asked.kinds, any_of=asked.any_of),
        "quote": wording.snippet(best.sentence.text, limit=70) if best else "",
        "brought": wording.brought(best.signs) if best else "",
        "met": wording.listed([wording.evidence(kind, (best,)) for kind in weighed.met[:2] if best]),
        "lacking": wording.wants(lacking, any_of=asked.any_of),
        "missing": criteria.lookout(card).missing,
        "short": wording.falls_short(best, asked, card) if best else "",
        "hedge": exchanges.taken_back(best) if best else "",
        "tied": wording.tied(best, weighed.target, asked, card) if best else "",
    }
    turn = exchanges.turn_of(exchange)
    return wording.turned(f"verdict.{weighed.finding.value}", seed=card.code, turn=turn, **values)


# -- the closing summary -----------------------------------------------------------------------------------------------


STRONG = 700
WEAK = 400
LISTED = 5
"""Strengths, weaknesses and pieces of advice at most."""
UNKNOWN = -1


@dataclass(frozen=True, slots=True)
class CriterionOutcome:
    """One criterion after the debate; scores in hundredths, ``UNKNOWN`` where there is none."""

    card: CriterionCard
    initial: int
    final: int
    overridden: bool


def synthesise(material: Material) -> dict[str, Any]:
    """Sum up a debate from its result, in words. Missing keys leave their sentence out.

    Shape: ``summary``, and lists of ``strengths`` (final 7 or more), ``weaknesses`` (4 or less) and ``advice``.
    """
    result = material.result
    scored = [
        outcome
        for outcome in map(outcome_of, entries(result.get("criteria")))
        if outcome is not None and outcome.final != UNKNOWN
    ]
    weakest = sorted(scored, key=lambda outcome: (outcome.final, outcome.card.code))
    best = sorted(
        (outcome for outcome in scored if outcome.final >= STRONG and listed(outcome, result.get("strengths"))),
        key=lambda outcome: (-outcome.final, outcome.card.code),
    )
    worst = [outcome for outcome in weakest if outcome.final <= WEAK and listed(outcome, result.get("weaknesses"))]
    return {
        "summary": summary(material, scored),
        "strengths": strengths(best[:LISTED], material.subject) or names(result.get("strengths")),
        "weaknesses": [weakness(outcome, material.subject) for outcome in worst[:LISTED]]
        or names(result.get("weaknesses")),
        "advice": [advice(outcome, material.subject) for outcome in weakest[:LISTED] if outcome.final < STRONG],
    }


def entries(value: object) -> list[Mapping[str, Any]]:
    if not isinstance(value, (list, tuple)):
        return []
    return [part for part in value if isinstance(part, Mapping)]


def listed(outcome: CriterionOutcome, value: object) -> bool:
    """Say whether a result lists a criterion; one that has no list leaves it to the scores."""
    return not isinstance(value, (list, tuple)) or outcome.card.code in value


def names(value: object) -> list[str]:
    """Return a list of criterion names from a result that names them without their scores."""
    if not isinstance(value, (list, tuple)):
        return []
    return [wording.snippet(part) for part in value if isinstance(part, str)][:LISTED]


def outcome_of(entry: Mapping[str, Any]) -> CriterionOutcome | None:
    code = str(entry.get("code") or entry.get("key") or "")
    name = str(entry.get("name") or "") or code
    if not name:
        return None
    texts = {field: str(entry.get(field) or "") for field in ("category", "question", "high", "low")}
    card = CriterionCard(code=code, name=name, **texts)
    initial, final = (hundredths(entry.get(name), otherwise=UNKNOWN) for name in ("initial", "final"))
    return CriterionOutcome(card=card, initial=initial, final=final, overridden=bool(entry.get("override")))


def found_in(result: Mapping[str, Any], *names: str) -> object:
    """Return the first value there is under one of several names; a dot steps into an object."""
    for name in names:
        value: object = result
        for step in name.split("."):
            value = value.get(step) if isinstance(value, Mapping) else None
        if value is not None:
            return value
    return None


def summary(material: Material, scored: list[CriterionOutcome]) -> str:
    """Tell how the overall and the criteria moved, what a person decided, what is recommended, how answers fared."""
    result = material.result
    before = hundredths(found_in(result, "overall_before", "overall.before"), otherwise=UNKNOWN)
    after = hundredths(found_in(result, "overall_after", "overall.after"), otherwise=UNKNOWN)
    parts = [movement(wording.snippet(material.subject_title) or "The subject", before, after)]
    if len(scored) > 1:  # the way of a single one is the way of the whole
        parts.append(moved(scored))
    if decided := [outcome.card.name for outcome in scored if outcome.overridden]:
        parts.append(wording.filled("synthesis.decided", names=wording.listed(decided)))
    recommended = found_in(result, "recommendation", "overall.recommendation")
    if isinstance(recommended, str) and recommended:
        said = wording.snippet(recommended, limit=40)
        parts.append(wording.filled("synthesis.recommendation", recommendation=said))
    rate = hundredths(found_in(result, "survival_rate", "survivalRate"), otherwise=UNKNOWN)
    if 0 <= rate <= 100:
        parts.append(wording.filled("synthesis.survival", rate=str(rate)))
    return " ".join(parts)


def moved(scored: list[CriterionOutcome]) -> str:
    known = [outcome for outcome in scored if outcome.initial != UNKNOWN]
    raised = sum(1 for outcome in known if outcome.final > outcome.initial)
    lowered = sum(1 for outcome in known if outcome.final < outcome.initial)
    return wording.filled("synthesis.moved", count=str(len(scored)), raised=str(raised), lowered=str(lowered))


def movement(title: str, before: int, after: int) -> str:
    if after == UNKNOWN:
        return wording.filled("synthesis.unscored", title=title)
    if before == UNKNOWN:
        return wording.filled("synthesis.stands", title=title, after=written(after))
    key = "synthesis.same" if before == after else "synthesis.rose" if after > before else "synthesis.fell"
    return wording.filled(key, title=title, before=written(before), after=written(after))


def strengths(best: Sequence[CriterionOutcome], subject: str) -> list[str]:
    """Name each strength with the passage that carries it most, or with the next one where that is quoted already."""
    quoted: list[str] = []
    lines = []
    for outcome in best:
        carrying = [bearing.text for bearing in bearings(subject, outcome.card) if bearing.worth > 0]
        text = next((text for text in carrying if text not in quoted), "")
        quoted.append(text)
        said = f": \u201c{wording.snippet(text, limit=160)}\u201d" if text else ""
        lines.append(f"{outcome.card.name} ({written(outcome.final)}){said}")
    return lines


def weakness(outcome: CriterionOutcome, subject: str) -> str:
    rows = bearings(subject, outcome.card)
    key = {0: "synthesis.silent", 1: "synthesis.thin_one"}.get(len(rows), "synthesis.thin")
    return wording.filled(
        key,
        name=outcome.card.name,
        score=written(outcome.final),
        missing=criteria.lookout(outcome.card).missing,
        count=str(len(rows)),
    )


def advice(outcome: CriterionOutcome, subject: str) -> str:
    """Say what to add: what the criterion wants and no passage shows; for a rubric of one's own, what it calls good."""
    look = criteria.lookout(outcome.card)
    rows = bearings(subject, outcome.card)
    absent = [want for want in look.wants if not any(want in bearing.has for bearing in rows)] or list(look.wants)
    wants = wording.listed([wording.want(want) for want in absent])
    if not look.packaged and outcome.card.question and outcome.card.high:
        question, high = (wording.snippet(words, limit=200) for words in (outcome.card.question, outcome.card.high))
        return wording.filled("synthesis.asked", name=outcome.card.name, question=question, high=high, wants=wants)
    return wording.filled("synthesis.advice", name=outcome.card.name, missing=look.missing, wants=wants)
