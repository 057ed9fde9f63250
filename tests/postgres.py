"""A PostgreSQL of the test's own, which it may stop, kill and start again at any moment."""

import contextlib
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import psutil
import psycopg

from config import embedded
from config.embedded import server
from config.embedded.paths import PORT, Places


class Throwaway:
    """One server in a temporary directory; every name of ``Cluster`` is there as ``cluster``.

    Shape: ``durable`` is whether a commit waits for the disk; benchmarks wait, a run of the tests does not. A server
    that is killed loses nothing either way: the system keeps what was written.
    """

    durable = True

    def __init__(self, root: Path) -> None:
        self.root = root
        self.cluster = embedded.Cluster(root, durable=self.durable)
        self.places = Places(root=root.resolve())

    def url(self, *, user: str = "moot_app", name: str = "moot") -> str:
        return f"postgresql://{user}@{quote(str(self.places.run), safe='')}:{PORT}/{name}"

    def connect(self, *, user: str = "postgres", name: str = "postgres") -> psycopg.Connection:
        """Connect outside Django, each statement its own transaction."""
        return psycopg.connect(host=str(self.places.run), port=PORT, user=user, dbname=name, autocommit=True)

    def ask(self, question: str, *, user: str = "postgres", name: str = "moot") -> tuple[object, ...] | None:
        with self.connect(user=user, name=name) as connection:
            return connection.execute(question).fetchone()

    def process(self) -> psutil.Process:
        found = server.postmaster(self.places)
        assert found is not None, f"no server in {self.root}"
        return found

    def start(self) -> None:
        self.cluster.ensure()

    def stop(self, *, immediate: bool = False) -> None:
        """Stop it; immediate means without a checkpoint, so that the next start recovers."""
        if immediate:
            self.signal(signal.SIGQUIT)
        else:
            self.cluster.stop(even_if_used=True)

    def kill(self) -> None:
        """End the server with SIGKILL; its children find out by themselves."""
        self.signal(signal.SIGKILL)

    @contextlib.contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop every process of the server where it is, as long as this lasts."""
        everybody = [self.process()]
        try:
            everybody[0].suspend()  # first of all, so that it starts no more of them
            everybody += everybody[0].children()
            for one in everybody[1:]:
                with contextlib.suppress(psutil.NoSuchProcess):
                    one.suspend()
            yield
        finally:
            for one in everybody:
                with contextlib.suppress(psutil.NoSuchProcess):
                    one.resume()

    def restart(self, *, immediate: bool = False) -> None:
        self.stop(immediate=immediate)
        self.start()

    def signal(self, number: signal.Signals) -> None:
        """Send the server a signal that ends it and wait until it is gone."""
        process = self.process()
        process.send_signal(number)
        while server.lives(process):
            os.sched_yield()


@contextlib.contextmanager
def short_directory() -> Iterator[Path]:
    """Give a temporary directory whose path leaves room for a socket's, and which another account may pass through."""
    directory = Path(tempfile.mkdtemp(prefix="moot-", dir="/tmp"))
    directory.chmod(0o711)
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)


@contextlib.contextmanager
def throwaway_cluster(*, root: Path | None = None) -> Iterator[Throwaway]:
    """Give a running server with Moot's roles and database, and remove it without a trace.

    Shape: ``root`` names an existing or future cluster to use instead of a new one; it is stopped and left there.
    """
    with contextlib.ExitStack() as stack:
        place = root or stack.enter_context(short_directory()) / "pg"
        throwaway = Throwaway(place)
        stack.callback(throwaway.stop)
        throwaway.start()
        yield throwaway


@contextlib.contextmanager
def standby(of: Throwaway, *, root: Path) -> Iterator[Throwaway]:
    """Give a server that follows another, as a copy of it that plays what the other writes; it can only be read."""
    follower = Throwaway(root)
    follower.cluster._make_directories()
    programs = follower.cluster._server
    where = ["-h", of.places.run, "-p", PORT, "-U", server.SUPERUSER, "-D", follower.places.data]
    command = [programs.programs / "pg_basebackup", *where, "--checkpoint=fast", "--write-recovery-conf", "--no-sync"]
    programs.account.own(follower.places.data)
    done = programs.account.run(command)
    assert done.returncode == 0, done.stderr
    try:
        follow(follower)
        yield follower
    finally:
        server.end(follower.places)


def follow(follower: Throwaway) -> None:
    """Start a standby, and wait until it can be read."""
    server.forget_stale(follower.places)
    process = follower.cluster._server.launch()
    while True:
        try:
            follower.ask("SELECT 1")
        except psycopg.OperationalError:
            assert process is not None
            assert server.lives(process), follower.cluster._server.last_words()
            time.sleep(0.05)
        else:
            return
