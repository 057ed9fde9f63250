"""When the arbiter interjects after a response, and about what."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum

from judging.rules import adherence
from judging.rules.adherence import Honesty, Marks, Quality
from scoring.types import exact

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
        Violation.STRAW_MANNING: adherence.quality(mark=marks.steel_manning) in {Quality.WEAK, Quality.ABSENT},
        Violation.MISSING_SELF_CRITIQUE: adherence.quality(mark=marks.self_critique) is Quality.ABSENT,
        Violation.FRAMEWORK_INCONSISTENCY: marks.major_violation,
        Violation.RHETORICAL_EVASION: adherence.honesty(mark=marks.honesty) is Honesty.LOW,
    }
    return tuple(violation for violation, applies in checks.items() if applies)


def requires(*, marks: Marks) -> bool:
    """Say whether a response calls for an interjection, whatever the debate makes of that."""
    return bool(violations(marks=marks))


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
    found = violations(marks=marks)
    if not decide(accountability=accountability, requires=bool(found), total=marks.total, enabled=enabled):
        return None
    return found[0] if found else Violation.LOW_ADHERENCE
