"""Format ``panel``: what there is of it, and where."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet

from debates.models import Debate
from debates.types import Role
from judging.formats.base import Draft, Emptying, Paper, Words
from judging.formats.costs import Asked, Judge, of_role
from judging.formats.panel import CALLED, NAME, api, creation, erasure, page, reports, results, verify
from judging.formats.panel.play import PanelPlay
from judging.formats.panel.spec import PanelSpec
from judging.models import JudgeReport
from judging.pages.fragments import Page
from judging.types import Purpose
from scoring.proof import Fault


class Panel(PanelPlay):
    """Independent judges who debate to consensus, or a person decides."""

    name = NAME
    called = CALLED
    heading_counts_rounds = False
    somebody = "a judge"
    first_round = 0
    serializer = api.PanelDebate
    example = api.EXAMPLE
    purposes = {
        Role.JUDGE: (Purpose.ANALYSE, Purpose.ARGUE),
        Role.ARBITER: (Purpose.REPORT,),
    }
    result_template = "debates/result_panel.html"
    repeated_tables = results.TABLES
    words = (Words(JudgeReport, {"body": ""}, "debate", ("debate__participants",)),)

    def spec_of(self, *, given: Mapping[str, Any], readable: QuerySet[Debate]) -> PanelSpec:
        """A template, criteria with weights, or a stored rubric."""
        return api.spec_of(given)

    def draft(self, *, spec: PanelSpec, by: User | None) -> Draft:
        """Judges, a reporter, one thread."""
        return creation.draft(wanted=spec)

    def judgements(self, *, debate: Debate) -> Asked:
        """Every judge reads alone, then argues in every round."""
        rounds = debate.parameters["panel"]["policy"]["debate_rounds"]
        asked: dict[tuple[Judge, Purpose], int] = {}
        for judge in of_role(debate, Role.JUDGE):
            asked[judge, Purpose.ANALYSE] = 1
            if rounds:
                asked[judge, Purpose.ARGUE] = rounds
        return asked

    def other_calls(self, *, debate: Debate) -> int:
        return 1

    def page(self, *, debate: Debate, only: Collection[str] | None) -> Page:
        return page.page(debate=debate, only=only)

    def result_page(self, *, debate: Debate) -> Mapping[str, Any]:
        """What its own page shows, without the reports."""
        return page.board(debate=debate)

    def result_document(self, *, debate: Debate) -> Mapping[str, Any]:
        return results.panel_document(debate=debate)

    def papers(self, *, debate: Debate) -> Mapping[str, Paper]:
        """The report of each judge by its number, and ``final``."""
        document = results.panel_document(debate=debate)
        return {
            part: Paper(reports.file_name(title=debate.title, date=document["date"], part=part), text)
            for part, text in reports.papers(document=document).items()
        }

    def emptyings(self, *, debates: QuerySet[Debate], erased: str, whole: bool) -> Iterable[Emptying]:
        """Tasks, and quotes in closing words."""
        return erasure.emptyings(debates=debates, erased=erased, whole=whole)

    def faults(self, *, debate_id: int | None) -> Iterable[Fault]:
        """First scores are what the judges answered."""
        return verify.faults(debate_id)
