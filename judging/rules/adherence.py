"""A judged response: four marks, their sum, what the marks are called, and when the arbiter interjects for them."""

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


MODERATE_BELOW = Decimal(40)
STRICT_BELOW = Decimal(60)


class Accountability(StrEnum):
    """How strictly a debate holds its speakers to the rules of fair argument."""

    RELAXED = "relaxed"
    MODERATE = "moderate"
    STRICT = "strict"


class Violation(StrEnum):
    """What an interjection is about; the first that applies, in this order."""

    STRAW_MANNING = "straw_manning"
    MISSING_SELF_CRITIQUE = "missing_self_critique"
    FRAMEWORK_INCONSISTENCY = "framework_inconsistency"
    RHETORICAL_EVASION = "rhetorical_evasion"
    LOW_ADHERENCE = "low_adherence"


def violations(*, marks: Marks) -> tuple[Violation, ...]:
    """Return everything about a response that calls for an interjection, worst first.

    Source: docs/reference/rules.md#interjection
    """
    checks = {
        Violation.STRAW_MANNING: quality(mark=marks.steel_manning) in {Quality.WEAK, Quality.ABSENT},
        Violation.MISSING_SELF_CRITIQUE: quality(mark=marks.self_critique) is Quality.ABSENT,
        Violation.FRAMEWORK_INCONSISTENCY: marks.major_violation,
        Violation.RHETORICAL_EVASION: honesty(mark=marks.honesty) is Honesty.LOW,
    }
    return tuple(violation for violation, applies in checks.items() if applies)


def decide(*, accountability: Accountability, requires: bool, total: Decimal, enabled: bool = True) -> bool:
    """Say whether the arbiter interjects.

    Units: ``total`` is the adherence total, 0..100. ``enabled`` is the debate's own switch.
    Source: docs/reference/rules.md#interjection
    """
    value = exact(total, name="total")
    if not enabled or accountability is Accountability.RELAXED:
        return False
    if accountability is Accountability.MODERATE:
        return requires and value < MODERATE_BELOW
    return requires or value < STRICT_BELOW


def interjection(*, accountability: Accountability, marks: Marks | None, enabled: bool = True) -> Violation | None:
    """Return what the arbiter interjects about, or ``None``.

    Shape: ``marks`` is ``None`` where the judgement failed or was a quick one; that never leads to an interjection.
    Source: docs/reference/rules.md#interjection
    """
    if marks is None:
        return None
    violated = violations(marks=marks)
    if not decide(accountability=accountability, requires=bool(violated), total=marks.total, enabled=enabled):
        return None
    return violated[0] if violated else Violation.LOW_ADHERENCE
