"""How far judges agree: Krippendorff's alpha, kappa, intraclass correlation, how lenient each judge is. Pure."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, chain, combinations
from math import lcm

from scoring.rules import numbers
from scoring.types import exact

# What was rated by whom: units with the rating of each judge who gave one.


PLACES = 6
Unit = Mapping[str, Decimal]
"""One thing that was rated, such as a criterion of a panel: {judge: rating}. A judge who is absent gave none."""


def rows(units: Sequence[Unit]) -> list[tuple[Fraction, ...]]:
    """Return the ratings of every unit that at least two judges rated, sorted, so that no order plays a part.

    Raises: ``NotExact`` for a float.
    """
    ratings = (tuple(sorted(Fraction(exact(value)) for value in unit.values())) for unit in units)
    return sorted(row for row in ratings if len(row) > 1)


def judges(units: Sequence[Unit]) -> list[str]:
    """Return everybody who rated anything, by name."""
    return sorted({judge for unit in units for judge in unit})


def shown(value: Fraction) -> Decimal:
    """Return a statistic as it is shown and compared."""
    return numbers.half_up(value, places=PLACES)


# Krippendorff's alpha for any number of judges and missing ratings, with an interval by resampling the units.


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


class AlphaState(StrEnum):
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

    state: AlphaState
    units: int
    value: Decimal | None = None
    low: Decimal | None = None
    high: Decimal | None = None


def alpha(*, units: Sequence[Unit], level: Level, seed: int, resamples: int = RESAMPLES) -> Alpha:
    """Return Krippendorff's alpha of some units; the same seed always gives the same interval.

    Raises: ``NotExact`` for a float.
    Source: docs/reference/agreement.md#krippendorffs-alpha
    """
    measured = estimate(units=units, level=level)
    if measured.state is not AlphaState.MEASURED:
        return measured
    low, high = interval(whole(rows(units)), level=level, seed=seed, resamples=resamples)
    return replace(measured, low=shown(low), high=shown(high))


def between(
    *, units: Sequence[Unit], first: Collection[str], second: Collection[str], seed: int, resamples: int = RESAMPLES
) -> Alpha:
    """Return how far the judges of one group agree with those of another: 1 - (what two of them differ on a unit) /
    (what they differ on any two units), by squared distance. Of one judge in each it is Lin's concordance.

    Raises: ``NotExact`` for a float.
    Source: docs/reference/agreement.md#between-two-groups
    """
    pairs = across([{name: Fraction(exact(value)) for name, value in unit.items()} for unit in units], first, second)
    value = of_pairs(pairs)
    if value is None:
        return Alpha(state=AlphaState.NO_VARIATION if pairs else AlphaState.TOO_FEW_UNITS, units=len(pairs))
    if len(pairs) < LEAST_UNITS:
        return Alpha(state=AlphaState.TOO_FEW_UNITS, units=len(pairs), value=shown(value))
    low, high = _enclosed(pairs, seed=seed, resamples=resamples)
    return Alpha(state=AlphaState.MEASURED, units=len(pairs), value=shown(value), low=shown(low), high=shown(high))


Moments = tuple[int, int, int]
"""How many ratings, their sum, and the sum of their squares."""


def across(
    units: Sequence[Mapping[str, Fraction]], first: Collection[str], second: Collection[str]
) -> tuple[tuple[Moments, Moments], ...]:
    """Return what two groups rated each unit, where both did, in whole numbers on one scale; in an order of its own,
    which is the same whichever group is called the first.
    """
    sides = [[[value for name, value in unit.items() if name in group] for group in (first, second)] for unit in units]
    both = [(ours, theirs) for ours, theirs in sides if ours and theirs]
    scale = lcm(*(value.denominator for pair in both for ratings in pair for value in ratings))
    pairs = [(_moments(ours, scale), _moments(theirs, scale)) for ours, theirs in both]
    return tuple(min(sorted(pairs), sorted((theirs, ours) for ours, theirs in pairs)))


def _moments(ratings: Sequence[Fraction], scale: int) -> Moments:
    whole_ratings = [int(rating * scale) for rating in ratings]
    return len(ratings), sum(whole_ratings), sum(rating * rating for rating in whole_ratings)


def _apart(ours: Moments, theirs: Moments) -> int:
    """Return the squares of the distances of every rating of one side from every one of the other together."""
    return theirs[0] * ours[2] + ours[0] * theirs[2] - 2 * ours[1] * theirs[1]


def of_pairs(pairs: Sequence[tuple[Moments, Moments]]) -> Fraction | None:
    """Return the agreement of two groups; ``None`` where nothing varies, or no unit was rated by both."""
    if not pairs:
        return None
    ours, theirs = (
        (sum(pair[side][0] for pair in pairs), sum(pair[side][1] for pair in pairs), sum(p[side][2] for p in pairs))
        for side in (0, 1)
    )
    by_chance = Fraction(_apart(ours, theirs), ours[0] * theirs[0])
    if not by_chance:
        return None
    compared = sum(moments[0] * other[0] for moments, other in pairs)
    return 1 - Fraction(sum(_apart(moments, other) for moments, other in pairs), compared) / by_chance


@lru_cache(maxsize=256)
def _enclosed(pairs: tuple[tuple[Moments, Moments], ...], *, seed: int, resamples: int) -> tuple[Fraction, Fraction]:
    """Return what 95 % of the resamples of the units lie between, as ``interval`` does."""
    draw, size = luck(seed), len(pairs)
    drawn = (of_pairs([pairs[next(draw) % size] for _ in range(size)]) for _ in range(resamples))
    estimates = sorted(Fraction(1) if value is None else value for value in drawn)
    return estimates[resamples * 25 // 1000], estimates[min(resamples - 1, resamples * 975 // 1000)]


def estimate(*, units: Sequence[Unit], level: Level) -> Alpha:
    """Return the same without an interval, which takes a thousand resamples.

    Raises: ``NotExact`` for a float.
    """
    compared = whole(rows(units))
    value = of_rows(compared, level=level)
    if value is None:
        few = AlphaState.NO_VARIATION if compared else AlphaState.TOO_FEW_UNITS
        return Alpha(state=few, units=len(compared))
    enough = AlphaState.TOO_FEW_UNITS if len(compared) < LEAST_UNITS else AlphaState.MEASURED
    return Alpha(state=enough, units=len(compared), value=shown(value))


def of_rows(compared: Sequence[Row], *, level: Level) -> Fraction | None:
    """Return alpha of units that at least two judges rated; ``None`` where no two ratings differ."""
    pooled = list(chain.from_iterable(compared))
    if level is Level.ORDINAL:
        ranks = iter(pooled := middle_ranks(pooled))
        compared = [[next(ranks) for _ in row] for row in compared]
    apart = unequal if level is Level.NOMINAL else squared
    expected = apart(pooled)
    if not expected:
        return None
    # Whole multiples of 1/(ratings - 1), because fractions would make a thousand resamples slow.
    scale = lcm(*{len(row) - 1 for row in compared})
    observed = sum(apart(row) * (scale // (len(row) - 1)) for row in compared)
    return 1 - Fraction((len(pooled) - 1) * observed, scale * expected)


def unequal(ratings: Row) -> int:
    """Return how many pairs of ratings differ."""
    return (len(ratings) ** 2 - sum(count * count for count in Counter(ratings).values())) // 2


def squared(ratings: Row) -> int:
    """Return the squares of the distances of all pairs of ratings together, without looking at each pair."""
    return len(ratings) * sum(rating * rating for rating in ratings) - sum(ratings) ** 2


def middle_ranks(values: Sequence[Decimal | Fraction | int]) -> list[int]:
    """Return where each value stands from 1 on, equals at the middle of the ranks they share, doubled to stay whole."""
    counts = Counter(values)
    ordered = sorted(counts)
    up_to = accumulate(counts[value] for value in ordered)
    middle = {value: 2 * last - counts[value] + 1 for value, last in zip(ordered, up_to, strict=True)}
    return [middle[value] for value in values]


def whole(compared: Sequence[Sequence[Fraction]]) -> tuple[tuple[int, ...], ...]:
    """Return ratings as whole numbers, all on one scale: alpha looks at order and proportion alone."""
    scale = lcm(*(value.denominator for row in compared for value in row))
    return tuple(tuple(int(value * scale) for value in row) for row in compared)


@lru_cache(maxsize=256)
def interval(
    compared: tuple[tuple[int, ...], ...], *, level: Level, seed: int, resamples: int
) -> tuple[Fraction, Fraction]:
    """Return what 95 % of the resamples lie between. A resample in which nothing varies counts as full agreement.

    It is kept: whoever looks at a panel asks for the same one again, while its page is open at every event.
    """
    draw = luck(seed)
    size = len(compared)
    resampled = sorted(
        Fraction(1) if value is None else value
        for value in (
            of_rows([compared[next(draw) % size] for _ in range(size)], level=level) for _ in range(resamples)
        )
    )
    return resampled[resamples * 25 // 1000], resampled[min(resamples - 1, resamples * 975 // 1000)]


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


# Agreement beyond chance: weighted kappa of two judges, Fleiss' kappa of many.


class Weighting(StrEnum):
    """What a difference costs: the same for any, or its size squared."""

    NONE = "none"
    QUADRATIC = "quadratic"


COSTS: Mapping[Weighting, Callable[[Fraction], Fraction]] = {
    Weighting.NONE: lambda gap: Fraction(int(gap != 0)),
    Weighting.QUADRATIC: lambda gap: gap * gap,
}


def pairwise(*, units: Sequence[Unit], weighting: Weighting) -> dict[tuple[str, str], Decimal | None]:
    """Return the weighted kappa of every two judges, by name, over the units that both have rated.

    Shape: ``None`` where they share no unit, or both gave one and the same rating throughout.
    Raises: ``NotExact`` for a float.
    Source: docs/reference/agreement.md#weighted-kappa
    """
    return {
        (judge, other): kappa(
            ratings=[(unit[judge], unit[other]) for unit in units if judge in unit and other in unit],
            weighting=weighting,
        )
        for judge, other in combinations(judges(units), 2)
    }


def kappa(*, ratings: Sequence[tuple[Decimal, Decimal]], weighting: Weighting) -> Decimal | None:
    """Return the weighted kappa of two judges: 1 - (what they differ) / (what chance would have them differ).

    Raises: ``NotExact`` for a float.
    Source: docs/reference/agreement.md#weighted-kappa
    """
    cost = COSTS[weighting]
    pairs = Counter((Fraction(exact(rating)), Fraction(exact(other))) for rating, other in ratings)
    first, second = Counter[Fraction](), Counter[Fraction]()
    for (rating, other), count in pairs.items():
        first[rating] += count
        second[other] += count
    by_chance = sum(
        (count * times * cost(rating - other) for rating, count in first.items() for other, times in second.items()),
        start=Fraction(0),
    )
    if not by_chance:
        return None
    seen = sum((count * cost(rating - other) for (rating, other), count in pairs.items()), start=Fraction(0))
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


# Intraclass correlation: how much of what varies is the units, and not the judges or chance.


@dataclass(frozen=True, slots=True)
class Intraclass:
    """The intraclass correlation of one judge alone, and of the mean of all: two-way random, absolute agreement.

    Shape: ``units`` counts those that every judge rated, the only ones it looks at; a value is ``None`` where fewer
    than two judges or units are left, or nothing varied.
    """

    units: int
    judges: int
    single: Decimal | None = None
    average: Decimal | None = None


def intraclass(*, units: Sequence[Unit]) -> Intraclass:
    """Return ICC(2,1) and ICC(2,k): other judges of the same kind are meant as well, and a lenient one costs.

    Raises: ``NotExact`` for a float.
    Source: docs/reference/agreement.md#intraclass-correlation
    """
    names = judges(units)
    rated = [[Fraction(exact(unit[name])) for name in names] for unit in units if len(unit) == len(names)]
    count, size = len(rated), len(names)
    if count < 2 or size < 2:
        return Intraclass(units=count, judges=size)
    of_units, of_judges, rest = mean_squares(rated)
    bias = (of_judges - rest) / count
    return Intraclass(
        units=count,
        judges=size,
        single=_ratio(of_units - rest, of_units + (size - 1) * rest + size * bias),
        average=_ratio(of_units - rest, of_units + bias),
    )


def mean_squares(rated: Sequence[Sequence[Fraction]]) -> tuple[Fraction, Fraction, Fraction]:
    """Return how much varies between units, between judges, and besides: the mean squares of a two-way table.

    Shape: a row for every unit, as long as there are judges; at least two of each.
    """
    count, size = len(rated), len(rated[0])
    of_rows = [sum(row, start=Fraction(0)) for row in rated]
    of_columns = [sum(column, start=Fraction(0)) for column in zip(*rated, strict=True)]
    middle = squares([sum(of_rows, start=Fraction(0))]) / (count * size)
    rows_apart = squares(of_rows) / size - middle
    columns_apart = squares(of_columns) / count - middle
    apart = squares([rating for row in rated for rating in row]) - middle
    rest = (apart - rows_apart - columns_apart) / ((count - 1) * (size - 1))
    return rows_apart / (count - 1), columns_apart / (size - 1), rest


def squares(values: Sequence[Fraction]) -> Fraction:
    """Return the squares of numbers together."""
    return sum((value * value for value in values), start=Fraction(0))


def _ratio(part: Fraction, whole: Fraction) -> Decimal | None:
    return shown(part / whole) if whole > 0 else None


# How each judge differs from the others, and means that allow for it.


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


def effects(*, units: Sequence[Unit]) -> dict[str, Fraction]:
    """Return how much each judge is believed to lean: the mean distance from the means of the units, shrunk to 0 where
    there are few.

    Raises: ``NotExact`` for a float.
    Source: docs/reference/agreement.md#the-corrected-mean
    """
    gaps_by_judge: dict[str, list[Fraction]] = {judge: [] for judge in judges(units)}
    for unit in (unit for unit in units if len(unit) > 1):
        middle = numbers.mean(list(unit.values()))
        for judge, rating in unit.items():
            gaps_by_judge[judge].append(Fraction(exact(rating)) - middle)
    return {judge: sum(gaps, start=Fraction(0)) / (len(gaps) + STEADINESS) for judge, gaps in gaps_by_judge.items()}


def corrected(*, unit: Unit, effects: Mapping[str, Fraction]) -> Fraction:
    """Return the mean of a unit's ratings, each less what its judge is believed to lean, not rounded. Shown beside the
    score, never in its place.

    Raises: ``NotExact`` for a float.
    Source: docs/reference/agreement.md#the-corrected-mean
    """
    freed = [Fraction(exact(rating)) - effects.get(judge, Fraction(0)) for judge, rating in unit.items()]
    return sum(freed, start=Fraction(0)) / len(freed)


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
