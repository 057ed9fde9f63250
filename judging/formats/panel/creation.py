"""Creating a panel: everything is checked before anything is written."""

from __future__ import annotations

from typing import Any

from debates.models import Participant
from debates.types import Kind, Role
from judging.formats import prompts
from judging.formats.base import Draft
from judging.formats.panel import spec
from judging.formats.panel.spec import PanelSpec
from judging.types import Purpose

REPORTER = "Reporter"


def draft(*, wanted: PanelSpec) -> Draft:
    """Return what a panel is written with: its judges, its reporter, one thread.

    Raises: ``Invalid`` naming the field.
    """
    spec.checked(wanted)
    return Draft(
        title=wanted.title.strip(),
        subject=wanted.subject,
        rounds=max(1, wanted.policy.debate_rounds),
        parameters=snapshot_of(wanted=wanted),
        participants=everybody(wanted),
        repeat_of=wanted.repeat_of,
    )


def snapshot_of(*, wanted: PanelSpec) -> dict[str, Any]:
    strategies = [spec.strategy_of(seat=seat, position=at) for at, seat in enumerate(wanted.seats)]
    return {
        "rubric": dict(wanted.rubric),
        "play": {"personas": [], "challenges_per_criterion": 0, "score_updates": "per_round"},
        "initial": {},
        "panel": {
            "task": wanted.task.strip(),
            "policy": wanted.policy.snapshot(),
            "not_applicable": dict(wanted.not_applicable),
            "strategies": strategies,
            "prompts": {one.value: prompts.NEWEST[one] for one in (Purpose.ANALYSE, Purpose.ARGUE, Purpose.REPORT)},
        },
    }


def everybody(wanted: PanelSpec) -> list[Participant]:
    seats = [(Role.JUDGE, f"Judge {at}", seat) for at, seat in enumerate(wanted.seats, start=1)]
    return [
        Participant(role=role.value, kind=Kind.ENGINE.value, name=name, provider=seat.provider, model=seat.model)
        for role, name, seat in [*seats, (Role.ARBITER, REPORTER, wanted.reporter)]
    ]
