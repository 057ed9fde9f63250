"""What a worker does over and over goes on, whatever goes wrong with it."""

import asyncio
import contextlib
import os
import signal
from decimal import Decimal
from io import StringIO
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob, ProcrastinateWorker
from procrastinate.jobs import Job

from judging.engine import conductor, metrics, queue, tasks
from judging.engine.db_threads import in_thread
from judging.management.commands import worker
from tests import playing
from tests.playing import ruling, script

ONE = script([[ruling("1")]])


def test_what_fails_is_done_again_and_more_rarely_until_it_is_well(monkeypatch):
    pauses, sleep = [], asyncio.sleep

    async def hurried(woken, seconds):
        woken.close()
        pauses.append(seconds)
        await sleep(0)
        raise TimeoutError

    async def work():
        if len(pauses) < 5:
            raise KeyError("not the database")
        return False

    async def watch():
        monkeypatch.setattr(tasks.asyncio, "wait_for", hurried)
        doing = asyncio.create_task(tasks.over_and_over(work, every=1))
        while len(pauses) < 7:
            await sleep(0)
        doing.cancel()

    asyncio.run(watch())

    assert pauses[:7] == [1, 2, 4, 8, 16, 1, 1]


def stalled(broken):
    """A queue that cannot say which jobs have stalled."""

    async def get_stalled_jobs(**_):
        raise broken

    return SimpleNamespace(job_manager=SimpleNamespace(get_stalled_jobs=get_stalled_jobs))


@pytest.mark.django_db(transaction=True)
def test_what_has_no_job_is_asked_for_again_though_nothing_can_be_rescued(settings):
    settings.STALLED_SECONDS = 0.04
    playing.debate(ONE)
    ProcrastinateJob.objects.all().delete()

    async def watch():
        house = asyncio.create_task(tasks.keep_house(fetching=stalled(KeyError("not the database"))))
        exists = tasks.in_thread(ProcrastinateJob.objects.filter(status="todo").exists)
        async with asyncio.timeout(60):
            while not await exists():  # noqa: ASYNC110 -- the database tells
                await asyncio.sleep(0.02)
        goes_on = not house.done()
        house.cancel()
        return goes_on

    assert asyncio.run(watch())


@pytest.mark.django_db(transaction=True)
def test_one_job_that_cannot_be_rescued_keeps_no_other_waiting():
    rescued = []

    async def get_stalled_jobs(**_):
        return [SimpleNamespace(id=number, task_name="play", task_kwargs={}) for number in (1, 2)]

    async def retry_job(job):
        if job.id == 2:
            raise KeyError("not the database")
        rescued.append(job.id)

    manager = SimpleNamespace(get_stalled_jobs=get_stalled_jobs, retry_job=retry_job)

    asyncio.run(tasks.rescue(fetching=SimpleNamespace(job_manager=manager)))

    assert rescued == [1]


def test_a_job_whose_workers_died_often_does_not_wait_long_after_its_first_error():
    job = Job(
        id=1, queue="rounds", lock=None, queueing_lock=None, task_name="judging.play_thread", attempts=8,
    )  # fmt: skip

    decision = tasks.RetryLater().get_retry_decision(exception=KeyError(), job=job)

    assert decision is not None
    assert (decision.retry_at - tasks.timezone.now()).total_seconds() <= tasks.LONGEST_PAUSE < 2**8


@pytest.mark.django_db
def test_a_worker_starts_on_a_database_that_is_only_warned_of(settings, monkeypatch):
    settings.SECOND_PERSON_FROM = Decimal(3)
    started, err = [], StringIO()

    async def work(_self, **options):
        started.append(options)

    monkeypatch.setattr(worker.Command, "work", work)

    call_command("worker", stderr=err)

    assert len(started) == 1
    assert "MOOT_SECOND_PERSON_FROM is 3" in err.getvalue()


@pytest.mark.django_db(transaction=True)
def test_commands_that_play_by_themselves_are_no_worker_however_many_there_are():
    """They send no mail and tell no webhook."""

    async def heard():
        async with queue.fetching(debate_id=1).open_async() as command, queue.fetching().open_async() as work:
            several = [await command.job_manager.register_worker() for _ in range(3)]
            for number in several:
                await command.job_manager.update_heartbeat(number)
            alone = await in_thread(metrics.work)(now=timezone.now())
            others = [await work.job_manager.register_worker() for _ in range(2)]
            beside = await in_thread(metrics.work)(now=timezone.now())
            for app, number in [*((command, number) for number in several), *((work, number) for number in others)]:
                await app.job_manager.unregister_worker(number)
        return alone, beside

    alone, beside = asyncio.run(heard())

    assert (alone.workers, alone.heard, beside.workers) == (0, None, 2)
    assert not ProcrastinateWorker.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_is_stopped_while_it_comes_does_not_stay_though_the_library_lost_that():
    async def come(work):
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(60)
        await work.job_manager.register_worker()

    async def stopped():
        async with queue.fetching().open_async() as work:
            coming = asyncio.create_task(come(work))
            await asyncio.sleep(0)
            coming.cancel()
            await asyncio.wait([coming])
            return coming.cancelled(), work.job_manager.workers

    assert asyncio.run(stopped()) == (True, set())
    assert not ProcrastinateWorker.objects.exists()


BEAT = """SELECT worker.last_heartbeat AS at FROM procrastinate_jobs job
    JOIN procrastinate_workers worker ON worker.id = job.worker_id WHERE job.status = 'doing'"""


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("command", ["worker", "run_debate"])
def test_what_a_worker_still_does_after_it_was_asked_to_stop_is_nobody_elses(command, settings, monkeypatch):
    """Its heart beats on: once that was under way, and twice besides."""
    settings.HEARTBEAT_SECONDS = 0.1
    debate, beats = playing.debate(ONE), set()

    async def slow(**_):
        for stop in stops:
            stop()
        async with queue.fetching().open_async() as other, asyncio.timeout(60):
            while len(beats) < 4:
                beats.add((await other.connector.execute_query_one_async(BEAT))["at"])
                await asyncio.sleep(0.05)

    async def play():
        stops.append(asyncio.current_task().cancel)
        await tasks.play_to_the_end(debate_id=debate.pk, tell=lambda _event: None)

    monkeypatch.setattr(conductor, "play_thread", slow)
    if command == "worker":
        stops = [lambda: os.kill(os.getpid(), signal.SIGTERM)]
        asyncio.run(worker.Command(stdout=StringIO()).work(rounds_at_once=1, grace=30))
    else:
        stops = []
        with pytest.raises(asyncio.CancelledError):
            asyncio.run(play())

    assert len(beats) == 4
