"""Thirty criteria, instant answers, one worker: seconds for 90 rounds, and what ten times the rounds cost.

``python -m benchmarks.play`` prints a table and, with ``--json FILE``, writes the figures.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

import psutil

from benchmarks import report
from benchmarks.curves import Curve
from benchmarks.report import Row
from tests.crash.harness import Stage, stage

PLAYED = "SELECT extract(epoch FROM concluded_at - started_at)::float FROM debates_debate WHERE id = {}"
SIZES = {"9": (3, 3), "30": (10, 3), "90": (30, 3), "300": (100, 3)}
REPEATS = 5


def seconds(here: Stage, worker: psutil.Process, *, criteria: int, rounds: int) -> tuple[float, float]:
    """Play one debate and return the seconds from its start to its conclusion, and the worker's processor seconds."""
    before = worker.cpu_times()
    debate = here.act("start", criteria, rounds, 0)["debate"]
    here.wait_for(debate, "concluded", seconds=300)
    after = worker.cpu_times()
    return float(here.ask(PLAYED.format(debate))), after.user + after.system - before.user - before.system


def figures(runs: Sequence[tuple[float, float]]) -> dict[str, float]:
    walls, processor = zip(*runs, strict=True)
    return {"median_s": statistics.median(walls), "best_s": min(walls), "worker_cpu_s": min(processor)}


def play(here: Stage, sizes: Mapping[str, tuple[int, int]], *, repeats: int) -> dict[str, dict[str, float]]:
    """Play debates of each size in turn, after one to warm up, and return the figures of each."""
    worker = psutil.Process(here.worker().pid)
    seconds(here, worker, criteria=3, rounds=3)
    runs: dict[str, list[tuple[float, float]]] = {name: [] for name in sizes}
    for _ in range(repeats):
        for name, (criteria, rounds) in sizes.items():
            runs[name].append(seconds(here, worker, criteria=criteria, rounds=rounds))
    return {name: {"rounds": sizes[name][0] * sizes[name][1]} | figures(taken) for name, taken in runs.items()}


def measure(*, sizes: Mapping[str, tuple[int, int]] = SIZES, repeats: int = REPEATS) -> dict[str, Any]:
    """Return the seconds of each size, and what ten times the rounds cost.

    Shape: ``sizes`` are criteria and rounds, by the names of ``SIZES``.
    """
    with stage(heart="5", stalled="30") as here:
        found: dict[str, Any] = play(here, sizes, repeats=repeats)
    found["from_9_to_90_x"] = found["90"]["best_s"] / found["9"]["best_s"]
    found["from_30_to_300_x"] = found["300"]["best_s"] / found["30"]["best_s"]
    return found


def rows(found: report.Figures) -> list[Row]:
    ninety = found["90"]
    return [
        Row(
            "30 criteria x 3 rounds, instant provider, one worker",
            "under 2 s (aim 1 s)",
            f"median {ninety['median_s']:.2f} s, best {ninety['best_s']:.2f} s; "
            f"{ninety['worker_cpu_s']:.2f} s of one processor in the worker",
            met=ninety["median_s"] < 2,
            because="The worker's processor time is the limit: three answers a round, each in a durable transaction.",
        ),
        *(
            Row(
                f"10 times the rounds, from {few} to {many}",
                "at most 11 times the time",
                f"{found[f'from_{few}_to_{many}_x']:.1f} times",
                met=found[f"from_{few}_to_{many}_x"] <= 11,
                because="The smaller debate does not fill the cores.",
            )
            for few, many in ((9, 90), (30, 300))
        ),
    ]


def curves(found: report.Figures) -> list[Curve]:
    return [
        Curve(
            name="play",
            title="Time to play a debate, instant provider, one worker",
            across="rounds",
            up="seconds (best)",
            points=[(found[size]["rounds"], found[size]["best_s"]) for size in SIZES],
            proportion="in proportion to the smallest",
        )
    ]


if __name__ == "__main__":
    report.main(__doc__, measure, rows)
