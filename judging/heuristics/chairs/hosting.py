"""The arbiter at the table: introduces it, and interjects when somebody argues unfairly."""

from __future__ import annotations

from typing import Any

from judging import frameworks
from judging.heuristics.chairs import ground
from judging.heuristics.chairs.lines import called, line, quoted, variants
from judging.rules.interjection import Violation
from judging.scene import Position, Scene

LEAST, MOST = 30, 75
"""Words of an interjection."""


def introduce(scene: Scene) -> dict[str, Any]:
    """Introduce the motion and who sits at the table.

    Shape: ``text``.
    """
    seed = scene.motion
    count = "one exchange" if scene.exchanges == 1 else f"{scene.exchanges} exchanges"
    parts = [line("introduction.welcome", motion=quoted(scene.motion, limit=600))]
    parts += [seat(one, f"{seed}{one.name}") for one in scene.chairs]
    parts.append(line("introduction.rules", seed=seed, count=count))
    parts.append(frameworks.accountability().get(scene.accountability, ""))
    parts += [line("introduction.invite", name=called(one.name)) for one in scene.chairs[:1]]
    return {"text": " ".join(part for part in parts if part)}


def seat(one: Position, seed: str) -> str:
    own = ground.framework_of(one)
    side = variants(f"sides.{ground.side_of(one).value}")[0]
    if own is None:
        return line("introduction.free", name=called(one.name), side=side)
    return line(
        "introduction.seat", seed=seed, name=called(one.name), side=side, framework=own.name.lower(), gist=own.gist
    )


def interject(scene: Scene) -> dict[str, Any]:
    """Speak to whoever argued unfairly, about one violation.

    Shape: ``text`` of 30 to 75 words.
    """
    violation = scene.violation if scene.violation in set(Violation) else Violation.LOW_ADHERENCE.value
    own = ground.framework_of(scene.chair)
    if own is None and violation == Violation.FRAMEWORK_INCONSISTENCY.value:
        violation = Violation.LOW_ADHERENCE.value
    opponent, claim = answered(scene)
    text = line(
        f"interjection.{violation}",
        seed=ground.seed_of(scene),
        speaker=brief(scene.speaker),
        opponent=opponent,
        claim=claim,
        spot=f"One that yours must live with: {own.blind_spots[0]}." if own else "",
        framework=own.name.lower() if own else "",
        gist=own.gist if own else "",
    )
    return {"text": text}


def answered(scene: Scene) -> tuple[str, str]:
    """Return who was to be answered, and what they mainly claimed, in at most fifteen words."""
    for one in reversed(scene.answered):
        for claim in ground.claims_of(scene, one):
            words = claim.line.split()
            short = " ".join(words[:15]) if len(words) > 15 else claim.line
            return brief(one.speaker), quoted(short if len(words) <= 15 else f"{short} \u2026", limit=110)
    return "the table", line("interjection_none")


def brief(name: str) -> str:
    """Return a name in at most three words: an interjection is short."""
    return " ".join(called(name).split()[:3])
