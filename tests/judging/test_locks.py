"""Who waited for a thread sees its debate as it is then; threads are claimed together as each is alone."""

import threading
import time
from dataclasses import replace

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from debates.models import Debate, Round, Thread
from judging.engine import lifecycle, play, selectors
from judging.engine.db_threads import ALONE
from judging.engine.locks import lock_debate, lock_free_threads, lock_thread
from tests import factories, playing
from tests.playing import ruling, script

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
        end = time.monotonic() + 120
        while not is_waited_for():
            assert time.monotonic() < end, "nobody waits"
            time.sleep(0.02)
        Debate.objects.filter(pk=debate.pk).update(status="paused")
    waiting.join(timeout=120)

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
        locking.join(timeout=120)

    assert free == [[threads[1].pk]]


def claiming(debate, keys):
    brief, ids = selectors.brief(debate.pk), dict(debate.threads.values_list("key", "pk"))
    return [play.Claiming(brief, ids[key], timezone.now()) for key in keys]


def test_threads_are_claimed_together_as_each_is_alone():
    ruled = script([[ruling("+1")]])
    alone, together = (playing.debate(ruled, criteria=("P1", "P2", "P3"), rounds=1) for _ in range(2))
    expected = [play.claim(thread_id=one.thread_id, now=one.now) for one in claiming(alone, ("P1", "P2", "P3"))]

    with CaptureQueriesContext(connection) as asked:
        *boards, double = play.claim_together(claiming(together, ("P1", "P2", "P3", "P2")))

    assert double is ALONE
    same = {"thread_id": 0, "round_id": 0, "evaluation_id": 0}
    assert [replace(board, **same) for board in boards] == [replace(board, **same) for board in expected]
    for debate, own in ((alone, expected), (together, boards)):
        rounds = Round.objects.filter(thread__debate=debate, closed_at=None).order_by("thread__position")
        assert [(row.thread_id, row.pk) for row in rounds] == [(board.thread_id, board.round_id) for board in own]
    rows = [
        (
            list(debate.threads.order_by("position").values_list("key", "status", "fence", "run_number")),
            list(debate.events.order_by("seq").values_list("type", "audience", "data")),
        )
        for debate in (alone, together)
    ]
    assert rows[0] == rows[1]
    assert len(asked) < 15


def test_what_has_ended_or_is_locked_is_not_claimed_together_with_others():
    debate = playing.debate(script([[ruling("+1")]]), criteria=("P1", "P2", "P3"), rounds=1)
    ended, locked, free = debate.threads.order_by("position")
    Thread.objects.filter(pk=ended.pk).update(status="complete", ended_because="nothing_left_open")
    results = []

    def claim():
        results.extend(play.claim_together(claiming(debate, ("P1", "P2", "P3"))))
        connection.close()

    with transaction.atomic():
        lock_thread(locked.pk)
        waiting = threading.Thread(target=claim)
        waiting.start()
        waiting.join(timeout=120)

    assert (results[0], results[1]) == (None, ALONE)
    assert results[2].thread_id == free.pk
    assert list(Round.objects.values_list("thread_id", flat=True)) == [free.pk]


def test_of_a_paused_debate_nothing_is_claimed_together():
    debate = playing.debate(script([[ruling("+1")]]), criteria=("P1", "P2"), rounds=1)
    lifecycle.pause(debate_id=debate.pk, by=None, now=timezone.now())

    assert play.claim_together(claiming(debate, ("P1", "P2"))) == [None, None]
    assert not Round.objects.exists()
