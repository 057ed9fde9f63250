"""The evaluator's side: brings the passages of the subject that answer a challenge, or concedes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from judging.heuristics import personas, wording
from judging.heuristics.assessment import NOBODY
from judging.heuristics.criteria import shows
from judging.heuristics.evidence import Passage, brought_in, passage_of, passages
from judging.heuristics.relevance import LEAST, bearings
from judging.heuristics.text import cut
from judging.types import CriterionCard, Exchange, Material, Reply, Severity

GOOD_ENOUGH = 45
"""Quality from which a passage answers something, if it shows what was asked for."""
STRONG = 90
"""Quality from which a passage answers even without showing just that."""
USED_ELSEWHERE = 50
"""Per cent of its value that a passage keeps once it has answered another challenge of the round."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A passage as an answer to one challenge. ``met`` names what the challenger asked for and it shows."""

    passage: Passage
    value: int
    met: tuple[str, ...]


def defend(material: Material) -> dict[str, Any]:
    """Answer each exchange with up to two passages not brought before; concede what nothing answers.

    Shape: ``defences`` of challenge (its label), reply, text and verbatim quotes; the text contains the quotes.
    Source: docs/explanation/heuristic-judge.md
    """
    card = material.criterion or NOBODY
    used: list[int] = []
    made = []
    for exchange in material.exchanges:
        answers = answering(exchange, card, material.subject, used)
        used.extend(one.passage.number for one in answers)
        made.append(defended(exchange, card, answers, held=has_held(exchange, material.subject)))
    return {"defences": made}


def answering(exchange: Exchange, card: CriterionCard, subject: str, used: Sequence[int]) -> list[Answer]:
    """Return the best passages against a challenge: two in the first answer, one in each later one."""
    every = passages(subject)
    relevance = {one.passage.number: one.relevance for one in bearings(subject, card)}
    attacked = passage_of(exchange.quote, every)
    answers = personas.answers(exchange)
    spent = {one.number for words in answers for one in brought_in(words, every)}
    if attacked is not None:
        spent.add(attacked.number)
    topic = personas.topic(exchange, card)
    asks = personas.asked(exchange)
    found = [
        valued(one, relevance.get(one.number, 0), topic, asks, reused=one.number in used)
        for one in every
        if one.number not in spent
    ]
    fit = sorted((one for one in found if one.value > 0), key=lambda one: (-one.value, one.passage.number))
    return fit[: 1 if answers else 2]


def valued(one: Passage, relevance: int, topic: frozenset[str], asks: tuple[str, ...], *, reused: bool) -> Answer:
    """Weigh a passage as an answer: it must bear on the matter and show something, best what was asked for."""
    shared = len(topic.intersection(one.sentence.stems))
    met = tuple(ask for ask in asks if shows(one.signs, ask))
    enough = one.quality >= STRONG or (one.quality >= GOOD_ENOUGH and bool(met))
    value = bearing(relevance, shared) * one.quality * (2 + len(met[:2])) // 2 if enough else 0
    return Answer(passage=one, value=value * USED_ELSEWHERE // 100 if reused else value, met=met)


def bearing(relevance: int, shared: int) -> int:
    """Return how much a passage is to the point, 0..100: by the criterion, and by words it shares with what was
    attacked. A passage that does not bear on the criterion needs three such words.
    """
    if relevance < LEAST and shared < 3:
        return 0
    return min(100, 10 + 7 * relevance + 12 * min(3, shared))


def has_held(exchange: Exchange, subject: str) -> bool:
    """Tell whether an earlier answer brought any passage of the subject."""
    return any(brought_in(words, passages(subject)) for words in personas.answers(exchange))


def defended(exchange: Exchange, card: CriterionCard, answers: list[Answer], *, held: bool) -> dict[str, Any]:
    said = [words for _, _, words in exchange.said]
    quotes = [cut(one.passage.sentence.text) for one in answers]
    reply = Reply.DEFEND if answers or held or exchange.severity is Severity.MINOR else Reply.CONCEDE
    met = list(dict.fromkeys(ask for one in answers for ask in one.met))
    text = wording.fresh(
        [f"defence.{situation(reply, answers, held=held, met=met)}"],
        said=said,
        seed=exchange.label,
        name=wording.named(card),
        quotes=" And: ".join(f"\u201c{quote}\u201d" for quote in quotes),
        met=wording.listed([wording.want(ask) for ask in met[:3]]),
    )
    return {"challenge": exchange.label, "reply": reply.value, "text": text, "quotes": quotes}


def situation(reply: Reply, answers: list[Answer], *, held: bool, met: list[str]) -> str:
    if reply is Reply.CONCEDE:
        return "concede"
    if answers:
        return "answered" if met else "supported"
    return "held" if held else "minor"
