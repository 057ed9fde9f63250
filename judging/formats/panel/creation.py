"""Creating a panel: everything is checked before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from debates import event_log
from debates.errors import Invalid
from debates.models import Debate, Participant, Subject, Thread
from debates.services.rights import permitted
from debates.types import Kind, Role
from judging.formats import costs, prompts
from judging.formats.criterion.creation import suspect
from judging.formats.debate_lookup import repeated
from judging.formats.panel import CALLED, NAME, spec
from judging.formats.panel.spec import PanelSpec
from judging.models import Script
from judging.providers import provider
from judging.providers.scripted import checked_script
from judging.types import Purpose

REPORTER = "Reporter"
MAIN = "main"


ASKED: Mapping[Role, tuple[Purpose, ...]] = {
    Role.JUDGE: (Purpose.ANALYSE, Purpose.ARGUE),
    Role.ARBITER: (Purpose.REPORT,),
}
"""What a voice may be asked for: settings may name a model for each."""


@transaction.atomic(durable=True)
def create(*, wanted: PanelSpec, by: User | None, now: datetime, owner: User | None = None) -> Debate:
    """Create a draft of a panel, with its judges and its one thread. Nothing is played yet.

    Shape: ``by`` is nobody when the operator of the machine asks, for ``owner`` or for nobody.
    Raises: ``NotPermitted``; ``Invalid`` naming the field.
    """
    permitted(by=by, permission="debates.add_debate")
    spec.checked(wanted)
    script = checked_script(wanted.script)
    _check_providers(wanted, scripted=bool(script))
    title = wanted.title.strip()
    debate = Debate.objects.create(
        format=NAME,
        title=title,
        subject=Subject.objects.create(title=title, text=wanted.subject, created_by=owner or by),
        visibility=wanted.visibility.value,
        parameters=snapshot_of(wanted=wanted),
        rounds=max(1, wanted.policy.debate_rounds),
        limit_money=wanted.limits.money,
        limit_tokens=wanted.limits.tokens,
        limit_calls=wanted.limits.calls,
        repeat_of=repeated(named=wanted.repeat_of, of=NAME, called=CALLED, visibility=wanted.visibility, by=by),
        created_by=owner or by,
    )
    event_log.open_stream(debate_id=debate.pk)
    _add_seats(debate=debate, wanted=wanted)
    if script:
        Script.objects.create(debate=debate, answers=script)
    Thread.objects.create(debate=debate, key=MAIN, position=1)
    event_log.append(debate_id=debate.pk, news=suspect(debate=debate), now=now)
    return debate


def snapshot_of(*, wanted: PanelSpec) -> dict[str, Any]:
    """Return everything that decides how a panel is played and scored, as the debate keeps it."""
    strategies = [spec.strategy_of(seat=seat, position=at) for at, seat in enumerate(wanted.seats)]
    return {
        "rubric": dict(wanted.rubric),
        "score": wanted.score.snapshot(),
        "fairness": wanted.fairness.snapshot(),
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


def _add_seats(*, debate: Debate, wanted: PanelSpec) -> None:
    seats = [(Role.JUDGE, f"Judge {at}", seat) for at, seat in enumerate(wanted.seats, start=1)]
    Participant.objects.bulk_create(
        Participant(
            debate=debate,
            role=role.value,
            kind=Kind.ENGINE.value,
            name=name,
            position=position,
            provider=seat.provider,
            model=seat.model,
        )
        for position, (role, name, seat) in enumerate([*seats, (Role.ARBITER, REPORTER, wanted.reporter)], start=1)
    )


def _check_providers(wanted: PanelSpec, *, scripted: bool) -> None:
    seats = [*((Role.JUDGE, one) for one in wanted.seats), (Role.ARBITER, wanted.reporter)]
    for _, seat in seats:
        provider(seat.provider)
    if not scripted and any(seat.provider == "scripted" for _, seat in seats):
        raise Invalid("script must not be empty when a judge is scripted.")
    asked = [(role, one.provider, one.model) for role, one in seats]
    costs.check_limits(limits=wanted.limits, purposes=ASKED, voices=asked)
