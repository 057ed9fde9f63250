"""Who waited for a thread sees its debate as it is then, not as it was when the waiting began."""

import threading
import time

import pytest
from django.db import connection, transaction
from django.utils import timezone

from debates.models import Debate, Thread
from judging.engine.locks import lock_debate, lock_free_threads, lock_thread
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


def is_waited_for():
    """Say whether somebody waits for a lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # a transaction keeps what it has seen of others
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
        return cursor.fetchone() != (0,)


def test_who_waited_for_a_thread_sees_that_its_debate_was_paused_meanwhile():
    debate = factories.debate(status="running", started_at=timezone.now())
    thread = factories.thread(debate)
    seen = []

    def wait_and_look():
        with transaction.atomic():
            seen.append(lock_thread(thread.pk).debate.status)
        connection.close()

    waiting = threading.Thread(target=wait_and_look)
    with transaction.atomic():
        lock_debate(debate.pk)
        lock_thread(thread.pk)
        Thread.objects.filter(pk=thread.pk).update(fence=1)
        waiting.start()
        end = time.monotonic() + 20
        while not is_waited_for():
            assert time.monotonic() < end, "nobody waits"
            time.sleep(0.02)
        Debate.objects.filter(pk=debate.pk).update(status="paused")
    waiting.join(timeout=20)

    assert seen == ["paused"]


def test_who_writes_together_leaves_out_a_thread_that_somebody_has_locked():
    debate = factories.debate(status="running", started_at=timezone.now())
    threads = [factories.thread(debate, key=key) for key in ("A", "B")]
    free = []

    def lock_free():
        with transaction.atomic():
            free.append(list(lock_free_threads([thread.pk for thread in threads], debate=Debate.objects.get())))
        connection.close()

    with transaction.atomic():
        lock_thread(threads[0].pk)
        locking = threading.Thread(target=lock_free)
        locking.start()
        locking.join(timeout=20)

    assert free == [[threads[1].pk]]
