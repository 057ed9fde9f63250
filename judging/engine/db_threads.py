"""Database work for async code: short transactions on a few threads, each on a connection that is known to live."""

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from enum import Enum
from functools import partial, wraps
from typing import Generic, ParamSpec, TypeVar

from django.db import InterfaceError, InternalError, OperationalError, close_old_connections, connection

from debates.printable import Fields

P = ParamSpec("P")
T = TypeVar("T")
Item = TypeVar("Item")
THREADS = 8
AT_ONCE = 2
"""So many transactions at once write what has the same key: one is prepared while the other waits for the database."""
MOST_TOGETHER = 32
TRUSTED_SECONDS = 5
OVER_SOON = frozenset({"25006", "25P03", "25P04"})
"""What PostgreSQL tells a transaction that paused for too long, or met a server that only reads for a while."""
log = logging.getLogger(__name__)
_pool = ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="database")
_used = threading.local()


class NotConnected(OperationalError):
    """The database could not be reached, so that surely nothing was written."""


def in_thread(function: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """Return an awaitable form of a short database function.

    The call is shielded, so that cancelling a job never cuts a commit in half; no connection is trusted after a wait.
    What surely was not committed and may be over soon is raised as ``OperationalError``, whatever class it is of.
    Raises: what the function raises; ``NotConnected``.
    """

    @wraps(function)
    async def later(*args: P.args, **kwargs: P.kwargs) -> T:
        work = partial(_run, partial(function, *args, **kwargs))
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(_pool, work))

    return later


def _run(function: Callable[[], T]) -> T:
    if time.monotonic() - getattr(_used, "at", 0) > TRUSTED_SECONDS:
        close_old_connections()
    try:
        return function()
    except OperationalError as error:
        if getattr(error.__cause__, "pgconn", None) is None:  # it is there where an attempt to connect has failed
            raise
        raise NotConnected(*error.args) from error.__cause__
    except InternalError as error:
        if getattr(error.__cause__, "sqlstate", None) not in OVER_SOON:
            raise
        raise OperationalError(*error.args) from error.__cause__
    finally:
        if connection.errors_occurred:
            close_old_connections()
        _used.at = time.monotonic()


class Alone(Enum):
    """The outcome of what was left out of those that were written together: it is to be written alone."""

    ALONE = "alone"


ALONE = Alone.ALONE


def may_be_committed(error: Exception) -> bool:
    """Say whether what failed may be committed all the same: the connection was there and was lost, nobody knows when.

    Source: https://www.postgresql.org/docs/current/errcodes-appendix.html, classes 08 and 57.
    """
    if isinstance(error, NotConnected) or not isinstance(error, InterfaceError | OperationalError):
        return False
    state = getattr(error.__cause__, "sqlstate", None)
    return state is None or state.startswith(("08", "57P"))


def settle(outcomes: Sequence[tuple[asyncio.Future[T], T | BaseException]]) -> None:
    """Tell from a thread what came of what is waited for, with one message to each event loop: it is woken once."""

    def tell(told: Sequence[tuple[asyncio.Future[T], T | BaseException]]) -> None:
        for future, outcome in told:
            if future.done():
                continue
            if isinstance(outcome, BaseException):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)

    for loop in {future.get_loop() for future, _ in outcomes}:
        with suppress(RuntimeError):  # it is closed: nobody waits any more
            loop.call_soon_threadsafe(tell, [pair for pair in outcomes if pair[0].get_loop() is loop])


class Gathering(Generic[Item, T]):
    """Writes what comes at the same time in one transaction: what has come in one turn of the event loop, or while
    others are being written.

    Nobody waits for company. What was written together is committed together, before anybody hears of it; where that
    fails, each is written alone, so that nobody fails for another. Where nobody knows whether it failed, because the
    connection was lost, all of them hear so, and go on from what the database has.

    Shape: ``together`` is one transaction for several items, with an outcome for each: ``ALONE`` where it was left out.
    ``alone`` is one transaction for one item; ``at_once`` transactions of a key are under way at the most.
    """

    def __init__(
        self,
        *,
        together: Callable[[Sequence[Item]], Sequence[T | Alone]],
        alone: Callable[[Item], T],
        at_once: int = AT_ONCE,
    ) -> None:
        self._together, self._alone, self._at_once = together, alone, at_once
        self._lock = threading.Lock()
        self._waiting: dict[Hashable, list[tuple[Item, asyncio.Future[T]]]] = {}
        self._going: dict[Hashable, int] = {}

    async def write(self, item: Item, *, key: Hashable) -> T:
        """Have an item written; it is, even if who waits for it is cancelled.

        Raises: what writing it alone raises.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        with self._lock:
            self._waiting.setdefault(key, []).append((item, done))
        loop.call_soon(self._begin, key)
        return await asyncio.shield(done)

    def _begin(self, key: Hashable) -> None:
        """Have what waits under a key written, unless as many transactions as may be are at it."""
        with self._lock:
            going = self._going.get(key, 0)
            if going == self._at_once or not self._waiting.get(key):
                return
            self._going[key] = going + 1
        _pool.submit(self._write_waiting, key)

    def _write_waiting(self, key: Hashable) -> None:
        """Write what waits under a key, and see to what has come meanwhile."""
        with self._lock:
            waiting = self._waiting.pop(key, [])
            batch, rest = waiting[:MOST_TOGETHER], waiting[MOST_TOGETHER:]
            if rest:
                self._waiting[key] = rest
        try:
            self._write(batch)
        finally:
            with self._lock:
                self._going[key] -= 1
                if not self._going[key]:
                    del self._going[key]
            self._begin(key)

    def _write(self, batch: Sequence[tuple[Item, asyncio.Future[T]]]) -> None:
        if len(batch) < 2:
            for item, done in batch:  # none where another transaction has taken what was waiting
                self._write_alone(item, done)
            return
        try:
            outcomes = _run(partial(self._together, [item for item, _ in batch]))
        except Exception as error:  # whose fault it is shows when each is written alone
            if may_be_committed(error):  # once more it would be a second answer
                settle([(done, error) for _, done in batch])
                return
            log.info(Fields("not written together", items=len(batch)), exc_info=True)
            outcomes = [ALONE] * len(batch)
        settle([(done, outcome) for (_, done), outcome in zip(batch, outcomes, strict=True) if outcome is not ALONE])
        for (item, done), outcome in zip(batch, outcomes, strict=True):
            if outcome is ALONE:
                _pool.submit(self._write_alone, item, done)

    def _write_alone(self, item: Item, done: asyncio.Future[T]) -> None:
        try:
            outcome: T | BaseException = _run(partial(self._alone, item))
        except BaseException as error:  # noqa: BLE001 -- it is raised where it is waited for
            outcome = error
        settle([(done, outcome)])
