"""The arbiter: names what was asked and what the passages brought have or lack. What it weighs is severity and them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from judging.heuristics import criteria, exchanges, personas, wording
from judging.heuristics.evaluator import NOBODY
from judging.heuristics.evidence import Passage
from judging.heuristics.exchanges import Answers, Demand
from judging.heuristics.text import limited, written
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
    moved = moves(exchange, weighed, winner) // (max(1, material.round) * (1 if first else FURTHER))
    adjustment = -moved if winner is Winner.RED_TEAM else moved
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
