"""Batches of responses for tests: files, and what becomes of them."""

import json
from typing import Any

from django.utils import timezone

from debates.models import Debate
from judging.engine import lifecycle
from judging.engine.creation import create_draft
from judging.formats.responses import spec
from judging.formats.responses.spec import ResponsesSpec
from tests.playing import work

MOTION = "Cities should make public transport free."
ANSWERED = "Free buses only move the cost to people who never ride them."
FAIR = (
    "Otto is right that free buses move the cost to people who never ride them. Still, ten thousand fewer cars help "
    "everybody. I admit that my view is weak where nobody can count who would only have walked."
)
CURT = "Nonsense. Only a fool would say that. Buses are good, and everybody knows it."


def row(number: int, **more: str) -> dict[str, str]:
    """The row of a file: every third is curt, speakers and frameworks take turns."""
    words = CURT if number % 3 == 0 else FAIR
    return {
        "id": f"r-{number}",
        "speaker": ("Mira", "Konrad")[number % 2],
        "framework": ("utilitarian", "", "care_ethics", "Whoever pays decides, and nobody else.")[number % 4],
        "answered": ANSWERED,
        "opponent": "Otto",
        "response": f"{words} This is case {number}.",
        **more,
    }


def lines(count: int) -> str:
    return "\n".join(json.dumps(row(number)) for number in range(1, count + 1))


def drafted(text: str, **more: Any) -> Debate:
    wanted = spec.checked(ResponsesSpec(motion=MOTION, responses=spec.read(text), **more))
    return create_draft(spec=wanted, by=None, now=timezone.now())


def started(text: str, **more: Any) -> Debate:
    debate = drafted(text, **more)
    lifecycle.start(debate_id=debate.pk, by=None, now=timezone.now())
    return debate


def judged(text: str, **more: Any) -> Debate:
    debate = started(text, **more)
    work()
    debate.refresh_from_db()
    return debate


def marks(*numbers: str, violations: tuple[str, ...] = ()) -> dict[str, Any]:
    """An answer of a judge with these four marks."""
    steel, critique, fits, candid = numbers
    told = {"quotes": [], "notes": "So."}
    return {
        "steel_manning": {**told, "attempted": True, "score": steel},
        "self_critique": {**told, "attempted": False, "score": critique},
        "consistency": {**told, "violations": list(violations), "score": fits},
        "honesty": {**told, "issues": [], "score": candid},
    }
