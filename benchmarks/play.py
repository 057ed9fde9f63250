"""Thirty criteria, instant answers, one worker: seconds for 90 rounds, and what ten times the rounds cost.

``python -m benchmarks play --before COMMIT`` plays in turns with the code of an earlier commit instead, each with a
server and a worker of its own, and prints what playing takes now of what it took: whatever else runs hits both.
"""

from __future__ import annotations

import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import psutil

from benchmarks import report
from benchmarks.curves import Curve
from benchmarks.limit import spent, spent_by_database
from benchmarks.report import Row
from tests.crash.harness import ROOT, Stage, stage

if TYPE_CHECKING:
    from benchmarks.report import LineProcess

PLAYED = "SELECT extract(epoch FROM concluded_at - started_at)::float FROM debates_debate WHERE id = {}"
SIZES = {"9": (3, 3), "30": (10, 3), "90": (30, 3), "300": (100, 3)}
REPEATS = 5
PATIENCE = 300.0
"""Seconds that one debate may take."""


def seconds(here: Stage, worker: psutil.Process, *, criteria: int, rounds: int) -> tuple[float, float]:
    """Play one debate and return the seconds from its start to its conclusion, and the worker's processor seconds."""
    before = spent(worker)
    debate = here.act("start", criteria, rounds, 0)["debate"]
    here.wait_for(debate, "concluded", seconds=PATIENCE)  # an earlier commit, whose code plays here too, has no default
    busy = spent(worker) - before
    return float(here.ask(PLAYED.format(debate))), busy


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
        figures: dict[str, Any] = play(here, sizes, repeats=repeats)
    figures["from_9_to_90_x"] = figures["90"]["best_s"] / figures["9"]["best_s"]
    figures["from_30_to_300_x"] = figures["300"]["best_s"] / figures["30"]["best_s"]
    return figures


def rows(figures: report.Figures) -> list[Row]:
    ninety = figures["90"]
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
                f"{figures[f'from_{few}_to_{many}_x']:.1f} times",
                met=figures[f"from_{few}_to_{many}_x"] <= 11,
                because="The smaller debate does not fill the cores.",
            )
            for few, many in ((9, 90), (30, 300))
        ),
    ]


def curves(figures: report.Figures) -> list[Curve]:
    return [
        Curve(
            name="play",
            title="Time to play a debate, instant provider, one worker",
            across="rounds",
            up="seconds (best)",
            points=[(figures[size]["rounds"], figures[size]["best_s"]) for size in SIZES],
            proportion="in proportion to the smallest",
        )
    ]


# In turns with an earlier commit. What is measured runs from its own directory, with all that it had then; only this
# file is today's.


TURNS = 10
COSTS = ("seconds", "worker", "database")


def take_turns(orders: IO[str], answers: IO[str]) -> None:
    """Play a debate for each line with its criteria and rounds, and answer what it cost."""
    with stage(heart="5", stalled="30") as here:
        worker = psutil.Process(here.worker().pid)
        seconds(here, worker, criteria=3, rounds=3)
        print("{}", file=answers, flush=True)
        for line in orders:
            criteria, rounds = map(int, line.split())
            before = spent_by_database(here)
            wall, processor = seconds(here, worker, criteria=criteria, rounds=rounds)
            cost = {"seconds": wall, "worker": processor, "database": spent_by_database(here) - before}
            print(json.dumps(cost), file=answers, flush=True)


@contextlib.contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """Give a directory with the code of a commit, and remove it."""
    with tempfile.TemporaryDirectory(prefix="moot-before-") as place:
        tree = Path(place) / "tree"
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", str(tree), commit], cwd=ROOT, check=True)
        try:
            yield tree
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(tree)], cwd=ROOT, check=True)


def player(tree: Path) -> LineProcess:
    """Start who plays debates with the code of a directory."""
    from benchmarks.report import LineProcess  # which an earlier commit, whose code plays here too, may not have

    environment = {**os.environ, "PYTHONPATH": str(tree)}
    # -P: this directory has a `judging`
    return LineProcess("-P", Path(__file__).resolve(), directory=tree, environment=environment)


def in_turns(commit: str, *, criteria: int = 30, rounds: int = 3, turns: int = TURNS) -> dict[str, Any]:
    """Return what a debate costs before and now, and the ratios: the median of the turns. Who begins changes."""
    costs: dict[str, list[dict[str, float]]] = {"before": [], "now": []}
    with checked_out(commit) as tree, player(tree) as before, player(ROOT) as now:
        players = [("before", before), ("now", now)]
        for _, process in players:
            process.hear()
        for turn in range(turns):
            for name, process in players[:: 1 if turn % 2 else -1]:
                costs[name].append(process.ask(f"{criteria} {rounds}"))
                print(name, costs[name][-1], file=sys.stderr, flush=True)
    pairs = list(zip(costs["before"], costs["now"], strict=True))
    return {
        "commit": commit,
        "turns": turns,
        "rounds": criteria * rounds,
        **{
            name: {cost: statistics.median(turn_costs[cost] for turn_costs in costs[name]) for cost in COSTS}
            for name in costs
        },
        "ratios": {cost: statistics.median(now[cost] / before[cost] for before, now in pairs) for cost in COSTS},
    }


def in_turns_rows(figures: report.Figures) -> list[Row]:
    what = {"seconds": "time", "worker": "processor of the worker", "database": "processor of the database"}
    return [
        Row(
            f"{figures['rounds']} rounds, in turns with {figures['commit']}: {words}",
            "reported",
            f"{figures['ratios'][cost]:.2f} of {figures['before'][cost]:.2f} s (median of {figures['turns']} turns)",
        )
        for cost, words in what.items()
    ]


if __name__ == "__main__":
    take_turns(sys.stdin, sys.stdout)
