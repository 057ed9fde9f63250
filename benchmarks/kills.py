"""A hundred times kill -9 while debates are played and watched: of workers, of web processes, of the database.

What is compared at the end of each debate is what ``benchmarks.chaos`` compares.
"""

import sys
from collections import Counter
from typing import Any

from benchmarks import chaos, report
from benchmarks.disturbing.formats import FORMATS
from benchmarks.report import Row

KILLS, SECONDS, SEED = 100, 50.0, 2026
PLAYED = "criterion"
PAUSE, LATENCY = (0.4, 1.4), 2.0
"""Seconds between two kills, and that an answer takes: a debate outlasts its kills."""
ACTS = {"a worker killed": 5, "a web process killed": 4, "the database killed": 1}


def measure(
    *, kills: int = KILLS, seconds: float = SECONDS, latency: float = LATENCY, played: str = PLAYED
) -> dict[str, Any]:
    """Play debates until so many processes were killed; return how often each kind was, and every difference."""
    killed: Counter[str] = Counter()
    differences: list[str] = []
    debates = 0
    while killed.total() < kills:
        outcome = chaos.run(
            seed=SEED + debates, seconds=seconds, acts=ACTS, latency=latency, pause=PAUSE, formats=[played]
        )
        sys.stderr.write(f"seed {SEED + debates}: {outcome}\n")
        debates += 1
        killed += outcome.done
        differences += outcome.differences
    return {
        "debates": debates,
        "rounds": debates * FORMATS[played].rounds,
        "killed": {name: killed[name] for name in ACTS},
        "differences": differences,
    }


def rows(figures: report.Figures) -> list[Row]:
    worker, web, database = (figures["killed"][name] for name in ACTS)
    faults = len(figures["differences"])
    return [
        Row(
            f"kill -9, {worker + web + database} times in {figures['debates']} debates that are watched",
            "nothing lost, nothing doubled, ledger proved, streams without a gap",
            f"{faults} differences in {figures['rounds']} rounds; killed: {worker} workers, {web} web processes, "
            f"{database} times the database",
            met=faults == 0,
            because="; ".join(figures["differences"]),
        )
    ]
