"""Sixteen moderators and eight workers on one score at once: who is served, who is refused, and what it comes to."""

import json
import subprocess
import sys
from typing import Any

from benchmarks import report
from benchmarks.report import Row
from tests.crash.harness import ROOT, stage

MODERATORS, WORKERS, ROUNDS_EACH = 16, 8, 5
DEADLOCKS = "SELECT deadlocks FROM pg_stat_database WHERE datname = 'moot'"


def measure(*, moderators: int = MODERATORS, workers: int = WORKERS, rounds_each: int = ROUNDS_EACH) -> dict[str, Any]:
    """Return what the crowd did to the score, and what the proof says of it."""
    command = [sys.executable, "-m", "benchmarks.crowding", *map(str, (moderators, workers, rounds_each))]
    with stage() as here:
        completed = subprocess.run(
            command, cwd=ROOT, env=here.environment, stdout=subprocess.PIPE, check=True, timeout=300
        )
        figures: dict[str, Any] = json.loads(completed.stdout)
        figures["deadlocks"] = here.ask(DEADLOCKS)
    return figures


def rows(figures: report.Figures) -> list[Row]:
    whole = figures["entries"] == 1 + figures["done"] + figures["counted"]
    return [
        Row(
            f"{MODERATORS} moderators and {WORKERS} workers on one score at once",
            "one after the other, no deadlock for anybody, the sum law holds",
            f"{figures['counted']} rounds and {figures['done']} acts of moderators in {figures['seconds']:.1f} s, "
            f"{figures['refused']} refused; {figures['errors']} errors, {figures['deadlocks']} deadlocks, "
            f"{figures['faults']} faults in {figures['entries']} entries, "
            f"sum law {'holds' if figures['sum_law'] else 'broken'}",
            met=whole and figures["sum_law"] and not (figures["errors"] or figures["deadlocks"] or figures["faults"]),
            because="See the figures.",
        )
    ]
