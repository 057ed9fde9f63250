"""Creating an open debate: everything is checked before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from debates import event_log
from debates.errors import Invalid
from debates.models import Debate, Participant, Thread
from debates.services.rights import permitted
from debates.types import Kind, Role
from judging.formats import costs, prompts, turns
from judging.formats.debate_lookup import repeated
from judging.formats.open import CALLED, NAME, spec
from judging.formats.open.spec import Chair, TableSpec
from judging.models import Script
from judging.providers import provider
from judging.providers.scripted import checked_script
from judging.rules.rulesets import RuleSet
from judging.types import Purpose
from scoring.rules.numbers import decimal_of

ARBITER = "Arbiter"
MAIN = "main"
PURPOSES = (
    Purpose.INTRODUCE,
    Purpose.OPEN,
    Purpose.RESPOND,
    Purpose.EVALUATE,
    Purpose.INFLUENCE,
    Purpose.INTERJECT,
    Purpose.SUM_UP,
)


ASKED: Mapping[Role, tuple[Purpose, ...]] = {
    Role.CHAIR: (Purpose.OPEN, Purpose.RESPOND),
    Role.ARBITER: (Purpose.INTRODUCE, Purpose.EVALUATE, Purpose.INFLUENCE, Purpose.INTERJECT, Purpose.SUM_UP),
}
"""What a voice may be asked for: settings may name a model for each."""


@transaction.atomic(durable=True)
def create(*, wanted: TableSpec, by: User | None, now: datetime) -> Debate:
    """Create a draft of an open debate, with everybody at its table and its one thread. Nothing is played yet.

    Shape: ``by`` is nobody when the operator of the machine asks.
    Raises: ``NotPermitted``; ``Invalid`` and its kin, naming the field.
    """
    permitted(by=by, permission="debates.add_debate")
    spec.checked(wanted)
    script = checked_script(wanted.script)
    check_providers(wanted=wanted, scripted=bool(script))
    motion = wanted.motion.strip()
    debate = Debate.objects.create(
        format=NAME,
        title=(wanted.title.strip() or motion)[:200],
        motion=motion,
        visibility=wanted.visibility.value,
        parameters=snapshot_of(wanted=wanted),
        rounds=wanted.exchanges,
        limit_money=wanted.limits.money,
        limit_tokens=wanted.limits.tokens,
        limit_calls=wanted.limits.calls,
        repeat_of=repeated(named=wanted.repeat_of, of=NAME, called=CALLED, visibility=wanted.visibility, by=by),
        created_by=by,
    )
    event_log.open_stream(debate_id=debate.pk)
    _add_everybody(debate=debate, wanted=wanted)
    if script:
        Script.objects.create(debate=debate, answers=script)
    Thread.objects.create(debate=debate, key=MAIN, position=1)
    news = turns.suspicions(debate_id=debate.pk, about="motion", of=str(debate.public_id), text=motion)
    event_log.append(debate_id=debate.pk, news=news, now=now)
    return debate


def check_providers(*, wanted: TableSpec, scripted: bool) -> None:
    """Refuse providers that there are not, a scripted voice without a script, and money that would not hold a voice.

    Raises: ``Invalid``.
    """
    engines = [one for one in wanted.chairs if one.kind == Kind.ENGINE.value]
    providers = [wanted.provider, *(one.provider or wanted.provider for one in engines)]
    for name in providers:
        provider(name)
    if "scripted" in providers and not scripted:
        raise Invalid("script must not be empty when somebody is scripted.")
    costs.check_limits(limits=wanted.limits, purposes=ASKED, voices=voices_of(wanted))


def snapshot_of(*, wanted: TableSpec) -> dict[str, Any]:
    """Return everything that decides how an open debate is played and scored, as the debate keeps it."""
    rules: RuleSet = spec.rules_of(wanted)
    words = spec.words_of(wanted.words)
    return {
        "score": wanted.score.snapshot(),
        "fairness": wanted.fairness.snapshot(),
        "table": {
            "chairs": [seat_of(one) for one in wanted.chairs],
            "turn_seconds": wanted.turn_seconds,
            "tone": wanted.tone,
            "introduction": wanted.introduction,
            "judging": wanted.judging,
            "judge_concurrency": wanted.judge_concurrency,
            "accountability": wanted.accountability,
            "interjections": wanted.interjections,
            "persuasion": wanted.persuasion,
            "effects": wanted.effects or spec.effects_by(wanted.provider),
            "rules": rules.snapshot(),
            "words": {"persuasion": words.persuasion, "attack": words.attack, "evidence": words.evidence},
            "credit": wanted.credit,
            "prompts": {one.value: prompts.NEWEST[one] for one in PURPOSES},
        },
    }


def seat_of(chair: spec.Chair) -> dict[str, str]:
    """Return where a participant begins, as the debate keeps it."""
    stance = decimal_of(chair.stance, name="stance", low=Decimal(-1), high=Decimal(1), places=2)
    conviction = decimal_of(chair.conviction, name="conviction", low=Decimal(0), high=Decimal(1), places=2)
    return {
        "name": chair.name.strip(),
        "framework": chair.framework,
        "stance": str(stance),
        "conviction": str(conviction),
        "strategy": chair.strategy,
    }


def voice_of(chair: Chair, *, wanted: TableSpec) -> dict[str, str]:
    """Return with what an engine speaks; people and programs have voices of their own."""
    if chair.kind != Kind.ENGINE.value:
        return {}
    return {
        "provider": chair.provider or wanted.provider,
        "model": chair.model or (wanted.model if not chair.provider else ""),
    }


def voices_of(wanted: TableSpec) -> list[tuple[Role, str, str]]:
    """Return role, provider and model of every engine at a table."""
    spoken = [voice_of(one, wanted=wanted) for one in wanted.chairs if one.kind == Kind.ENGINE.value]
    chairs = [(Role.CHAIR, one["provider"], one["model"]) for one in spoken]
    return [*chairs, (Role.ARBITER, wanted.provider, wanted.model)]


def _add_everybody(*, debate: Debate, wanted: TableSpec) -> None:
    seats = [
        Participant(
            debate=debate,
            role=Role.CHAIR.value,
            kind=one.kind,
            name=one.name.strip(),
            position=position,
            **voice_of(one, wanted=wanted),
        )
        for position, one in enumerate(wanted.chairs, start=1)
    ]
    arbiter = Participant(
        debate=debate,
        role=Role.ARBITER.value,
        kind=Kind.ENGINE.value,
        name=ARBITER,
        position=len(seats) + 1,
        provider=wanted.provider,
        model=wanted.model,
    )
    Participant.objects.bulk_create([*seats, arbiter])
