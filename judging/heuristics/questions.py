"""What an exchange is about: what was asked for, by whom, about which words of the subject."""

from __future__ import annotations

from judging.heuristics import lexicons, personas
from judging.heuristics.evidence import place
from judging.heuristics.text import READ_LIMIT, content_stems, lowered, tokens
from judging.types import CriterionCard, Exchange


def asked(exchange: Exchange) -> tuple[str, ...]:
    """Return the kinds of evidence that the latest challenge names; where it names none, what its persona wants."""
    latest = next((words for _, who, words in reversed(exchange.said) if who == "challenger"), "")
    words = lowered(raw=tokens(latest[:READ_LIMIT]))
    wants = lexicons.read("phrases")["wants"]
    named = tuple(kind for kind, phrase in wants.items() if place(words, tuple(phrase.split())) >= 0)
    return named or personas.persona(exchange.persona).asks[:3]


def answers(exchange: Exchange) -> tuple[str, ...]:
    """Return what the evaluator has said in this exchange, oldest first."""
    return tuple(words for _, who, words in exchange.said if who == "evaluator")


def topic(exchange: Exchange, card: CriterionCard) -> frozenset[str]:
    """Return the stems that an answer should share: those of the attacked words, or of the question on silence."""
    return content_stems(exchange.quote or card.question)
