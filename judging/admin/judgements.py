"""Judgements: calls to providers and the jobs behind them; what came of them in each format, and how judges do.

The queue's own admin page filters by lock, which lists every lock there is.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from debates.admin import ReadOnly, as_lines
from debates.admin.read_only import shortened
from debates.types import Kind
from judging import models
from judging.engine import metrics, selectors
from judging.engine.metrics import Judge
from judging.formats.registry import format_of
from judging.types import Winner
from scoring.admin import timeline
from scoring.admin.timeline import Consequence, Words
from scoring.models import Evaluation
from scoring.services.previews import Figures

# -- calls, and what the facts of an entry were taken from -------------------------------------------------------------


SEALED = "Sealed, because people or programs judge there by themselves, until"
UNTIL_CLOSED = f"{SEALED} the round is closed: with the last ballot, or when the time for ballots is up."


def unsealed(text: str, *, call: models.Call) -> str:
    return UNTIL_CLOSED if text and selectors.is_sealed(call) else text or "-"


@admin.register(models.Call)
class CallAdmin(ReadOnly[models.Call]):
    kept_because = "It shows what a judgement rests on, and what it cost."
    about = "What was asked of a provider, one row for each try. An answer that could not be read shows by its outcome."
    list_display = (
        "id", "debate", "thread", "round_number", "purpose", "swapped", "reading", "attempt", "provider", "model",
        "outcome", "tokens_in", "tokens_out", "cost", "milliseconds", "at",
    )  # fmt: skip
    list_filter = ("outcome", "purpose")
    search_fields = ("public_id", "provider", "model", "debate__title", "thread__key")
    hidden = ("raw_answer", "problem")
    extra = ("answered", "refused")

    @admin.display(description="raw answer")
    def answered(self, call: models.Call) -> str:
        return unsealed(call.raw_answer, call=call)

    @admin.display(description="problem")
    def refused(self, call: models.Call) -> str:
        """What was wrong with an answer may quote it."""
        return unsealed(call.problem, call=call)


@admin.register(models.Claim)
class ClaimAdmin(ReadOnly[models.Claim]):
    kept_because = "The conductor needs it to tell who plays a thread."
    about = "Which worker plays which thread, and what it has reserved of the budget. The engine writes and reads it."
    list_display = ("thread", "fence", "reserved_calls", "reserved_tokens", "reserved_money", "claimed_at")
    search_fields = ("thread__key", "thread__debate__title")
    ordering = ("-pk",)


@admin.register(models.CallUnderWay)
class CallUnderWayAdmin(ReadOnly[models.CallUnderWay]):
    kept_because = "The conductor counts it until it is written down."
    about = (
        "Calls of debates with a limit that are being made just now, so that they count before they are paid for. One "
        "whose time is over was lost with its worker and counts no more."
    )
    list_display = ("pk", "debate", "thread", "fence", "lease_until")
    search_fields = ("debate__title", "thread__key")
    ordering = ("-pk",)


@admin.register(models.Script)
class ScriptAdmin(ReadOnly[models.Script]):
    kept_because = "A scripted debate was played from it."
    about = "The answers that a scripted debate is played from."
    list_display = ("debate",)
    search_fields = ("debate__title",)
    ordering = ("-pk",)
    hidden = ("answers",)
    extra = ("prepared",)

    @admin.display(description="answers")
    def prepared(self, script: models.Script) -> str:
        if selectors.script_is_sealed(script.debate):
            return f"{SEALED} the debate is over."
        return as_lines(script.answers)


# The words of judges about the facts that scores rest on. Scoring shows them and does not know judging.


WON = {Winner.EVALUATOR: "evaluator prevails", Winner.RED_TEAM: "red team prevails", Winner.DRAW: "draw"}


def verdicts(facts: Sequence[int]) -> Mapping[int, Words]:
    rows = models.Verdict.objects.filter(pk__in=facts).select_related("challenge")
    return {
        row.pk: Words(f"{row.challenge.label} ({row.challenge.persona}), {WON[Winner(row.winner)]}", row.reasoning)
        for row in rows
    }


timeline.read_by(verdicts)


def what_becomes_of_it(evaluation: Evaluation, then: Figures) -> list[Consequence]:
    """Return what the debate of a score comes to now, and where it stood elsewhere."""
    debate = evaluation.debate
    if not {"rubric", "panel", "table", "batch"} & debate.parameters.keys():
        return []  # it was opened by hand, and comes to nothing as a whole
    format_ = format_of(debate.format)
    now = format_.comes_to(debate=debate, foreseen={})
    foreseen = format_.comes_to(debate=debate, foreseen={evaluation.pk: then})
    return [Consequence(what, now.get(what, "-"), foreseen.get(what, "-")) for what in {**now, **foreseen}]


timeline.foreseen_by(what_becomes_of_it)


admin.site.unregister(ProcrastinateJob)


@admin.register(ProcrastinateJob)
class JobAdmin(ReadOnly[ProcrastinateJob]):
    kept_because = "The worker removes a job when it is done; the sweep asks again for what is missing."
    about = "Work that waits for a worker, is under way, or failed."
    list_display = ("id", "task_name", "queue_name", "status", "attempts", "priority", "scheduled_at")
    list_filter = ("status",)
    search_fields = ("task_name", "queue_name")
    hidden = ("args",)
    extra = ("args_shown",)

    @admin.display(description="arguments")
    def args_shown(self, job: ProcrastinateJob) -> str:
        return as_lines(job.args)


# -- criterion debates -------------------------------------------------------------------------------------------------


@admin.register(models.Challenge)
class ChallengeAdmin(ReadOnly[models.Challenge]):
    kept_because = "What was said stays said."
    list_display = ("id", "label", "thread", "run_number", "persona", "severity", "quoted")
    list_filter = ("severity",)
    search_fields = ("public_id", "persona", "thread__key", "thread__debate__title")

    @admin.display(description="quote")
    def quoted(self, challenge: models.Challenge) -> str:
        return shortened(challenge.quote) or "-"


@admin.register(models.Defence)
class DefenceAdmin(ReadOnly[models.Defence]):
    kept_because = "What was said stays said."
    list_display = ("pk", "challenge", "round", "reply")
    list_filter = ("reply",)
    search_fields = ("challenge__label", "challenge__thread__key", "challenge__thread__debate__title")
    ordering = ("-pk",)


@admin.register(models.Verdict)
class VerdictAdmin(ReadOnly[models.Verdict]):
    kept_because = "A verdict is struck on the page of its score; it stays in the history."
    list_display = ("pk", "challenge", "round", "winner", "adjustment", "impact", "flipped", "reasoned")
    list_filter = ("winner", "flipped")
    list_select_related = ("fact",)
    search_fields = ("fact__public_id", "challenge__thread__key", "challenge__thread__debate__title")
    ordering = ("-pk",)

    @admin.display(ordering="fact__amount")
    def adjustment(self, verdict: models.Verdict) -> str:
        return f"{verdict.fact.amount:+.2f}"

    @admin.display(ordering="fact__impact")
    def impact(self, verdict: models.Verdict) -> str:
        return f"{verdict.fact.impact:+.2f}"

    @admin.display(description="reasoning")
    def reasoned(self, verdict: models.Verdict) -> str:
        return shortened(verdict.reasoning)


@admin.register(models.Synthesis)
class SynthesisAdmin(ReadOnly[models.Synthesis]):
    kept_because = "It says what was concluded, and when."
    list_display = ("debate", "number", "at")
    search_fields = ("debate__title",)


# -- panels, with a page on how their judges do ------------------------------------------------------------------------


PANEL_KEPT_BECAUSE = "It shows how a panel came to its scores."
DAYS = 30
ADDRESS = "judging_judgereport_health"


def named(judge: Judge) -> str:
    if judge.kind is not Kind.ENGINE:
        return "all people" if judge.kind is Kind.HUMAN else "all programs"
    return " ".join(part for part in (judge.provider, judge.model, judge.strategy) if part)


@admin.register(models.JudgeReport)
class JudgeReportAdmin(ReadOnly[models.JudgeReport]):
    """Judges' reports, with a page on how those judges do."""

    kept_because = PANEL_KEPT_BECAUSE
    list_display = ("pk", "debate", "round", "participant", "readable", "at")
    list_filter = ("readable",)
    search_fields = ("public_id", "debate__title", "participant__name")
    change_list_template = "admin/judging/judgereport_list.html"

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.health_view)
        return [path("health/", view, name=ADDRESS), *super().get_urls()]

    def health_view(self, request: HttpRequest) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        health_of = metrics.health(since=timezone.now() - timedelta(days=DAYS))
        judges = [{"name": named(judge), "health": health} for judge, health in health_of.items()]
        return self.page_response(request, "admin/judging/judges.html", title="How judges do", days=DAYS, judges=judges)


