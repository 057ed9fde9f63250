"""The evaluator's side: brings the passage of the subject that has what was asked for, or concedes."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from judging.heuristics import exchanges, personas, wording
from judging.heuristics.evaluator import NOBODY
from judging.heuristics.evidence import Passage, passages
from judging.heuristics.exchanges import Demand
from judging.heuristics.text import cut
from judging.types import CriterionCard, Exchange, Material, Reply

USED_ELSEWHERE = 40
"""What a passage loses that has answered another challenge of the thread: it answers again where nothing else does."""
PLAIN = 12
"""What a passage gains that does not take back what it says."""


def defend(material: Material) -> dict[str, Any]:
    """Answer each exchange with a passage that has what was asked for; concede where the subject has none.

    Shape: ``defences`` of challenge (its label), reply, text and verbatim quotes; the text contains the quotes.
    Source: docs/explanation/heuristic-judge.md
    """
    card = material.criterion or NOBODY
    said = [exchanges.answers(exchange, material.subject) for exchange in material.exchanges]
    used = {passage.number for answers in said for passage in (*answers.earlier, *answers.fresh)}
    defences = []
    for exchange in material.exchanges:
        asked = personas.asked(exchange, card)
        brought = answering(exchange, asked, card, material.subject, used)
        used.update(passage.number for passage in brought)
        defences.append(
            defended(exchange, asked, card, brought) if brought else conceded(exchange, asked, card, material.subject)
        )
    return {"defences": defences}


def answering(
    exchange: Exchange, asked: Demand, card: CriterionCard, subject: str, used: Collection[int]
) -> tuple[Passage, ...]:
    """Return the passage that speaks of the same matter and has what was asked for, and a second one where several
    things were asked for and the first does not have them all.
    """
    before = exchanges.answers(exchange, subject)
    target = before.fresh[-1] if before.fresh else before.attacked
    seen = {passage.number for passage in before.seen}
    ranked = sorted(
        (
            (-value, passage.number, passage)
            for passage in passages(subject)
            if passage.number not in seen
            and (value := worth(passage, target, asked, card=card, subject=subject, used=used)) > 0
        ),
    )
    best = [passage for _, _, passage in ranked]
    if not best or asked.any_of:
        return tuple(best[:1])
    missing = [kind for kind in asked.kinds if not exchanges.has(best[0], kind)]
    second = [passage for passage in best[1:] if any(exchanges.has(passage, kind) for kind in missing)]
    return (best[0], *second[:1])


def worth(
    passage: Passage, target: Passage | None, asked: Demand, *, card: CriterionCard, subject: str, used: Collection[int]
) -> int:
    if passage.signs.instructs or not any(exchanges.has(passage, kind) for kind in asked.kinds):
        return 0
    value = exchanges.fit(passage, target, asked, subject, card)
    if not value:
        return 0
    plain = PLAIN if not exchanges.taken_back(passage) else 0
    return max(1, value + plain - (USED_ELSEWHERE if passage.number in used else 0))


def defended(exchange: Exchange, asked: Demand, card: CriterionCard, brought: tuple[Passage, ...]) -> dict[str, Any]:
    quotes = [cut(passage.sentence.text) for passage in brought]
    met = [kind for kind in asked.kinds if any(exchanges.has(passage, kind) for passage in brought)]
    text = wording.turned(
        "defence.answered",
        seed=card.code,
        turn=exchanges.turn_of(exchange),
        quotes=" And: ".join(f"\u201c{quote}\u201d" for quote in quotes),
        met=wording.listed([wording.evidence(kind, brought) for kind in met[:2]]),
    )
    return {"challenge": exchange.label, "reply": Reply.DEFEND.value, "text": text, "quotes": quotes}


def conceded(exchange: Exchange, asked: Demand, card: CriterionCard, subject: str) -> dict[str, Any]:
    """Say of some words that nothing goes with them, and of a criterion as a whole what comes nearest."""
    attacked = exchanges.answers(exchange, subject).attacked
    near = exchanges.nearest(attacked, asked, subject, card) if exchange.quote and not asked.about else None
    text = wording.turned(
        f"defence.{situation(exchange, asked, near)}",
        seed=card.code,
        turn=exchanges.turn_of(exchange),
        name=wording.named(card),
        about=wording.snippet(asked.about, limit=60),
        want=wording.wants(asked.kinds, any_of=asked.any_of),
        looked=wording.looked_for(subject, card),
        nearest=cut(near.sentence.text) if near else "",
        short=wording.falls_short(near, asked, card) if near else "",
    )
    return {"challenge": exchange.label, "reply": Reply.CONCEDE.value, "text": text, "quotes": []}


def situation(exchange: Exchange, asked: Demand, near: Passage | None) -> str:
    """Return which kind of concession this is: its sentences are kept by that name."""
    if not exchange.quote:
        return "silent"
    if asked.about:
        return "conceded"
    return "nearest" if near else "nowhere"
