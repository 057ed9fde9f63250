"""The site that is disturbed, and everything that is done to it."""

import contextlib
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from tests.crash.harness import ROOT, Stage
from tests.debates.servers import free_port

MARK = "MOOT_CHAOS"
FROZEN = (1.0, 4.0)
"""Seconds that something is frozen, at least and at most: longer than a worker may be silent."""
ANYTHING = {
    "a worker killed": 5,
    "a web process killed": 4,
    "a worker frozen": 3,
    "a web process frozen": 2,
    "the database killed": 1,
    "the database stopped at once": 1,
    "the database frozen": 2,
    "a connection of the database killed": 2,
}
"""What is done to a site, with the weight of each."""


@dataclass
class Site:
    """Two web processes, two workers and the database: whatever of it ends is started again."""

    here: Stage
    luck: random.Random
    mark: str
    ports: tuple[int, int] = field(default_factory=lambda: (free_port(), free_port()))
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    done: Counter[str] = field(default_factory=Counter)

    def commands(self) -> dict[str, list[str]]:
        webs = {f"web {port}": ["serve", "--port", str(port)] for port in self.ports}
        return {**webs, "worker 1": ["worker"], "worker 2": ["worker"]}

    def keep_up(self) -> None:
        """Start whatever does not run, as a supervisor would."""
        for name, words in self.commands().items():
            if name not in self.running or self.running[name].poll() is not None:
                self.running[name] = subprocess.Popen(
                    [sys.executable, "manage.py", *words],
                    cwd=ROOT,
                    env={**self.here.environment, MARK: self.mark},
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
                self.here.processes.append(self.running[name])

    def dealt(self, acts: Mapping[str, int]) -> Iterator[str]:
        """Give every act once, in any order, and then one after another by weight, without end."""
        yield from self.luck.sample(list(acts), len(acts))
        while True:
            yield from self.luck.choices(list(acts), weights=list(acts.values()))

    def disturb(self, name: str) -> None:
        """Do what the name says to one of them, and count it."""
        {
            "a worker killed": lambda: self.kill("worker"),
            "a web process killed": lambda: self.kill("web"),
            "a worker frozen": lambda: self.freeze("worker"),
            "a web process frozen": lambda: self.freeze("web"),
            "the database killed": self.kill_database,
            "the database stopped at once": lambda: self.here.server.restart(immediate=True),
            "the database frozen": self.freeze_database,
            "a connection of the database killed": self.cut,
        }[name]()
        self.done[name] += 1

    def one(self, kind: str) -> subprocess.Popen[bytes]:
        return self.luck.choice([process for name, process in sorted(self.running.items()) if name.startswith(kind)])

    def kill(self, kind: str) -> None:
        self.here.end(self.one(kind))

    def freeze(self, kind: str) -> None:
        """Stop one for longer than its silence may last, and let it go on as if nothing had happened."""
        process = self.one(kind)
        if process.poll() is None:
            process.send_signal(signal.SIGSTOP)
            time.sleep(self.luck.uniform(*FROZEN))
            process.send_signal(signal.SIGCONT)

    def kill_database(self) -> None:
        """End the server with SIGKILL and start it again, from whatever it left."""
        self.here.server.kill()
        self.here.server.start()

    def freeze_database(self) -> None:
        """Stop the server with all its processes: whoever asks waits, and is answered late."""
        with self.here.server.frozen():
            time.sleep(self.luck.uniform(*FROZEN))

    def cut(self) -> None:
        """End every connection to the database, and leave the database."""
        ours = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'moot_app'"
        with contextlib.suppress(OSError), self.here.server.connect() as connection:
            connection.execute(ours)

    def end(self) -> None:
        for process in self.running.values():
            self.here.end(process, signal.SIGTERM)


def left_over(mark: str, database: Path) -> list[str]:
    """Return the processes that outlived their run: those with its mark, and those at home in its database's directory.

    A database is started with an environment of its own, so its processes bear no mark.
    """
    sentences = []
    for process in psutil.process_iter(["pid", "cmdline"]):
        with contextlib.suppress(psutil.Error):
            ours = process.environ().get(MARK) == mark or Path(process.cwd()).is_relative_to(database)
            if ours and process.status() != psutil.STATUS_ZOMBIE:
                sentences.append(f"process {process.pid} is left: {' '.join(process.cmdline())[:80]}")
    return sentences
