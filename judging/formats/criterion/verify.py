"""Proving a criterion debate: a verdict is what its fact says, and what its arbiter answered."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import F, Prefetch
from django.db.models.fields.json import KeyTextTransform

from debates.errors import DomainError
from judging.formats.criterion import parsing
from judging.models import Call, Verdict
from scoring.proof import Fault, about_fact, line_of

AT_ONCE = 500


def faults(debate_id: int | None) -> Iterator[Fault]:
    """Yield verdicts that do not agree with their facts or answers, in one debate or in all.

    Source: docs/explanation/ledger.md, "Proof".
    """
    yield from winners(debate_id)
    yield from rulings(debate_id)


def winners(debate_id: int | None) -> Iterator[Fault]:
    """Yield verdicts that name another winner than their fact; of those given several times it is computed again."""
    named = KeyTextTransform("winner", "fact__parts")
    rows = Verdict.objects.annotate(named=named).filter(readings=[]).exclude(named=F("winner"))
    if debate_id is not None:
        rows = rows.filter(fact__evaluation__debate=debate_id)
    for row in rows.select_related("fact__evaluation").order_by("pk").iterator(chunk_size=AT_ONCE):
        what = f"the verdict of fact {row.fact.public_id} names another winner"
        yield about_fact(row.fact, what, expected=str(row.fact.parts.get("winner")), found=row.winner)


def rulings(debate_id: int | None) -> Iterator[Fault]:
    """Yield verdicts that are not what the arbiter's answer says; an erased answer tells nothing.

    Of those given several times the single judgements are kept, and proved in ``judging.engine.verify``.
    """
    calls = Call.objects.filter(verdicts__isnull=False, verdicts__readings=[]).exclude(raw_answer="").distinct()
    if debate_id is not None:
        calls = calls.filter(debate=debate_id)
    rows = Verdict.objects.filter(readings=[]).select_related("fact__evaluation", "challenge").order_by("pk")
    for call in calls.order_by("pk").prefetch_related(Prefetch("verdicts", rows)).iterator(chunk_size=AT_ONCE):
        yield from _ruled(call, list(call.verdicts.all()))


def _ruled(call: Call, rows: list[Verdict]) -> Iterator[Fault]:
    try:
        answer = {ruled.label: ruled for ruled in parsing.verdicts(call.raw_answer, labels=_labels(rows))}
    except DomainError as error:
        for row in rows:
            yield about_fact(
                row.fact, f"the verdict of fact {row.fact.public_id} is not in its answer ({error.message})"
            )
        return
    for row in rows:
        ruled, fact = answer[row.challenge.label], row.fact
        said = (ruled.winner.value, ruled.adjustment, ruled.impact, ruled.confidence)
        kept = (row.winner, fact.amount, fact.impact, fact.weight)
        if said != kept:
            what = f"the verdict of fact {fact.public_id} is not what its arbiter answered"
            yield about_fact(fact, what, expected=line_of(*said), found=line_of(*kept))


def _labels(rows: list[Verdict]) -> list[str]:
    return [row.challenge.label for row in rows]
