"""Which jobs are waiting, asking again for those that were lost, and for the next step of what somebody looks at."""

import asyncio
from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import cast

from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from procrastinate import App, PsycopgConnector
from procrastinate.connector import BaseConnector
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateEvent, ProcrastinateJob
from procrastinate.contrib.django.utils import connector_params
from procrastinate.jobs import Job
from procrastinate.manager import JobManager
from procrastinate.types import JSONValue

from debates.models import Debate, Thread
from debates.types import ENDED, Conduct, Status, ThreadStatus
from judging.engine import locks

# Asking for work. The row is written in the caller's transaction; who does the work is in judging/engine/tasks.py.


PLAY_THREAD = "judging.play_thread"
PREPARE = "judging.prepare"
CONCLUDE = "judging.conclude"
WHEN_WATCHED = "when_watched"
"""The parameter of a debate that is played while somebody looks."""
ROUNDS, OPS = "rounds", "ops"
SHORTEST_REST, LONGEST_REST = timedelta(seconds=15), timedelta(hours=1)
ALIVE = ["todo", "doing"]
NOT_PLAYED = [status.value for status in (*ENDED, ThreadStatus.AWAITING_TURN)]
CONNECTIONS = 2
"""So many a worker fetches jobs with and says that they are done, beside the one on which it hears of new rounds."""
FORGOTTEN_AFTER = 10
"""So many times as long as a silent worker is taken to live, it stays known: its jobs are handed on, but it may be late
and not dead, and a worker that is not known any more ends at the next job it takes."""


def play(*, thread_ids: Iterable[int], debate_id: int) -> None:
    """Ask for threads to be played.

    An extra request changes no score: the newest claim wins. It costs a call to a provider, which is paid, where
    somebody else is waiting for an answer in the same thread just then.
    """
    if is_elsewhere(debate_id=debate_id):
        return
    if pace := Debate.objects.values_list("parameters__pace", flat=True).get(pk=debate_id) or 0:
        at_pace(thread_ids=thread_ids, debate_id=debate_id, pace=pace, rested=timedelta(0))
        return
    jobs: list[dict[str, JSONValue]] = [{"thread_id": thread_id, "debate_id": debate_id} for thread_id in thread_ids]
    if jobs:
        app.configure_task(PLAY_THREAD, queue=ROUNDS).batch_defer(*jobs)


@transaction.atomic(durable=True)
def play_on(*, thread_id: int, debate_id: int, pace: int) -> None:
    """Ask for the next step of a thread, after a rest in which nobody works on it."""
    at_pace(thread_ids=[thread_id], debate_id=debate_id, pace=pace, rested=timedelta(seconds=pace))


def at_pace(*, thread_ids: Iterable[int], debate_id: int, pace: int, rested: timedelta) -> None:
    """Ask for threads one after the other, each after what is asked for in their debate already.

    Who waits for its next step already is not asked for again: so there is one step of a debate in each rest, however
    often it is paused and resumed. The clock is the database's, by which jobs are fetched.
    """
    waiting = ProcrastinateJob.objects.filter(task_name=PLAY_THREAD, status="todo", args__debate_id=debate_id)
    asked = {int(key): at for key, at in waiting.values_list("args__thread_id", "scheduled_at")}
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        [now] = cursor.fetchone()
    rest = timedelta(seconds=pace)
    latest = max((at for at in asked.values() if at), default=None)
    at = max(now + rested, latest + rest) if latest else now + rested
    for thread_id in thread_ids:
        if thread_id not in asked:
            task = app.configure_task(PLAY_THREAD, queue=ROUNDS, schedule_at=at)
            task.defer(thread_id=thread_id, debate_id=debate_id)
            at += rest


def play_where_nobody_does(*, thread_ids: Iterable[int], debate_id: int) -> None:
    """Ask for threads to be played again that no job is about: the answer that such a job waits for is used."""
    at_it = set(jobs_about(task=PLAY_THREAD, debate_id=debate_id).values_list("args__thread_id", flat=True))
    play(thread_ids=[thread_id for thread_id in thread_ids if thread_id not in at_it], debate_id=debate_id)


def prepare(*, debate_id: int) -> None:
    """Ask for the initial assessments of a debate, unless a job is about them: what is under way is still of use."""
    if not jobs_about(task=PREPARE, debate_id=debate_id).exists():
        app.configure_task(PREPARE, queue=ROUNDS).defer(debate_id=debate_id)


