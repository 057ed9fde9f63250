"""Decimals as text: the one way to write them, exactly or rounded half up, and to read them from JSON. Pure."""

from decimal import ROUND_HALF_UP, Decimal
from typing import overload

MINUS = "\N{MINUS SIGN}"
LONGEST_EXPONENT = 3
"""Digits: a number with more can be more than a decimal holds, or take a memory full of zeros to write."""


def from_json(text: str) -> Decimal:
    """Read a number of JSON exactly.

    Raises: ``ValueError`` for an exponent of more than three digits.
    """
    exponent = text.lower().partition("e")[2].lstrip("+-0")
    if len(exponent) > LONGEST_EXPONENT:
        raise ValueError(f"{text[:40]} has too large an exponent")
    return Decimal(text)


def written(value: Decimal, *, least: int = 0, most: int | None = None) -> str:
    """Write a decimal without exponent and without needless zeros.

    Shape: ``least`` places are written even where they are zeros; what has more than ``most`` is rounded half up.
    """
    if most is not None:
        value = value.quantize(Decimal(1).scaleb(-most), rounding=ROUND_HALF_UP)
    whole, _, digits = f"{value:f}".partition(".")
    places = digits.rstrip("0").ljust(least, "0")
    return f"{whole}.{places}" if places else whole


def plain(value: Decimal) -> str:
    """Write a decimal as people write it: exactly, with no needless zeros."""
    return written(value)


@overload
def in_places(value: Decimal) -> str: ...
@overload
def in_places(value: None) -> None: ...
@overload
def in_places(value: Decimal | None) -> str | None: ...
def in_places(value: Decimal | None) -> str | None:
    """Write a decimal as JSON carries it, with 2 to 6 places."""
    return None if value is None else written(value, least=2, most=6)


def two_places(value: Decimal) -> str:
    """Write a score as pages show it; what rounds to nothing has no sign."""
    text = written(value, least=2, most=2)
    return text.removeprefix("-") if text == "-0.00" else text


def signed(value: Decimal) -> str:
    """Write a change as pages show it, with its sign; no change has none."""
    text = two_places(value)
    if text == "0.00":
        return text
    return f"{MINUS}{text[1:]}" if text.startswith("-") else f"+{text}"
