"""Whole hundredths and the decimal strings that they are written as. No binary fraction comes near a score."""

from __future__ import annotations

from decimal import Decimal


def written(hundredths: int) -> str:
    """Return whole hundredths as a decimal with two places: -120 is "-1.20"."""
    return str(Decimal(hundredths).scaleb(-2).quantize(Decimal("0.01")))


def hundredths(value: object, *, otherwise: int) -> int:
    """Return a decimal, whole number or decimal string as whole hundredths, or a given number where it is none."""
    if isinstance(value, bool) or not isinstance(value, (Decimal, int, str)):
        return otherwise
    try:
        number = Decimal(value)
    except ArithmeticError:
        return otherwise
    if not number.is_finite() or abs(number) > Decimal(1_000):
        return otherwise
    return int((number * 100).to_integral_value())


def limited(value: int, *, least: int, most: int) -> int:
    return max(least, min(most, value))
