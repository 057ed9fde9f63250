"""How often, and in which orders, one thing is judged, and what several judgements come to. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any, Self

from judging.rules import adherence, options, standing
from judging.rules.adherence import MAJOR_BELOW, Marks
from scoring.errors import NotANumber, OutOfRange
from scoring.rules import numbers
from scoring.types import exact

REPEATS = (1, 3, 5)
"""How often one order may be judged: an odd number, so that the median is a number that a judge gave."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Which of several judgements one is: in which order it was shown, and the how-manyth in that order, from 1."""

    swapped: bool = False
    reading: int = 1


@dataclass(frozen=True, slots=True)
class Fairness:
    """What a debate does against the moods of its judges.

    Shape: ``swap`` has everything judged in both orders; ``blind_names`` shows judges labels instead of names;
    ``repeats`` is how often each order is judged.
    Source: docs/reference/fairness.md
    """

    swap: bool = False
    blind_names: bool = False
    repeats: int = 1

    @classmethod
    def from_options(cls, mapping: Mapping[str, object]) -> Self:
        """Return the defaults with what somebody chose.

        Raises: ``UnknownKey``, ``OutOfRange``, ``NotANumber``, by name.
        """
        return cls(**options.chosen(options=mapping, readers=READERS, what="fairness"))

    def snapshot(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def places(self) -> tuple[Place, ...]:
        """Return every single judgement that is asked for, the usual order first."""
        orders = (False, True) if self.swap else (False,)
        return tuple(Place(swapped, reading) for swapped in orders for reading in range(1, self.repeats + 1))

    @property
    def judgements(self) -> int:
        """Return how many judgements one thing gets."""
        return len(self.places)

    @property
    def several(self) -> bool:
        return self.judgements > 1


ONCE = Fairness()


def of(parameters: Mapping[str, Any]) -> Fairness:
    """Return what a debate does, from what it keeps."""
    return Fairness.from_options(parameters["fairness"])


def _repeats(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise NotANumber(f"{name} must be one of 1, 3, 5.")
    if value not in REPEATS:
        raise OutOfRange(f"{name} must be one of 1, 3, 5: an odd number has a middle; got {str(value)[:20]}.")
    return value


READERS: Mapping[str, options.Reader] = {"swap": options.flag, "blind_names": options.flag, "repeats": _repeats}


# -- what several numbers come to ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AgreedNumber:
    """What several judgements of one number come to.

    Shape: ``value`` counts; ``orders`` are the medians of the orders, the usual one first; ``spread`` is the distance
    of the highest single judgement from the lowest.
    """

    value: Decimal
    orders: tuple[Decimal, ...]
    spread: Decimal


def found(*, judgements: Mapping[Place, Decimal]) -> AgreedNumber:
    """Return the mean of the medians of the orders, rounded half up to two places.

    Shape: ``judgements`` is not empty, and of each order it has an odd number.
    Source: docs/reference/fairness.md#what-counts
    """
    values = {place: exact(value) for place, value in judgements.items()}
    orders = [
        median([value for place, value in values.items() if place.swapped is swapped])
        for swapped in sorted({place.swapped for place in values})
    ]
    return AgreedNumber(
        value=numbers.half_up(numbers.mean(orders), places=2),
        orders=tuple(orders),
        spread=max(values.values()) - min(values.values()),
    )


def median(values: Sequence[Decimal]) -> Decimal:
    """Return the middle of an odd number of values."""
    return sorted(values)[len(values) // 2]


# Whether a judge comes to another end when it is shown the same in the other order, and what then counts. Pure.


EVALUATOR, RED_TEAM, DRAW = "evaluator", "red_team", "draw"
MARKS = ("steel_manning", "self_critique", "consistency", "honesty")
SHARES = ("persuasion", "attack", "evidence")
APART = Decimal(1)
"""Points that two scores of a panel may lie apart before they count as a disagreement."""

Numbers = Mapping[str, Decimal]


@dataclass(frozen=True, slots=True)
class AgreedNumbers:
    """What several judgements of one thing come to.

    Shape: ``numbers`` by name; ``spread`` is the largest of theirs; ``flipped`` is ``None`` where one order was judged.
    """

    numbers: Numbers
    spread: Decimal
    flipped: bool | None


def verdict(*, judgements: Mapping[Place, tuple[str, Numbers]]) -> tuple[str, AgreedNumbers]:
    """Return who wins by several rulings, and what they come to: adjustment, impact, confidence.

    A flip: the orders have another winner. Then, and where an order has none that most of it names, the sign of the
    adjustment decides.
    Source: docs/reference/fairness.md#what-counts
    """
    values, orders = _numbers({place: numbers for place, (_, numbers) in judgements.items()})
    winners = [
        winner(
            named=[who for place, (who, _) in judgements.items() if place.swapped is swapped],
            adjustment=order["adjustment"],
        )
        for swapped, order in orders
    ]
    agreed = len(set(winners)) == 1
    won = winners[0] if agreed else by_sign(values["adjustment"])
    spread = found(judgements={place: ruling["adjustment"] for place, (_, ruling) in judgements.items()}).spread
    return won, AgreedNumbers(values, spread, not agreed if len(winners) > 1 else None)


def winner(*, named: Sequence[str], adjustment: Decimal) -> str:
    """Return whom more than half of the rulings name, else whom the adjustment favours."""
    most = max(named, key=named.count)
    return most if named.count(most) * 2 > len(named) else by_sign(adjustment)


def by_sign(adjustment: Decimal) -> str:
    """Return whom an adjustment favours."""
    if not adjustment:
        return DRAW
    return EVALUATOR if adjustment > 0 else RED_TEAM


def marks(*, judgements: Mapping[Place, Numbers]) -> AgreedNumbers:
    """Return what several judgements of a response come to.

    A flip: some mark is called otherwise in the other order. The spread is that of the totals.
    Source: docs/reference/fairness.md#what-counts
    """
    values, orders = _numbers(judgements)
    called = {names(order) for _, order in orders}
    totals = [sum(judgement.values(), Decimal(0)) for judgement in judgements.values()]
    return AgreedNumbers(values, max(totals) - min(totals), len(called) > 1 if len(orders) > 1 else None)


def names(by_mark: Numbers) -> tuple[object, ...]:
    """Return what four marks are called."""
    return (
        adherence.quality(mark=by_mark["steel_manning"]),
        adherence.quality(mark=by_mark["self_critique"]),
        by_mark["consistency"] < MAJOR_BELOW,
        adherence.honesty(mark=by_mark["honesty"]),
    )


def effect(*, judgements: Mapping[Place, Numbers]) -> AgreedNumbers:
    """Return what several judgements of what a response does to a listener come to.

    A flip: its persuasion falls into another band in the other order. The spread is that of the persuasion.
    Source: docs/reference/fairness.md#what-counts
    """
    values, orders = _numbers(judgements)
    bands = {standing.persuasiveness(persuasion=order["persuasion"]) for _, order in orders}
    shares = [judgement["persuasion"] for judgement in judgements.values()]
    return AgreedNumbers(values, max(shares) - min(shares), len(bands) > 1 if len(orders) > 1 else None)


def score(*, judgements: Mapping[Place, Decimal]) -> AgreedNumbers:
    """Return what several scores of one criterion by one judge come to.

    A flip: the orders lie more than one point apart.
    Source: docs/reference/fairness.md#what-counts
    """
    agreed = found(judgements=judgements)
    apart = max(agreed.orders) - min(agreed.orders) > APART
    return AgreedNumbers({"score": agreed.value}, agreed.spread, apart if len(agreed.orders) > 1 else None)


def nearest(*, judgements: Mapping[Place, Decimal], to: Decimal) -> Place:
    """Return the single judgement whose words stand for all: the nearest to what they come to, the first of equals."""
    return min(sorted(judgements), key=lambda place: abs(judgements[place] - to))


def agreed_marks(together: AgreedNumbers, *, violations: int) -> Marks:
    """Return four marks as a judge would have given them."""
    return Marks(**{name: together.numbers[name] for name in MARKS}, violations=violations)


def _numbers(judgements: Mapping[Place, Numbers]) -> tuple[dict[str, Decimal], list[tuple[bool, dict[str, Decimal]]]]:
    """Return what each number comes to over all, and in each order."""
    named = list(next(iter(judgements.values())))
    agreed_by_name = {
        name: found(judgements={place: judgement[name] for place, judgement in judgements.items()}) for name in named
    }
    orders = sorted({place.swapped for place in judgements})
    each = [(order, {name: agreed_by_name[name].orders[at] for name in named}) for at, order in enumerate(orders)]
    return {name: agreed.value for name, agreed in agreed_by_name.items()}, each
