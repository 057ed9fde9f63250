"""Everything that runs is killed or frozen while a debate is played and watched; then everything is compared.

``python -m benchmarks.chaos`` does it once, ``--runs 20`` so many times, ``--seconds`` says how long each is disturbed,
``--seed`` repeats one. It ends with status 1 at the first difference: a fault of the ledger, a gap or a double in the
log, a watcher that saw anything else than the log, a job that is left, a process that is left.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import psutil

from tests.kills.stage import ROOT, Stage, stage
from tests.kills.watcher import Watcher

CRITERIA, ROUNDS, LATENCY = 24, 3, 2.0
PLAYED = CRITERIA * ROUNDS
WATCHERS = 6
MARK = "MOOT_CHAOS"
PUBLIC = "SELECT array_agg(seq ORDER BY seq) FROM debates_event WHERE audience = 'public'"
STATUS = "SELECT status FROM debates_debate WHERE id = {}"
PATIENCE = 120
PAUSE = (0.5, 2.5)
"""Seconds between two acts, at least and at most."""
ANYTHING = {
    "a worker killed": 5,
    "a web process killed": 4,
    "a worker frozen": 3,
    "a web process frozen": 2,
    "the database stopped at once": 1,
    "a connection of the database killed": 2,
}
"""What is done to a site, with the weight of each."""


def free_port() -> int:
    """Return a port that nobody has."""
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


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
        """Return what runs, by name."""
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

    def disturb(self, acts: Mapping[str, int]) -> None:
        """Do one terrible thing to one of them, chosen by weight."""
        [name] = self.luck.choices(list(acts), weights=list(acts.values()))
        self.act(name)
        self.done[name] += 1

    def act(self, name: str) -> None:
        """Do what the name says."""
        {
            "a worker killed": lambda: self.kill("worker"),
            "a web process killed": lambda: self.kill("web"),
            "a worker frozen": lambda: self.freeze("worker"),
            "a web process frozen": lambda: self.freeze("web"),
            "the database killed": self.kill_database,
            "the database stopped at once": lambda: self.here.server.restart(immediate=True),
            "a connection of the database killed": self.cut,
        }[name]()

    def kill_database(self) -> None:
        """End the server with SIGKILL and start it again, from whatever it left."""
        self.here.server.kill()
        self.here.server.start()

    def one(self, kind: str) -> subprocess.Popen[bytes]:
        """Return one of the processes of a kind."""
        return self.luck.choice([process for name, process in sorted(self.running.items()) if name.startswith(kind)])

    def kill(self, kind: str) -> None:
        """End one with SIGKILL."""
        self.here.end(self.one(kind))

    def freeze(self, kind: str) -> None:
        """Stop one for longer than its silence may last, and let it go on as if nothing had happened."""
        process = self.one(kind)
        if process.poll() is None:
            process.send_signal(signal.SIGSTOP)
            time.sleep(self.luck.uniform(1, 4))
            process.send_signal(signal.SIGCONT)

    def cut(self) -> None:
        """End every connection to the database, and leave the database."""
        ours = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'moot_app'"
        with contextlib.suppress(OSError), self.here.server.connect() as connection:
            connection.execute(ours)

    def end(self) -> None:
        """End all of them in good order."""
        for process in self.running.values():
            self.here.end(process, signal.SIGTERM)


@contextlib.contextmanager
def watched(site: Site, debate: int) -> Iterator[list[Watcher]]:
    """Let watchers follow a debate, each beginning elsewhere."""
    address = str(site.here.ask(f"SELECT public_id FROM debates_debate WHERE id = {debate}"))
    watchers = [Watcher(ports=site.ports[:: 1 if number % 2 else -1], debate=address) for number in range(WATCHERS)]
    for one in watchers:
        one.start()
    try:
        yield watchers
    finally:
        for one in watchers:
            one.end()


def wait(site: Site, reached: Callable[[], bool], *, seconds: float) -> None:
    """Wait until something is reached or the time is over, and start what ends meanwhile."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not reached():
        site.keep_up()
        time.sleep(0.2)


def differences(site: Site, debate: int, watchers: list[Watcher]) -> list[str]:
    """Return one sentence for everything that is not as it should be."""
    report = site.here.act("report", debate)
    expected = {
        "faults": [], "gapless": True, "status": "concluded", "partial": False, "rounds": PLAYED, "entries": PLAYED,
        "verdicts": 2 * PLAYED, "facts": 2 * PLAYED, "turns": 4 * PLAYED + 1, "used": 3 * PLAYED + 1,
        "finals": ["7.500000"], "jobs": 0,
    }  # fmt: skip
    found = [f"{name} is {report[name]}, not {wanted}" for name, wanted in expected.items() if report[name] != wanted]
    log = site.here.ask(PUBLIC)
    for number, one in enumerate(watchers, start=1):
        seqs = [event["seq"] for event in one.events]
        if seqs != log:
            found.append(f"watcher {number} saw {len(seqs)} events, the log has {len(log)}")
    return found


def left_over(mark: str) -> list[str]:
    """Return the processes that outlived their run."""
    found = []
    for process in psutil.process_iter(["pid", "cmdline"]):
        with contextlib.suppress(psutil.Error):
            if process.environ().get(MARK) == mark and process.status() != psutil.STATUS_ZOMBIE:
                found.append(f"process {process.pid} is left: {' '.join(process.cmdline())[:80]}")
    return found


@dataclass(frozen=True)
class Outcome:
    """What one run came to: whatever differs, what was done, and how far the debate was when that ended."""

    differences: list[str]
    done: Counter[str]
    rounds: int
    connections: int

    def __str__(self) -> str:
        counts = ", ".join(f"{many} x {name}" for name, many in sorted(self.done.items()))
        return (
            f"{'clean' if not self.differences else '; '.join(self.differences)} "
            f"({counts}; {self.rounds} of {PLAYED} rounds when it ended; {self.connections} connections of watchers)"
        )


def run(
    *,
    seed: int,
    seconds: float,
    acts: Mapping[str, int] = ANYTHING,
    latency: float = LATENCY,
    pause: tuple[float, float] = PAUSE,
) -> Outcome:
    """Do one run and return what it came to."""
    luck = random.Random(seed)
    mark = f"{os.getpid()}-{seed}"
    with stage() as here:
        site = Site(here=here, luck=luck, mark=mark)
        site.keep_up()
        debate = here.act("start", CRITERIA, ROUNDS, latency)["debate"]
        with watched(site, debate) as watchers:
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                time.sleep(luck.uniform(*pause))
                site.disturb(acts)
                site.keep_up()
            early = here.act("state", debate)
            wait(site, lambda: here.ask(STATUS.format(debate)) == "concluded", seconds=PATIENCE)
            wait(site, lambda: all(one.seen("debate:concluded") for one in watchers), seconds=30)
        found = differences(site, debate, watchers)
        site.end()
    return Outcome(found + left_over(mark), site.done, early["rounds"], sum(one.connections for one in watchers))


def main() -> None:
    """Run as often as asked and end with status 1 at the first difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--seed", type=int, default=int(time.time()) % 100_000)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # so that what was started is ended, whoever ends us
    for number in range(options.runs):
        seed = options.seed + number
        outcome = run(seed=seed, seconds=options.seconds)
        sys.stdout.write(f"seed {seed}: {outcome}\n")
        sys.stdout.flush()
        if outcome.differences:
            sys.exit(1)


if __name__ == "__main__":
    main()
