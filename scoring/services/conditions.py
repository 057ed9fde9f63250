"""Which warnings hold for a given basis, whether or not anybody was told of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import groupby, pairwise

from scoring.models import Evaluation, Fact
from scoring.rules import criterion, warnings
from scoring.services.entries import verdict_facts
from scoring.types import AlertCode, Finding, Instrument, Parameters

OF_A_SCORE = frozenset(
    {
        AlertCode.EXTREME_VERDICT, AlertCode.EXTREME_NET, AlertCode.NET_CAPPED, AlertCode.CONTRADICTION,
        AlertCode.LARGE_CHANGE, AlertCode.UNIFORM_EXTREME, AlertCode.WINNER_SIGN_MISMATCH,
    }
)  # fmt: skip
OF_A_DEBATE = frozenset({AlertCode.ONE_SIDED, AlertCode.NO_EFFECT})
"""The rest, a failed judge or a suspected injection, happened; nothing that counts or not can clear it."""


def of_score(
    *, evaluation: Evaluation, value: Decimal, facts: Sequence[Fact], parameters: Parameters
) -> frozenset[AlertCode]:
    """Return the warnings that hold for one score, if these facts count and this is its value.

    Shape: ``facts`` ascending, each with its round.
    Source: docs/reference/rules.md, "Warnings".
    """
    if evaluation.instrument != Instrument.CRITERION.value or not facts:
        return frozenset()
    found = _rounds(evaluation=evaluation, facts=facts, parameters=parameters)
    found.append(warnings.large_change(initial=evaluation.initial_score, final=value))
    found.append(warnings.uniform_extreme(adjustments=[fact.amount for fact in facts]))
    found += [
        warnings.winner_sign_mismatch(winner=fact.parts["winner"], adjustment=fact.amount, impact=fact.impact)
        for fact in facts
        if fact.parts.get("winner") in warnings.WINNERS
    ]
    return _codes(found)


def _rounds(*, evaluation: Evaluation, facts: Sequence[Fact], parameters: Parameters) -> list[Finding | None]:
    by_round = groupby(sorted(facts, key=lambda fact: (fact.round.number, fact.pk)), key=lambda fact: fact.round_id)
    steps = criterion.running(
        initial=evaluation.initial_score,
        rounds=[verdict_facts(own) for _, own in by_round],
        parameters=parameters,
    )
    found: list[Finding | None] = []
    for step in steps:
        found.append(warnings.extreme_verdict(applied=step.applied))
        found.append(warnings.extreme_net(capped_net=step.capped_net))
        found.append(warnings.net_capped(raw=step.cumulative_raw, cap=parameters.adjustment_cap))
    found += [warnings.contradiction(earlier=one.own_raw, later=two.own_raw) for one, two in pairwise(steps)]
    return found


def of_debate(*, scores: Sequence[tuple[Decimal, Decimal | None]], winners: Iterable[str]) -> frozenset[AlertCode]:
    """Return the warnings that hold for a whole debate.

    Shape: (initial, final) pairs of its scores; the winners of its counted verdicts.
    """
    known = [one for one in winners if one in warnings.WINNERS]
    return _codes([warnings.no_effect(scores=scores), warnings.one_sided(winners=known)])


def _codes(found: Iterable[Finding | None]) -> frozenset[AlertCode]:
    return frozenset(one.code for one in found if one is not None)
