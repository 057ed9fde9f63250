"""Letting go of what is no longer needed, in small transactions; ``kinds`` says of what."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.db.models import BigIntegerField, BooleanField, F, Func, OuterRef, Q, QuerySet, Subquery, Value
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from debates import event_log
from debates.errors import Invalid
from debates.models import Debate, Delivery, Event, IdempotencyKey, Invitation, Mail, TurnDraft
from debates.printable import Fields
from debates.types import DeliveryState, Status
from judging.models import CachedJudgement, Call, NewDebate

log = logging.getLogger(__name__)
SHORTEST_DAYS = 1
BATCH = 1000
OVER = {Status.CONCLUDED: "debate:concluded", Status.CANCELLED: "debate:cancelled"}
"""How a debate stands of which nothing is played any more, and what its log says of it."""
CACHED = "cached values"
ENDED_JOBS = ("succeeded", "failed", "cancelled", "aborted")


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of thing: how to find the rows that are old enough, and how a batch of them, by key, is let go."""

    what: str
    rows: Callable[[], QuerySet[Any]]
    take: Callable[[Sequence[Any]], object]


def kinds(*, before: datetime, now: datetime) -> Iterator[Kind]:
    """Return what may go that is older than ``before``; sessions and caches go once they are over."""
    yield Kind("provider answers", partial(answers, before), partial(empty_answers, before))
    settled = Delivery.objects.exclude(state=DeliveryState.WAITING.value).filter(settled_at__lt=before)
    yield _deleted("deliveries", settled)
    over = Invitation.objects.filter(expires_at__lt=before).exclude(email="")
    yield Kind("addresses in invitations", over.all, lambda ids: over.filter(pk__in=ids).update(email=""))
    yield _deleted("mail", Mail.objects.filter(settled_at__lt=before))
    unsaid = TurnDraft.objects.filter(saved_at__lt=before, participant__debate__status__in=OVER)
    yield _deleted("drafts of turns", unsaid)
    yield _deleted("debates begun and not made", NewDebate.objects.filter(changed_at__lt=before))
    yield _deleted("kept answers", IdempotencyKey.objects.filter(at__lt=before))
    yield _deleted("known judgements", CachedJudgement.objects.filter(at__lt=before))
    yield Kind("jobs", partial(jobs, before), remove_jobs)
    yield _deleted("sessions", Session.objects.filter(expire_date__lt=now))


def names() -> Sequence[str]:
    """Return what is let go, for the help of the command."""
    return [*(kind.what for kind in kinds(before=timezone.now(), now=timezone.now())), CACHED]


def answers(before: datetime) -> QuerySet[Call]:
    """Return calls whose answer still stands although their debate is over: a debate in play is resumed from them.

    Which debates are is asked now and once: asked of each call it would take longer than all the rest.
    """
    debates = Value(list(long_over(before).values_list("pk", flat=True)), output_field=ArrayField(BigIntegerField()))
    any_of_them = Func(
        F("debate_id"), debates, template="%(expressions)s)", arg_joiner=" = ANY (", output_field=BooleanField()
    )  # one parameter
    return Call.objects.filter(any_of_them, at__lt=before).exclude(raw_answer="", problem="")


def long_over(before: datetime) -> QuerySet[Debate]:
    """Return debates that are over, and ended before a moment, as their logs say."""
    last = Event.objects.filter(debate=OuterRef("pk"), type__in=[*OVER.values(), "debate:rerun"]).order_by("-seq")
    over = Q(pk__in=[])
    for status, event in OVER.items():
        over |= Q(status=status.value, ended_by=event)
    rows = Debate.objects.alias(ended_by=Subquery(last.values("type")[:1]), ended_at=Subquery(last.values("at")[:1]))
    return rows.filter(over, ended_at__lt=before)


def empty_answers(before: datetime, ids: Sequence[int]) -> None:
    """Take the texts of some calls, and have streams forget what they joined of them."""
    rows = Call.objects.filter(pk__in=ids)
    over = long_over(before).filter(pk__in=rows.values("debate"))
    debates = list(
        over.order_by("pk").select_for_update(no_key=True, of=("self",)).values_list("pk", flat=True)
    )  # a rerun may have begun
    rows.filter(debate__in=debates).update(raw_answer="", problem="")
    for debate_id in debates:
        event_log.words_erased(debate_id=debate_id)


def jobs(before: datetime) -> QuerySet[ProcrastinateJob]:
    return ProcrastinateJob.objects.filter(status__in=ENDED_JOBS).exclude(procrastinateevent__at__gte=before)


def remove_jobs(ids: Sequence[int]) -> None:
    """Remove some jobs and their history; Django's view of them only reads."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM procrastinate_jobs WHERE id = ANY (%s)", [list(ids)])


def preview(*, before: datetime, now: datetime) -> Mapping[str, int]:
    counts = {kind.what: kind.rows().count() for kind in kinds(before=before, now=now)}
    return {**counts, CACHED: _of_stale_cache("SELECT FROM {} WHERE expires < %s", now=now)}


def retain(*, before: datetime, now: datetime) -> Mapping[str, int]:
    """Let go of what is older than ``before``, in transactions of 1,000 rows, and return how many went.

    It may be ended at any time and run again; what has gone stays gone.

    Raises: ``Invalid`` unless ``before`` is at least a day ago.
    Source: docs/how-to/erase-and-retain.md.
    """
    if (now - before).days < SHORTEST_DAYS:
        raise Invalid("Keep at least one day: what is younger may still be needed to play on.")
    done = {kind.what: _in_batches(kind) for kind in kinds(before=before, now=now)}
    with transaction.atomic(durable=True):
        done[CACHED] = _of_stale_cache("DELETE FROM {} WHERE expires < %s", now=now)
    log.info(
        Fields("retained", before=before.isoformat(), **{what.replace(" ", "_"): rows for what, rows in done.items()})
    )
    return done


def _in_batches(kind: Kind) -> int:
    rows, gone = kind.rows().order_by("pk").values_list("pk", flat=True), 0
    ids = list(rows[:BATCH])
    while ids:
        with transaction.atomic(durable=True):
            kind.take(ids)
        gone += len(ids)
        ids = list(rows.filter(pk__gt=ids[-1])[:BATCH])
    return gone


def _of_stale_cache(statement: str, *, now: datetime) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement.format(connection.ops.quote_name(settings.CACHES["default"]["LOCATION"])), [now])
        return int(cursor.rowcount)


def _deleted(what: str, rows: QuerySet[Any]) -> Kind:
    """Return a kind of which the rows are deleted; what is not old any more once it is locked stays."""

    def delete(ids: Sequence[Any]) -> None:
        old = rows.filter(pk__in=ids).order_by("pk").select_for_update(of=("self",))  # as all lock deliveries
        rows.filter(pk__in=old.values("pk")).delete()

    return Kind(what, rows.all, delete)