@admin.register(models.JudgeScore)
class JudgeScoreAdmin(ReadOnly[models.JudgeScore]):
    kept_because = "It is struck on the page of its score; it stays in the history."
    list_display = (
        "pk", "report", "key", "given", "wanted", "refused", "spread", "flipped", "quotes_found", "quotes_missing",
    )  # fmt: skip
    list_filter = ("refused", "flipped")
    search_fields = ("fact__public_id", "key", "report__debate__title", "report__participant__name")
    ordering = ("-pk",)


@admin.register(models.Consensus)
class ConsensusAdmin(ReadOnly[models.Consensus]):
    kept_because = PANEL_KEPT_BECAUSE
    list_display = ("pk", "debate", "round", "agreed", "reason_code", "overall", "recommendation", "at")
    list_filter = ("agreed", "reason_code", "recommendation")
    search_fields = ("public_id", "debate__title")


# -- open debates, and judgements known already ------------------------------------------------------------------------


STANDING_KEPT_BECAUSE = "Standings are computed from it, and can be computed again."


@admin.register(models.ResponseEvaluation)
class ResponseEvaluationAdmin(ReadOnly[models.ResponseEvaluation]):
    kept_because = "It is struck on the page of its score; it stays in the history."
    list_display = (
        "pk", "turn", "round", "state", "steel_manning", "self_critique", "consistency", "honesty",
        "requires_interjection", "violation", "spread", "flipped",
    )  # fmt: skip
    list_filter = ("state", "violation", "flipped")
    search_fields = ("public_id", "turn__participant__name", "turn__debate__title")


