"""What was rated by whom: units with the rating of each judge who gave one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from scoring.rules import numbers
from scoring.types import exact

PLACES = 6
Unit = Mapping[str, Decimal]
"""One thing that was rated, such as a criterion of a panel: {judge: rating}. A judge who is absent gave none."""


def rows(units: Sequence[Unit]) -> list[tuple[Fraction, ...]]:
    """Return the ratings of every unit that at least two judges rated, sorted, so that no order plays a part.

    Raises: ``NotExact`` for a float.
    """
    found = (tuple(sorted(Fraction(exact(value)) for value in unit.values())) for unit in units)
    return sorted(row for row in found if len(row) > 1)


def judges(units: Sequence[Unit]) -> list[str]:
    """Return everybody who rated anything, by name."""
    return sorted({judge for unit in units for judge in unit})


def shown(value: Fraction) -> Decimal:
    """Return a statistic as it is shown and compared."""
    return numbers.half_up(value, places=PLACES)
