"""A mark with its grounds."""

from __future__ import annotations

from dataclasses import dataclass

from judging.heuristics.numbers import limited

HIGHEST = 25
MOST_QUOTES = 4


@dataclass(frozen=True, slots=True)
class Mark:
    """Whole points 0..25, what they rest on, and what was found amiss. Quotes are slices of the response."""

    points: int
    notes: str
    quotes: tuple[str, ...] = ()
    attempted: bool = False
    found: tuple[str, ...] = ()


def points(value: int) -> int:
    """Return points inside their limits."""
    return limited(value, least=0, most=HIGHEST)


def distinct(quotes: list[str]) -> tuple[str, ...]:
    """Return each quote once, in order, and not too many."""
    return tuple(dict.fromkeys(one for one in quotes if one))[:MOST_QUOTES]
