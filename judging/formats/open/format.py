"""Creating an open debate: everything is checked before anything is written."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet

from debates.models import AwaitedTurn, Debate, Participant
from debates.types import Kind, Role
from judging.formats import prompts
from judging.formats.base import Draft, WordColumns
from judging.formats.costs import Asked, of_role
from judging.formats.open import CALLED, NAME, api, page, results, spec, verify
from judging.formats.open.play import OpenPlay
from judging.formats.open.spec import ChairSpec, Judging, TableSpec
from judging.models import ResponseEvaluation
from judging.pages.fragments import Page
from judging.rules.interjection import Accountability
from judging.rules.persuasion import RuleSet
from judging.types import EffectSource, Purpose
from scoring.proof import Fault
from scoring.rules.numbers import decimal_of

# Creating an open debate: everything is checked before anything is written.


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


def build_draft(*, wanted: TableSpec) -> Draft:
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


def seat_of(chair: spec.ChairSpec) -> dict[str, str]:
    stance = decimal_of(chair.stance, name="stance", low=Decimal(-1), high=Decimal(1), places=2)
    conviction = decimal_of(chair.conviction, name="conviction", low=Decimal(0), high=Decimal(1), places=2)
    return {
        "name": chair.name.strip(),
        "framework": chair.framework,
        "stance": str(stance),
        "conviction": str(conviction),
        "strategy": chair.strategy,
    }


def voice_of(chair: ChairSpec, *, wanted: TableSpec) -> dict[str, str]:
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


# Format ``open``: what there is of it, and where.


class OpenFormat(OpenPlay):
    """Debaters with stances and frameworks who move each other and are judged for fairness, exchange by exchange."""

    name = NAME
    called = CALLED
    round_noun = "exchange"
    first_round = 0
    serializer = api.OpenDebateSerializer
    example = api.EXAMPLE
    purposes = {
        Role.CHAIR: (Purpose.OPEN, Purpose.RESPOND),
        Role.ARBITER: (Purpose.INTRODUCE, Purpose.EVALUATE, Purpose.INFLUENCE, Purpose.INTERJECT, Purpose.SUM_UP),
    }
    result_template = "debates/result_open.html"
    repeated_tables = results.TABLES
    words = (WordColumns(ResponseEvaluation, {"grounds": ""}, "turn__debate", ("turn__debate__participants",)),)
    caches_judgements = True

    def spec_of(self, *, given: Mapping[str, Any], readable: QuerySet[Debate]) -> TableSpec:
        """A preset, or chairs of its own."""
        return api.spec_of(given)

    def draft(self, *, spec: TableSpec, by: User | None) -> Draft:
        """Everybody at the table, one thread."""
        return build_draft(wanted=spec)

    def judgements(self, *, debate: Debate) -> Asked:
        """How fair each response is, and what it does to those who listen, where that is judged."""
        [arbiter] = of_role(debate, Role.ARBITER)
        kept = debate.parameters["table"]
        responses = len(kept["chairs"]) * debate.rounds
        judged = {}
        if kept["judging"] == Judging.FULL.value:
            judged[arbiter, Purpose.EVALUATE] = responses
        if kept["persuasion"] and kept["effects"] == EffectSource.JUDGE.value:
            judged[arbiter, Purpose.INFLUENCE] = responses
        return judged

    def other_calls(self, *, debate: Debate) -> int:
        """Openings and responses of engines, the arbiter's introduction, interjections and last word."""
        kept = debate.parameters["table"]
        chairs = len(kept["chairs"])
        engines = debate.participants.filter(role=Role.CHAIR.value, kind=Kind.ENGINE.value).count()
        speaks = kept["interjections"] and kept["accountability"] != Accountability.RELAXED.value
        interjected = chairs * debate.rounds if speaks and kept["judging"] == Judging.FULL.value else 0
        return int(kept["introduction"]) + engines * (1 + debate.rounds) + interjected + 1

    def page(self, *, debate: Debate, only: Collection[str] | None) -> Page:
        return page.page(debate=debate, only=only)

    def result_page(self, *, debate: Debate) -> Mapping[str, Any]:
        return page.board(debate=debate)

    def awaited(self, *, debate: Debate) -> AwaitedTurn | None:
        return page.awaited(debate=debate)

    def result_document(self, *, debate: Debate) -> Mapping[str, Any]:
        return results.document(debate=debate)

    def faults(self, *, debate_id: int | None) -> Iterable[Fault]:
        """Marks, effects, states and standings follow from what was judged."""
        return verify.faults(debate_id)
