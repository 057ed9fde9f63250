"""The four marks of a judged response, in numbers and in words, with what they rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from judging.models import ResponseEvaluation
from judging.models.open_debate import MARKS
from judging.rules import adherence
from judging.rules.adherence import Marks

ATTEMPTED = {"steel_manning": "steel_attempted", "self_critique": "critique_attempted"}


@dataclass(frozen=True, slots=True)
class Dimension:
    """One of the four marks of a response: its number, what it is called, and what it rests on.

    Shape: ``attempted`` is known of steel-manning and self-critique; ``faults`` are breaks with the framework and
    issues of honesty. Erasure takes notes, quotes and the words of faults.
    """

    name: str
    mark: Decimal
    word: str
    attempted: bool | None
    notes: str
    quotes: Sequence[str]
    faults: Sequence[str]

    @property
    def title(self) -> str:
        return {"steel_manning": "Steel-manning", "self_critique": "Self-critique"}.get(self.name, self.name.title())


def marks_of(row: ResponseEvaluation) -> Marks | None:
    if row.steel_manning is None or row.self_critique is None or row.consistency is None or row.honesty is None:
        return None
    return Marks(row.steel_manning, row.self_critique, row.consistency, row.honesty, row.violations)


def dimensions(row: ResponseEvaluation) -> list[Dimension]:
    """Return the four marks of a judged response with their grounds; nothing where there is no number."""
    marks = marks_of(row)
    grounds = row.grounds if isinstance(row.grounds, dict) else {}
    return [dimension(name, row, marks, grounds.get(name) or {}) for name in MARKS] if marks else []


def dimension(name: str, row: ResponseEvaluation, marks: Marks, grounds: Mapping[str, Any]) -> Dimension:
    faults = {"consistency": grounds.get("violations", ()), "honesty": [one.replace("_", " ") for one in row.issues]}
    return Dimension(
        name=name,
        mark=getattr(marks, name),
        word=word(name, marks),
        attempted=getattr(row, ATTEMPTED[name]) if name in ATTEMPTED else None,
        notes=grounds.get("notes", ""),
        quotes=grounds.get("quotes", ()),
        faults=faults.get(name, ()),
    )


def word(name: str, marks: Marks) -> str:
    """Return what a mark is called.

    Source: docs/reference/rules.md#adherence
    """
    if name == "honesty":
        return adherence.honesty(mark=marks.honesty).value
    if name == "consistency":
        broken = "major break" if marks.major_violation else "minor break"
        return "consistent" if marks.consistent else broken
    return adherence.quality(mark=getattr(marks, name)).value
