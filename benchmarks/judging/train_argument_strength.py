"""Train the strength of arguments: ``python -m benchmarks.judging.train_argument_strength --data DIR``.

``--held-out`` measures on topics that were held out; ``--write`` keeps the weights.

A logistic model on the differences of two arguments' features, by Newton's method with a ridge, in plain Python.
Accuracy is that of pairs on topics that were held out, both sides of a topic at once; its interval is the middle 95 %
of topics drawn again 2,000 times. The weights go into argument_strength.json of the offline judge as whole thousandths.

Data: UKPConvArg1 (Habernal and Gurevych 2016, UKPLab/acl2016-convincing-arguments, CC BY 4.0). Nothing but the numbers
goes into the project.
"""

import argparse
import json
import math
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

from benchmarks.judging.datasets import ARGUMENTS, PAIRS, table
from judging.heuristics import argument_strength

PATH = Path(argument_strength.__file__).with_name("data") / "argument_strength.json"
RIDGE, STEPS, WARM_STEPS = 30.0, 6, 3
CLIPPED = 4.0
DRAWS = 2_000
SOURCE = (
    "weights learned from UKPConvArg1 (Habernal and Gurevych 2016), CC BY 4.0; "
    "python -m benchmarks.judging.train_argument_strength"
)
QUANTILES = 20
THOUSAND = 1_000

Vector = list[float]


@dataclass(frozen=True)
class Pairs:
    """Differences between two arguments, the preferred one first, column by column, and the topic of each."""

    columns: list[Vector]
    topics: list[str]

    def part(self, *, kept: Sequence[bool], columns: Sequence[int]) -> list[Vector]:
        return [[value for value, keep in zip(self.columns[at], kept, strict=True) if keep] for at in columns]


def fit(columns: list[Vector], start: Vector | None = None, *, steps: int = STEPS) -> Vector:
    """Return the weights under which the preferred argument of each pair is likeliest the stronger one."""
    weights = list(start or [0.0] * len(columns))
    for _ in range(steps):
        doubts = [1 / (1 + math.exp(min(30.0, max(-30.0, total)))) for total in totals(columns, weights)]
        slope = [dot(column, doubts) - RIDGE * weight for column, weight in zip(columns, weights, strict=True)]
        widths = [doubt * (1 - doubt) for doubt in doubts]
        bend = [[0.0] * len(columns) for _ in columns]
        for row, column in enumerate(columns):
            wide = list(map(mul, column, widths))
            for other in range(row + 1):
                bend[row][other] = bend[other][row] = dot(wide, columns[other])
            bend[row][row] += RIDGE
        weights = [weight + step for weight, step in zip(weights, solved(bend, slope), strict=True)]
    return weights


def dot(left: Vector, right: Vector) -> float:
    return sum(map(mul, left, right))


def totals(columns: list[Vector], weights: Vector) -> Vector:
    return [dot(weights, list(row)) for row in zip(*columns, strict=True)]


