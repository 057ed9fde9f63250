"""The scales: the range and places of each instrument, and f, which computes a score from its facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from scoring.rules import criterion, numbers
from scoring.types import Instrument, Parameters, VerdictFact

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


def computed(
    *,
    instrument: Instrument,
    initial: Decimal,
    facts: Sequence[VerdictFact] | Sequence[Decimal],
    parameters: Parameters,
) -> Decimal | None:
    """Return f(initial, facts): the score that the counted facts give, ``None`` where they give none.

    Shape: verdicts for a criterion, amounts for the others; the one total of the counted snapshot for a standing.
    Raises: ``TypeError`` for the wrong kind of fact, ``ValueError`` for a standing of more than one snapshot.
    Source: docs/reference/rules.md#the-computed-score
    """
    if instrument is Instrument.CRITERION:
        return criterion.computed_score(initial=initial, facts=_verdicts(facts), parameters=parameters)
    amounts = [fact for fact in facts if not isinstance(fact, VerdictFact)]
    if len(amounts) != len(facts):
        raise TypeError(f"A score on the instrument {instrument} is not computed from verdicts.")
    if instrument is Instrument.STANDING and len(amounts) > 1:
        raise ValueError("A standing is one snapshot.")
    return numbers.half_up(numbers.mean(amounts), places=PLACES[instrument]) if amounts else None


def _verdicts(facts: Sequence[VerdictFact] | Sequence[Decimal]) -> list[VerdictFact]:
    verdicts = [fact for fact in facts if isinstance(fact, VerdictFact)]
    if len(verdicts) != len(facts):
        raise TypeError("A criterion score is computed from verdicts alone.")
    return verdicts
