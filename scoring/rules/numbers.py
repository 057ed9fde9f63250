"""Exact numbers: reading them, holding them inside limits, rounding them half up once."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from debates.decimals import plain
from scoring.errors import NotANumber, NotExact, OutOfRange
from scoring.types import DECIMAL_TEXT, exact

SHOWN = 40
LONGEST = Decimal(10) ** 30


def half_up(value: Decimal | Fraction, *, places: int) -> Decimal:
    """Round to ``places``, a half going away from zero.

    Shape: a ``Fraction`` carries what a ``Decimal`` cannot hold to the end, such as a mean of three.
    Raises: ``NotExact`` for a float.
    Source: docs/reference/rules.md#numbers
    """
    fraction = value if isinstance(value, Fraction) else Fraction(exact(value))
    scaled = abs(fraction) * 10**places
    units = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    sign = 1 if fraction < 0 and units else 0
    return Decimal((sign, tuple(int(digit) for digit in str(units)), -places))


def clamp(value: Decimal, *, low: Decimal, high: Decimal) -> Decimal:
    """Return the value, or the limit that it passed.

    Raises: ``NotExact`` for a float.
    """
    return max(exact(low), min(exact(high), exact(value)))


def total(values: Sequence[Decimal]) -> Decimal:
    """Return the exact sum.

    Raises: ``NotExact`` for a float.
    """
    return sum((exact(value) for value in values), Decimal(0))


def mean(values: Sequence[Decimal]) -> Fraction:
    """Return the exact mean of at least one value.

    Raises: ``NotExact`` for a float.
    """
    return Fraction(total(values)) / len(values)


def decimal_of(value: object, *, name: str, low: Decimal, high: Decimal, places: int) -> Decimal:
    """Read a number that came from outside.

    Shape: text such as "-1.5", an ``int`` or a finite ``Decimal``.
    Raises: ``NotANumber``, ``OutOfRange``, ``NotExact`` for a float; each names the field, what is allowed, what came.
    Source: docs/reference/rules.md#numbers
    """
    allowed = f"{name} must be a number from {plain(low)} to {plain(high)} with at most {places} places"
    if isinstance(value, float):
        raise NotExact(f"{allowed}, sent as text: a binary float is not exact; got {value!r}.")
    number = _number(value)
    if number is None:
        raise NotANumber(f"{allowed}; got {_shown(value)}.")
    if not low <= number <= high or (number and _places(number) > places):
        raise OutOfRange(f"{allowed}; got {_shown(value)}.")
    return number or Decimal(0)


def _number(value: object) -> Decimal | None:
    if isinstance(value, str):
        return Decimal(value) if DECIMAL_TEXT.fullmatch(value) else None
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    number = Decimal(value)
    return number if number.is_finite() else None


def _places(number: Decimal) -> int:
    _, digits, exponent = number.as_tuple()
    needless = len(digits) - len("".join(map(str, digits)).rstrip("0"))
    return -int(exponent) - needless


def _shown(value: object) -> str:
    if isinstance(value, str):
        return value if DECIMAL_TEXT.fullmatch(value) else repr(value[:SHOWN])
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return repr(value) if value is None or isinstance(value, bool) else f"a {type(value).__name__}"
    number = Decimal(value)
    return str(number)[:SHOWN] if not number.is_finite() or abs(number) < LONGEST else "a number beyond all limits"