def solved(matrix: list[Vector], right: Vector) -> Vector:
    """Solve a positive definite system by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at, row in enumerate(rows):
        for below in rows[at + 1 :]:
            factor = below[at] / row[at]
            below[at:] = [value - factor * above for value, above in zip(below[at:], row[at:], strict=True)]
    solution = [0.0] * len(rows)
    for at in reversed(range(len(rows))):
        solution[at] = (rows[at][-1] - dot(rows[at][at + 1 : -1], solution[at + 1 :])) / rows[at][at]
    return solution


def held_out(pairs: Pairs, chosen: Sequence[int]) -> dict[str, tuple[float, int]]:
    """Return for each topic how many of its pairs a model puts right that has seen all other topics, and how many
    there are.
    """
    every = [True] * len(pairs.topics)
    start = fit(pairs.part(kept=every, columns=chosen))
    right_by_topic = {}
    for topic in sorted(set(pairs.topics)):
        own = [each_topic == topic for each_topic in pairs.topics]
        others = pairs.part(kept=[not is_own for is_own in own], columns=chosen)
        weights = fit(others, start, steps=WARM_STEPS)
        right = [(total > 0) + (total == 0) / 2 for total in totals(pairs.part(kept=own, columns=chosen), weights)]
        right_by_topic[topic] = (sum(right), len(right))
    return right_by_topic


def accuracy(by_topic: dict[str, tuple[float, int]]) -> dict[str, float]:
    """Return the share of pairs that are right, with the interval of topics drawn again."""
    rows = list(by_topic.values())
    luck = random.Random(1)
    drawn = sorted(share(luck.choices(rows, k=len(rows))) for _ in range(DRAWS))
    return {"share": share(rows), "low": drawn[DRAWS // 40], "high": drawn[-DRAWS // 40]}


def share(rows: Sequence[tuple[float, int]]) -> float:
    return sum(right for right, _ in rows) / sum(size for _, size in rows)


def trained(data: Path, *, measure: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the document of weights, and how many pairs are right on topics that were held out."""
    texts = {row["id"]: row["text"] for row in table(data / ARGUMENTS)}
    counted = {key: argument_strength.features(text) for key, text in texts.items()}
    names = list(next(iter(counted.values())))
    means = {name: round(fmean(row[name] for row in counted.values())) for name in names}
    spreads = {name: max(1, round(pstdev([row[name] for row in counted.values()]))) for name in names}
    scaled = {
        key: [min(CLIPPED, max(-CLIPPED, (row[name] - means[name]) / spreads[name])) for name in names]
        for key, row in counted.items()
    }
    rows = [row for row in table(data / PAIRS) if row["id1"] in texts and row["id2"] in texts]
    ordered = [(row["id1"], row["id2"]) if row["label"] == "a1" else (row["id2"], row["id1"]) for row in rows]
    differences = [[a - b for a, b in zip(scaled[better], scaled[worse], strict=True)] for better, worse in ordered]
    pairs = Pairs([list(column) for column in zip(*differences, strict=True)], [topic(row) for row in rows])
    chosen = {
        "with length": list(range(len(names))),
        "without length": [at for at, name in enumerate(names) if not name.startswith("length: ")],
        "length alone": [names.index("length: words")],
    }
    measured = {name: accuracy(held_out(pairs, columns)) for name, columns in chosen.items() if measure}
    weights = {name: weighed(pairs, names, chosen[name]) for name in ("with length", "without length")}
    document = {
        "source": SOURCE,
        "features": {
            name: [
                means[name],
                spreads[name],
                weights["with length"].get(name, 0),
                weights["without length"].get(name, 0),
            ]
            for name in names
        },
        "levels": {},
    }
    document["levels"] = {
        kind: quantiles([argument_strength.totals(row, document)[kind] for row in counted.values()])
        for kind in argument_strength.KINDS
    }
    return document, {"arguments": len(texts), "pairs": len(rows), "topics": len(set(pairs.topics)), **measured}


def topic(row: dict[str, str]) -> str:
    """Return the topic of a pair, without the side."""
    return row["topic"].rpartition("_")[0]


def weighed(pairs: Pairs, names: Sequence[str], chosen: Sequence[int]) -> dict[str, int]:
    """Return the weights of a model that has seen every pair, in thousandths."""
    weights = fit(pairs.part(kept=[True] * len(pairs.topics), columns=chosen))
    return {names[at]: round(THOUSAND * weight) for at, weight in zip(chosen, weights, strict=True)}


def quantiles(values: Sequence[int]) -> list[int]:
    """Return the least value, the greatest, and those that part all values into equal portions."""
    ordered = sorted(values)
    return [ordered[(len(ordered) - 1) * at // QUANTILES] for at in range(QUANTILES + 1)]


def written(document: dict[str, Any]) -> str:
    """Return the document with a line for each feature and each kind of level."""
    parts = [f' "source": {json.dumps(document["source"])}']
    for part in ("features", "levels"):
        rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in document[part].items())
        parts.append(f' "{part}": {{\n{rows}\n }}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="where the public data sets are")
    parser.add_argument("--held-out", action="store_true", help="measure on topics that were held out: ten minutes")
    parser.add_argument("--write", action="store_true", help="keep the weights")
    options = parser.parse_args()
    document, measured = trained(options.data, measure=options.held_out)
    sys.stdout.write(json.dumps(measured, indent=1) + "\n")
    if options.write:
        PATH.write_text(written(document), encoding="utf-8")


if __name__ == "__main__":
    main()
