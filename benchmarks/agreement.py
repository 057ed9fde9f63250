"""Measure the agreement statistics on public tables of many judges: ``python -m benchmarks.agreement DIRECTORY``.

The tables are not part of this project; docs/reference/agreement.md says where they come from, and keeps the figures.
A table that is not in the directory is left out.
"""

import argparse
import csv
import gzip
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path

from judging.rules import agreement
from judging.rules.agreement import Alpha, Level, Unit, Weighting

Rows = Sequence[Mapping[str, str]]
Line = tuple[str, str]
ANCHORED = ("Significance", "Novelty", "Soundness", "Evaluation", "Clarity")


def read(path: Path) -> Rows:
    packed = path.suffix == ".gz"
    with gzip.open(path, "rt", encoding="utf-8") if packed else path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def pandalm(rows: Rows) -> Iterator[Line]:
    """Three people who each chose the better of two answers, or neither."""
    names = ("annotator1", "annotator2", "annotator3")
    units = [{name: Decimal(row[name]) for name in names} for row in rows]
    for pair, value in agreement.pairwise(units=units, weighting=Weighting.NONE).items():
        yield f"kappa of {' and '.join(name.removeprefix('annotator') for name in pair)}", four(value)
    yield "Fleiss' kappa", four(agreement.fleiss(units=units))
    yield "alpha, nominal", told(agreement.alpha(units=units, level=Level.NOMINAL, seed=1))


def dagstuhl(rows: Rows) -> Iterator[Line]:
    """Novices who marked arguments; most arguments were marked by few of them, some marks are missing."""
    by_dimension: dict[str, dict[str, dict[str, Decimal]]] = {}
    for row in rows:
        if row["rating"] != "?":
            units = by_dimension.setdefault(row["dimension"], {})
            units.setdefault(row["argument"], {})[row["annotator"]] = Decimal(row["rating"])
    for dimension, units in sorted(by_dimension.items()):
        yield (
            f"alpha, ordinal: {dimension}",
            told(agreement.alpha(units=list(units.values()), level=Level.ORDINAL, seed=1)),
        )


def llmbar(rows: Rows) -> Iterator[Line]:
    """Six language models that chose the better of two answers, once in each order, asked in the plainest way."""
    plain = [row for row in rows if row["prompt"] == "Vanilla_NoRules"]
    for judge in sorted({row["judge"] for row in plain}):
        own = [row for row in plain if row["judge"] == judge]
        same = sum(row["verdict_order1"] == row["verdict_order2"] for row in own)
        yield f"the same in both orders: {judge}", f"{100 * same / len(own):.1f} %"
    units: dict[tuple[str, str], dict[str, Decimal]] = {}
    for row in plain:
        if row["verdict_order1"].isdigit():
            units.setdefault((row["subset"], row["item"]), {})[row["judge"]] = Decimal(row["verdict_order1"])
    yield "alpha, nominal, of all", told(agreement.alpha(units=list(units.values()), level=Level.NOMINAL, seed=1))


def anchoring(rows: Rows) -> Iterator[Line]:
    """Reviewers who all marked one paper on five criteria from 1 to 4."""
    units: list[Unit] = [{str(at): Decimal(row[name]) for at, row in enumerate(rows)} for name in ANCHORED]
    yield "alpha, interval", told(agreement.alpha(units=units, level=Level.INTERVAL, seed=1))
    correlation = agreement.intraclass(units=units)
    yield "intraclass, one judge and their mean", f"{four(correlation.single)}, {four(correlation.average)}"
    lean = [leaning.leniency for leaning in agreement.leanings(units=units).values() if leaning.leniency is not None]
    yield "leniency, from the harshest to the most lenient", f"{min(lean):.2f} to {max(lean):.2f}"


def four(value: Decimal | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def told(alpha: Alpha) -> str:
    """Return an alpha with its interval and how many units it rests on."""
    between = f", 95 % from {four(alpha.low)} to {four(alpha.high)}" if alpha.low is not None else f", {alpha.state}"
    return f"{four(alpha.value)} ({alpha.units} units{between})"


TABLES: Mapping[str, Callable[[Rows], Iterator[Line]]] = {
    "pandalm_999x3.csv": pandalm,
    "dagstuhl_novice_ratings.csv": dagstuhl,
    "llmbar_judge_verdicts.csv.gz": llmbar,
    "reviewer_anchoring_initial.csv": anchoring,
    "reviewer_anchoring_revised.csv": anchoring,
}


def main() -> None:
    """Print a table of figures for every file that is there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    directory: Path = parser.parse_args().directory
    sys.stdout.write("| Table | Figure | Value |\n|---|---|---|\n")
    for name, measured in TABLES.items():
        if (directory / name).exists():
            for what, value in measured(read(directory / name)):
                sys.stdout.write(f"| {name.partition('.')[0]} | {what} | {value} |\n")


if __name__ == "__main__":
    main()
