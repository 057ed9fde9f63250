"""f of an evaluation: its parameters, the facts that it is computed from, and what it gives."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

from scoring.models import Evaluation, Fact
from scoring.rules import criterion, instruments, numbers
from scoring.rules.transitions import State
from scoring.types import Instrument, Parameters, VerdictFact


def parameters_of(evaluation: Evaluation) -> Parameters:
    """Return the parameters of f that the debate of an evaluation was started with."""
    read = getattr(evaluation, "score_parameters", None)
    return _parameters(read or json.dumps(evaluation.debate.parameters["score"]))


def rounds_of(evaluation: Evaluation) -> int:
    """Return how many rounds the debate of an evaluation has."""
    rounds: int | None = getattr(evaluation, "debate_rounds", None)
    return evaluation.debate.rounds if rounds is None else rounds


@lru_cache(maxsize=256)
def _parameters(snapshot: str) -> Parameters:
    return Parameters.from_snapshot(json.loads(snapshot))


def verdict_facts(facts: Iterable[Fact]) -> list[VerdictFact]:
    """Return facts as the rules read them."""
    return [VerdictFact(adjustment=fact.amount, impact=fact.impact, weight=fact.weight) for fact in facts]


@dataclass(frozen=True, slots=True)
class Computed:
    """What f gives for a state, with the sums it went through (criterion), or the mean that it is rounded from."""

    score: Decimal | None
    confidence: Decimal | None
    cumulative_raw: Decimal | None = None
    capped_net: Decimal | None = None
    mean: Fraction | None = None

    def columns(self) -> dict[str, Any]:
        return {
            "computed_after": self.score,
            "confidence_after": self.confidence,
            "cumulative_raw": self.cumulative_raw,
            "capped_net": self.capped_net,
        }


def compute(*, evaluation: Evaluation, state: State, known: Sequence[Fact] = ()) -> Computed:
    """Return f(initial, basis) for a state of an evaluation, reading the facts it names but for those ``known``.

    Shape: ``known`` are facts exactly as the database keeps them.
    """
    facts = {fact.pk: fact for fact in known}
    unread = [pk for pk in state.basis if pk not in facts]
    if unread:
        facts |= Fact.objects.in_bulk(unread)
    rows = [facts[pk] for pk in state.basis if pk in facts]
    parameters = parameters_of(evaluation)
    return compute_from(evaluation=evaluation, counted=state.counted, facts=rows, parameters=parameters)


def compute_from(*, evaluation: Evaluation, counted: bool, facts: Sequence[Fact], parameters: Parameters) -> Computed:
    """Return f(initial, facts); nothing while nothing counts.

    Source: docs/reference/rules.md, "The computed score".
    """
    instrument = Instrument(evaluation.instrument)
    if not counted:
        return Computed(score=None, confidence=evaluation.initial_confidence)
    if instrument is not Instrument.CRITERION:
        amounts = [fact.amount for fact in facts]
        score = instruments.computed(instrument=instrument, amounts=amounts)
        return Computed(score=score, confidence=None, mean=numbers.mean(amounts) if amounts else None)
    verdicts = verdict_facts(facts)
    raw = criterion.raw_sum(facts=verdicts, weight_by_confidence=parameters.weight_by_confidence)
    assert evaluation.initial_confidence is not None  # noqa: S101 -- evaluation_confidence_only_for_criterion
    return Computed(
        score=criterion.computed_score(initial=evaluation.initial_score, facts=verdicts, parameters=parameters),
        confidence=criterion.computed_confidence(
            initial=evaluation.initial_confidence, facts=verdicts, parameters=parameters
        ),
        cumulative_raw=raw,
        capped_net=criterion.capped(raw=raw, cap=parameters.adjustment_cap),
    )
