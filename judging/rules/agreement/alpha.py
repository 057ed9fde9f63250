"""Krippendorff's alpha for any number of judges and missing ratings, with an interval by resampling the units."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from itertools import accumulate
from math import lcm

from judging.rules.agreement.units import Unit, rows, shown

LEAST_UNITS = 10
"""Units rated by two or more judges below which an interval would only pretend to know."""
RESAMPLES = 1_000
WORD = 2**64

Row = Sequence[Fraction]
Distance = Callable[[Fraction, Fraction], Fraction]


class Level(StrEnum):
    """What a difference between two ratings means: any is as bad, ranks count, or the distance counts squared."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


class State(StrEnum):
    """Whether there was enough to measure: something varied, and in enough units for an interval."""

    MEASURED = "measured"
    TOO_FEW_UNITS = "too_few_units"
    NO_VARIATION = "no_variation"


@dataclass(frozen=True, slots=True)
class Alpha:
    """How far judges agree: 1 wholly, 0 as by chance, below 0 less than that.

    Shape: ``value`` is ``None`` where nothing varied or nothing could be compared; ``low`` and ``high`` enclose 95 % of
    the resamples and are ``None`` unless the state is ``measured`` and they were asked for; ``units`` counts what could
    be compared.
    """

    state: State
    units: int
    value: Decimal | None = None
    low: Decimal | None = None
    high: Decimal | None = None


def alpha(
    *, units: Sequence[Unit], level: Level, seed: int, resamples: int = RESAMPLES, least: int = LEAST_UNITS
) -> Alpha:
    """Return Krippendorff's alpha of some units; the same seed always gives the same interval.

    Raises: ``NotExact`` for a float.
    Source: docs/reference/agreement.md#krippendorffs-alpha
    """
    found = estimate(units=units, level=level, least=least)
    if found.state is not State.MEASURED:
        return found
    low, high = interval(rows(units), level=level, seed=seed, resamples=resamples)
    return replace(found, low=shown(low), high=shown(high))


def estimate(*, units: Sequence[Unit], level: Level, least: int = LEAST_UNITS) -> Alpha:
    """Return the same without an interval, which takes a thousand times as long.

    Raises: ``NotExact`` for a float.
    """
    compared = rows(units)
    value = of_rows(compared, level=level)
    if value is None:
        few = State.NO_VARIATION if compared else State.TOO_FEW_UNITS
        return Alpha(state=few, units=len(compared))
    enough = State.TOO_FEW_UNITS if len(compared) < least else State.MEASURED
    return Alpha(state=enough, units=len(compared), value=shown(value))


def of_rows(compared: Sequence[Row], *, level: Level) -> Fraction | None:
    """Return alpha of units that at least two judges rated; ``None`` where no two ratings differ."""
    pooled = Counter(value for row in compared for value in row)
    far = distance(pooled, level=level)
    expected = disagreement(pooled, far)
    if not expected:
        return None
    # Whole multiples of 1/(ratings - 1), because fractions would make a thousand resamples slow.
    scale = lcm(*{len(row) - 1 for row in compared})
    observed = sum((disagreement(Counter(row), far) * (scale // (len(row) - 1)) for row in compared), start=Fraction(0))
    return 1 - (pooled.total() - 1) * observed / (scale * expected)


def disagreement(counts: Mapping[Fraction, int], far: Distance) -> Fraction:
    """Return the distances of all pairs of ratings together."""
    values = sorted(counts)
    return sum(
        (counts[one] * counts[other] * far(one, other) for at, one in enumerate(values) for other in values[at + 1 :]),
        start=Fraction(0),
    )


def distance(pooled: Mapping[Fraction, int], *, level: Level) -> Distance:
    """Return how far apart two different ratings are, the lower one given first."""
    if level is Level.NOMINAL:
        return lambda _, __: Fraction(1)
    if level is Level.INTERVAL:
        return lambda one, other: (other - one) ** 2
    values = sorted(pooled)
    below = dict(zip(values, accumulate(pooled[value] for value in values), strict=True))
    # Ratings from the middle of one value's ranks to the middle of the other's; doubled, to stay whole.
    middle = {value: 2 * below[value] - pooled[value] for value in values}
    return lambda one, other: Fraction((middle[other] - middle[one]) ** 2)


def interval(compared: Sequence[Row], *, level: Level, seed: int, resamples: int) -> tuple[Fraction, Fraction]:
    """Return what 95 % of the resamples lie between. A resample in which nothing varies counts as full agreement."""
    draw = luck(seed)
    size = len(compared)
    found = sorted(
        Fraction(1) if value is None else value
        for value in (
            of_rows([compared[next(draw) % size] for _ in range(size)], level=level) for _ in range(resamples)
        )
    )
    return found[resamples * 25 // 1000], found[min(resamples - 1, resamples * 975 // 1000)]


def luck(seed: int) -> Iterator[int]:
    """Yield numbers of 64 bits that look random and follow from the seed alone, on any machine.

    Source: Steele, Lea, Flood: Fast splittable pseudorandom number generators (2014), SplitMix64.
    """
    state = seed % WORD
    while True:
        state = (state + 0x9E3779B97F4A7C15) % WORD
        mixed = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 % WORD
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % WORD
        yield mixed ^ (mixed >> 31)