def conclude(*, debate_id: int, resumed: bool = False) -> None:
    """Ask for a debate to be concluded.

    Shape: ``resumed`` says that a synthesis which is under way is still of use: while a job is about it, none is added.
    After a rerun it would be about what is no more.
    """
    if is_elsewhere(debate_id=debate_id):
        return
    if not resumed or not jobs_about(task=CONCLUDE, debate_id=debate_id).exists():
        app.configure_task(CONCLUDE, queue=ROUNDS).defer(debate_id=debate_id)


def jobs_about(*, task: str, debate_id: int) -> QuerySet[ProcrastinateJob]:
    """Return the jobs of a task about a debate that wait, or that a worker runs whose heart beats.

    Should one just end, the sweep asks again.
    """
    beat = Now() - locks.lease()
    goes_on = Q(status="todo") | Q(status="doing", worker__last_heartbeat__gte=beat)
    return ProcrastinateJob.objects.filter(goes_on, task_name=task, args__debate_id=debate_id)


def is_asked_for_since(*, job: Job) -> bool:
    """Say whether a newer job asks for just what this one does, and waits or has a worker that lives."""
    debate_id = job.task_kwargs.get("debate_id")
    if not isinstance(debate_id, int):
        return False
    others = jobs_about(task=job.task_name, debate_id=debate_id)
    return others.filter(pk__gt=cast("int", job.id), args=job.task_kwargs).exists()


def is_elsewhere(*, debate_id: int) -> bool:
    """Say whether a debate is conducted by a client, so that no worker has to do anything about it."""
    return Debate.objects.filter(pk=debate_id, conducted_by=Conduct.EXTERNAL.value).exists()


BELOW_ZERO = """WITH was AS (DELETE FROM procrastinate_workers WHERE id = %(key)s)
    INSERT INTO procrastinate_workers (id) OVERRIDING SYSTEM VALUE VALUES (-%(key)s)"""

FETCH_OF_DEBATE = """
UPDATE procrastinate_jobs SET status = 'doing', worker_id = %(worker_id)s
WHERE id = (
    SELECT id FROM procrastinate_jobs
    WHERE status = 'todo' AND queue_name = ANY (%(queues)s::varchar[])
        AND (args ->> 'debate_id')::bigint = %(debate_id)s AND (scheduled_at IS NULL OR scheduled_at <= now())
    ORDER BY priority DESC, id LIMIT 1
    FOR UPDATE SKIP LOCKED
)
RETURNING id, status, task_name, priority, lock, queueing_lock, args, scheduled_at, queue_name, attempts, worker_id
"""
"""As the library fetches a job, but of one debate; no job of a round has a lock."""


class ByTheDatabase(JobManager):
    """Puts jobs back by the clock that they are fetched by: a worker's own may be hours ahead. Knows its workers.

    Those of a command, which plays one debate, take no other's jobs, and have keys below zero: they do not all that a
    worker does.
    """

    def __init__(self, connector: BaseConnector, *, debate_id: int | None = None) -> None:
        super().__init__(connector)
        self.debate_id = debate_id
        self.workers: set[int] = set()

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> Job | None:
        if self.debate_id is None:
            return await super().fetch_job(queues, worker_id)
        rows = await self.connector.execute_query_all_async(
            FETCH_OF_DEBATE, worker_id=worker_id, queues=queues, debate_id=self.debate_id
        )
        return Job.from_row(rows[0]) if rows else None

    async def register_worker(self) -> int:
        worker_id = await super().register_worker()
        if self.debate_id is not None:
            await self.connector.execute_query_async(BELOW_ZERO, key=worker_id)
            worker_id = -worker_id
        self.workers.add(worker_id)
        # Before Python 3.12, asyncio loses a cancellation that comes with what was waited for: the worker would stay.
        if (coming := asyncio.current_task()) and coming.cancelling():
            await self.unregister_worker(worker_id)
            raise asyncio.CancelledError
        return worker_id

    async def unregister_worker(self, worker_id: int) -> None:
        self.workers.discard(worker_id)
        await super().unregister_worker(worker_id)

    async def retry_job_by_id_async(
        self,
        job_id: int,
        retry_at: datetime,
        priority: int | None = None,
        queue: str | None = None,
        lock: str | None = None,
    ) -> None:
        """Try a job again as long from now, by the database's clock, as it is from now by ours."""
        rest = max(retry_at - timezone.now(), timedelta(0))
        row = await self.connector.execute_query_one_async("SELECT clock_timestamp() AS now")
        await super().retry_job_by_id_async(job_id, row["now"] + rest, priority, queue, lock)


def fetching(*, debate_id: int | None = None) -> App:
    """Return an app of its own to fetch jobs with: for a worker, or for a command that plays one debate.

    ``app`` itself stays bound to Django's connection, so that what a task asks for joins the task's transaction.
    """
    connector = PsycopgConnector(kwargs=connector_params(), min_size=1, max_size=CONNECTIONS)
    own = app.with_connector(connector)
    own.job_manager = ByTheDatabase(own.connector, debate_id=debate_id)
    return own


