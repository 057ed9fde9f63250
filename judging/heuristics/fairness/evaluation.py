"""The four marks of a response, in the shape in which judges answer."""

from __future__ import annotations

from typing import Any

from judging.heuristics.fairness.candour import honesty
from judging.heuristics.fairness.consistency import consistency
from judging.heuristics.fairness.critique import self_critique
from judging.heuristics.fairness.hearing import hearing
from judging.heuristics.fairness.marks import Mark
from judging.heuristics.fairness.steel import steel_manning
from judging.heuristics.numbers import written
from judging.scene import Scene


def evaluate(scene: Scene) -> dict[str, Any]:
    """Judge one response by rule.

    Shape: ``steel_manning``, ``self_critique`` (score, attempted, notes, quotes), ``consistency`` (score, violations,
    notes, quotes) and ``honesty`` (score, issues, notes, quotes). Quotes are slices of the response.
    Units: scores 0..25 as decimal strings.
    Source: docs/explanation/heuristic-chairs.md
    """
    heard = hearing(scene)
    fits, candid = consistency(heard), honesty(heard)
    return {
        "steel_manning": tried(steel_manning(heard)),
        "self_critique": tried(self_critique(heard)),
        "consistency": {**grounds(fits), "violations": list(fits.found)},
        "honesty": {**grounds(candid), "issues": list(candid.found)},
    }


def tried(mark: Mark) -> dict[str, Any]:
    return {**grounds(mark), "attempted": mark.attempted}


def grounds(mark: Mark) -> dict[str, Any]:
    return {"score": written(100 * mark.points), "notes": mark.notes, "quotes": list(mark.quotes)}
