"""How often, and in which orders, one thing is judged, and what several judgements come to. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any, Self

from judging.rules import options
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
class Found:
    """What several judgements of one number come to.

    Shape: ``value`` counts; ``orders`` are the medians of the orders, the usual one first; ``spread`` is the distance
    of the highest single judgement from the lowest.
    """

    value: Decimal
    orders: tuple[Decimal, ...]
    spread: Decimal


def found(*, given: Mapping[Place, Decimal], places: int = 2) -> Found:
    """Return the mean of the medians of the orders, rounded half up to ``places``.

    Shape: ``given`` is not empty, and of each order it has an odd number.
    Source: docs/reference/fairness.md#what-counts
    """
    values = {place: exact(value) for place, value in given.items()}
    orders = [
        median([value for place, value in values.items() if place.swapped is swapped])
        for swapped in sorted({place.swapped for place in values})
    ]
    return Found(
        value=numbers.half_up(numbers.mean(orders), places=places),
        orders=tuple(orders),
        spread=max(values.values()) - min(values.values()),
    )


def median(values: Sequence[Decimal]) -> Decimal:
    """Return the middle of an odd number of values."""
    return sorted(values)[len(values) // 2]
