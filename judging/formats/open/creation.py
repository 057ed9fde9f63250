"""Creating an open debate: everything is checked before anything is written."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from debates.models import Participant
from debates.types import Kind, Role
from judging.formats import prompts
from judging.formats.base import Draft
from judging.formats.open import spec
from judging.formats.open.spec import Chair, TableSpec
from judging.rules.rulesets import RuleSet
from judging.types import Purpose
from scoring.rules.numbers import decimal_of

ARBITER = "Arbiter"
PURPOSES = (
    Purpose.INTRODUCE,
    Purpose.OPEN,
    Purpose.RESPOND,
    Purpose.EVALUATE,
    Purpose.INFLUENCE,
    Purpose.INTERJECT,
    Purpose.SUM_UP,
)


def draft(*, wanted: TableSpec) -> Draft:
    """Return what an open debate is written with: everybody at its table, one thread.

    Raises: ``Invalid`` and its kin, naming the field.
    """
    spec.checked(wanted)
    motion = wanted.motion.strip()
    return Draft(
        title=(wanted.title.strip() or motion)[:200],
        motion=motion,
        rounds=wanted.exchanges,
        parameters=snapshot_of(wanted=wanted),
        participants=everybody(wanted),
        repeat_of=wanted.repeat_of,
    )


def snapshot_of(*, wanted: TableSpec) -> dict[str, Any]:
    rules: RuleSet = spec.rules_of(wanted)
    words = spec.words_of(wanted.words)
    return {
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


def everybody(wanted: TableSpec) -> list[Participant]:
    chairs = [
        Participant(role=Role.CHAIR.value, kind=one.kind, name=one.name.strip(), **voice_of(one, wanted=wanted))
        for one in wanted.chairs
    ]
    arbiter = Participant(
        role=Role.ARBITER.value,
        kind=Kind.ENGINE.value,
        name=ARBITER,
        provider=wanted.provider,
        model=wanted.model,
    )
    return [*chairs, arbiter]
