"""The log of a debate and its doorbell. The log is the truth; the bell only says "look"."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import DatabaseError, connection, transaction

from debates.models import Event, EventHead
from debates.types import News

CHANNEL = "moot_events"
log = logging.getLogger(__name__)


def open_stream(*, debate_id: int) -> None:
    """Create the head of a new debate's stream."""
    EventHead.objects.create(debate_id=debate_id)


def append(*, debate_id: int, news: Iterable[News], now: datetime) -> Sequence[Event]:
    """Write events at the end of a debate's stream and ring the bell once the transaction has committed.

    Call it last in a transaction: the lock on the head is what keeps ``seq`` gapless and visible in order, and every
    statement after it makes other debates' writers no slower but this debate's.

    Source: docs/explanation/stream.md.
    """
    told = list(news)
    if not told:
        return []
    last = _advance(debate_id=debate_id, by=len(told))
    events = [
        Event(debate_id=debate_id, seq=seq, type=one.type, audience=one.audience.value, data=dict(one.data), at=now)
        for seq, one in enumerate(told, start=last - len(told) + 1)
    ]
    Event.objects.bulk_create(events)
    transaction.on_commit(lambda: ring(debate_id=debate_id))
    return events


def _advance(*, debate_id: int, by: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE debates_eventhead SET seq = seq + %s WHERE debate_id = %s RETURNING seq", [by, debate_id]
        )
        row = cursor.fetchone()
    if row is None:
        raise EventHead.DoesNotExist(f"debate {debate_id} has no stream")
    return int(row[0])


def ring(*, debate_id: int) -> None:
    """Tell whoever listens that a debate's log has grown. A bell that cannot ring is never a reason to fail."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, str(debate_id)])
    except DatabaseError:
        log.warning("the bell of debate %s did not ring", debate_id, exc_info=True)
