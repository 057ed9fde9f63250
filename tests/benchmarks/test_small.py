"""Every benchmark is measured at its smallest, so that none breaks unseen: shapes and sanity, never how fast."""

import json
import math
import subprocess

import pytest

from benchmarks import __main__ as benchmarks
from benchmarks import play
from benchmarks.listing import databases
from benchmarks.listing.databases import LARGE, SMALL
from benchmarks.report import Row
from benchmarks.watching.scenes import Size
from tests.crash.harness import ROOT, stage

SIZES = {SMALL: 100, LARGE: 300}
WATCHERS = Size(
    watchers=100, fewer=60, seconds=3, stalled=2, of=4, heavy_seconds=0.5, silent=2, silent_seconds=1,
    behind=5, replayed=60, short=20, times=2, apart=1,
)  # fmt: skip
SMALLEST = {
    "record": {"clients": 2, "turns": 2, "accounts_per_turn": 1},
    "play": {"sizes": {"9": (1, 1), "30": (1, 2), "90": (2, 1), "300": (2, 2)}, "repeats": 1},
    "live": {"size": WATCHERS, "servers": ["uvicorn"]},
    "scale": {"criteria": 4, "latency": 0.1},
    "limit": {"debates": 2, "criteria": 2, "rounds": 2},
    "desk": {"sizes": SIZES, "turns": 1},
    "rest": {"sizes": SIZES, "turns": 1},
    "kills": {"kills": 1, "seconds": 1, "latency": 1, "played": "panel"},
    "at_once": {"moderators": 2, "workers": 2, "rounds_each": 2},
    "guards": {"attacks": "tests/schema/test_open_debate_guards.py"},
    "webhooks": {"events": 60, "slow": 5, "events_beside": 4, "seconds": 1},
    "tokens": {"criteria": 6},
}


def numbers(found):
    """Return every number in some figures."""
    if isinstance(found, dict | list):
        return [number for part in (found.values() if isinstance(found, dict) else found) for number in numbers(part)]
    return [found] if isinstance(found, int | float) else []


def sane(name, found):
    """Say what must be so of the figures of a benchmark, whatever the machine."""
    return {
        "record": lambda: [found[way]["transactions"] for way in ("shipped", "unguarded", "psycopg")] == [12] * 3,
        "play": lambda: [found[size]["rounds"] for size in ("9", "30", "90", "300")] == [1, 2, 2, 4],
        "live": lambda: (
            (found["storm"]["back"], found["uvicorn"]["lost"], found["uvicorn"]["pages"]["failed"]) == (100, 0, 0)
            and (found["uvicorn"]["pushed"]["missed"], found["uvicorn"]["pushed"]["frames"]) == (0, 1)
        ),
        "scale": lambda: all(found[count]["seconds"] >= found[count]["waiting_s"] for count in "124"),
        "limit": lambda: all(found[count][f"{who}_ms"] > 0 for count in "124" for who in ("worker", "database")),
        "desk": lambda: all(page["small_queries"] == page["large_queries"] for page in found.values()),
        "rest": lambda: found["exports"]["csv"]["rows"] - 1 == found["exports"]["jsonl"]["rows"] > 10 * SIZES[LARGE],
        "kills": lambda: (found["differences"], sorted(found["killed"].values())) == ([], [1, 1, 1]),
        "at_once": lambda: (found["counted"], found["errors"], found["faults"], found["sum_law"]) == (4, 0, 0, True),
        "guards": lambda: found["passed"] > 0 and found["failed"] == 0,
        "tokens": lambda: (
            found["newest"]["known"] > found["newest"]["tokens"] / 2
            and found["several"]["calls"] == found["newest"]["calls"] - 4
        ),
        "webhooks": lambda: found["beside"]["delivered_to_slow"] == 0 and found["throughput"]["events"] == 60,
    }[name]()


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.kills if name == "kills" else ()) for name in benchmarks.ALL]
)
def test_a_benchmark_gives_figures_for_all_its_rows(name):
    module = benchmarks.ALL[name]
    before = (benchmarks.PAGE.read_bytes(), benchmarks.FIGURES.read_bytes())

    found = json.loads(json.dumps(module.measure(**SMALLEST[name])))

    rows = module.rows(found)
    assert sane(name, found), found
    assert [number for number in numbers(found) if not math.isfinite(number)] == []
    assert rows
    assert all(isinstance(row, Row) and row.found and row.markdown().count("\n") == 0 for row in rows)
    for curve in benchmarks.DRAWN[name].curves(found) if name in benchmarks.DRAWN else []:
        assert len(curve.points) >= 3
    assert (benchmarks.PAGE.read_bytes(), benchmarks.FIGURES.read_bytes()) == before


def test_a_copied_ledger_has_no_larger_acts_than_the_one_that_is_copied():
    sizes = "SELECT count(DISTINCT evaluation_id) AS n FROM scoring_scorechange WHERE reason_id > 0 GROUP BY reason_id"

    with stage() as here:
        databases.prepare(here, SIZES)
        largest = [here.server.ask(f"SELECT max(n) FROM ({sizes})", name=name) for name in SIZES]

    assert largest == [(1,), (1,)]


def test_play_in_turns_with_a_commit_says_what_it_takes_of_what_it_took():
    found = play.in_turns("HEAD", criteria=1, rounds=1, turns=1)

    assert all(0 < found["ratios"][cost] < 100 for cost in play.COSTS)
    assert [row.what for row in play.in_turns_rows(found)] == [
        "1 rounds, in turns with HEAD: time",
        "1 rounds, in turns with HEAD: processor of the worker",
        "1 rounds, in turns with HEAD: processor of the database",
    ]
    trees = subprocess.run(["git", "worktree", "list"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert "moot-before-" not in trees
