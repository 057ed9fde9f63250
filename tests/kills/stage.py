"""A stage for kill tests: a database server, workers and a debate, all of the test's own, all ended with it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests import postgres
from tests.postgres import Throwaway

ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass
class Stage:
    """Commands and processes against one throwaway server."""

    server: Throwaway
    heart: str = "0.3"
    stalled: str = "1.5"
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

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
        }

    def manage(self, *words: str) -> None:
        """Run a management command to its end."""
        subprocess.run([sys.executable, "manage.py", *words], cwd=ROOT, env=self.environment, check=True, timeout=120)

    def act(self, *words: object) -> dict[str, Any]:
        """Run one act of ``tests.kills.act`` and return what it printed."""
        command = [
            sys.executable,
            "-m",
            "tests.kills.act",
            *(one if isinstance(one, str) else json.dumps(one) for one in words),
        ]
        ran = subprocess.run(command, cwd=ROOT, env=self.environment, check=True, timeout=180, stdout=subprocess.PIPE)
        found: dict[str, Any] = json.loads(ran.stdout)
        return found

    def worker(self) -> subprocess.Popen[bytes]:
        """Start a worker."""
        process = subprocess.Popen(
            [sys.executable, "manage.py", "worker"],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.processes.append(process)
        return process

    def ask(self, question: str) -> Any:
        """Return the first value of a query."""
        row = self.server.ask(question)
        return row[0] if row else None

    def wait_for(self, debate_id: int, *statuses: str, seconds: float) -> str:
        """Wait until a debate has one of these statuses, and return it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            status = str(self.ask(f"SELECT status FROM debates_debate WHERE id = {debate_id}"))
            if status in statuses:
                return status
            time.sleep(0.2)
        raise AssertionError(f"debate {debate_id} is still {status} after {seconds} s: {self.act('report', debate_id)}")

    def end(self, process: subprocess.Popen[bytes], number: signal.Signals = signal.SIGKILL) -> None:
        """End a process of this stage."""
        if process.poll() is None:
            process.send_signal(number)
        process.wait(timeout=60)


@contextlib.contextmanager
def stage(*, heart: str = "0.3", stalled: str = "1.5") -> Iterator[Stage]:
    """Set a migrated stage and clear it afterwards."""
    with postgres.throwaway_cluster() as server:
        here = Stage(server=server, heart=heart, stalled=stalled)
        try:
            here.manage("migrate", "--verbosity", "0")
            yield here
        finally:
            for process in here.processes:
                here.end(process)
