"""How each judge differs from the others, and means that allow for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from judging.rules.agreement.units import Unit, judges, shown
from scoring.rules import numbers
from scoring.types import exact

STEADINESS = 5
"""Units at which half of what a judge seems to lean is believed."""


@dataclass(frozen=True, slots=True)
class Leaning:
    """How one judge differs from the others, on the units that somebody else has rated too.

    Units: ``leniency`` is the mean of own rating less the mean of the others', above 0 for a lenient judge;
    ``deviation`` is the mean size of that difference. Both in points, ``None`` where nobody else rated.
    """

    units: int
    leniency: Decimal | None
    deviation: Decimal | None


def leanings(*, units: Sequence[Unit]) -> dict[str, Leaning]:
    """Return how every judge differs from the others.

    Raises: ``NotExact`` for a float.
    Source: docs/reference/agreement.md#judges
    """
    return {judge: _leaning(_gaps(units, judge)) for judge in judges(units)}


def effects(*, units: Sequence[Unit], steadiness: int = STEADINESS) -> dict[str, Fraction]:
    """Return how much each judge is believed to lean: the mean distance from the means of the units, shrunk to 0 where
    there are few.

    Raises: ``NotExact`` for a float.
    Source: docs/reference/agreement.md#the-corrected-mean
    """
    found: dict[str, list[Fraction]] = {judge: [] for judge in judges(units)}
    for unit in (unit for unit in units if len(unit) > 1):
        middle = numbers.mean(list(unit.values()))
        for judge, rating in unit.items():
            found[judge].append(Fraction(exact(rating)) - middle)
    return {judge: sum(gaps, start=Fraction(0)) / (len(gaps) + steadiness) for judge, gaps in found.items()}


def corrected(*, unit: Unit, effects: Mapping[str, Fraction]) -> Decimal:
    """Return the mean of a unit's ratings, each less what its judge is believed to lean. Shown beside the score, never
    in its place.

    Raises: ``NotExact`` for a float.
    Source: docs/reference/agreement.md#the-corrected-mean
    """
    freed = [Fraction(exact(rating)) - effects.get(judge, Fraction(0)) for judge, rating in unit.items()]
    return shown(sum(freed, start=Fraction(0)) / len(freed))


def spread(*, unit: Unit) -> Decimal | None:
    """Return how far apart the lowest and the highest rating of a unit are; ``None`` without any."""
    values = [exact(value) for value in unit.values()]
    return max(values) - min(values) if values else None


def _gaps(units: Sequence[Unit], judge: str) -> list[Fraction]:
    shared = [unit for unit in units if judge in unit and len(unit) > 1]
    return [
        Fraction(exact(unit[judge])) - numbers.mean([rating for name, rating in unit.items() if name != judge])
        for unit in shared
    ]


def _leaning(gaps: Sequence[Fraction]) -> Leaning:
    if not gaps:
        return Leaning(units=0, leniency=None, deviation=None)
    count = len(gaps)
    return Leaning(
        units=count,
        leniency=shown(sum(gaps, start=Fraction(0)) / count),
        deviation=shown(sum((abs(gap) for gap in gaps), start=Fraction(0)) / count),
    )
