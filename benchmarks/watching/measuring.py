"""Crowds of readers in processes of their own, a pace at which news is told, and what all of it costs."""

import contextlib
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

import psutil

from benchmarks.report import LineProcess
from benchmarks.scale import spent
from tests.crash.harness import ROOT
from tests.debates import servers
from tests.debates.live_site import Site, write

EVERY = 0.1


class Crowd(LineProcess):
    """A crowd of readers in another process."""

    def __init__(self, *, port: int, path: str, cookies: Sequence[str], to: int = 0, stalled: int = 0) -> None:
        super().__init__("-m", "benchmarks.watching.crowd")
        self.tell(json.dumps({"port": port, "path": path, "cookies": cookies, "to": to, "stalled": stalled}))

    def report(self) -> dict[str, Any]:
        """Have everybody leave, and return what they saw."""
        with self:
            figures: dict[str, Any] = self.ask("report")
        return figures


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
        began, at = spent(process), time.monotonic()
        time.sleep(seconds)
        busy, deliveries = spent(process) - began, (time.monotonic() - at) / EVERY * watchers
        crowd.report()
    return {"us_per_delivery": 1e6 * busy / deliveries}
