"""The arbiter: weighs a challenge against its defence. Most verdicts are small, many are draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from judging.heuristics import personas, wording
from judging.heuristics.criteria import bearings, shows
from judging.heuristics.evaluator import FLOOR, NOBODY, bearing
from judging.heuristics.evidence import Passage, brought_in, passage_of, passages
from judging.heuristics.text import hundredths, limited, written
from judging.types import CriterionCard, Exchange, Material, Reply, Severity, Winner

WEIGHT = {Severity.CRITICAL: 75, Severity.SIGNIFICANT: 56, Severity.MINOR: 46}
"""What a challenge weighs by its severity, before the attacked passage is looked at."""
CONCEDED = {Severity.CRITICAL: 230, Severity.SIGNIFICANT: 110, Severity.MINOR: 30}
"""Hundredths that a conceded challenge costs a score of 10; a score that is low already has less to lose."""
DRAW = 14
"""Margin within which neither side wins in the first round; in round n it is n times as wide."""
MOST_GAINED = 40
MOST_LOST = 100
"""Hundredths that one defended exchange can move a score."""


@dataclass(frozen=True, slots=True)
class Weighing:
    """Both sides of one exchange, 0 to about 120 each, and what the defence brought."""

    attack: int
    defence: int
    fresh: tuple[Passage, ...]
    met: tuple[str, ...]
    stale: bool


def judge(material: Material) -> dict[str, Any]:
    """Rule on each exchange that has a reply.

    Shape: ``verdicts`` of challenge (its label), winner, adjustment, impact, confidence and reasoning.
    Units: adjustment -3..3 and impact -0.3..0.3, with the sign of the winner, confidence 0..1; decimal strings.
    Source: docs/explanation/heuristic-judge.md
    """
    card = material.criterion or NOBODY
    standing = hundredths(material.score, otherwise=hundredths(material.initial_score, otherwise=550))
    return {
        "verdicts": [
            verdict(one, card, material, standing=limited(standing, least=100, most=1_000))
            for one in material.exchanges
            if one.reply is not None
        ]
    }


def verdict(exchange: Exchange, card: CriterionCard, material: Material, *, standing: int) -> dict[str, Any]:
    weighed = weighing(exchange, card, material.subject)
    turn = max(1, material.round)
    winner = decided(exchange, weighed, turn=turn)
    moved = moves(exchange, weighed, winner, standing=standing) // turn
    adjustment = -moved if winner is Winner.RED_TEAM else moved
    return {
        "challenge": exchange.label,
        "winner": winner.value,
        "adjustment": written(adjustment),
        "impact": written(impact(adjustment)),
        "confidence": written(sureness(exchange, weighed, winner)),
        "reasoning": reasoning(exchange, card, weighed, winner),
    }


def weighing(exchange: Exchange, card: CriterionCard, subject: str) -> Weighing:
    """Weigh the last answer. Passages that were brought before weigh nothing when they are brought again."""
    every = passages(subject)
    answers = personas.answers(exchange)
    earlier = {one.number for words in answers[:-1] for one in brought_in(words, every)}
    attacked = passage_of(exchange.quote, every)
    if attacked is not None:
        earlier.add(attacked.number)
    brought = brought_in(answers[-1], every) if answers else ()
    fresh = tuple(one for one in brought if one.number not in earlier)
    asks = personas.asked(exchange)
    topic = personas.topic(exchange, card)
    relevance = {one.passage.number: one.relevance for one in bearings(subject, card)}
    weights = [answer(one, asks, relevance.get(one.number, 0), topic) for one in fresh]
    return Weighing(
        attack=attack(exchange, attacked),
        defence=defence(weights),
        fresh=fresh,
        met=tuple(ask for ask in asks if any(shows(one.signs, ask) for one in fresh)),
        stale=len(answers) > 1 and not fresh,
    )


def attack(exchange: Exchange, attacked: Passage | None) -> int:
    """Weigh a challenge: its severity, and whether the passage that it quotes is as weak as it says."""
    weight = WEIGHT[exchange.severity]
    if not exchange.quote:
        return weight
    if attacked is None:
        return weight // 2
    return limited(weight + (60 - attacked.quality) // 4, least=10, most=100)


def defence(weights: list[int]) -> int:
    """Add up the passages brought: the best in full, a second at a third; more of them add nothing."""
    best = sorted(weights, reverse=True)
    return limited(sum(weight // share for weight, share in zip(best, (1, 3), strict=False)), least=0, most=120)


def answer(one: Passage, asks: tuple[str, ...], relevance: int, topic: frozenset[str]) -> int:
    """Weigh one passage: what it is worth, how much it is to the point, and whether it shows what was asked."""
    shared = len(topic.intersection(one.sentence.stems))
    met = any(shows(one.signs, ask) for ask in asks)
    worth = min(one.quality, 140) * bearing(relevance, shared) // 100
    return worth if met else worth * 2 // 5


def decided(exchange: Exchange, weighed: Weighing, *, turn: int) -> Winner:
    """Name the winner. Who repeats, wins nothing; who concedes, loses once; the later the round, the clearer the
    difference must be.
    """
    if exchange.reply is Reply.CONCEDE:
        return Winner.DRAW if conceded_before(exchange) else Winner.RED_TEAM
    if weighed.stale:
        return Winner.DRAW
    margin = weighed.defence - weighed.attack
    if margin > DRAW * turn:
        return Winner.EVALUATOR
    return Winner.RED_TEAM if margin < -DRAW * turn else Winner.DRAW


def conceded_before(exchange: Exchange) -> bool:
    """Tell whether the point was given up in an earlier round: two answers, and neither brought anything."""
    return len(personas.answers(exchange)) > 1


def moves(exchange: Exchange, weighed: Weighing, winner: Winner, *, standing: int) -> int:
    """Return by how many hundredths, 0 or more. What the score already reflects is not taken off again."""
    if winner is Winner.DRAW:
        return 0
    room = limited(standing - FLOOR + 60, least=20, most=780)
    if exchange.reply is Reply.CONCEDE:
        return limited(CONCEDED[exchange.severity] * room // 700, least=2, most=250)
    margin = weighed.defence - weighed.attack
    if winner is Winner.EVALUATOR:
        return limited(
            margin * 2 // 5 * limited(1_000 - standing, least=50, most=500) // 500, least=1, most=MOST_GAINED
        )
    return limited(-margin * room // 700, least=1, most=MOST_LOST)


def impact(adjustment: int) -> int:
    """Return what a verdict does to the confidence in the score: a tenth of the adjustment, at least 0.01."""
    if adjustment == 0:
        return 0
    size = limited(abs(adjustment) // 10, least=1, most=30)
    return size if adjustment > 0 else -size


def sureness(exchange: Exchange, weighed: Weighing, winner: Winner) -> int:
    if exchange.reply is Reply.CONCEDE:
        return 85
    if winner is Winner.DRAW:
        return 60 if weighed.stale else 50
    return limited(50 + abs(weighed.defence - weighed.attack) * 2 // 5, least=50, most=90)


def reasoning(exchange: Exchange, card: CriterionCard, weighed: Weighing, winner: Winner) -> str:
    best = max(weighed.fresh, key=lambda one: (one.quality, -one.number), default=None)
    values = {
        "name": wording.named(card),
        "severity": exchange.severity.value,
        "persona": wording.snippet(exchange.persona, limit=40),
        "brought": wording.brought(best.signs) if best else "",
        "quote": wording.snippet(best.sentence.text) if best else "",
        "count": wording.counted(len(weighed.fresh), "new passage"),
        "unmet": wording.listed([wording.want(ask) for ask in unmet(exchange, weighed)]),
    }
    return wording.filled(f"verdict.{case(exchange, weighed, winner)}", seed=exchange.label, **values)


def unmet(exchange: Exchange, weighed: Weighing) -> list[str]:
    asks = personas.asked(exchange)
    return [ask for ask in asks if ask not in weighed.met][:2] or [asks[0]]


def case(exchange: Exchange, weighed: Weighing, winner: Winner) -> str:
    if exchange.reply is Reply.CONCEDE:
        return "conceded_again" if winner is Winner.DRAW else "conceded"
    if weighed.stale:
        return "stale"
    if winner is Winner.EVALUATOR:
        return "answered"
    if winner is Winner.DRAW:
        return "even" if weighed.fresh else "even_bare"
    return "insufficient" if weighed.fresh else "unanswered"
