"""Who takes part in a debate, and what a reader may see of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from debates import selectors
from debates.decimals import in_places
from debates.models import Debate, Participant
from debates.selectors import Visitor
from debates.types import Kind
from judging.models import Call
from judging.types import OFFLINE, Outcome
from scoring.models import Evaluation
from scoring.services import moderation_effect

__all__ = ["Visitor", "debate_at"]


def debate_at(*, address: UUID, visitor: Visitor) -> Debate | None:
    """Return the debate at an address, or nothing if there is none that this visitor may read."""
    return selectors.visible_debates(visitor=visitor).filter(public_id=address).first()


def document_head(*, debate: Debate, **more: str) -> dict[str, Any]:
    """Return what every result document begins with; ``more`` stands behind the title."""
    return {
        "format": debate.format,
        "debate": {
            "id": str(debate.public_id),
            "title": debate.title,
            **more,
            "format": debate.format,
            "status": debate.status,
            "partial": debate.partial,
            "partialReason": debate.partial_reason,
            "rounds": debate.rounds,
        },
        "moderation": moderation(debate=debate),
    }


def moderation(*, debate: Debate) -> dict[str, Any]:
    """Return which scores of a debate persons have moved, and where each would stand had nobody."""
    scores = {row.pk: row for row in Evaluation.objects.filter(debate=debate, moderation_version__gt=0).order_by("pk")}
    effects = moderation_effect.moved(evaluations=scores.values())
    return {
        "moved": [
            {
                "evaluation": str(scores[pk].public_id),
                "key": scores[pk].key,
                "final": in_places(effect.final),
                "withoutModeration": in_places(effect.without),
            }
            for pk, effect in effects.items()
        ]
    }


def judged_by(*, debate: Debate) -> list[dict[str, str]]:
    """Return who spoke and judged; of a model the name by which it answered, until then that by which it is asked."""
    rows = list(Participant.objects.filter(debate=debate).order_by("position"))
    models = models_of(rows)
    return [{"role": row.role, "name": row.name, "provider": row.provider, "model": models[row.pk]} for row in rows]


def models_of(participants: Sequence[Participant]) -> Mapping[int, str]:
    """Return the models of participants; where settings name them, or one for each purpose, calls alone know which."""
    asked = [row.pk for row in participants if row.kind == Kind.ENGINE.value and row.provider not in KNOWN]
    answered: dict[int, list[str]] = {}
    if asked:
        used = Call.objects.filter(participant__in=asked, outcome=Outcome.USED.value).exclude(model="")
        for participant, model in used.order_by("model").values_list("participant", "model").distinct():
            answered.setdefault(participant, []).append(model)
    return {row.pk: ", ".join(answered.get(row.pk, [row.model])) for row in participants}


KNOWN: Mapping[str, str] = {
    OFFLINE: "fixed rules, no language model",
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
    rows = list(Participant.objects.filter(debate=debate).order_by("position", "pk"))
    models = models_of(rows)
    held = "order" in debate.parameters.get("table", {})
    return [
        Person(role=row.role, name=row.name, provider="a transcript", means="")
        if held and row.provider == "scripted"
        else Person(role=row.role, name=row.name, provider=voice_of(row), means=meaning_of(row, model=models[row.pk]))
        for row in rows
    ]


def voice_of(participant: Participant) -> str:
    """Return who speaks: a provider by its name, or a person, or another program."""
    if participant.kind != Kind.ENGINE.value:
        return "a person" if participant.kind == Kind.HUMAN.value else "another program"
    return participant.provider


def meaning_of(participant: Participant, *, model: str) -> str:
    """Return what a reader should know about an engine's voice: its model, or that it is none."""
    if participant.kind != Kind.ENGINE.value:
        return ""
    return KNOWN.get(participant.provider) or (f"model {model}" if model else "")
