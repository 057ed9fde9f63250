"""Who spoke and judged, named for what it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from debates.models import Debate, Participant
from debates.types import Kind

KNOWN: Mapping[str, str] = {
    "heuristic": "fixed rules, no language model",
    "scripted": "prepared answers, no language model",
}


@dataclass(frozen=True, slots=True)
class Person:
    """A participant and what speaks through it."""

    role: str
    name: str
    provider: str
    means: str


def people(*, debate: Debate) -> Sequence[Person]:
    """Return everybody who takes part in a debate, in speaking order."""
    rows = Participant.objects.filter(debate=debate).order_by("position", "pk")
    return [Person(role=one.role, name=one.name, provider=voice_of(one), means=meaning_of(one)) for one in rows]


def voice_of(one: Participant) -> str:
    """Return who speaks: a provider by its name, or a person, or another program."""
    if one.kind != Kind.ENGINE.value:
        return "a person" if one.kind == Kind.HUMAN.value else "another program"
    return one.provider


def meaning_of(one: Participant) -> str:
    """Return what a reader should know about an engine's voice: its model, or that it is none."""
    if one.kind != Kind.ENGINE.value:
        return ""
    return KNOWN.get(one.provider) or (f"model {one.model}" if one.model else "")
