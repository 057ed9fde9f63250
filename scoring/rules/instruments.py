"""The scales: the range and places of each instrument, and f of all but the criterion, which has its own module."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from scoring.rules import numbers
from scoring.types import Instrument

RANGES: Mapping[Instrument, tuple[Decimal, Decimal]] = {
    Instrument.CRITERION: (Decimal(1), Decimal(10)),
    Instrument.ADHERENCE: (Decimal(0), Decimal(100)),
    Instrument.PANEL: (Decimal(1), Decimal(5)),
    Instrument.STANDING: (Decimal(-50), Decimal(1000)),
}
PLACES: Mapping[Instrument, int] = {
    Instrument.CRITERION: 2,
    Instrument.ADHERENCE: 2,
    Instrument.PANEL: 4,
    Instrument.STANDING: 6,
}


def range_of(instrument: Instrument) -> tuple[Decimal, Decimal]:
    """Return the lowest and the highest score of an instrument."""
    return RANGES[instrument]


def computed(*, instrument: Instrument, amounts: Sequence[Decimal]) -> Decimal | None:
    """Return the mean of the amounts that count, ``None`` where none does; the one total of a standing's snapshot.

    Raises: ``ValueError`` for a criterion, which is computed from verdicts, and for a standing of several snapshots.
    Source: docs/reference/rules.md#the-computed-score
    """
    if instrument is Instrument.CRITERION:
        raise ValueError("A criterion score is computed from verdicts.")
    if instrument is Instrument.STANDING and len(amounts) > 1:
        raise ValueError("A standing is one snapshot.")
    return numbers.half_up(numbers.mean(amounts), places=PLACES[instrument]) if amounts else None
