"""Compares what a vector expects with what the rules gave: numbers by value, everything else as it is."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from decimal import Decimal

from judging.conformance.kinds import number
from scoring.errors import DomainError
from scoring.types import plain


def difference(*, expected: object, actual: object, at: str = "") -> str:
    """Return the first difference, or nothing.

    Shape: an object may expect fewer values than there are, never others; lists have equal lengths.
    """
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        return _first(
            difference(expected=value, actual=actual[key], at=f"{at}.{key}")
            if key in actual
            else f"{_place(at)}there is no value {key!r}; there are {', '.join(sorted(actual))}"
            for key, value in expected.items()
        )
    if isinstance(expected, list) and isinstance(actual, list | tuple) and len(expected) == len(actual):
        pairs = enumerate(zip(expected, actual, strict=True))
        return _first(difference(expected=one, actual=other, at=f"{at}[{index}]") for index, (one, other) in pairs)
    if _same(expected, actual):
        return ""
    return f"{_place(at)}expected {shown(expected)}, got {shown(actual)}"


def shown(value: object) -> str:
    """Return a value as one line of text."""
    return json.dumps(value, default=_text)


def _text(value: object) -> str:
    return plain(value) if isinstance(value, Decimal) else str(value)


def _first(differences: Iterable[str]) -> str:
    return next((found for found in differences if found), "")


def _place(at: str) -> str:
    return f"{at.lstrip('.')}: " if at else ""


def _same(expected: object, actual: object) -> bool:
    if isinstance(actual, Decimal) or (isinstance(actual, int) and not isinstance(actual, bool)):
        try:
            return number(expected) == actual
        except DomainError:
            return False
    if isinstance(expected, bool) or isinstance(actual, bool):
        return expected is actual
    return expected == actual
