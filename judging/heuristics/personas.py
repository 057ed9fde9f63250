"""Personas of the red team, and the questions that each may put to a criterion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from judging.heuristics import lexicons
from judging.heuristics.criteria import Bearing
from judging.heuristics.evidence import place
from judging.heuristics.text import READ_LIMIT, content_stems, lowered, tokens
from judging.types import CriterionCard, Exchange

# Who challenges and what each of them looks for in a passage.


DEFAULT = "skeptic"


@dataclass(frozen=True, slots=True)
class Persona:
    """``asks``: what this persona wants to see, most wanted first. ``looks``: the weaknesses it has an eye for."""

    name: str
    asks: tuple[str, ...]
    looks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Flaw:
    """A weakness of one passage: how grave in points, and the words in which it shows."""

    points: int
    found: str = ""


@cache
def persona(name: str) -> Persona:
    """Return a persona; one that nobody here has met looks as the skeptic does."""
    known = lexicons.read("personas")
    habits = known.get(name, known[DEFAULT])
    return Persona(name=name, asks=tuple(habits["asks"]), looks=tuple(habits["looks"]))


def asks(who: Persona, wants: tuple[str, ...]) -> tuple[str, ...]:
    """Return what a persona asks for, beginning with what the criterion itself wants to see."""
    return tuple(sorted(who.asks, key=lambda ask: ask not in wants))


def flaw(look: str, one: Bearing) -> Flaw | None:
    """Return the weakness of that kind in a passage, if it has it."""
    return LOOKS[look](one)


def first(words: tuple[str, ...], points: int) -> Flaw | None:
    return Flaw(points=points, found=words[0]) if words else None


def denied(one: Bearing) -> Flaw | None:
    return first(one.passage.signs.denied, 50)


def hollow(one: Bearing) -> Flaw | None:
    return first(one.passage.signs.hollow, 55)


def loud(one: Bearing) -> Flaw | None:
    signs = one.passage.signs
    return None if signs.grounded else first(one.bad + signs.puffery + signs.absolutes, 60)


def bare(one: Bearing) -> Flaw | None:
    return None if one.passage.signs.grounded else Flaw(points=35)


def unsourced(one: Bearing) -> Flaw | None:
    signs = one.passage.signs
    return Flaw(points=18) if signs.kinds and not signs.sources else None


def gap(one: Bearing) -> Flaw | None:
    signs = one.passage.signs
    return None if signs.mitigations else first(signs.limits + one.bad, 45)


def vague(one: Bearing) -> Flaw | None:
    signs = one.passage.signs
    return first(signs.vague, 12 if signs.grounded else 38 + 4 * len(signs.vague[:3]))


def hedged(one: Bearing) -> Flaw | None:
    signs = one.passage.signs
    return first(signs.hedges, 15 if signs.grounded else 40)


def promised(one: Bearing) -> Flaw | None:
    signs = one.passage.signs
    words = one.passage.sentence.words
    return Flaw(points=34) if not signs.kinds and {"will", "shall", "going", "would"}.intersection(words) else None


def assumed(one: Bearing) -> Flaw | None:
    signs = one.passage.signs
    return None if signs.reasons else first(signs.assumptions, 18 if signs.grounded else 42)


def leap(one: Bearing) -> Flaw | None:
    signs = one.passage.signs
    return Flaw(points=16) if signs.grounded and not signs.reasons else None


def unreasoned(one: Bearing) -> Flaw | None:
    signs = one.passage.signs
    return None if signs.grounded or signs.reasons else Flaw(points=32)


def exposed(one: Bearing) -> Flaw | None:
    return first(one.bad, 40)


def uncompared(one: Bearing) -> Flaw | None:
    signs = one.passage.signs
    return None if signs.comparisons else Flaw(points=14 if signs.grounded else 30)


def single(one: Bearing) -> Flaw | None:
    return Flaw(points=20) if len(one.passage.signs.kinds) == 1 else None


def one_reading(one: Bearing) -> Flaw | None:
    signs = one.passage.signs
    return Flaw(points=14 if signs.grounded else 28) if not signs.conditions and not signs.comparisons else None


def absolute(one: Bearing) -> Flaw | None:
    signs = one.passage.signs
    return first(signs.absolutes, 25 if signs.grounded else 55)


def happy_path(one: Bearing) -> Flaw | None:
    signs = one.passage.signs
    return None if signs.conditions else Flaw(points=13 if signs.grounded else 30)


LOOKS: Mapping[str, Callable[[Bearing], Flaw | None]] = {
    "denied": denied,
    "hollow": hollow,
    "loud": loud,
    "bare": bare,
    "unsourced": unsourced,
    "gap": gap,
    "vague": vague,
    "hedged": hedged,
    "promised": promised,
    "assumed": assumed,
    "leap": leap,
    "unreasoned": unreasoned,
    "exposed": exposed,
    "uncompared": uncompared,
    "single": single,
    "one_reading": one_reading,
    "absolute": absolute,
    "happy_path": happy_path,
}


# What an exchange is about: what was asked for, by whom, about which words of the subject.


def asked(exchange: Exchange) -> tuple[str, ...]:
    """Return the kinds of evidence that the latest challenge names; where it names none, what its persona wants."""
    latest = next((words for _, who, words in reversed(exchange.said) if who == "challenger"), "")
    words = lowered(raw=tokens(latest[:READ_LIMIT]))
    wants = lexicons.read("phrases")["wants"]
    named = tuple(kind for kind, phrase in wants.items() if place(words, tuple(phrase.split())) >= 0)
    return named or persona(exchange.persona).asks[:3]


def answers(exchange: Exchange) -> tuple[str, ...]:
    """Return what the evaluator has said in this exchange, oldest first."""
    return tuple(words for _, who, words in exchange.said if who == "evaluator")


def topic(exchange: Exchange, card: CriterionCard) -> frozenset[str]:
    """Return the stems that an answer should share: those of the attacked words, or of the question on silence."""
    return content_stems(exchange.quote or card.question)
