"""Public data with people's ratings: what the offline judge's numbers say about them, and what former patterns said.

Receptiveness: 2,860 answers to policy statements, how receptive people found each (myeomans/politeness, MIT licence,
(c) 2019 Yeomans, Kantor, Tingley). UKPConvArg1: 11,650 pairs of arguments, which of the two people found more
convincing (Habernal and Gurevych 2016, UKPLab/acl2016-convincing-arguments, CC BY 4.0). Nothing of them is in here.
"""

import csv
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.judging import originals
from benchmarks.judging.numbers import area, found, interval, spearman
from judging.heuristics import adherence, evidence
from judging.rules import persuasion
from judging.types import Scene

RECEPTIVE, ARGUMENTS, PAIRS = "receptiveness_2860.csv", "ukpconvarg1_arguments.csv", "ukpconvarg1_strict_pairs.csv"
Score = Callable[[str], float]


def measure(data: Path) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    if (data / RECEPTIVE).exists():
        figures["receptiveness"] = receptiveness(data / RECEPTIVE)
    if (data / ARGUMENTS).exists() and (data / PAIRS).exists():
        figures["convincing"] = convincing(data / ARGUMENTS, data / PAIRS)
    return figures


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# -- receptiveness ---------------------------------------------------------------------------------------------------


def receptiveness(path: Path) -> dict[str, Any]:
    """Return how well each score tells the more receptive half, and how it goes along with the ratings."""
    rows = table(path)
    ratings = [float(row["receptive"]) for row in rows]
    middle = sorted(ratings)[len(ratings) // 2]
    upper = [rating >= middle for rating in ratings]
    score_rows = []
    for name, score in TONES.items():
        scores = [score(row["text"]) for row in rows]
        counted = found(list(zip(upper, [value > 0 for value in scores], strict=True)))
        flags = {"right": counted.right, "wrong": counted.wrong, "missed": counted.missed} if name in FLAGS else {}
        within = interval(
            list(zip(scores, upper, strict=True)), lambda drawn: area(*map(list, zip(*drawn, strict=True)))
        )
        score_rows.append(
            {"score": name, "area": area(scores, upper), "within": within, "rho": spearman(scores, ratings), **flags}
        )
    return {"texts": len(rows), "rows": score_rows}


def looks(text: str) -> float:
    """Return how many of the two quick flags are up."""
    flags = adherence.quick(text=text)
    return float(flags.steel_manning + flags.self_critique)


def candour(text: str) -> float:
    """Return the marks that need no opponent: self-critique and honesty."""
    judgement = adherence.evaluate(Scene(motion="", chairs=(), response=text))
    return float(judgement["self_critique"]["score"]) + float(judgement["honesty"]["score"])


def patterns(sets: Mapping[str, Any]) -> Score:
    """Return how many of the two former patterns a text matches."""
    return lambda text: float(sum(1 for pattern in sets.values() if pattern.search(text)))


TONES: Mapping[str, Score] = {
    "quick": looks,
    "self-critique and honesty": candour,
    "first patterns": patterns(originals.FIRST),
    "later patterns": patterns(originals.LATER),
    "length": lambda text: float(len(text.split())),
}
FLAGS = frozenset({"quick", "first patterns", "later patterns"})


# -- convincing arguments --------------------------------------------------------------------------------------------


def convincing(arguments: Path, pairs: Path) -> dict[str, Any]:
    """Return how often each score is higher for the argument that people preferred; equal scores count half."""
    texts = {row["id"]: row["text"] for row in table(arguments)}
    chosen = [row for row in table(pairs) if row["id1"] in texts and row["id2"] in texts]
    score_rows = []
    for name, score in STRENGTHS.items():
        scores = {key: score(text) for key, text in texts.items()}
        right = [won(scores[row["id1"]], scores[row["id2"]], row["label"]) for row in chosen]
        by_topic: dict[str, list[float]] = {}
        for row, half in zip(chosen, right, strict=True):
            by_topic.setdefault(row["topic"].rpartition("_")[0], []).append(half)
        score_rows.append(
            {"score": name, "agreed": share(by_topic.values()), "within": interval([*by_topic.values()], share)}
        )
    return {"arguments": len(texts), "pairs": len(chosen), "rows": score_rows}


def share(topics: Iterable[list[float]]) -> float:
    """Return which part of the pairs of some topics is right."""
    every = [half for topic in topics for half in topic]
    return sum(every) / len(every)


def won(first: float, second: float, label: str) -> float:
    """Return 1 where the higher score is that of the preferred argument, a half where they are equal."""
    if first == second:
        return 0.5
    return float((first > second) == (label == "a1"))


def weighed(text: str) -> float:
    """Return what all sentences bring that could be checked, as the arbiter weighs it."""
    return float(sum(passage.quality for passage in evidence.passages(text)))


def best(text: str) -> float:
    """Return what the best sentence brings, whatever the length."""
    return float(max((passage.quality for passage in evidence.passages(text)), default=0))


STRENGTHS: Mapping[str, Score] = {
    "evidence, all sentences": weighed,
    "evidence, best sentence": best,
    "evidence words, whole": lambda text: float(persuasion.from_words(text=text).evidence),
    "evidence words, former": lambda text: float(originals.words_inside(text, originals.EVIDENCE)),
    "persuasion words, whole": lambda text: float(persuasion.from_words(text=text).persuasion),
    "persuasion words, former": lambda text: float(originals.words_inside(text, originals.PERSUASION)),
    "length": lambda text: float(len(text.split())),
}
