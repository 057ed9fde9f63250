"""Passages of ours with what a reader says of each, and what the offline judge and the former patterns find in them."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.judging import originals
from benchmarks.judging.numbers import found, spearman
from judging.heuristics import adherence
from judging.rules import adherence as adherence_rules
from judging.rules.adherence import Marks, Quality, quality
from judging.types import Position, Scene, Utterance

PATH = Path(__file__).with_name("passages.json")
LEVELS = ("absent", "weak", "adequate", "strong")
DONE = frozenset({"adequate", "strong"})
CODES = ("evasion", "misrepresentation", "cherry_picking", "moving_goalposts", "false_equivalence")


@dataclass(frozen=True)
class Passage:
    """One response as it was annotated and as it was judged."""

    text: str
    tuned: bool
    wanted: Mapping[str, Any]
    marks: Marks
    issues: frozenset[str]
    tried: Mapping[str, bool]
    flags: Mapping[str, bool]

    def named(self, dimension: str) -> Quality:
        """Return what the judge calls steel-manning or self-critique."""
        return quality(mark=self.marks.steel_manning if dimension == "steel" else self.marks.self_critique)


@cache
def passages() -> tuple[Passage, ...]:
    scenes = json.loads(PATH.read_text(encoding="utf-8"))["scenes"]
    return tuple(judged(scene, row) for scene in scenes for row in scene["passages"])


def judged(scene: Mapping[str, Any], row: Mapping[str, Any]) -> Passage:
    """Return one passage with what the offline judge makes of it."""
    chairs = scene["chairs"]
    judged_scene = Scene(
        motion=scene["motion"],
        chairs=tuple(Position(name, key, Decimal("0.5"), Decimal("0.5")) for name, key in chairs.items()),
        speaker=scene["speaker"],
        said=tuple(Utterance(name, "opening", text) for name, text in scene["openings"].items()),
        response=row["text"],
        exchange=1,
    )
    judgement = adherence.evaluate(judged_scene)
    others = [name for name in chairs if name != scene["speaker"]]
    flags = adherence.quick(text=row["text"], opponents=others, own=[scene["speaker"]])
    names = ("steel_manning", "self_critique", "consistency", "honesty")
    return Passage(
        text=row["text"],
        tuned=scene["tuned"],
        wanted=row,
        marks=Marks(
            *(Decimal(judgement[name]["score"]) for name in names), len(judgement["consistency"]["violations"])
        ),
        issues=frozenset(judgement["honesty"]["issues"]),
        tried={"steel": judgement["steel_manning"]["attempted"], "critique": judgement["self_critique"]["attempted"]},
        flags={"steel": flags.steel_manning, "critique": flags.self_critique},
    )


# -- what is measured ------------------------------------------------------------------------------------------------

Detector = Callable[[Passage], bool]


def rows(kept: Callable[[Passage], bool]) -> list[dict[str, Any]]:
    """Return precision and recall of every way to look, for every dimension, over the passages that are kept."""
    chosen = [passage for passage in passages() if kept(passage)]
    lines = [
        row(chosen, dimension, by, lambda passage, d=dimension: passage.wanted[d] in DONE, look)
        for dimension in ("steel", "critique")
        for by, look in ways(dimension).items()
    ]
    lines.append(row(chosen, "breaks", "marks", lambda passage: passage.wanted["breaks"], breaks))
    lines.append(
        row(
            chosen,
            "interjection",
            "marks",
            requires,
            lambda passage: bool(adherence_rules.violations(marks=passage.marks)),
        )
    )
    pairs = [(passage, code) for passage in chosen for code in CODES]
    lines += [
        told("issues", "marks", [(code in passage.wanted["issues"], code in passage.issues) for passage, code in pairs])
    ]
    lines += [
        row(
            chosen,
            code,
            "marks",
            lambda passage, c=code: c in passage.wanted["issues"],
            lambda passage, c=code: c in passage.issues,
        )
        for code in CODES
    ]
    return lines


def ways(dimension: str) -> dict[str, Detector]:
    """Return the ways to look for steel-manning or self-critique."""
    return {
        "marks": lambda passage: passage.named(dimension) in DONE,
        "quick": lambda passage: passage.flags[dimension],
        "first patterns": lambda passage: bool(originals.FIRST[dimension].search(passage.text)),
        "later patterns": lambda passage: bool(originals.LATER[dimension].search(passage.text)),
    }


def breaks(passage: Passage) -> bool:
    """Tell whether the judge finds a break with the framework or with the speaker's own words."""
    return passage.marks.violations > 0


def requires(passage: Passage) -> bool:
    """Tell whether what was annotated calls for an interjection, by the rules."""
    return passage.wanted["steel"] not in DONE or passage.wanted["critique"] == "absent"


def row(chosen: list[Passage], dimension: str, by: str, annotated: Detector, look: Detector) -> dict[str, Any]:
    return told(dimension, by, [(bool(annotated(passage)), look(passage)) for passage in chosen])


def told(dimension: str, by: str, pairs: list[tuple[bool, bool]]) -> dict[str, Any]:
    counted = found(pairs)
    return {"dimension": dimension, "by": by, "right": counted.right, "wrong": counted.wrong, "missed": counted.missed}


def order(kept: Callable[[Passage], bool]) -> dict[str, float | None]:
    """Return how well the marks order the passages as the reader's four levels do."""
    chosen = [passage for passage in passages() if kept(passage)]
    levels = {name: [float(LEVELS.index(passage.wanted[name])) for passage in chosen] for name in ("steel", "critique")}
    return {
        "steel": spearman(levels["steel"], [float(passage.marks.steel_manning) for passage in chosen]),
        "critique": spearman(levels["critique"], [float(passage.marks.self_critique) for passage in chosen]),
    }


def measure() -> dict[str, Any]:
    """Return every figure about our own passages: those that were looked at while mending, and the others."""
    return {
        name: {
            "passages": sum(1 for passage in passages() if passage.tuned is tuned),
            "rows": rows(kept),
            "order": order(kept),
        }
        for name, tuned, kept in (
            ("held_out", False, lambda passage: not passage.tuned),
            ("tuned", True, lambda passage: passage.tuned),
        )
    }
