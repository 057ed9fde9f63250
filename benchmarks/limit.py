"""Debates whose answers take no time, with 1, 2 and 4 worker processes: where more workers gain nothing, and why.

What a round costs is told in processor time of the workers and of the database, which depends little on what else the
machine does.
"""

import contextlib
import os
from typing import Any

import psutil

from benchmarks import report
from benchmarks.report import Row
from benchmarks.scale import CALLS_A_ROUND, LATENCY, SPAN, WORKERS, spent, workers
from tests.crash.harness import Stage, stage

DEBATES, CRITERIA, ROUNDS = 4, 30, 5
LONGEST = 300.0
"""Seconds that the debates may take with one number of workers."""
UNFINISHED = "SELECT count(*) FROM debates_debate WHERE status <> 'concluded'"


def spent_by_database(here: Stage) -> float:
    """Return the seconds of processor that the database has used in all its processes, also in those that ended."""
    server = here.server.process()
    going = 0.0
    for process in server.children():
        with contextlib.suppress(psutil.NoSuchProcess):  # it has just ended: the server counts it below
            going += spent(process)
    ended = server.cpu_times()
    return spent(server) + ended.children_user + ended.children_system + going


def played(here: Stage, count: int, *, debates: int, criteria: int, rounds: int) -> dict[str, float]:
    """Play debates at once with so many workers; return rounds in a second, and milliseconds of processor for one."""
    with workers(here, count) as processes:
        workers_before, database_before = sum(map(spent, processes)), spent_by_database(here)
        first, *_ = [here.act("start", criteria, rounds, 0)["debate"] for _ in range(debates)]
        here.until(lambda: here.ask(UNFINISHED) == 0, seconds=LONGEST, every=0.5)
        in_workers, in_database = sum(map(spent, processes)), spent_by_database(here)
        seconds = float(here.ask(SPAN.format(first)))
    many = debates * criteria * rounds
    return {
        "rounds_per_s": many / seconds,
        "worker_ms": 1000 * (in_workers - workers_before) / many,
        "database_ms": 1000 * (in_database - database_before) / many,
    }


def measure(*, debates: int = DEBATES, criteria: int = CRITERIA, rounds: int = ROUNDS) -> dict[str, Any]:
    """Return the figures for each number of workers, and how many cores there were."""
    with stage(heart="1", stalled="30") as here:
        figures: dict[str, Any] = {
            str(count): played(here, count, debates=debates, criteria=criteria, rounds=rounds) for count in WORKERS
        }
    return figures | {"cores": os.cpu_count()}


def rows(figures: report.Figures) -> list[Row]:
    """Return what was found; there is no bar but the growth that ``benchmarks.scale`` asks for below the limit."""
    each = ", ".join(f"{count}: {figures[str(count)]['rounds_per_s']:.0f} rounds/s" for count in WORKERS)
    most, cores = figures[str(WORKERS[-1])], figures["cores"]
    limit = 1000 * cores / most["database_ms"]
    return [
        Row(
            f"{DEBATES} debates at once, instant provider, workers and database on {cores} cores",
            "reported",
            f"{each}; a round takes {most['worker_ms']:.0f} ms of a processor in its worker and "
            f"{most['database_ms']:.0f} ms in the database",
        ),
        Row(
            f"the database's limit, were {cores} cores all its own",
            "reported",
            f"{limit:.0f} rounds/s, which is what {limit * CALLS_A_ROUND * LATENCY:.0f} threads play at once when an "
            f"answer takes {LATENCY} s",
        ),
    ]
