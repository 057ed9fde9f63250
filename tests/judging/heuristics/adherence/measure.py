"""How often the heuristics find what was marked: ``python -m tests.judging.heuristics.adherence.measure``."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from judging.heuristics import adherence
from judging.rules.adherence import quality
from judging.types import Position, Scene, Utterance
from tests.judging.heuristics.adherence import originals

PATH = Path(__file__).parent / "passages.json"
ISSUES = ("evasion", "misrepresentation", "moving_goalposts", "false_equivalence")


@dataclass(frozen=True)
class Passage:
    id: str
    text: str
    steel: str
    critique: bool | str
    issues: tuple[str, ...]
    given: Mapping[str, Any]
    flags: adherence.Flags

    @property
    def steel_given(self) -> str:
        return quality(mark=Decimal(self.given["steel_manning"]["score"])).value

    @property
    def critique_given(self) -> str:
        return quality(mark=Decimal(self.given["self_critique"]["score"])).value


@cache
def passages() -> tuple[Passage, ...]:
    """Return every passage with what the heuristics make of it."""
    read = json.loads(PATH.read_text(encoding="utf-8"))
    return tuple(judged(read, row) for row in read["passages"])


def judged(read: Mapping[str, Any], row: Mapping[str, Any]) -> Passage:
    names = read["chairs"]
    scene = Scene(
        motion=read["motion"],
        chairs=tuple(Position(name, key, Decimal("0.5"), Decimal("0.5")) for name, key in names.items()),
        speaker=read["speaker"],
        said=tuple(Utterance(name, "opening", text) for name, text in read["openings"].items()),
        response=row["text"],
    )
    others = [name for name in names if name != read["speaker"]]
    return Passage(
        id=row["id"],
        text=row["text"],
        steel=row["steel"],
        critique=row["critique"],
        issues=tuple(row["issues"]),
        given=adherence.evaluate(scene),
        flags=adherence.quick(text=row["text"], opponents=others, own=[read["speaker"], "libertarian"]),
    )


def figures(wanted: Callable[[Passage], bool], found: Callable[[Passage], bool]) -> tuple[Fraction, Fraction]:
    """Return precision and recall over all passages."""
    hits = sum(1 for one in passages() if wanted(one) and found(one))
    return (
        Fraction(hits, max(1, sum(1 for one in passages() if found(one)))),
        Fraction(hits, max(1, sum(1 for one in passages() if wanted(one)))),
    )


def steel_wanted(one: Passage) -> bool:
    return one.steel in {"adequate", "strong"}


def steel_found(one: Passage) -> bool:
    return one.steel_given in {"adequate", "strong"}


def critique_wanted(one: Passage) -> bool:
    return one.critique is True


def critique_found(one: Passage) -> bool:
    return one.critique_given in {"adequate", "strong"}


def issue_figures() -> tuple[Fraction, Fraction]:
    """Return precision and recall over all issue codes of all passages."""
    pairs = [(set(one.issues), set(one.given["honesty"]["issues"])) for one in passages()]
    hits = sum(len(wanted & found) for wanted, found in pairs)
    return Fraction(hits, sum(len(found) for _, found in pairs)), Fraction(hits, sum(len(one) for one, _ in pairs))


def table() -> list[tuple[str, tuple[Fraction, Fraction]]]:
    """Return every figure with what it is about."""
    return [
        ("steel-manning, four marks", figures(steel_wanted, steel_found)),
        ("steel-manning, quick", figures(steel_wanted, lambda one: one.flags.steel_manning)),
        ("steel-manning, former patterns", figures(steel_wanted, lambda one: bool(originals.STEEL.search(one.text)))),
        ("self-critique, four marks", figures(critique_wanted, critique_found)),
        ("self-critique, quick", figures(critique_wanted, lambda one: one.flags.self_critique)),
        (
            "self-critique, former patterns",
            figures(critique_wanted, lambda one: bool(originals.CRITIQUE.search(one.text))),
        ),
        ("honesty, issue codes", issue_figures()),
    ]


if __name__ == "__main__":
    for name, (precision, recall) in table():
        print(f"{name:32} precision {float(precision):.2f} recall {float(recall):.2f}")
    for one in passages():
        told = (
            one.steel,
            one.steel_given,
            one.critique,
            one.critique_given,
            one.issues,
            one.given["honesty"]["issues"],
        )
        print(f"{one.id:48}", *told, one.flags)
