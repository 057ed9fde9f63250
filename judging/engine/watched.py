"""Debates that are played while somebody looks: a look is noted for a while, and what comes next is asked for."""

from __future__ import annotations

from django.core.cache import cache
from django.db import connection, transaction

from debates.models import Debate, Thread
from debates.types import ENDED, Status
from judging.engine import queue

LOOKS_FOR = 60
"""Seconds for which somebody who has opened a page, or had it drawn anew, is taken to look."""
NOTED_FOR = 10
"""Seconds in which of many looks one is noted."""
TRY_LOCK = "SELECT pg_try_advisory_xact_lock(hashtext('moot.look'), %s)"


def look(*, debate: Debate) -> None:
    """Note that somebody looks at a debate, where that is what it waits for; an open page looks with every event.

    At most one step is asked for, and none while one is: so what is spent is bounded by what the debate needs anyway.
    Of several who look at the same moment one asks, and nobody waits.
    """
    if debate.status != Status.RUNNING.value or not debate.parameters.get(queue.WHEN_WATCHED):
        return
    if cache.add(f"{_name(debate.pk)}-noted", 1, NOTED_FOR):
        cache.set(_name(debate.pk), 1, LOOKS_FOR)
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute(TRY_LOCK, [debate.pk % 2**31])
        if cursor.fetchone() == (False,):
            return
        waiting = queue.asked_for(task=queue.PLAY_THREAD, key="thread_id")
        threads = Thread.objects.filter(debate=debate).exclude(status__in=[status.value for status in ENDED])
        threads = threads.exclude(pk__in=waiting)
        queue.play(thread_ids=threads.values_list("pk", flat=True), debate_id=debate.pk)


def looks(*, debate_id: int) -> bool:
    """Say whether somebody has looked at a debate lately."""
    return bool(cache.get(_name(debate_id)))


def _name(debate_id: int) -> str:
    return f"looked-at-{debate_id}"
