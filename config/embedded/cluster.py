"""The cluster as its users see it: it is there while anybody needs it, whoever comes, goes, or is killed."""

import contextlib
import fcntl
import logging
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import IO, Literal

import psycopg
from psycopg import sql

from config.embedded import binaries, dump, os_user, replace_database, server
from config.embedded.exceptions import AnotherOwner, DidNotStart, InUse, NotRunning, Refused, UnusablePath
from config.embedded.paths import PORT, SYSTEM_DIRECTORY, WAY_OUT, Places, refuse_unusable

logger = logging.getLogger(__name__)

ROLES = {"moot_owner": "LOGIN CREATEDB", "moot_app": "LOGIN"}
DATABASE = "moot"


@dataclass(frozen=True, kw_only=True)
class Status:
    """What can be said of a cluster without disturbing it."""

    root: Path
    state: Literal["absent", "stopped", "starting", "running"]
    version: str = ""
    process: int | None = None
    in_use: bool = False
    kept: bool = False


class Cluster:
    """One cluster and this process's lease on it.

    A lease is a shared lock on a file, which the kernel drops with the process, however it ends. Whoever leaves and
    finds nobody else stops the server.

    Shape: without ``durable``, for data that nobody would miss, as that of a test, a commit does not wait for the
    disk, and a machine that loses its power may lose the cluster. Whoever starts the server decides.
    """

    def __init__(self, root: Path, *, durable: bool = True) -> None:
        self.places = Places(root=root.resolve())
        self.durable = durable
        self._lease: IO[bytes] | None = None
        self._holder = 0

    def ensure(self) -> None:
        """Have the server running, with Moot's roles and database, and hold a lease on it.

        Raises: ``Refused``, each kind with its way out.
        """
        refuse_unusable(self.places)
        self._make_directories()
        with self._mutex():
            had_lease = self._lease is not None
            self._take_lease()  # first, so that whoever is interrupted below can still release
            try:
                self._bring_up()
            except Refused:
                if not had_lease:
                    self._drop_lease()
                raise

    def release(self) -> None:
        """Give the lease back, and stop the server if nobody else uses it and it was not started to stay.

        Fit for the end of a process: what goes wrong is logged.
        """
        if self._lease is None or self._holder != os.getpid():
            return
        try:
            with self._mutex():
                self._drop_lease()
                if not self._in_use() and not self._kept():
                    server.end(self.places)
        except (Refused, OSError) as error:
            logger.warning("The embedded PostgreSQL was not stopped: %s", error)

    def keep(self) -> None:
        """Let the server that runs now stay until it is stopped by name."""
        self.places.kept.write_text(self._identity())

    def stop(self, *, even_if_used: bool = False) -> bool:
        """Stop the server and return whether there was one.

        Raises: ``InUse`` if other processes hold leases, ``DidNotStop``, ``AnotherOwner``.
        """
        if not self.places.root.exists():
            return False
        self._refuse_another_owner()
        with self._mutex():
            self._drop_lease()
            if self._in_use() and not even_if_used:
                raise InUse("Other processes use the embedded PostgreSQL; end them first, or add --force.")
            was_running = server.postmaster(self.places) is not None
            server.end(self.places)
            self.places.kept.unlink(missing_ok=True)
        return was_running

    def lives(self) -> bool:
        """Tell whether the server's process is there; asks the system, not the server."""
        return server.postmaster(self.places) is not None

    def status(self) -> Status:
        """Say what is known, at once: a start or recovery in progress is not waited for.

        Raises: ``AnotherOwner``.
        """
        if not self.places.data.exists():
            return Status(root=self.places.root, state="absent")
        self._refuse_another_owner()
        process = server.postmaster(self.places)
        with self._mutex(wait=False) as ours:
            in_use = self._in_use() if ours else True
        if process is None:
            return Status(root=self.places.root, state="stopped", in_use=in_use)
        version = self._server.version()
        return Status(
            root=self.places.root,
            state="running" if version else "starting",
            version=version,
            process=process.pid,
            in_use=in_use,
            kept=self._kept(),
        )

    def dump(self, target: Path) -> None:
        """Write Moot's whole database to a file, whole or not at all.

        Raises: ``NotRunning``, ``DumpFailed``.
        """
        if not self._server.answers():
            raise NotRunning("The embedded PostgreSQL is not running.")
        whole = {"host": str(self.places.run), "port": str(PORT), "user": server.SUPERUSER, "dbname": DATABASE}
        dump.write(programs=binaries.installed(), connection=whole, target=target)

    def restore(self, source: Path, *, now: datetime, prove: Callable[[str], None]) -> str:
        """Put a dump in the place of Moot's database, and return the name under which the one before is kept.

        Shape: ``prove`` is given the name of the database that was read, beside the one there is, and raises if it does
        not stand; then everything is as it was.
        Raises: ``InUse``, ``RestoreFailed``, and whatever ``prove`` raises.
        """
        programs = binaries.installed()
        dump.refuse_partial(programs=programs, source=source)
        owner = "moot_owner"

        def fill(name: str) -> None:
            place = {"host": str(self.places.run), "port": str(PORT), "user": owner, "dbname": name}
            dump.read(programs=programs, connection=place, source=source)
            prove(name)

        with self._server.connect() as connection:
            return replace_database.replace(connection, name=DATABASE, owner=owner, now=now, fill=fill)

    @cached_property
    def _server(self) -> server.Server:
        runs_as = os_user.for_server()
        programs = binaries.runnable_by(account=runs_as)
        return server.Server(places=self.places, programs=programs, account=runs_as, durable=self.durable)

    def _make_directories(self) -> None:
        runs_as = self._server.account
        make_directory(self.places.root, enterable=runs_as.is_another)
        self._refuse_another_owner()
        if not runs_as.may_execute(self.places.root):
            way_in = (*reversed(self.places.root.parents), self.places.root)
            closed = next(directory for directory in way_in if not runs_as.may_execute(directory))
            raise UnusablePath(
                f"PostgreSQL runs as the system account {runs_as.name!r}, which cannot enter {closed}; "
                f"Moot does not open directories that are not its own. {WAY_OUT}"
            )
        runs_as.own(self.places.run)

    def _refuse_another_owner(self) -> None:
        """Refuse early what would fail late with 'permission denied'."""
        account = self._server.account
        uids = {self.places.root: os.geteuid(), self.places.data: account.uid, self.places.run: account.uid}
        for path, uid in uids.items():
            if path.exists() and path.stat().st_uid != uid:
                way_out = (
                    f"The server needs it as {account.name}: while none runs there, `chown -R {account.name}: {path}`"
                    if account.is_another and uid == account.uid
                    else f"This process would need it. Run as the user who made {self.places.root}"
                )
                raise AnotherOwner(f"{path} belongs to {os_user.name_of(path.stat().st_uid)}. {way_out}. {WAY_OUT}")

    def _bring_up(self) -> None:
        for _attempt in range(3):
            if not self._server.answers():
                self._server.initialise()
                self._server.start()
            with contextlib.suppress(psycopg.OperationalError):  # killed again, between two sentences
                return self._provide()
        raise DidNotStart(f"PostgreSQL was ended from outside again and again; see {self.places.log}.")

    def _provide(self) -> None:
        with self._server.connect() as connection:
            roles = {name for (name,) in connection.execute("SELECT rolname FROM pg_roles")}
            for name in ROLES.keys() - roles:
                connection.execute(sql.SQL("CREATE ROLE {} {}").format(sql.Identifier(name), sql.SQL(ROLES[name])))
            if connection.execute("SELECT FROM pg_database WHERE datname = %s", [DATABASE]).fetchone() is None:
                create = sql.SQL("CREATE DATABASE {} OWNER {}")
                connection.execute(create.format(sql.Identifier(DATABASE), sql.Identifier("moot_owner")))

    @contextlib.contextmanager
    def _mutex(self, *, wait: bool = True) -> Iterator[bool]:
        with private(self.places.mutex) as file:
            yield locked(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _take_lease(self) -> None:
        if self._lease is None or self._holder != os.getpid():
            self._lease = private(self.places.leases)
            self._holder = os.getpid()
            locked(self._lease, fcntl.LOCK_SH)

    def _drop_lease(self) -> None:
        if self._lease is not None:
            self._lease.close()
            self._lease = None

    def _in_use(self) -> bool:
        """Tell whether another lease is out; to be asked under the mutex, and never while holding one's own."""
        with private(self.places.leases) as file:
            return not locked(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _identity(self) -> str:
        """Name the server that runs by its number and the start it noted, which no clock that is set later moves."""
        if server.postmaster(self.places) is None:
            return ""
        number, _directory, started = self.places.pid_file.read_text().splitlines()[:3]
        return f"{number} {started}"

    def _kept(self) -> bool:
        with contextlib.suppress(FileNotFoundError):
            return self.places.kept.read_text() == self._identity() != ""
        return False


def private(path: Path) -> IO[bytes]:
    """Open a lock file that only its owner can open; closing it drops the lock."""
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b")


def locked(file: IO[bytes], how: int) -> bool:
    """Lock a file and tell whether that worked; only a lock that does not wait can fail."""
    try:
        fcntl.flock(file, how)
    except BlockingIOError:
        return False
    return True


def make_directory(path: Path, *, enterable: bool) -> None:
    """Make a directory and the missing ones above it, ours; others may at most pass through.

    What exists keeps its rights, unless it is Moot's own system directory.
    """
    for directory in (*reversed(path.parents), path):
        if not directory.exists():
            directory.mkdir(mode=0o700, exist_ok=True)
            directory.chmod(0o711 if enterable else 0o700)
        elif enterable and SYSTEM_DIRECTORY in (directory, *directory.parents):
            directory.chmod(directory.stat().st_mode | 0o011)
