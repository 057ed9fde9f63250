"""A chair's opening: its side, its ground, what it will ask, and what it must admit."""

from __future__ import annotations

from typing import Any

from judging.heuristics.chairs import ground
from judging.heuristics.chairs.lines import line, quoted
from judging.rules.standing import Position as Side
from judging.scene import Scene

SIDES = {Side.SUPPORTIVE: "for", Side.OPPOSED: "against", Side.NEUTRAL: "undecided"}


def opening(scene: Scene) -> dict[str, Any]:
    """Open for one chair.

    Shape: ``text``, and ``quotes`` of others' words in it (none, here).
    Source: docs/explanation/heuristic-chairs.md
    """
    seed = ground.seed_of(scene)
    own = ground.framework_of(scene.chair)
    side = SIDES[ground.side_of(scene.chair)]
    parts = [line(f"opening.{side}", seed=seed, motion=quoted(scene.motion, limit=300))]
    if own is None:
        parts.append(line("opening.free", seed=seed))
    else:
        parts.append(line("opening.framework", seed=seed, name=own.name[0].lower() + own.name[1:], gist=own.gist))
        parts.append(line("opening.question", seed=seed, question=own.question))
    first, second = ground.arguments(scene)[:2]
    parts.append(line("opening.case", seed=seed, first=first, second=second))
    parts.append(line(f"opening.conclude_{side}", seed=seed))
    parts.append(line("opening.admit", seed=seed, spot=own.blind_spots[0]) if own else line("opening.admit_free"))
    parts.append(line("opening.invite", seed=seed))
    return {"text": " ".join(parts), "quotes": []}
