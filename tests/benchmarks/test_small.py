"""Benchmarks are measured at their smallest, so that none of them breaks unseen: shapes and sanity, never how fast."""

import json
import math

import pytest

from benchmarks import __main__ as benchmarks
from benchmarks.report import Row

SMALLEST = {
    "record": {"clients": 2, "turns": 2, "accounts_per_turn": 1},
    "play": {"sizes": {"9": (1, 1), "30": (1, 2), "90": (2, 1), "300": (2, 2)}, "repeats": 1},
    "scale": {"criteria": 4, "latency": 0.1},
    "limit": {"debates": 2, "criteria": 2, "rounds": 2},
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
        "scale": lambda: all(found[count]["seconds"] >= found[count]["waiting_s"] for count in "124"),
        "limit": lambda: all(found[count][f"{who}_ms"] > 0 for count in "124" for who in ("worker", "database")),
    }[name]()


@pytest.mark.parametrize("name", SMALLEST)
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
