"""What a response does to a listener: persuasion, attack and evidence, read from its words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Self

from judging.rules import options
from scoring.rules import numbers

PERSUASION_PER_WORD = Decimal("0.3")
ATTACK_PER_WORD = Decimal("0.4")
EVIDENCE_PER_WORD = Decimal("0.35")
HIGHEST = Decimal(1)
PLACES = 6

AGGRESSIVE_BELOW_CONVICTION = Decimal("0.5")
EMPATHETIC_BELOW_STANCE = Decimal("0.3")
DEFENSIVE_ABOVE = Decimal("0.7")
NEUTRAL_BELOW = Decimal("0.2")


class Strategy(StrEnum):
    """How a participant argues."""

    ANALYTICAL = "analytical"
    AGGRESSIVE = "aggressive"
    DEFENSIVE = "defensive"
    EMPATHETIC = "empathetic"
    ADAPTIVE = "adaptive"


@dataclass(frozen=True, slots=True)
class WordLists:
    """The words, or short phrases, that count as persuasion, attack and evidence."""

    persuasion: tuple[str, ...] = ("however", "consider", "but", "think about", "understand")
    attack: tuple[str, ...] = ("wrong", "flawed", "incorrect", "mistaken", "fallacious")
    evidence: tuple[str, ...] = ("research", "data", "study", "evidence", "statistics")

    def extended(
        self, *, persuasion: Sequence[str] = (), attack: Sequence[str] = (), evidence: Sequence[str] = ()
    ) -> Self:
        """Return the lists with further words, each once whatever its case."""
        return replace(
            self,
            persuasion=_once(self.persuasion, persuasion),
            attack=_once(self.attack, attack),
            evidence=_once(self.evidence, evidence),
        )


WORDS = WordLists()


@dataclass(frozen=True, slots=True)
class Effect:
    """What one response does to one listener, 0..1 each, and how many persuasion words it had."""

    persuasion: Decimal
    attack: Decimal
    evidence: Decimal
    persuasion_words: int = 0


@dataclass(frozen=True, slots=True)
class Factors:
    """The shares that make up persuasion where a debate sets ``persuasion_factors``.

    Units: 0..1 each.
    Source: docs/reference/rules.md#effects
    """

    base: Decimal = Decimal("0.3")
    strategy: Decimal = Decimal("0.2")
    evidence: Decimal = Decimal("0.3")
    social: Decimal = Decimal("0.2")

    @classmethod
    def of(cls, mapping: object) -> Self:
        """Read factors, the missing ones by default.

        Raises: ``UnknownKey``, ``OutOfRange``, ``NotANumber``, ``NotExact``, by name.
        """
        readers = {field.name: options.number(low="0", high="1") for field in fields(cls)}
        return cls(**options.chosen(options=mapping, readers=readers, what="persuasion_factors"))

    def snapshot(self) -> dict[str, str]:
        return {field.name: options.written(getattr(self, field.name)) for field in fields(self)}


@dataclass(frozen=True, slots=True)
class Listener:
    """Where a listener stands when a response reaches it."""

    stance: Decimal
    conviction: Decimal


def from_words(*, text: str, words: WordLists = WORDS) -> Effect:
    """Return the effect of a response by its words: whole words only, each counted once, upper and lower case alike.

    Source: docs/reference/rules.md#effects
    """
    persuasive = found(text=text, words=words.persuasion)
    return Effect(
        persuasion=min(HIGHEST, PERSUASION_PER_WORD * persuasive),
        attack=min(HIGHEST, ATTACK_PER_WORD * found(text=text, words=words.attack)),
        evidence=min(HIGHEST, EVIDENCE_PER_WORD * found(text=text, words=words.evidence)),
        persuasion_words=persuasive,
    )


def found(*, text: str, words: Sequence[str]) -> int:
    """Return how many of the words occur in the text."""
    return sum(1 for word in words if _pattern(word).search(text))


def weighted_persuasion(
    *, effect: Effect, factors: Factors, strategy: Strategy, listener: Listener, earned: Sequence[Decimal]
) -> Decimal:
    """Return the persuasion of a response where the debate sets factors.

    Shape: ``earned`` are all persuasions that this speaker has caused with earlier responses, empty at first.
    Units: 0..1, 6 places.
    Source: docs/reference/rules.md#effects
    """
    parts = Fraction(factors.base) * effect.persuasion_words + Fraction(factors.evidence) * Fraction(effect.evidence)
    if suits(strategy=strategy, listener=listener, evidence=effect.evidence):
        parts += Fraction(factors.strategy)
    if earned:
        parts += Fraction(factors.social) * numbers.mean(earned)
    return numbers.half_up(min(Fraction(1), parts), places=PLACES)


def suits(*, strategy: Strategy, listener: Listener, evidence: Decimal) -> bool:
    """Say whether a strategy fits a listener and the evidence at hand; defence never does.

    Source: docs/reference/rules.md#effects
    """
    if strategy is Strategy.AGGRESSIVE:
        return listener.conviction < AGGRESSIVE_BELOW_CONVICTION
    if strategy is Strategy.EMPATHETIC:
        return abs(listener.stance) < EMPATHETIC_BELOW_STANCE
    return strategy is Strategy.ANALYTICAL and evidence > 0


def chosen_strategy(*, strategy: Strategy, conviction: Decimal, opponents: Sequence[Listener]) -> Strategy:
    """Return the strategy a participant argues by now: its own, or what the adaptive one comes to.

    Shape: the weakest opponent is the one of least conviction; among equals, the one nearest to neutral.
    Source: docs/reference/rules.md#effects
    """
    if strategy is not Strategy.ADAPTIVE:
        return strategy
    if conviction > DEFENSIVE_ABOVE:
        return Strategy.DEFENSIVE
    if not opponents:
        return Strategy.ANALYTICAL
    weakest = min(opponents, key=lambda opponent: (opponent.conviction, abs(opponent.stance)))
    if weakest.conviction < AGGRESSIVE_BELOW_CONVICTION:
        return Strategy.AGGRESSIVE
    return Strategy.EMPATHETIC if abs(weakest.stance) < NEUTRAL_BELOW else Strategy.ANALYTICAL


@lru_cache(maxsize=512)
def _pattern(word: str) -> re.Pattern[str]:
    spaced = r"\s+".join(re.escape(part) for part in word.split())
    return re.compile(rf"(?<!\w){spaced}(?!\w)", re.IGNORECASE)


def _once(known: Sequence[str], more: Sequence[str]) -> tuple[str, ...]:
    words: Mapping[str, str] = {word.strip().casefold(): word.strip() for word in (*more, *known) if word.strip()}
    return tuple(sorted(words.values(), key=str.casefold))
