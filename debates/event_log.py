"""The event log of a debate, which is the truth, and the notification that it has grown, which only says "look"."""

import json
import logging
from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, cast
from uuid import UUID, uuid4

from django.db import DatabaseError, connection, transaction
from django.db.models import F

from debates import event_schemas
from debates.mail import recipients
from debates.models import Debate, Epoch, EventHead
from debates.types import News, Status

CHANNEL = "moot_events"
log = logging.getLogger(__name__)


def open_stream(*, debate_id: int) -> None:
    EventHead.objects.create(debate_id=debate_id)


# One statement, so that the head is locked for no longer than it takes and the rows need no trip of their own: events,
# and a delivery of each for every webhook that wants to be told of it. The webhooks are locked, for foreign keys are
# checked at the commit: one that is deleted meanwhile would take the events with it. A clock that is
# more than a day ahead dates nothing: its time would be that of all that comes.
APPEND = """
    WITH head AS (
        UPDATE debates_eventhead SET seq = seq + %(many)s,
            at = greatest(at, least(%(now)s, transaction_timestamp() + interval '1 day')) WHERE debate_id = %(debate)s
        RETURNING seq - %(many)s AS before, at
    )
    , written AS (
        INSERT INTO debates_event (debate_id, seq, type, audience, data, at)
        SELECT %(debate)s, head.before + told.place, told.type, told.audience, told.data, head.at
        FROM head, ROWS FROM (json_to_recordset(%(news)s) AS (type text, audience text, data jsonb))
            WITH ORDINALITY AS told (type, audience, data, place)
        RETURNING id, seq, type
    )
    , promised AS (
        INSERT INTO debates_delivery (public_id, webhook_id, event_id, state, attempts, due_at, log)
        SELECT gen_random_uuid(), hook.id, written.id, 'waiting', 0, least(%(now)s, transaction_timestamp()), '[]'
        FROM written JOIN debates_webhook hook ON hook.state = 'active'
            AND (hook.debate_id IS NULL OR hook.debate_id = %(debate)s)
            AND (hook.types = '{}' OR written.type = ANY(hook.types))
        ORDER BY written.seq
        FOR KEY SHARE OF hook
    )
    SELECT count(*) FROM written
"""


def append(*, debate_id: int, news: Iterable[News], now: datetime) -> None:
    """Write events at the end of a debate's log, and notify once the transaction has committed.

    Call it last in a transaction: the lock on the head is what keeps ``seq`` gapless and visible in order, and every
    statement after it makes other debates' writers no slower but this debate's.

    Raises: ``NotInTheCatalogue`` for what readers have not been promised.
    Source: docs/explanation/stream.md, docs/reference/events.md.
    """
    events = list(news)
    if not events:
        return
    events += late_change(debate_id=debate_id, events=events)
    encoded_events = []
    for event in events:
        data = json.dumps(dict(event.data))
        event_schemas.check(type=event.type, audience=event.audience, data=data)
        encoded_events.append(f'{{"type": "{event.type}", "audience": "{event.audience.value}", "data": {data}}}')
    recipients.write_mail(debate_id=debate_id, news=events, now=now)
    with connection.cursor() as cursor:
        cursor.execute(
            APPEND, {"debate": debate_id, "many": len(events), "news": f"[{', '.join(encoded_events)}]", "now": now}
        )
        if cursor.fetchone() != (len(events),):
            raise EventHead.DoesNotExist(f"debate {debate_id} has no stream")
    transaction.on_commit(lambda: notify(debate_id=debate_id))


def dated(now: datetime, *, days: int = 1) -> datetime:
    """Return a time as a debate may be dated by it: at most so many days ahead of the database's, as events are."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT least(%s, transaction_timestamp() + make_interval(days => %s))", [now, days])
        [at] = cursor.fetchone()
    return cast("datetime", at)


def late_change(*, debate_id: int, events: Sequence[News]) -> list[News]:
    """Return the event that a person changed what a concluded debate came to, or nothing where nobody did.

    Shape: of several acts on one score the value before the first and after the last.
    """
    finals: dict[str, tuple[Decimal | None, Decimal | None]] = {}
    moved: dict[str, dict[str, Any]] = {}
    for event in events:
        if event.finals is None:
            continue
        score, (before, after) = str(event.data["evaluation"]), event.finals
        finals[score] = finals.get(score, (before, None))[0], after
        first = moved.get(score) or {"evaluation": score, "before": event.data["before"]}
        moved[score] = {**first, "entry": event.data["entry"], "after": event.data["after"]}
    scores = [moved[score] for score, (before, after) in finals.items() if before != after]
    if not scores or not Debate.objects.filter(pk=debate_id, status=Status.CONCLUDED.value).exists():
        return []
    return [News("result:changed", {"scores": scores})]


def notify(*, debate_id: int) -> None:
    """Tell whoever listens that a debate's log has grown. Failing to is never a reason to fail."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, str(debate_id)])
    except DatabaseError:
        log.warning("no notification of debate %s was sent", debate_id, exc_info=True)


def words_erased(*, debate_id: int) -> None:
    """Have whoever keeps lines of a debate's log in memory forget them, because words in them have been erased.

    Call it in the transaction of the erasure.
    """
    EventHead.objects.filter(debate_id=debate_id).update(erasures=F("erasures") + 1)


def epoch() -> UUID:
    """Return the name of this database's logs: a position in one means something only together with it."""
    row, _ = Epoch.objects.get_or_create(pk=1)
    return row.value


def new_epoch(*, now: datetime) -> UUID:
    """Give the logs a new name, because a backup was restored: what readers know of them may never have been.

    Source: docs/how-to/start-and-stop.md#back-up-and-restore.
    """
    row, _ = Epoch.objects.update_or_create(pk=1, defaults={"value": uuid4(), "since": now})
    return row.value
