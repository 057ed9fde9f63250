"""One PostgreSQL server as a process: made, launched, asked, ended. Who may do so, and when, the cluster decides."""

import contextlib
import logging
import os
import shutil
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import psutil
import psycopg

from config.embedded.binaries import MAJOR
from config.embedded.exceptions import AnotherMajor, DidNotStart, DidNotStop
from config.embedded.os_user import Account
from config.embedded.paths import PORT, Places

logger = logging.getLogger(__name__)

SUPERUSER = "postgres"
LONGEST_LOG = 10_000_000
REPORT_EVERY = 10.0
START_PATIENCE = 900.0
"""Seconds of silence from a living server, crash recovery included."""
STOP_PATIENCE = 120.0
CONNECT_PATIENCE = 5
# A killed server's last children hold its shared memory for a moment; PostgreSQL then says so and ends.
LEFTOVERS = "shared memory block"
ATTEMPTS = 20
# It may have been killed from outside while it started; a fault of its own shows again.
SECOND_CHANCES = 2
OUTLIVES_POWER_LOSS = ("fsync", "full_page_writes")
"""Without fsync, ``synchronous_commit`` costs next to nothing, and a server that is killed keeps every commit."""


@dataclass(frozen=True, kw_only=True)
class Server:
    """The programs, the account and the files of one server."""

    places: Places
    programs: Path
    account: Account
    durable: bool = True

    def initialise(self) -> None:
        """Make the data directory, unless there is one of our major version.

        Raises: ``AnotherMajor``, ``DidNotStart``.
        """
        version = self.places.data / "PG_VERSION"
        if version.exists():
            refuse_other_major(version=version.read_text().strip(), places=self.places)
            return
        shutil.rmtree(self.places.unfinished, ignore_errors=True)
        self.account.own(self.places.unfinished)
        done = self.account.run(
            [self.programs / "initdb", "-D", self.places.unfinished, "-U", SUPERUSER, "-A", "trust", "-E", "UTF8",
             "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", "--no-instructions",
             *([] if self.durable else ["--no-sync"])]
        )  # fmt: skip
        if done.returncode:
            raise DidNotStart(f"initdb failed in {self.places.unfinished}: {done.stderr.strip()}")
        try:
            self.places.unfinished.rename(self.places.data)
        except OSError as error:
            raise DidNotStart(f"{self.places.data} is not empty and is no PostgreSQL cluster; move it away.") from error

    def start(self) -> None:
        """Launch the server unless it lives, and wait until it answers: crash recovery takes as long as it takes.

        Raises: ``DidNotStart`` with the end of the server's log.
        """
        unexplained = 0
        for _attempt in range(ATTEMPTS):
            process = postmaster(self.places)
            if process is None:
                forget_stale(self.places)
                process = self.launch()
            if self.wait_for(process):
                return
            if postmaster(self.places) is None and LEFTOVERS not in self.last_words():
                unexplained += 1
                if unexplained > SECOND_CHANCES:
                    break
            time.sleep(0.5)
        raise DidNotStart(f"PostgreSQL ended while it was starting. {self.places.log} ends: {self.last_words()}")

    def launch(self) -> psutil.Process | None:
        """Start the server in a session of its own, as nobody's child, and return its process."""
        with self.log() as log:
            line = '"$0" "$@" >&2 & echo $!'
            done = self.account.run(["/bin/sh", "-c", line, *self.command()], stderr=log)
        try:
            return psutil.Process(int(done.stdout))
        except (ValueError, psutil.NoSuchProcess):
            return None

    def command(self) -> list[str]:
        """Return the server's command line; what is on it cannot be overridden by a file in the data directory."""
        directory = str(self.places.run).replace('"', '""')
        options = {
            "listen_addresses": "",
            "unix_socket_directories": f'"{directory}"',
            "unix_socket_permissions": "0700",
            "port": PORT,
            "max_connections": 100,
            "shared_buffers": "128MB",
            **dict.fromkeys(OUTLIVES_POWER_LOSS, "on" if self.durable else "off"),
            "log_checkpoints": "off",
            "timezone": "UTC",
            "log_timezone": "UTC",
            "log_line_prefix": "%m [%p] %u@%d ",
            "log_error_verbosity": "terse",  # the detail of a refusal has people's words
        }
        pairs = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        return [str(self.programs / "postgres"), "-D", str(self.places.data), *pairs]

    @contextlib.contextmanager
    def log(self) -> Iterator[IO[bytes]]:
        """Open the log, which belongs to us and not to the server's account, and keep one older one."""
        with contextlib.suppress(FileNotFoundError):
            if self.places.log.stat().st_size > LONGEST_LOG:
                self.places.log.rename(self.places.log.with_suffix(".log.1"))
        with os.fdopen(os.open(self.places.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as file:
            yield file

    def last_words(self) -> str:
        with contextlib.suppress(OSError):
            return self.places.log.read_text(errors="replace")[-1000:].strip()
        return "(nothing)"

    def wait_for(self, process: psutil.Process | None, *, patience: float = START_PATIENCE) -> bool:
        """Return whether the server answered before its process ended.

        Raises: ``DidNotStart`` after ``patience`` seconds.
        """
        begun = reported = time.monotonic()
        while not self.answers():
            if process is None or not lives(process):
                return False
            now = time.monotonic()
            if now - begun > patience:
                raise DidNotStart(f"PostgreSQL has not answered for {patience:.0f} s; see {self.places.log}.")
            if now - reported > REPORT_EVERY:
                reported = now
                logger.info("PostgreSQL is not ready after %.0f s, probably recovering; waiting", now - begun)
            time.sleep(0.05)
        return True

    def answers(self) -> bool:
        """Tell whether this cluster, and no other, accepts writes on our socket."""
        try:
            with self.connect() as connection:
                question = "SELECT current_setting('data_directory'), pg_is_in_recovery()"
                return connection.execute(question).fetchone() == (str(self.places.data), False)
        except psycopg.Error:
            return False

    def version(self) -> str:
        """Return the version the server says it has, or nothing while it does not answer."""
        try:
            with self.connect() as connection:
                row = connection.execute("SELECT current_setting('server_version')").fetchone()
        except psycopg.Error:
            return ""
        return str(row[0]) if row else ""

    def connect(self) -> psycopg.Connection:
        """Connect as the superuser, to the database that is always there."""
        return psycopg.connect(
            host=str(self.places.run),
            port=PORT,
            user=SUPERUSER,
            dbname="postgres",
            autocommit=True,
            connect_timeout=CONNECT_PATIENCE,
            application_name="moot embedded",
        )


def refuse_other_major(*, version: str, places: Places) -> None:
    """Refuse a cluster that these binaries would refuse less clearly.

    Raises: ``AnotherMajor``.
    """
    if version != str(MAJOR):
        raise AnotherMajor(
            f"The cluster in {places.data} was made by PostgreSQL {version}; this release of Moot brings PostgreSQL "
            f"{MAJOR}. Start it once more with the release that made it, write it out with `manage.py db dump FILE`, "
            f"move {places.root} away, and restore the file with `manage.py db restore FILE`."
        )


def postmaster(places: Places) -> psutil.Process | None:
    """Return the living server of this cluster.

    The note it leaves is not proof: the note may be cut short, and its process may be gone, a zombie nobody has
    reaped, or by now somebody else's, which is usual after a container has been restarted.
    """
    try:
        process = psutil.Process(int(places.pid_file.read_text().split("\n", 1)[0]))
        return process if lives(process) and str(places.data) in process.cmdline() else None
    except (OSError, ValueError, psutil.Error):
        return None


def lives(process: psutil.Process) -> bool:
    """Tell whether a process runs and is more than a zombie."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def forget_stale(places: Places) -> None:
    """Remove what a dead server left. Should children of it still live, PostgreSQL finds their shared memory itself."""
    for file in (places.pid_file, places.socket, places.socket.with_name(places.socket.name + ".lock")):
        file.unlink(missing_ok=True)


def end(places: Places) -> None:
    """End the server in good order: open transactions are rolled back, the rest is written out.

    Raises: ``DidNotStop``.
    """
    process = postmaster(places)
    if process is None:
        return
    with contextlib.suppress(psutil.NoSuchProcess):
        process.send_signal(signal.SIGINT)  # PostgreSQL's "fast shutdown"
    deadline = time.monotonic() + STOP_PATIENCE
    while lives(process):
        if time.monotonic() > deadline:
            raise DidNotStop(f"PostgreSQL (process {process.pid}) has not ended for {STOP_PATIENCE:.0f} s.")
        time.sleep(0.02)
