"""Krippendorff's alpha for any number of judges and missing ratings, with an interval by resampling the units."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, chain
from math import lcm

from judging.rules.agreement.units import Unit, rows, shown

LEAST_UNITS = 10
"""Units rated by two or more judges below which an interval would only pretend to know."""
RESAMPLES = 1_000
WORD = 2**64

Row = Sequence[int]
"""The ratings of one unit, as ``whole`` gives them."""


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
    low, high = interval(whole(rows(units)), level=level, seed=seed, resamples=resamples)
    return replace(found, low=shown(low), high=shown(high))


def estimate(*, units: Sequence[Unit], level: Level, least: int = LEAST_UNITS) -> Alpha:
    """Return the same without an interval, which takes a thousand resamples.

    Raises: ``NotExact`` for a float.
    """
    compared = whole(rows(units))
    value = of_rows(compared, level=level)
    if value is None:
        few = State.NO_VARIATION if compared else State.TOO_FEW_UNITS
        return Alpha(state=few, units=len(compared))
    enough = State.TOO_FEW_UNITS if len(compared) < least else State.MEASURED
    return Alpha(state=enough, units=len(compared), value=shown(value))


def of_rows(compared: Sequence[Row], *, level: Level) -> Fraction | None:
    """Return alpha of units that at least two judges rated; ``None`` where no two ratings differ."""
    placed = on_ranks(compared) if level is Level.ORDINAL else compared
    apart = unequal if level is Level.NOMINAL else squared
    pooled = list(chain.from_iterable(placed))
    expected = apart(pooled)
    if not expected:
        return None
    # Whole multiples of 1/(ratings - 1), because fractions would make a thousand resamples slow.
    scale = lcm(*{len(row) - 1 for row in placed})
    observed = sum(apart(row) * (scale // (len(row) - 1)) for row in placed)
    return 1 - Fraction((len(pooled) - 1) * observed, scale * expected)


def unequal(ratings: Row) -> int:
    """Return how many pairs of ratings differ."""
    return (len(ratings) ** 2 - sum(count * count for count in Counter(ratings).values())) // 2


def squared(ratings: Row) -> int:
    """Return the squares of the distances of all pairs of ratings together, without looking at each pair."""
    return len(ratings) * sum(one * one for one in ratings) - sum(ratings) ** 2


def on_ranks(compared: Sequence[Row]) -> list[Row]:
    """Return where ratings stand among all: at the middle of the ranks that equals share, doubled to stay whole."""
    pooled = Counter(chain.from_iterable(compared))
    values = sorted(pooled)
    up_to = accumulate(pooled[value] for value in values)
    middle = {value: 2 * last - pooled[value] for value, last in zip(values, up_to, strict=True)}
    return [[middle[one] for one in row] for row in compared]


def whole(compared: Sequence[Sequence[Fraction]]) -> tuple[tuple[int, ...], ...]:
    """Return ratings as whole numbers, all on one scale: alpha looks at order and proportion alone."""
    scale = lcm(*(one.denominator for row in compared for one in row))
    return tuple(tuple(int(one * scale) for one in row) for row in compared)


@lru_cache(maxsize=256)
def interval(
    compared: tuple[tuple[int, ...], ...], *, level: Level, seed: int, resamples: int
) -> tuple[Fraction, Fraction]:
    """Return what 95 % of the resamples lie between. A resample in which nothing varies counts as full agreement.

    It is kept: whoever looks at a panel asks for the same one again, while its page is open at every event.
    """
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
