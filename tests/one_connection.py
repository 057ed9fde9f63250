"""A worker that works inside the transaction of a test, on its connection: nothing is committed, all is rolled back.

It is the worker that is shipped, with its queue, its retries and several jobs at once. What is different: the database
work of async code, which is one short transaction each, comes to one thread, one after the other, as a savepoint of the
test's transaction. What a commit would do then is done after each: deferred constraints are checked, and what waits for
the commit is called. Time stands still for PostgreSQL (``now()``), and nobody else sees anything: what is about
permits, locks, leases, races, kills or another connection needs committed rows and ``transaction=True``.
"""

import asyncio
import contextlib
import json
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, connections
from django.db.models import Q
from django.db.models.functions import Now
from django.test import TestCase
from procrastinate import App
from procrastinate.contrib.django import app
from procrastinate.contrib.django.django_connector import DjangoConnector
from procrastinate.contrib.django.models import ProcrastinateJob

from judging.engine import db_threads, queue

JSONB = 3802
"""PostgreSQL's number of the type."""
WAITS = (
    "a job is tried again later, and PostgreSQL's clock stands still in a transaction: this test needs transaction=True"
)


class OneConnection(ThreadPoolExecutor):
    """One thread that works on the connection of the thread that made it."""

    def __init__(self) -> None:
        assert connection.in_atomic_block
        self.shared = connections["default"]
        super().__init__(max_workers=1, initializer=self.share)

    def share(self) -> None:
        connections["default"] = self.shared

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return super().submit(self.committed, function, *args, **kwargs)

    def committed(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Do what would be a transaction of its own, and what its commit would do."""
        with TestCase.captureOnCommitCallbacks(execute=True):
            result = function(*args, **kwargs)
            self.shared.check_constraints()
        return result


class Connector(DjangoConnector):
    """Fetches jobs on that connection too, which leaves JSON to Django's fields."""

    def _dictfetch(self, cursor: Any) -> Iterator[dict[str, Any]]:
        is_json = {column.name: column.type_code == JSONB for column in cursor.description}
        for row in super()._dictfetch(cursor):
            yield {name: json.loads(value) if is_json[name] and value else value for name, value in row.items()}

    async def close_async(self) -> None:
        """Wait for what is still being done for nobody, as after a task was cancelled: the test goes on after it."""
        await db_threads.in_thread(lambda: None)()

    async def listen_notify(self, on_notification: Any, channels: Any) -> None:
        """Hear nothing, which only a commit would tell: the worker looks by itself."""
        await asyncio.Event().wait()

    async def execute_query_async(self, query: Any, **arguments: Any) -> None:
        await db_threads.in_thread(self.execute_query)(query=query, **arguments)

    async def execute_query_one_async(self, query: Any, **arguments: Any) -> dict[str, Any]:
        return await db_threads.in_thread(self.execute_query_one)(query=query, **arguments)

    async def execute_query_all_async(self, query: Any, **arguments: Any) -> list[dict[str, Any]]:
        return list(await db_threads.in_thread(self.execute_query_all)(query=query, **arguments))


@contextlib.contextmanager
def one_connection() -> Iterator[None]:
    """Have async code work on the connection of this thread, inside its transaction."""
    shared = connections["default"]
    shared.inc_thread_sharing()
    try:
        with OneConnection() as pool, pytest.MonkeyPatch.context() as patch:
            patch.setattr(db_threads, "_pool", pool)
            patch.setattr(queue, "fetching", fetching)
            patch.setattr(db_threads, "close_old_connections", lambda: None)  # as Django's test client has it
            yield
    finally:
        shared.dec_thread_sharing()


def fetching(*, debate_id: int | None = None) -> App:
    """An app that fetches jobs there."""
    own = app.with_connector(Connector())
    own.job_manager = queue.ByTheDatabase(own.connector, debate_id=debate_id)
    return own


def work(worker: Callable[[App], Coroutine[Any, Any, None]]) -> None:
    """Do every job that is asked for, and those that they ask for."""
    with contextlib.nullcontext() if isinstance(db_threads._pool, OneConnection) else one_connection():
        while waiting(later=False):
            asyncio.run(worker(fetching()))
    assert not waiting(later=True), WAITS


def waiting(*, later: bool) -> bool:
    """Tell whether a job waits that is due, or one that is not."""
    is_later = Q(scheduled_at__gt=Now())
    jobs = ProcrastinateJob.objects.filter(status="todo", queue_name="rounds")
    return (jobs.filter(is_later) if later else jobs.exclude(is_later)).exists()
