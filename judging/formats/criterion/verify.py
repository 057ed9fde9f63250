"""Proving a criterion debate: a verdict is what its fact says, and what its arbiter answered."""

from collections.abc import Iterator

from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform

from debates.errors import DomainError
from debates.models import Ballot
from debates.types import Conduct
from judging.formats.criterion import parsing
from judging.models import Call, Verdict
from scoring.proof import Fault, about_fact, line_of

AT_ONCE = 500


def faults(debate_id: int | None) -> Iterator[Fault]:
    yield from winners(debate_id)
    yield from unanswered(debate_id)
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


def unanswered(debate_id: int | None) -> Iterator[Fault]:
    """Yield verdicts that name no answer, where none was posted by whoever conducts the debate or given on a ballot."""
    posted = Q(round__thread__debate__conducted_by=Conduct.EXTERNAL.value)
    given = Exists(Ballot.objects.filter(round=OuterRef("round")))
    rows = Verdict.objects.filter(call=None, readings=[]).exclude(posted).exclude(given)
    if debate_id is not None:
        rows = rows.filter(fact__evaluation__debate=debate_id)
    for row in rows.select_related("fact__evaluation").order_by("pk").iterator(chunk_size=AT_ONCE):
        yield about_fact(row.fact, f"the verdict of fact {row.fact.public_id} rests on no answer")


def rulings(debate_id: int | None) -> Iterator[Fault]:
    """Yield verdicts that are not what the arbiter's answer says; an erased answer tells nothing.

    Of those given several times the single judgements are kept, and proved in ``judging.engine.verify``; reasons are
    compared where they are still there.
    """
    calls = Call.objects.filter(verdicts__isnull=False, verdicts__readings=[]).exclude(raw_answer="").distinct()
    if debate_id is not None:
        calls = calls.filter(debate=debate_id)
    rows = Verdict.objects.filter(readings=[]).select_related("fact__evaluation", "challenge").order_by("pk")
    for call in calls.order_by("pk").prefetch_related(Prefetch("verdicts", rows)).iterator(chunk_size=AT_ONCE):
        yield from _ruled(call.raw_answer, list(call.verdicts.all()))
    yield from _from_seats(debate_id, rows)


def _from_seats(debate_id: int | None, rows: QuerySet[Verdict]) -> Iterator[Fault]:
    """Yield verdicts that are not what the ballot of their round says."""
    ballots = Ballot.objects.filter(round__verdicts__isnull=False).exclude(answer="").distinct()
    if debate_id is not None:
        ballots = ballots.filter(participant__debate=debate_id)
    for ballot in ballots.order_by("pk").iterator(chunk_size=AT_ONCE):
        yield from _ruled(ballot.answer, list(rows.filter(round=ballot.round_id)))


def _ruled(said_by_arbiter: str, rows: list[Verdict]) -> Iterator[Fault]:
    labels = [row.challenge.label for row in rows]
    try:
        answer = {ruled.label: ruled for ruled in parsing.verdicts(said_by_arbiter, labels=labels)}
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
        if row.reasoning not in ("", ruled.reasoning):
            what = f"the reasons of the verdict of fact {fact.public_id} are not what its arbiter answered"
            yield about_fact(fact, what, expected=ruled.reasoning, found=row.reasoning)
