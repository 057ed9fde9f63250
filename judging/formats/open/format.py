"""Format ``open``: what there is of it, and where."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet

from debates.models import AwaitedTurn, Debate
from debates.types import Kind, Role
from judging.formats.base import Draft, Words
from judging.formats.costs import Asked, of_role
from judging.formats.open import CALLED, NAME, api, creation, page, results, seats, verify
from judging.formats.open.play import OpenPlay
from judging.formats.open.spec import Judging, TableSpec
from judging.models import ResponseEvaluation
from judging.pages.fragments import Page
from judging.rules.interjection import Accountability
from judging.types import EffectSource, Purpose
from scoring.proof import Fault


class Open(OpenPlay):
    """Debaters with stances and frameworks who move each other and are judged for fairness, exchange by exchange."""

    name = NAME
    called = CALLED
    round_noun = "exchange"
    first_round = 0
    serializer = api.OpenDebate
    example = api.EXAMPLE
    purposes = {
        Role.CHAIR: (Purpose.OPEN, Purpose.RESPOND),
        Role.ARBITER: (Purpose.INTRODUCE, Purpose.EVALUATE, Purpose.INFLUENCE, Purpose.INTERJECT, Purpose.SUM_UP),
    }
    result_template = "debates/result_open.html"
    repeated_tables = results.TABLES
    words = (Words(ResponseEvaluation, {"grounds": ""}, "turn__debate", ("turn__debate__participants",)),)
    caches_judgements = True

    def spec_of(self, *, given: Mapping[str, Any], readable: QuerySet[Debate]) -> TableSpec:
        """A preset, or chairs of its own."""
        return api.spec_of(given)

    def draft(self, *, spec: TableSpec, by: User | None) -> Draft:
        """Everybody at the table, one thread."""
        return creation.draft(wanted=spec)

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
        return seats.awaited(debate=debate)

    def result_document(self, *, debate: Debate) -> Mapping[str, Any]:
        return results.document(debate=debate)

    def faults(self, *, debate_id: int | None) -> Iterable[Fault]:
        """Marks, effects, states and standings follow from what was judged."""
        return verify.faults(debate_id)