def asked_for(*, task: str, key: str) -> set[int]:
    """Return the ids (thread_id or debate_id) for which a job of a task waits or runs."""
    rows = ProcrastinateJob.objects.filter(task_name=task, status__in=ALIVE).values_list(f"args__{key}", flat=True)
    return set(map(int, rows))


def resting(*, task: str, key: str, now: datetime) -> set[int]:
    """Return the ids for which a job of a task has failed not long ago: twice as long a rest after each that failed."""
    rows = ProcrastinateEvent.objects.filter(type="failed", job__task_name=task, job__status="failed")
    failed = [(int(about_id), at) for about_id, at in rows.order_by("at").values_list(f"job__args__{key}", "at")]
    times, last = Counter(about_id for about_id, _ in failed), dict(failed)
    return {about_id for about_id, count in times.items() if now < last[about_id] + rest_after(count)}


def rest_after(failures: int) -> timedelta:
    """Return how long something is left alone after so many failures."""
    doubled: int = 2 ** min(failures, 10)
    return min(LONGEST_REST, SHORTEST_REST * doubled)


# The second net: what should be in play and has no job is asked for again.


@transaction.atomic(durable=True)
def ask_again(*, now: datetime) -> int:
    """Ask for every running thread, scheduled and concluding debate that no job is about; return how many.

    What is played while somebody looks is asked for by who does; here only where that look came as a step was ending.
    """
    asked = 0
    threads = Thread.objects.filter(
        debate__status=Status.RUNNING.value, debate__conducted_by=Conduct.ENGINE.value
    ).exclude(status__in=NOT_PLAYED)
    watched = Debate.objects.filter(status=Status.RUNNING.value, parameters__has_key=WHEN_WATCHED)
    unseen = [pk for pk in watched.values_list("pk", flat=True) if not has_onlooker(debate_id=pk)]
    threads = threads.exclude(debate__in=unseen)
    playable = list(threads)  # before the jobs: who starts in between has one
    waiting = left_alone(task=PLAY_THREAD, key="thread_id", now=now)
    for thread in playable:
        if thread.pk not in waiting:
            play(thread_ids=[thread.pk], debate_id=thread.debate_id)
            asked += 1
    for status, task, ask in ((Status.SCHEDULED, PREPARE, prepare), (Status.CONCLUDING, CONCLUDE, conclude)):
        debates = Debate.objects.filter(status=status.value, conducted_by=Conduct.ENGINE.value)
        for pk in set(debates.values_list("pk", flat=True)) - left_alone(task=task, key="debate_id", now=now):
            ask(debate_id=pk)
            asked += 1
    return asked


def left_alone(*, task: str, key: str, now: datetime) -> set[int]:
    """Return the ids that are asked for already, or that a job has just failed for."""
    return asked_for(task=task, key=key) | resting(task=task, key=key, now=now)


LOOKS_FOR = 60
"""Seconds for which somebody who has opened a page, or had it drawn anew, is taken to look."""
NOTED_FOR = 10
"""Seconds in which of many looks one is noted."""
TRY_LOCK = "SELECT pg_try_advisory_xact_lock(hashtext('moot.look'), %s)"


def note_onlooker(*, debate: Debate) -> None:
    """Note that somebody looks at a debate, where that is what it waits for; an open page looks with every event.

    At most one step is asked for, and none while one is: so what is spent is bounded by what the debate needs anyway.
    Of several who look at the same moment one asks, and nobody waits.
    """
    if debate.status != Status.RUNNING.value or not debate.parameters.get(WHEN_WATCHED):
        return
    if cache.add(f"{_name(debate.pk)}-noted", 1, NOTED_FOR):
        cache.set(_name(debate.pk), 1, LOOKS_FOR)
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute(TRY_LOCK, [debate.pk % 2**31])
        if cursor.fetchone() == (False,):
            return
        threads = Thread.objects.filter(debate=debate).exclude(status__in=NOT_PLAYED)
        waiting = left_alone(task=PLAY_THREAD, key="thread_id", now=timezone.now())
        play(thread_ids=threads.exclude(pk__in=waiting).values_list("pk", flat=True), debate_id=debate.pk)


def has_onlooker(*, debate_id: int) -> bool:
    """Say whether somebody has looked at a debate lately."""
    return bool(cache.get(_name(debate_id)))


def _name(debate_id: int) -> str:
    return f"looked-at-{debate_id}"
