"""Creating a panel: everything is checked before anything is written."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet

from debates.models import Ballot, Debate, Participant
from debates.types import Kind, Role
from judging.formats import prompts
from judging.formats.base import Draft, Emptying, Paper, WordColumns
from judging.formats.costs import Asked, Judge, Others, of_role
from judging.formats.panel import CALLED, NAME, api, reports, results, spec, verify
from judging.formats.panel import page as pages
from judging.formats.panel.play import PanelPlay
from judging.formats.panel.spec import PanelSpec
from judging.heuristics import subjects
from judging.models import JudgeReport, Synthesis
from judging.types import NotAssessed, Purpose

REPORTER = "Reporter"


def build_draft(*, panel_spec: PanelSpec) -> Draft:
    """Return what a panel is written with: its judges, its reporter, one thread."""
    spec.checked(panel_spec)
    panel_spec = replace(panel_spec, policy=panel_spec.policy.for_seats(len(panel_spec.seats)))
    return Draft(
        title=panel_spec.title.strip(),
        subject=panel_spec.subject,
        rounds=max(1, panel_spec.policy.debate_rounds),
        parameters=snapshot_of(panel_spec=panel_spec),
        participants=everybody(panel_spec),
        provider_fields=[*(f"judges.{at}.provider" for at in range(len(panel_spec.seats))), "reporter.provider"],
        repeat_of=panel_spec.repeat_of,
    )


def snapshot_of(*, panel_spec: PanelSpec) -> dict[str, Any]:
    strategies = [spec.strategy_of(seat=seat, position=at) for at, seat in enumerate(panel_spec.seats)]
    unable = spec.not_assessed(panel_spec)
    return {
        "rubric": dict(panel_spec.rubric),
        "play": {"personas": [], "challenges_per_criterion": 0, "score_updates": "per_round"},
        "initial": {},
        "panel": {
            "task": panel_spec.task.strip(),
            "policy": panel_spec.policy.snapshot(),
            "not_applicable": {**panel_spec.not_applicable, **{code: reason.why for code, reason in unable.items()}},
            "not_assessed": {code: reason.reason.value for code, reason in unable.items()},
            "strategies": strategies,
            "ballot_seconds": panel_spec.ballot_seconds,
            "prompts": {
                purpose.value: prompts.NEWEST[purpose] for purpose in (Purpose.ANALYSE, Purpose.ARGUE, Purpose.REPORT)
            },
        },
    }


def everybody(panel_spec: PanelSpec) -> list[Participant]:
    seats = [(Role.JUDGE, f"Judge {at}", seat) for at, seat in enumerate(panel_spec.seats, start=1)]
    return [
        Participant(
            role=role.value,
            kind=seat.kind,
            name=name,
            provider=seat.provider if seat.is_engine else "",
            model=seat.model,
        )
        for role, name, seat in [*seats, (Role.ARBITER, REPORTER, panel_spec.reporter)]
    ]


# What an erasure takes from a panel: its task, why criteria do not apply, and what its closing words quote.


WORDLESS: Mapping[str, Any] = {"improvements": [], "quotes": {}}
"""What the closing words of a panel are about, without what others said."""


def take_tasks(panels: QuerySet[Debate], *, erased: str) -> None:
    """Take from panels what the subject was to accomplish, and why criteria do not apply."""
    for debate in list(panels):
        panel = debate.parameters["panel"]
        left_out = dict.fromkeys(panel["not_applicable"], erased)
        kept = {**debate.parameters, "panel": {**panel, "task": erased, "not_applicable": left_out}}
        Debate.objects.filter(pk=debate.pk).update(parameters=kept)


def take_quotes(syntheses: QuerySet[Synthesis]) -> None:
    """Leave of the numbers of closing words the numbers alone."""
    for synthesis in list(syntheses):
        Synthesis.objects.filter(pk=synthesis.pk).update(numbers={**synthesis.numbers, **WORDLESS})


def rounds_of(debate: Debate) -> int:
    rounds: int = debate.parameters["panel"]["policy"]["debate_rounds"]
    return rounds


class PanelFormat(PanelPlay):
    """Independent judges who debate to consensus, or a person decides."""

    name = NAME
    called = CALLED
    heading_counts_rounds = False
    somebody = "a judge"
    replaces_judges = True
    first_round = 0
    serializer = api.PanelDebateSerializer
    example = api.EXAMPLE
    steps = api.STEPS
    is_for = (
        "One to nine judges read the same work, each alone, and then argue until they agree or a person has to decide. "
        "Good for code, designs and documents that were to accomplish something."
    )
    alternatives = ("template", "criteria", "rubric")
    purposes = {Role.JUDGE: (Purpose.ANALYSE, Purpose.ARGUE), Role.ARBITER: (Purpose.REPORT,)}
    result_template = "debates/result_panel.html"
    ballot_kind = "panel"
    repeated_tables = results.TABLES
    words = (
        WordColumns(JudgeReport, {"body": ""}, "debate", ("debate__participants",)),
        WordColumns(Ballot, {"answer": ""}, "round__thread__debate", ("participant__debate__participants",)),
    )

    first_calls = staticmethod(api.first_calls)
    request_of = staticmethod(api.request_of)
    page = staticmethod(pages.page)
    acting = staticmethod(pages.acting)
    fact_statements = staticmethod(pages.statements)
    summaries = staticmethod(results.summaries)
    comes_to = staticmethod(results.comes_to)
    result_document = staticmethod(results.panel_document)
    faults = staticmethod(verify.faults)

    def spec_of(self, *, data: Mapping[str, Any], readable: QuerySet[Debate]) -> PanelSpec:
        """A template, criteria with weights, or a stored rubric."""
        return api.spec_of(data)

    def draft(self, *, spec: PanelSpec, by: User | None) -> Draft:
        return build_draft(panel_spec=spec)

    def unasked(self, *, debate: Debate) -> Collection[Purpose]:
        """Where there are no debate rounds, nobody argues."""
        return () if rounds_of(debate) else (Purpose.ARGUE,)

    def judgements(self, *, debate: Debate) -> Asked:
        """Every judge reads alone, then argues in every round."""
        rounds = rounds_of(debate)
        asked: dict[tuple[Judge, Purpose], int] = {}
        for judge in of_role(debate, Role.JUDGE):
            if judge.kind != Kind.ENGINE.value:
                continue
            asked[judge, Purpose.ANALYSE] = 1
            if rounds:
                asked[judge, Purpose.ARGUE] = rounds
        return asked

    def played(self, *, debate: Debate) -> Collection[str]:
        """Those that apply, and that who judges can read."""
        return results.bar_of(debate.parameters).applying

    def other_calls(self, *, debate: Debate) -> Others:
        """The closing words."""
        return dict.fromkeys(of_role(debate, Role.ARBITER), 1)

    def result_page(self, *, debate: Debate, query: Mapping[str, str]) -> Mapping[str, Any]:
        """What its own page shows, without the reports."""
        return pages.told(results.panel_document(debate=debate), debate=debate)

    def unassessable(self, subject: str) -> NotAssessed | None:
        """Return why the offline judge would read nothing; a panel is to find more in a text than an evaluator."""
        return subjects.unassessable_panel_subject(subject)

    def round_words(self, *, number: int, rounds: int) -> str:
        """Round 0 is the independent analysis; judges who agree end early."""
        return f"Debate round {number} of at most {rounds}" if number else "Independent analysis"

    def length(self, *, debate: Debate) -> str:
        """A panel may have none but the independent analysis."""
        return super().length(debate=debate) if rounds_of(debate) else "no debate round"

    def downloads(self, *, debate: Debate) -> Mapping[str, Paper]:
        """The report of each judge by its number, and ``final``."""
        document = results.panel_document(debate=debate)
        return {
            part: Paper(reports.file_name(title=debate.title, date=document["date"], part=part), text)
            for part, text in reports.papers(document=document).items()
        }

    def emptyings(self, *, debates: QuerySet[Debate], erased: str, whole: bool) -> Iterable[Emptying]:
        """The tasks where all words go, and what judges quote and would improve in any case."""
        if whole:
            tasked = debates.filter(parameters__has_key="panel").exclude(parameters__panel__task=erased)
            yield Emptying("tasks of panels", tasked, partial(take_tasks, erased=erased))
        quoting = Synthesis.objects.filter(debate__in=debates, numbers__has_key="improvements")
        yield Emptying(
            "quotes in syntheses", quoting.exclude(numbers__improvements=[], numbers__quotes={}), take_quotes
        )
