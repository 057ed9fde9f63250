"""Precision, recall, and how well numbers order what people have rated."""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import StatisticsError, correlation
from typing import Any

RESAMPLES = 500


@dataclass(frozen=True)
class Found:
    """How often something was found: rightly, wrongly, and not where it was."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> Fraction | None:
        """Return which part of what was found is there."""
        return Fraction(self.right, self.right + self.wrong) if self.right + self.wrong else None

    @property
    def recall(self) -> Fraction | None:
        """Return which part of what is there was found."""
        return Fraction(self.right, self.right + self.missed) if self.right + self.missed else None


def found(pairs: Iterable[tuple[bool, bool]]) -> Found:
    """Return how often something was found, from pairs of whether it is there and whether it was found."""
    listed = list(pairs)
    return Found(
        right=sum(1 for there, detected in listed if there and detected),
        wrong=sum(1 for there, detected in listed if detected and not there),
        missed=sum(1 for there, detected in listed if there and not detected),
    )


def ranks(values: Sequence[float]) -> list[float]:
    """Return the rank of each value; equal values share the mean of theirs."""
    order = sorted(range(len(values)), key=lambda at: values[at])
    ranked = [0.0] * len(values)
    at = 0
    while at < len(order):
        last = at
        while last + 1 < len(order) and values[order[last + 1]] == values[order[at]]:
            last += 1
        for place in order[at : last + 1]:
            ranked[place] = (at + last) / 2 + 1
        at = last + 1
    return ranked


def spearman(values: Sequence[float], others: Sequence[float]) -> float | None:
    """Return the correlation of two rankings, ties included; nothing where one of them never differs."""
    try:
        return correlation(ranks(values), ranks(others))
    except StatisticsError:
        return None


def area(scores: Sequence[float], there: Sequence[bool]) -> float:
    """Return the area under the curve: how often something that is there scores above something that is not."""
    ranked = ranks(scores)
    positive = sum(there)
    sum_of_ranks = sum(rank for rank, is_there in zip(ranked, there, strict=True) if is_there)
    return (sum_of_ranks - positive * (positive + 1) / 2) / (positive * (len(there) - positive))


def interval(rows: Sequence[Any], figure: Callable[[Sequence[Any]], float]) -> tuple[float, float]:
    """Return where the middle 95 % of a figure lie when its rows are drawn again; the same rows give the same."""
    drawn = random.Random(1)
    values = sorted(figure(drawn.choices(rows, k=len(rows))) for _ in range(RESAMPLES))
    return values[RESAMPLES * 25 // 1000], values[RESAMPLES * 975 // 1000]
