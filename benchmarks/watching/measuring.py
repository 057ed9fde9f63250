"""Crowds of readers in processes of their own, a pace at which news is told, and what all of it costs."""

from __future__ import annotations

import contextlib
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

import psutil

from tests.crash.harness import ROOT
from tests.debates import servers
from tests.debates.live_site import Site, write

EVERY = 0.1


class Crowd:
    """A crowd of readers in another process."""

    def __init__(self, *, port: int, path: str, cookies: Sequence[str], to: int = 0, stalled: int = 0) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.watching.crowd"],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        self._say({"port": port, "path": path, "cookies": list(cookies), "to": to, "stalled": stalled})

    def _say(self, what: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        """Return the next thing that the crowd says.

        Raises: ``RuntimeError`` with its last words where it ended instead.
        """
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            _, last_words = self.process.communicate(timeout=120)
            raise RuntimeError(f"the crowd ended with {self.process.returncode}: {last_words[-500:]}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def report(self) -> dict[str, Any]:
        """Have everybody leave, and return what they saw."""
        self._say("report")
        figures = self.hear()
        self.process.communicate(timeout=120)
        return figures


def processor(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def percentile(values: Sequence[float], percent: int) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1] if len(values) > 1 else float(values[0])


def tell_steadily(place: Site, debate: int, news: Sequence[Any], *, seconds: float) -> dict[int, float]:
    """Append events at a steady pace and return when each was committed, by number."""
    committed: dict[int, float] = {}
    head, due = place.head(debate), time.monotonic()
    end = due + seconds
    with place.here.server.connect(user="moot_app", name="moot") as connection:
        while time.monotonic() < end:
            write(connection, debate, news)
            head += len(news)
            committed |= dict.fromkeys(range(head - len(news) + 1, head + 1), time.time())
            due += EVERY
            time.sleep(max(0.0, due - time.monotonic()))
    return committed


def delays(committed: dict[int, float], seen: dict[str, list[float]]) -> list[float]:
    """Return the milliseconds from commit to arrival, of each event at each reader."""
    return [1000 * (at - committed[int(seq)]) for seq, times in seen.items() if int(seq) in committed for at in times]


@contextlib.contextmanager
def bare(size: int) -> Iterator[tuple[int, psutil.Process]]:
    """Run the bare server."""
    port = servers.free_port()
    process = subprocess.Popen([sys.executable, "-m", "benchmarks.watching.bare", str(port), str(size)], cwd=ROOT)
    try:
        time.sleep(1.5)
        yield port, psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait()


def broadcast(size: int, *, watchers: int, seconds: float) -> dict[str, float]:
    with bare(size) as (port, process):
        crowd = Crowd(port=port, path="/", cookies=[""] * watchers)
        crowd.hear()
        time.sleep(1)
        began, at = processor(process), time.monotonic()
        time.sleep(seconds)
        spent, deliveries = processor(process) - began, (time.monotonic() - at) / EVERY * watchers
        crowd.report()
    return {"us_per_delivery": 1e6 * spent / deliveries}
