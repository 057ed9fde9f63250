"""The same debate with 1, 2 and 4 worker processes and a provider that takes its time: rounds in a second.

Each worker plays few threads at once, so that workers wait for the provider and not for a processor; the bar is about
that case.
"""

import contextlib
import time
from collections.abc import Iterator
from typing import Any

import psutil

from benchmarks import report
from benchmarks.curves import Curve
from benchmarks.report import Row
from tests.crash.harness import Stage, stage

WORKERS = (1, 2, 4)
AT_ONCE = 4
CRITERIA = 48
LATENCY = 1.0
CALLS_A_ROUND = 3
SPAN = """
    SELECT extract(epoch FROM max(r.closed_at) - min(d.started_at))::float FROM debates_round r
    JOIN debates_thread t ON t.id = r.thread_id JOIN debates_debate d ON d.id = t.debate_id WHERE d.id >= {}
"""
READY = "SELECT count(*) FROM procrastinate_workers WHERE last_heartbeat > now() - interval '5 seconds'"
LEFT = "DELETE FROM procrastinate_workers"


@contextlib.contextmanager
def workers(here: Stage, count: int) -> Iterator[list[psutil.Process]]:
    """Start so many workers, wait until each has said that it lives, and end them afterwards."""
    started = [here.worker("--rounds-at-once", str(AT_ONCE)) for _ in range(count)]
    try:
        while here.ask(READY) < count:
            time.sleep(0.1)
        yield [psutil.Process(worker.pid) for worker in started]
    finally:
        for worker in started:
            here.end(worker)
        with here.server.connect(name="moot") as connection:
            connection.execute(LEFT)


def spent(process: psutil.Process) -> float:
    """Return the seconds of processor that a process has used."""
    times = process.cpu_times()
    return float(times.user + times.system)


def played(here: Stage, count: int, *, criteria: int, latency: float) -> dict[str, float]:
    """Play one debate with so many workers and return how fast it went and what it cost."""
    with workers(here, count) as processes:
        before = sum(map(spent, processes))
        debate = here.act("start", criteria, 1, latency)["debate"]
        here.wait_for(debate, "concluded")
        busy = sum(map(spent, processes)) - before
        seconds = float(here.ask(SPAN.format(debate)))
    slots = count * AT_ONCE
    best = -(-criteria // slots) * CALLS_A_ROUND * latency
    return {"seconds": seconds, "rounds_per_s": criteria / seconds, "waiting_s": best, "worker_cpu_s": busy}


def measure(*, criteria: int = CRITERIA, latency: float = LATENCY) -> dict[str, Any]:
    with stage(heart="1", stalled="30") as here:
        figures: dict[str, Any] = {
            str(count): played(here, count, criteria=criteria, latency=latency) for count in WORKERS
        }
    alone = figures["1"]["rounds_per_s"]
    for count in WORKERS[1:]:
        figures[f"{count}_to_1_x"] = figures[str(count)]["rounds_per_s"] / alone
    return figures


def rows(figures: report.Figures) -> list[Row]:
    each = ", ".join(
        f"{count}: {figures[str(count)]['rounds_per_s']:.1f} rounds/s in {figures[str(count)]['seconds']:.1f} s "
        f"({figures[str(count)]['waiting_s']:.1f} s of it waiting)"
        for count in WORKERS
    )
    most = WORKERS[-1]
    return [
        Row(
            f"{CRITERIA} threads, {LATENCY} s an answer, workers of {AT_ONCE} places each",
            f"{most} workers at least 0.75 x {most} times as fast as one",
            f"{figures[f'{most}_to_1_x']:.1f} times; {each}",
            met=figures[f"{most}_to_1_x"] >= 0.75 * most,
            because="Workers, database and whatever else runs share the cores, and processor time does not overlap.",
        )
    ]


def curves(figures: report.Figures) -> list[Curve]:
    return [
        Curve(
            name="scale",
            title="Throughput of debates as workers are added",
            across="worker processes",
            up="rounds in a second",
            points=[(count, figures[str(count)]["rounds_per_s"]) for count in WORKERS],
            proportion="in proportion to one",
        )
    ]
