"""A stage for kill tests: a database server, workers and a debate, all of the test's own, all ended with it."""

import contextlib
import json
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from tests import fork_server, migrated, postgres
from tests.fork_server import Child, ForkServer
from tests.postgres import Throwaway

SOAK = "MOOT_SOAK" in os.environ
"""Whether ``make soak`` looks longer."""
ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 240.0
"""How many seconds something that must come may take, on a machine that is busy with others."""
Process = subprocess.Popen[bytes] | Child


@dataclass
class Stage:
    """Commands and processes against one throwaway server; what they ask the scripted provider goes to a file."""

    server: Throwaway
    heart: str = "0.3"
    stalled: str = "1.5"
    asked: Path | None = None
    processes: list[Process] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        """Return what every process here is started with: the app role, and how fast its heart beats."""
        return {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": self.server.url(),
            "MIGRATION_DATABASE_URL": self.server.url(user="moot_owner"),
            "MOOT_HEARTBEAT_SECONDS": self.heart,
            "MOOT_STALLED_SECONDS": self.stalled,
            "MOOT_LOG_LEVEL": "WARNING",
            **({"MOOT_TEST_ASKED": str(self.asked)} if self.asked else {}),
        }

    @cached_property
    def fork_server(self) -> ForkServer:
        """What starts processes here without loading everything anew for each."""
        return ForkServer("everything", self.environment)

    def manage(self, *words: str) -> None:
        """Run a management command to its end."""
        done = fork_server.run("manage.py", *words, environment=self.environment, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr

    def act(self, *words: object, module: str = "tests.crash.in_database") -> dict[str, Any]:
        """Run one act of a module in a process of its own and return what it printed."""
        with tempfile.TemporaryFile() as out:
            given = [one if isinstance(one, str) else json.dumps(one) for one in words]
            code = self.fork_server.start(module, *given, out=out).wait(timeout=PATIENCE)
            assert code == 0, f"{words} ended with {code}"
            out.seek(0)
            found: dict[str, Any] = json.load(out)
        return found

    def worker(self, *options: str) -> Child:
        process = self.fork_server.start("worker", *options)
        self.processes.append(process)
        return process

    def ask(self, question: str) -> Any:
        """Return the first value of a query."""
        row = self.server.ask(question)
        return row[0] if row else None

    def until(self, reached: Callable[[], object], *, seconds: float = PATIENCE, every: float = 0.05) -> None:
        """Wait until something is reached."""
        end = time.monotonic() + seconds
        while not reached():
            assert time.monotonic() < end, f"not reached within {seconds} s"
            time.sleep(every)

    def wait_for(self, debate_id: int, *statuses: str, seconds: float = PATIENCE) -> str:
        """Wait until a debate has one of these statuses, and return it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            status = str(self.ask(f"SELECT status FROM debates_debate WHERE id = {debate_id}"))
            if status in statuses:
                return status
            time.sleep(0.1)
        ends = [one.poll() for one in self.processes]
        raise AssertionError(
            f"debate {debate_id} is still {status} after {seconds} s: {self.act('report', debate_id)}; ends {ends}"
        )

    def end(self, process: Process, number: signal.Signals = signal.SIGKILL) -> None:
        if process.poll() is None:
            process.send_signal(number)
        process.wait(timeout=120)

    def close(self) -> None:
        """End every process that was started here."""
        for process in self.processes:
            self.end(process)
        if "fork_server" in self.__dict__:
            self.fork_server.close()


@contextlib.contextmanager
def migrated_server(*, name: str = "pg") -> Iterator[Throwaway]:
    """Give a running server with a migrated database, and remove it."""
    with postgres.short_directory() as place:
        migrated.copy(place / name)
        with postgres.throwaway_cluster(root=place / name) as server:
            yield server


@contextlib.contextmanager
def stage(*, heart: str = "0.3", stalled: str = "1.5", asked: Path | None = None) -> Iterator[Stage]:
    """Set a migrated stage and clear it afterwards."""
    with migrated_server() as server:
        here = Stage(server=server, heart=heart, stalled=stalled, asked=asked)
        try:
            yield here
        finally:
            here.close()
