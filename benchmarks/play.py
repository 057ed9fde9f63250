"""Thirty criteria, instant answers, one worker: seconds for 90 rounds, and what ten times the rounds cost.

``python -m benchmarks.play`` prints a table and, with ``--json FILE``, writes the figures.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from pathlib import Path

import psutil

from tests.kills.stage import Stage, stage

PLAYED = "SELECT extract(epoch FROM concluded_at - started_at)::float FROM debates_debate WHERE id = {}"
SIZES = {"3 criteria x 3 rounds": (3, 3), "30 criteria x 3 rounds": (30, 3)}
REPEATS = 5


def seconds(here: Stage, worker: psutil.Process, *, criteria: int, rounds: int) -> tuple[float, float]:
    """Play one debate and return the seconds from its start to its conclusion, and the worker's processor seconds."""
    before = worker.cpu_times()
    debate = here.act("start", criteria, rounds, 0)["debate"]
    here.wait_for(debate, "concluded", seconds=300)
    after = worker.cpu_times()
    return float(here.ask(PLAYED.format(debate))), after.user + after.system - before.user - before.system


def measure() -> dict[str, dict[str, float]]:
    """Return the median and the best of each size."""
    found = {}
    with stage(heart="5", stalled="30") as here:
        worker = psutil.Process(here.worker().pid)
        time.sleep(4)
        seconds(here, worker, criteria=3, rounds=3)
        for name, (criteria, rounds) in SIZES.items():
            runs = [seconds(here, worker, criteria=criteria, rounds=rounds) for _ in range(REPEATS)]
            walls, cpus = [run[0] for run in runs], [run[1] for run in runs]
            found[name] = {
                "rounds": criteria * rounds,
                "median_s": statistics.median(walls),
                "best_s": min(walls),
                "worker_cpu_s": statistics.median(cpus),
            }
    small, large = (found[name] for name in SIZES)
    found["growth"] = {"rounds_x": large["rounds"] / small["rounds"], "time_x": large["best_s"] / small["best_s"]}
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found = measure()
    for name, figures in found.items():
        sys.stdout.write(f"{name:<26}" + "  ".join(f"{key} {value:.2f}" for key, value in figures.items()) + "\n")
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
