"""The evaluator: gives first scores, and defends or concedes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from judging.heuristics import criteria, personas, wording
from judging.heuristics.criteria import LEAST, Bearing, bearings, shows
from judging.heuristics.evidence import Passage, brought_in, passage_of, passages
from judging.heuristics.text import cut, limited, written
from judging.types import CriterionCard, Exchange, Material, Reply, Severity

# The first score of a criterion: how much checkable evidence the subject brings for it.


FLOOR = 220
"""Hundredths that a criterion gets on which the text is silent."""
REACH = 740
"""Hundredths that evidence can add; approached, never reached."""
HALFWAY = 2_100
"""Weight of evidence that earns half of the reach."""
DECAY = (100, 75, 56, 42, 32, 24, 18, 13, 10, 7, 5, 3)
"""Per cent at which the first, second, third ... passage counts, so that length alone buys little."""
NOBODY = CriterionCard(code="", name="", category="", question="", high="", low="")


def assess(material: Material) -> dict[str, Any]:
    """Score one criterion from the passages that bear on it.

    Shape: ``score``, ``confidence``, ``reasoning`` and up to three verbatim ``quotes``.
    Units: ``score`` 1..10 and ``confidence`` 0..1, as decimal strings with two places.
    Source: docs/explanation/heuristic-judge.md
    """
    card = material.criterion or NOBODY
    found = bearings(material.subject, card)
    weighty = [one for one in found if one.worth > 0]
    return {
        "score": written(score(found)),
        "confidence": written(confidence(found)),
        "reasoning": reasoning(card, found, weighty),
        "quotes": [cut(one.text) for one in weighty[:3]],
    }


def evidence(found: tuple[Bearing, ...]) -> int:
    """Return the weight of evidence: the best passage in full, each further one less."""
    return sum(one.worth * share for one, share in zip(found, DECAY, strict=False)) // 100


def covered(found: tuple[Bearing, ...]) -> int:
    """Return how far a criterion is covered, 0 to below 100."""
    weight = evidence(found)
    return 100 * weight // (weight + HALFWAY)


def score(found: tuple[Bearing, ...]) -> int:
    """Return the score in hundredths. Claims with nothing behind them cost; saying nothing costs less."""
    weight = evidence(found)
    earned = REACH * weight // (weight + HALFWAY)
    return limited(FLOOR + earned - empty_claims(found), least=100, most=1_000)


def empty_claims(found: tuple[Bearing, ...]) -> int:
    """Return what bears on the criterion, claims much and shows nothing, in hundredths, at most one point."""
    loud = [one for one in found if not one.passage.signs.grounded and is_loud(one)]
    return min(100, 15 * len(loud))


def is_loud(one: Bearing) -> bool:
    signs = one.passage.signs
    return bool(signs.absolutes or signs.puffery or signs.hollow or signs.denied or one.bad)


def confidence(found: tuple[Bearing, ...]) -> int:
    """Return how sure the score is, in hundredths: more passages make surer, passages that disagree less so."""
    weight = evidence(found)
    mixed = any(one.bad for one in found[:4]) and any(one.good for one in found[:4])
    return limited(28 + 64 * weight // (weight + HALFWAY) - (6 if mixed else 0), least=5, most=95)


def reasoning(card: CriterionCard, found: tuple[Bearing, ...], weighty: list[Bearing]) -> str:
    look = criteria.lookout(card)
    if not found:
        return wording.filled("assess.silent", missing=look.missing)
    lines = [wording.filled("assess.bearing", count=wording.counted(len(found), "passage"), name=wording.named(card))]
    if weighty:
        lines.append(wording.filled("assess.strongest", brought=wording.brought(weighty[0].passage.signs)))
    absent = [want for want in look.wants if not any(want in one.shown for one in found)]
    if absent:
        lines.append(wording.filled("assess.absent", absent=wording.listed([wording.want(one) for one in absent])))
    against = [phrase for one in found for phrase in one.bad]
    if against:
        lines.append(wording.filled("assess.against", words=wording.listed([f"\u201c{w}\u201d" for w in against[:3]])))
    loud = [one for one in found if not one.passage.signs.grounded and is_loud(one)]
    if loud:
        lines.append(wording.filled("assess.loud", count=wording.counted(len(loud), "passage")))
    return " ".join(lines)


# The evaluator's side: brings the passages of the subject that answer a challenge, or concedes.


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
