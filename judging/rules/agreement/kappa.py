"""Agreement beyond chance: weighted kappa of two judges, Fleiss' kappa of many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from itertools import combinations

from judging.rules.agreement.units import Unit, judges, rows, shown
from scoring.types import exact


class Weighting(StrEnum):
    """What a difference costs: the same for any, its size, or its size squared."""

    NONE = "none"
    LINEAR = "linear"
    QUADRATIC = "quadratic"


COSTS: Mapping[Weighting, Callable[[Fraction], Fraction]] = {
    Weighting.NONE: lambda gap: Fraction(int(gap != 0)),
    Weighting.LINEAR: abs,
    Weighting.QUADRATIC: lambda gap: gap * gap,
}


def pairwise(*, units: Sequence[Unit], weighting: Weighting) -> dict[tuple[str, str], Decimal | None]:
    """Return the weighted kappa of every two judges, by name, over the units that both have rated.

    Shape: ``None`` where they share no unit, or both gave one and the same rating throughout.
    Raises: ``NotExact`` for a float.
    Source: docs/reference/agreement.md#weighted-kappa
    """
    return {
        (one, other): kappa(
            ratings=[(unit[one], unit[other]) for unit in units if one in unit and other in unit], weighting=weighting
        )
        for one, other in combinations(judges(units), 2)
    }


def kappa(*, ratings: Sequence[tuple[Decimal, Decimal]], weighting: Weighting) -> Decimal | None:
    """Return the weighted kappa of two judges: 1 - (what they differ) / (what chance would have them differ).

    Raises: ``NotExact`` for a float.
    Source: docs/reference/agreement.md#weighted-kappa
    """
    cost = COSTS[weighting]
    pairs = Counter((Fraction(exact(one)), Fraction(exact(other))) for one, other in ratings)
    first, second = Counter[Fraction](), Counter[Fraction]()
    for (one, other), count in pairs.items():
        first[one] += count
        second[other] += count
    by_chance = sum(
        (count * times * cost(one - other) for one, count in first.items() for other, times in second.items()),
        start=Fraction(0),
    )
    if not by_chance:
        return None
    seen = sum((count * cost(one - other) for (one, other), count in pairs.items()), start=Fraction(0))
    return shown(1 - pairs.total() * seen / by_chance)


def fleiss(*, units: Sequence[Unit]) -> Decimal | None:
    """Return Fleiss' kappa of many judges, for whom any difference is as bad.

    Shape: ``None`` unless every unit was rated by the same number of judges, at least two, and something varied.
    Raises: ``NotExact`` for a float.
    Source: docs/reference/agreement.md#fleiss-kappa
    """
    compared = rows(units)
    sizes = {len(unit) for unit in units}
    if len(sizes) != 1 or len(compared) != len(units):
        return None
    size, count = sizes.pop(), len(compared)
    pooled = Counter(value for row in compared for value in row)
    by_chance = sum((Fraction(times, size * count) ** 2 for times in pooled.values()), start=Fraction(0))
    if by_chance == 1:
        return None
    alike = sum(times * (times - 1) for row in compared for times in Counter(row).values())
    seen = Fraction(alike, count * size * (size - 1))
    return shown((seen - by_chance) / (1 - by_chance))
