"""What a voice of an open debate, or its judge, is shown: the motion, the table, and what was said."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from judging.formats.prompts.fences import fenced
from judging.rules import frameworks
from judging.rules.effects import Strategy
from judging.rules.interjection import Violation
from judging.types import Position, Scene, Utterance

MOTION_CHARACTERS = 2_000
NAME_CHARACTERS = 80
TURN_CHARACTERS = 4_000
OWN_CHARACTERS = 6_000
HISTORY_CHARACTERS = 1_000
"""How much of what was said before a judge of fairness sees: the end of it."""
SAID_CHARACTERS = 60_000
NOTES_CHARACTERS = 1_000
RULES: Mapping[str, str] = {
    Violation.STRAW_MANNING.value: "An opponent's view must be told fairly before it is answered.",
    Violation.MISSING_SELF_CRITIQUE.value: "Everybody names a limit of their own position.",
    Violation.FRAMEWORK_INCONSISTENCY.value: "Reasons must follow from the framework one argues from.",
    Violation.RHETORICAL_EVASION.value: "Questions are answered, and nobody is misrepresented.",
    Violation.LOW_ADHERENCE.value: "Fair to others, open about oneself, consistent, honest: all four are expected.",
}


def fields(scene: Scene) -> Mapping[str, str]:
    """Return what a template about an open debate may name. Everything that people wrote is fenced, names too."""
    way = -1 if scene.swapped else 1
    response = fenced(scene.response, limit=TURN_CHARACTERS)
    return {
        "motion": fenced(scene.motion, limit=MOTION_CHARACTERS),
        "table": "\n".join(_seat(one) for one in scene.chairs),
        "listeners": "\n".join(_seat(one) for one in scene.opponents[::way] if not one.surrendered),
        "speaker": _speaker(scene),
        "framework": _framework(scene.chair),
        "tone": frameworks.tones().get(scene.tone, ""),
        "manner": _manner(scene.chair),
        "accountability": frameworks.accountability().get(scene.accountability, ""),
        "exchange": str(scene.exchange),
        "exchanges": str(scene.exchanges),
        "own": _turns(scene.own, limit=OWN_CHARACTERS) or "Nothing yet.",
        "answered": _answered(scene),
        "history": _end(scene.earlier),
        "said": _turns(scene.said, limit=SAID_CHARACTERS) or "Nothing yet.",
        "response": response,
        "words": "\n\n".join([f"What was answered:\n{_answered(scene)}", f"The response:\n{response}"][::way]),
        "violation": RULES.get(scene.violation, RULES[Violation.LOW_ADHERENCE.value]),
        "notes": fenced(" ".join(scene.notes), limit=NOTES_CHARACTERS),
        "result": fenced(json.dumps(dict(scene.result), ensure_ascii=False), limit=TURN_CHARACTERS),
    }


def name_of(name: str) -> str:
    return fenced(name, limit=NAME_CHARACTERS)


def _answered(scene: Scene) -> str:
    return "\n".join(_turn(one) for one in scene.answered) or "Nothing yet."


def _seat(one: Position) -> str:
    own = frameworks.frameworks().get(one.framework)
    ground = f"argues from {own.name}: {own.gist}" if own else "argues from no framework"
    gone = ", has given up" if one.surrendered else ""
    return f"- {name_of(one.name)}, stance {one.stance}, conviction {one.conviction}{gone}; {ground}"


def _speaker(scene: Scene) -> str:
    chair = scene.chair
    if chair is None:
        return name_of(scene.speaker)
    return f"{name_of(chair.name)}, stance {chair.stance}, conviction {chair.conviction}"


def _framework(chair: Position | None) -> str:
    own = frameworks.frameworks().get(chair.framework) if chair else None
    if own is None:
        return "No framework."
    return (
        f"Framework: {own.name}. {own.gist}\nIts question: {own.question}\n"
        f"Its strengths: {'; '.join(own.strengths)}.\nIts blind spots: {'; '.join(own.blind_spots)}."
    )


def _manner(chair: Position | None) -> str:
    known = {one.value: one for one in Strategy}
    return frameworks.manner(known[chair.strategy]) if chair and chair.strategy in known else ""


def _turn(one: Utterance) -> str:
    place = f"exchange {one.exchange}" if one.exchange else one.kind
    return f"{name_of(one.speaker)} ({place}): {fenced(one.text, limit=TURN_CHARACTERS)}"


def _turns(said: Sequence[Utterance], *, limit: int) -> str:
    kept: list[str] = []
    room = limit
    for one in reversed(said):
        line = _turn(one)
        room -= len(line)
        if room < 0 and kept:
            break
        kept.insert(0, line)
    return "\n".join(kept)


def _end(said: Sequence[Utterance]) -> str:
    """Return the last characters of what was said, in one fence."""
    whole = "\n".join(f"{one.speaker}: {one.text}" for one in said)
    return fenced(whole[-HISTORY_CHARACTERS:], limit=HISTORY_CHARACTERS)
