"""Which warnings hold for a given basis, whether or not anybody was told of them.

Source: docs/reference/rules.md, "Warnings".
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import groupby

from scoring.models import Evaluation, Fact
from scoring.rules import criterion, warnings
from scoring.services.computing import parameters_of, verdict_facts
from scoring.types import AlertCode, Finding, Instrument

OF_A_DEBATE = frozenset({AlertCode.ONE_SIDED, AlertCode.NO_EFFECT})
"""The rest, a failed judge or a suspected injection, happened; nothing that counts or not can clear it."""


def of_score(*, evaluation: Evaluation, value: Decimal, facts: Sequence[Fact]) -> frozenset[AlertCode]:
    """Return the warnings that hold for one score, if these facts count and this is its value. A verdict against its
    winner is none of them: its alert holds as long as that verdict counts.

    Shape: ``facts`` ascending, each with its round.
    """
    if evaluation.instrument != Instrument.CRITERION.value or not facts:
        return frozenset()
    findings: list[Finding | None] = [
        finding for _, own in of_rounds(evaluation=evaluation, facts=facts) for finding in own
    ]
    findings.append(warnings.large_change(initial=evaluation.initial_score, final=value))
    findings.append(warnings.uniform_extreme(adjustments=[fact.amount for fact in facts]))
    return frozenset(finding.code for finding in findings if finding is not None)


def of_rounds(*, evaluation: Evaluation, facts: Sequence[Fact]) -> list[tuple[tuple[int, ...], list[Finding]]]:
    """Return what each round of a criterion gives reason to look at, as if the rounds had counted one by one.

    Shape: ``facts`` are those that count, each with its round; per round, the facts that counted up to it and what was
    found.
    """
    parameters = parameters_of(evaluation)
    ordered = sorted(facts, key=lambda fact: (fact.round.number, fact.pk))
    rounds = [list(own) for _, own in groupby(ordered, key=lambda fact: fact.round_id)]
    steps = criterion.running(
        initial=evaluation.initial_score, rounds=[verdict_facts(own) for own in rounds], parameters=parameters
    )
    findings_of: list[tuple[tuple[int, ...], list[Finding]]] = []
    counted: tuple[int, ...] = ()
    for own, step, before in zip(rounds, steps, [None, *steps], strict=False):
        counted += tuple(fact.pk for fact in own)
        findings = [
            warnings.extreme_verdict(applied=step.applied),
            warnings.extreme_net(capped_net=step.capped_net),
            warnings.net_capped(raw=step.cumulative_raw, cap=parameters.adjustment_cap),
            warnings.contradiction(earlier=before.own_raw, later=step.own_raw) if before else None,
        ]
        findings_of.append((counted, [finding for finding in findings if finding is not None]))
    return findings_of


def of_debate(*, scores: Sequence[tuple[Decimal, Decimal | None]], winners: Iterable[str]) -> list[Finding]:
    """Return what a whole debate gives reason to look at.

    Shape: (initial, final) pairs of its scores; the winners of its counted verdicts.
    """
    known = [winner for winner in winners if winner in warnings.WINNERS]
    findings = [warnings.one_sided(winners=known), warnings.no_effect(scores=scores)]
    return [finding for finding in findings if finding is not None]