@admin.register(models.Effect)
class EffectAdmin(ReadOnly[models.Effect]):
    kept_because = STANDING_KEPT_BECAUSE
    list_display = ("pk", "turn", "speaker", "listener", "persuasion", "attack", "evidence", "source", "flipped")
    list_filter = ("source", "flipped")
    search_fields = ("speaker__name", "listener__name", "turn__debate__title")


@admin.register(models.ParticipantState)
class ParticipantStateAdmin(ReadOnly[models.ParticipantState]):
    kept_because = STANDING_KEPT_BECAUSE
    list_display = ("pk", "participant", "number", "stance", "conviction", "surrender", "at")
    list_filter = ("surrender",)
    search_fields = ("participant__name", "participant__debate__title")


@admin.register(models.Standing)
class StandingAdmin(ReadOnly[models.Standing]):
    kept_because = STANDING_KEPT_BECAUSE
    list_display = ("pk", "participant", "round", "stance", "persuasion", "resistance", "penalty")
    search_fields = ("fact__public_id", "participant__name", "participant__debate__title")
    ordering = ("-pk",)


@admin.register(models.CachedJudgement)
class CachedJudgementAdmin(ReadOnly[models.CachedJudgement]):
    kept_because = "It spares a call to a provider; `manage.py retain` lets go of what is old."
    about = "Judgements that are known already, so that the same question is not paid for twice."
    list_display = ("digest", "model", "holder", "lease_until", "at")
    search_fields = ("digest", "model")
    ordering = ("-at",)
