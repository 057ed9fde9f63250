"""Reading from a replica what may be a little old: the router that sends reads there, how far it is behind, and the
comparison with the primary that keeps it from showing what is no longer to be seen.

Everything reads from the primary but what stands inside ``reading()``, and that only within ``allowed()``. Nothing is
ever written there: its connections are read-only.
"""

import logging
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import TracebackType
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, InterfaceError, connections, transaction
from django.db.models import Model
from django.db.utils import DatabaseErrorWrapper

from debates.models import Debate

REPLICA = "replica"
HEADER = "Replica-Lag"
"""Seconds by which what is sent may be behind; only where it was read from the replica."""
READ_THERE = frozenset({"debates", "scoring", "judging"})
"""Apps whose rows are: never sessions, accounts, permissions, jobs or caches."""
REST_SECONDS = 10.0
"""How long a replica that failed is asked nothing: who comes meanwhile does not wait for it."""
WARN_SECONDS = 60.0
FAILURES = (DatabaseError, InterfaceError)
OF_PRIMARY = "SELECT pg_current_wal_flush_lsn()::text, pg_postmaster_start_time(), clock_timestamp()"
OF_REPLICA = """
    SELECT NOT pg_is_in_recovery() AND pg_postmaster_start_time() = %(started)s
            OR pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= %(reached)s::pg_lsn,
        CASE WHEN pg_is_in_recovery() THEN extract(epoch FROM %(now)s - pg_last_xact_replay_timestamp())::float8 END
"""
"""Whether it has all that the primary had, as the primary itself has; and how old the newest that it has is."""
COMPARED = ("pk", "public_id", "visibility", "head__erasures")
log = logging.getLogger(__name__)
_allowed: ContextVar[bool] = ContextVar("replica_allowed", default=False)
_reading: ContextVar[bool] = ContextVar("replica_reading", default=False)


class Behind(Exception):
    """The replica does not know yet who may read a debate, or that words of it were erased, or failed: the primary is
    asked.
    """


class Failures(DatabaseErrorWrapper):
    """What one database raised: no error says whose it is, and a connection forgets it with the next rollback."""

    def __init__(self, alias: str) -> None:
        super().__init__(connections[alias])
        self.raised: list[Exception] = []

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            super().__exit__(kind, error, traceback)
        except FAILURES as failure:
            self.raised.append(failure)
            raise

    def __contains__(self, error: Exception) -> bool:
        return any(error is failure for failure in self.raised)


@contextmanager
def failures_of(alias: str) -> Iterator[Failures]:
    """Have what the connection to one database raises kept, from connecting to the last row."""
    connection, failures = connections[alias], Failures(alias)
    vars(connection)["wrap_database_errors"] = failures  # what Django looks up for every call, and keeps just there
    try:
        yield failures
    finally:
        vars(connection).pop("wrap_database_errors", None)


class Router:
    """Sends reads to the replica inside ``reading()``, and everything else to the primary."""

    def db_for_read(self, model: type[Model], **_hints: Any) -> str:
        return REPLICA if _reading.get() and _app_of(model) in READ_THERE else DEFAULT_DB_ALIAS

    def db_for_write(self, _model: type[Model], **_hints: Any) -> str:
        return DEFAULT_DB_ALIAS

    def allow_relation(self, *_rows: Model, **_hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, _app: str, **_hints: Any) -> bool:
        return db != REPLICA


def _app_of(model: type[Model]) -> str:
    return model._meta.app_label  # noqa: SLF001 -- Django's public name


@contextmanager
def allowed() -> Iterator[None]:
    """Let what ``reading()`` encloses be read from the replica; whoever comes in has looked at ``lag()``.

    A replica that fails is left alone for a while. What the primary raises is no matter of the replica, and goes on.

    Raises: ``Behind``.
    """
    token = _allowed.set(True)
    try:
        with failures_of(REPLICA) as failures:
            yield
    except FAILURES as error:
        if error not in failures:
            raise
        WATCH.failed(error)
        raise Behind from error
    finally:
        _allowed.reset(token)


@contextmanager
def reading() -> Iterator[str]:
    """Read what is inside from the replica where that is allowed; give the name of the database that is read.

    From the replica all of it is read as of the first query, for ``confirm`` compares what was read.
    """
    token = _reading.set(_allowed.get())
    try:
        if not _reading.get():
            yield DEFAULT_DB_ALIAS
        elif connections[REPLICA].in_atomic_block:
            yield REPLICA
        else:
            with transaction.atomic(using=REPLICA):
                with connections[REPLICA].cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                yield REPLICA
    finally:
        _reading.reset(token)


def confirm(debates: Collection[int]) -> None:
    """Compare who may read some debates, and how often words of them were erased, with the primary.

    It is called inside the ``reading()`` in which they were read: outside it the replica may have heard meanwhile. It
    asks nothing where the replica is not read.

    Raises: ``Behind``.
    """
    if _allowed.get() and debates:
        _compare(pk__in=debates)


def confirm_address(address: UUID) -> None:
    """Do the same for the debate at an address.

    Raises: ``Behind``; for an address at which there is none, too.
    """
    if not _compare(public_id=address):
        raise Behind


def _compare(**those: Any) -> bool:
    rows = Debate.objects.filter(**those).order_by("pk").values_list(*COMPARED)
    here = list(rows.using(DEFAULT_DB_ALIAS))  # first: what the replica hears meanwhile is newer, never older
    if here != list(rows.using(REPLICA)):
        raise Behind
    return bool(here)


class Watch:
    """What one process knows of its replica: until when it is left alone, and when that was last said."""

    def __init__(self) -> None:
        self.rests_until = self.said_at = float("-inf")

    def measure(self) -> float | None:
        """Return by how many seconds at most the replica is behind; nothing where it does not answer or follow.

        On a primary whose next write comes after an hour, what a replica has is an hour old until it has that write.
        """
        if time.monotonic() < self.rests_until:
            return None
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            cursor.execute(OF_PRIMARY)
            reached, started, now = cursor.fetchone()
        try:
            with connections[REPLICA].cursor() as cursor:
                cursor.execute(OF_REPLICA, {"reached": reached, "started": started, "now": now})
                is_level, age = cursor.fetchone()
        except FAILURES as error:
            self.failed(error)
            return None
        if is_level:
            return 0.0
        if age is None:
            self.warn("it follows nobody, or has heard nothing yet")
            return None
        return max(0.0, float(age))

    def failed(self, error: Exception) -> None:
        """Leave it alone for a while: it does not answer, or has broken off what it was asked."""
        self.rests_until = time.monotonic() + REST_SECONDS
        connections[REPLICA].close()
        self.warn(f"it does not answer ({type(error).__name__})")

    def warn(self, why: str) -> None:
        """Say, once a minute, that the primary does the replica's work, and why."""
        if time.monotonic() - self.said_at >= WARN_SECONDS:
            self.said_at = time.monotonic()
            log.warning("the replica is not read, the primary is: %s", why)


WATCH = Watch()


def is_configured() -> bool:
    return REPLICA in settings.DATABASES


def lag() -> float | None:
    """Return by how many seconds at most the replica is behind where it may be read now; else nothing."""
    if not is_configured():
        return None
    seconds = WATCH.measure()
    if seconds is not None and seconds > settings.REPLICA_LAG_SECONDS:
        WATCH.warn(f"it is up to {seconds:.1f} s behind, and {settings.REPLICA_LAG_SECONDS:g} are allowed")
        return None
    return seconds


def written(seconds: float) -> str:
    """Return a lag as the header has it, never less than it is."""
    return f"{-(-seconds * 1000 // 1) / 1000:.3f}"
