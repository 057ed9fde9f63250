"""A judged response: four marks, their sum, and what the marks are called."""

from __future__ import annotations

from dataclasses import dataclass, fields
from decimal import Decimal
from enum import StrEnum

from scoring.rules import numbers
from scoring.types import exact

HIGHEST_MARK = Decimal(25)
STRONG_FROM = Decimal(20)
ADEQUATE_FROM = Decimal(15)
WEAK_FROM = Decimal(8)
HIGH_FROM = Decimal(20)
MEDIUM_FROM = Decimal(8)
MAJOR_BELOW = Decimal(15)
PLACES = 2


class Quality(StrEnum):
    """How well steel-manning or self-critique was done."""

    STRONG = "strong"
    ADEQUATE = "adequate"
    WEAK = "weak"
    ABSENT = "absent"


class Honesty(StrEnum):
    """How honest a response was with its opponents' words and with its own."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class Marks:
    """The four marks of one response, and how often it broke with its framework.

    Units: 0..25 each, at most 2 places.
    Raises: ``OutOfRange``, ``NotANumber``, ``NotExact``, naming the mark.
    Source: docs/reference/rules.md#adherence
    """

    steel_manning: Decimal
    self_critique: Decimal
    consistency: Decimal
    honesty: Decimal
    violations: int = 0

    def __post_init__(self) -> None:
        for field in fields(self)[:4]:
            mark = numbers.decimal_of(
                getattr(self, field.name), name=field.name, low=Decimal(0), high=HIGHEST_MARK, places=PLACES
            )
            object.__setattr__(self, field.name, mark)

    @property
    def total(self) -> Decimal:
        """The sum of the four marks, 0..100; there is no other claim to a total."""
        return numbers.total([self.steel_manning, self.self_critique, self.consistency, self.honesty])

    @property
    def consistent(self) -> bool:
        return self.violations == 0

    @property
    def major_violation(self) -> bool:
        return self.violations > 0 and self.consistency < MAJOR_BELOW


def quality(*, mark: Decimal) -> Quality:
    """Return what a mark for steel-manning or self-critique is called.

    Source: docs/reference/rules.md#adherence
    """
    value = exact(mark)
    if value >= STRONG_FROM:
        return Quality.STRONG
    if value >= ADEQUATE_FROM:
        return Quality.ADEQUATE
    return Quality.WEAK if value >= WEAK_FROM else Quality.ABSENT


def honesty(*, mark: Decimal) -> Honesty:
    """Return what a mark for honesty is called.

    Source: docs/reference/rules.md#adherence
    """
    value = exact(mark)
    if value >= HIGH_FROM:
        return Honesty.HIGH
    return Honesty.MEDIUM if value >= MEDIUM_FROM else Honesty.LOW
