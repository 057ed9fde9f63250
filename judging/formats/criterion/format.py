"""Format ``criterion``: what there is of it, and where."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet

from debates.models import Debate
from debates.types import Role
from judging.formats.base import Draft, Summary, Words
from judging.formats.costs import Asked, of_role
from judging.formats.criterion import CALLED, NAME, api, creation, page, repeated, results, scoreboard, verify
from judging.formats.criterion.play import CriterionPlay
from judging.formats.spec import CriterionSpec
from judging.models import Challenge, Verdict
from judging.pages import synthesis
from judging.pages.fragments import Page
from judging.types import Purpose
from scoring.proof import Fault


class Criterion(CriterionPlay):
    """Evaluator against red team, one thread per criterion; an arbiter moves the score of each."""

    name = NAME
    called = CALLED
    serializer = api.CriterionDebate
    example = api.EXAMPLE
    purposes = {
        Role.EVALUATOR: (Purpose.ASSESS, Purpose.DEFEND),
        Role.CHALLENGER: (Purpose.CHALLENGE, Purpose.PRESS),
        Role.ARBITER: (Purpose.JUDGE, Purpose.SYNTHESISE),
    }
    somebody = "a voice"
    reruns = True
    result_template = "debates/result_criterion.html"
    repeated_tables = repeated.TABLES
    words = (
        Words(Challenge, {"quote": ""}, "thread__debate", ("turn__participant", "defences__turn__participant")),
        Words(
            Verdict,
            {"reasoning": ""},
            "round__thread__debate",
            ("challenge__turn__participant", "challenge__defences__turn__participant"),
        ),
    )

    def spec_of(self, *, given: Mapping[str, Any], readable: QuerySet[Debate]) -> CriterionSpec:
        """A stored rubric, and a panel where it gives the initial scores."""
        return api.spec_of(given, readable=readable)

    def draft(self, *, spec: CriterionSpec, by: User | None) -> Draft:
        """Three voices, a thread for every criterion."""
        return creation.draft(spec=spec, by=by)

    def judgements(self, *, debate: Debate) -> Asked:
        """One ruling in every round of every criterion."""
        [arbiter] = of_role(debate, Role.ARBITER)
        return {(arbiter, Purpose.JUDGE): debate.threads.count() * debate.rounds}

    def other_calls(self, *, debate: Debate) -> int:
        """Challenges and defences, an assessment where no score came along, and the synthesis."""
        threads = debate.threads.count()
        return threads * debate.rounds * 2 + (0 if debate.parameters["initial"] else threads) + 1

    def page(self, *, debate: Debate, only: Collection[str] | None) -> Page:
        return page.page(debate=debate, only=only)

    def result_page(self, *, debate: Debate) -> Mapping[str, Any]:
        return {"board": scoreboard.scoreboard(debate=debate), "synthesis": synthesis.newest(debate=debate)}

    def summaries(self, *, debates: Sequence[Debate]) -> Mapping[int, Summary]:
        return scoreboard.summaries(debates=debates)

    def result_document(self, *, debate: Debate) -> Mapping[str, Any]:
        return results.document(debate=debate)

    def faults(self, *, debate_id: int | None) -> Iterable[Fault]:
        """Verdicts are what their facts say, and what the arbiter answered."""
        return verify.faults(debate_id)
