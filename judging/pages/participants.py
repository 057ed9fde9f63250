"""Who takes part in a debate, and what a reader may see of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from debates import selectors
from debates.models import Debate, Participant
from debates.selectors import Visitor
from debates.types import Kind

# Who may see which debate: the same for pages as for every other door.


__all__ = ["Visitor", "debate_at"]


def debate_at(*, address: UUID, visitor: Visitor) -> Debate | None:
    """Return the debate at an address, or nothing if there is none that this visitor may read."""
    return selectors.visible_debates(visitor=visitor).filter(public_id=address).first()


# Who spoke and judged, named for what it is.


def judged_by(*, debate: Debate) -> list[dict[str, str]]:
    rows = Participant.objects.filter(debate=debate).order_by("position")
    return [{"role": one.role, "name": one.name, "provider": one.provider, "model": one.model} for one in rows]


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
