"""The API with 1,000 scores and with 100,000 and a million entries: lists, and an export of every entry.

Both databases are in one server, and the two readers take turns, as in ``benchmarks.desk``.
"""

import json
import subprocess
import sys
import time
from collections.abc import Mapping
from typing import Any

from benchmarks import report
from benchmarks.desk import TURNS, compared, compared_rows
from benchmarks.listing import databases
from benchmarks.listing.databases import LARGE, SIZES
from benchmarks.report import Row
from config.embedded import binaries
from tests.crash.harness import ROOT, Stage, stage

LISTS = {"scores": "/api/v1/evaluations/", "entries": "/api/v1/score-changes/", "alerts": "/api/v1/alerts/"}
GROWN_MB = 16
"""Memory may differ by so much between two looks at it, however many rows there are."""


SHARE = 0.3
"""Of the rate of ``COPY`` by psql."""


def exported(here: Stage, kind: str) -> dict[str, Any]:
    """Have every entry of the large database exported, and then have psql write the same rows."""
    ran = subprocess.run(
        [sys.executable, "-m", "benchmarks.listing.exporter", kind],
        cwd=ROOT,
        env={**here.environment, "DATABASE_URL": here.server.url(name=LARGE)},
        check=True,
        stdout=subprocess.PIPE,
    )
    figures: dict[str, Any] = json.loads(ran.stdout)
    return figures | {"psql_seconds": copied(here, figures.pop("statement"))}


def copied(here: Stage, statement: str) -> float:
    """Return the seconds that psql takes to write what a statement says."""
    psql = str(binaries.installed() / "psql")
    begun = time.perf_counter()
    subprocess.run(
        [psql, "--no-psqlrc", "--command", statement, here.server.url(name=LARGE)],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return time.perf_counter() - begun


def measure(*, sizes: Mapping[str, int] = SIZES, turns: int = TURNS) -> dict[str, Any]:
    with stage(heart="5", stalled="30") as here:
        databases.prepare(here, sizes)
        lists = compared(here, LISTS, sizes=sizes, turns=turns)
        exports = {kind: exported(here, kind) for kind in ("jsonl", "csv")}
    return {"lists": lists, "exports": exports}


def rows(figures: report.Figures) -> list[Row]:
    return [
        *compared_rows("API's", {"scores": "list"}, "lists of the API", figures["lists"], because="See the figures."),
        *(exporting(kind, took) for kind, took in figures["exports"].items()),
    ]


def exporting(kind: str, took: report.Figures) -> Row:
    share = took.get("psql_seconds", 0) / took["seconds"]
    return Row(
        f"export of {took['rows']:,} entries as {kind}",
        f"at least {SHARE} of the rate of `COPY` by psql of the same query, and constant memory: at most {GROWN_MB} MB "
        "more than after the first rows",
        f"{share:.2f}; {took['grown_mb']:.1f} MB more; {took['rows'] / took['seconds']:,.0f} rows/s, "
        f"{took['bytes'] / 2**20:.0f} MB in {took['seconds']:.0f} s",
        met=took["grown_mb"] <= GROWN_MB and share >= SHARE,
        because="See the figures.",
    )
