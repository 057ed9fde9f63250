"""Rows locked in the one order, and which status follows which."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection

from debates import rules
from debates.errors import NotAllowedNow
from debates.models import Debate, Thread
from debates.types import Status
from judging.errors import Superseded
from judging.formats.state import ThreadState

# Locking what a step writes to, in the order that everybody keeps: debate, thread, evaluations, head of the stream.


THREAD = (
    "id",
    "debate_id",
    "key",
    "position",
    "status",
    "run_number",
    "rounds_played",
    "fence",
)  # as the model has them
# Written out, because every step of play begins with them and the ORM would take longer to say it than to have it done.
# Two statements: joined to the first, the status would be that of before the waiting for the thread began.
HOLD = f"SELECT {', '.join(THREAD)} FROM debates_thread WHERE id = %s FOR NO KEY UPDATE"  # noqa: S608 -- the names above
STANDS = "SELECT status FROM debates_debate WHERE id = %s"
HOLD_FREE = (
    f"SELECT {', '.join(THREAD)} FROM debates_thread WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED"  # noqa: S608 -- as above
)


def lock_debate(debate_id: int) -> Debate:
    """Lock a debate: first in the order of locks."""
    return Debate.objects.defer("parameters").select_for_update(no_key=True, of=("self",)).get(pk=debate_id)


def look_at(debate_id: int) -> Debate:
    """Return a debate without locking it, to see where it stands."""
    return Debate.objects.defer("parameters").get(pk=debate_id)


def lock_thread(thread_id: int) -> Thread:
    """Lock a thread: after its debate, before its evaluations. Of the debate only the status is read with it."""
    with connection.cursor() as cursor:
        cursor.execute(HOLD, [thread_id])
        row = cursor.fetchone()
        if row is None:
            raise Thread.DoesNotExist(f"There is no thread {thread_id}.")
        thread = Thread.from_db(connection.alias, THREAD, row)
        cursor.execute(STANDS, [thread.debate_id])
        thread.debate = Debate.from_db(connection.alias, ("id", "status"), (thread.debate_id, *cursor.fetchone()))
    return thread


def lock_free_threads(thread_ids: Sequence[int], *, debate: Debate) -> dict[int, Thread]:
    """Lock those threads of a debate that nobody else has locked. Of the debate the status is read anew."""
    with connection.cursor() as cursor:
        cursor.execute(HOLD_FREE, [list(thread_ids)])
        threads = [Thread.from_db(connection.alias, THREAD, row) for row in cursor.fetchall()]
        cursor.execute(STANDS, [debate.pk])
        [debate.status] = cursor.fetchone()
    for thread in threads:
        thread.debate = debate
    return {thread.pk: thread for thread in threads}


def held_thread(board: ThreadState) -> Thread:
    """Lock the thread of a board.

    Raises: ``Superseded`` if it was claimed again since.
    """
    thread = lock_thread(board.thread_id)
    if thread.fence != board.fence:
        raise Superseded(f"thread {thread.pk} is at fence {thread.fence}, not {board.fence}")
    return thread


# The one place where the status of a debate changes.


def move(*, debate: Debate, to: Status, action: str) -> None:
    """Set the status of a locked debate.

    Raises: ``NotAllowedNow`` unless the table of statuses allows it.
    Source: docs/reference/debates.md, "Statuses".
    """
    current = Status(debate.status)
    if not rules.may_follow(current=current, proposed=to):
        raise NotAllowedNow(f"A debate that is {current.replace('_', ' ')} cannot be {action}.")
    debate.status = to.value
    debate.save(update_fields=["status"])


# Leases: who does something slow says again and again that it is being done, so that silence means death.


log = logging.getLogger(__name__)


def lease() -> timedelta:
    """Return how long something stays under way without a word: as long as a silent worker is taken to live."""
    return timedelta(seconds=settings.STALLED_SECONDS)


def ends(now: datetime) -> datetime:
    return now + lease()


@contextlib.asynccontextmanager
async def renewed(say: Callable[[], Awaitable[object]]) -> AsyncIterator[None]:
    """Renew a lease as often as a worker's heart beats, as long as the block lasts."""
    saying = asyncio.create_task(_again_and_again(say))
    try:
        yield
    finally:
        saying.cancel()


async def _again_and_again(say: Callable[[], Awaitable[object]]) -> None:
    while True:
        await asyncio.sleep(settings.HEARTBEAT_SECONDS)
        try:
            await say()
        except Exception:  # a word that could not be said is said again; silence would have the work done twice
            log.exception("could not renew a lease")
