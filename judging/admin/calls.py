"""Calls to providers, what the facts of an entry were taken from, and the jobs that wait or failed.

The queue's own admin page filters by lock, which lists every lock there is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from django.contrib import admin
from procrastinate.contrib.django.models import ProcrastinateJob

from debates.admin import ReadOnly, as_lines
from judging.formats.registry import format_of
from judging.models import Call, CallUnderWay, Claim, Script, Verdict
from judging.types import Winner
from scoring.admin import timeline
from scoring.admin.timeline import Consequence, Words
from scoring.models import Evaluation


@admin.register(Call)
class CallAdmin(ReadOnly[Call]):
    kept_because = "It shows what a judgement rests on, and what it cost."
    about = "What was asked of a provider, one row for each try. An answer that could not be read shows by its outcome."
    list_display = (
        "id", "debate", "thread", "round_number", "purpose", "swapped", "reading", "attempt", "provider", "model",
        "outcome", "tokens_in", "tokens_out", "cost", "milliseconds", "at",
    )  # fmt: skip
    list_filter = ("outcome", "purpose")
    list_select_related = ("debate", "thread")
    search_fields = ("public_id", "provider", "model", "debate__title", "thread__key")
    ordering = ("-id",)


@admin.register(Claim)
class ClaimAdmin(ReadOnly[Claim]):
    kept_because = "The conductor needs it to tell who plays a thread."
    about = "Which worker plays which thread, and what it has reserved of the budget. The engine writes and reads it."
    list_display = ("thread", "fence", "reserved_calls", "reserved_tokens", "reserved_money", "claimed_at")
    list_select_related = ("thread",)
    search_fields = ("thread__key", "thread__debate__title")
    ordering = ("-pk",)


@admin.register(CallUnderWay)
class CallUnderWayAdmin(ReadOnly[CallUnderWay]):
    kept_because = "The conductor counts it until it is written down."
    about = (
        "Calls of debates with a limit that are being made just now, so that they count before they are paid for. One "
        "whose time is over was lost with its worker and counts no more."
    )
    list_display = ("pk", "debate", "thread", "fence", "lease_until")
    list_select_related = ("debate", "thread")
    search_fields = ("debate__title", "thread__key")
    ordering = ("-pk",)


@admin.register(Script)
class ScriptAdmin(ReadOnly[Script]):
    kept_because = "A scripted debate was played from it."
    about = "The answers that a scripted debate is played from."
    list_display = ("debate",)
    list_select_related = ("debate",)
    search_fields = ("debate__title",)
    ordering = ("-pk",)
    hidden = ("answers",)
    extra = ("answers_shown",)

    @admin.display(description="answers")
    def answers_shown(self, script: Script) -> str:
        return as_lines(script.answers)


# The words of judges about the facts that scores rest on. Scoring shows them and does not know judging.


WON = {Winner.EVALUATOR: "evaluator prevails", Winner.RED_TEAM: "red team prevails", Winner.DRAW: "draw"}


def verdicts(facts: Sequence[int]) -> Mapping[int, Words]:
    rows = Verdict.objects.filter(pk__in=facts).select_related("challenge")
    return {
        row.pk: Words(f"{row.challenge.label} ({row.challenge.persona}), {WON[Winner(row.winner)]}", row.reasoning)
        for row in rows
    }


timeline.read_by(verdicts)


def what_becomes_of_it(evaluation: Evaluation, final: Decimal | None) -> list[Consequence]:
    """Return what the debate of a score comes to now, and with another final of it."""
    debate = evaluation.debate
    if not {"rubric", "panel", "table", "batch"} & debate.parameters.keys():
        return []  # it was opened by hand, and comes to nothing as a whole
    finals = dict(Evaluation.objects.filter(debate=debate).values_list("pk", "final_score"))
    format_ = format_of(debate.format)
    now = format_.comes_to(debate=debate, finals=finals)
    then = format_.comes_to(debate=debate, finals={**finals, evaluation.pk: final})
    return [Consequence(what, now.get(what, "-"), then.get(what, "-")) for what in {**now, **then}]


timeline.foreseen_by(what_becomes_of_it)


admin.site.unregister(ProcrastinateJob)


@admin.register(ProcrastinateJob)
class JobAdmin(ReadOnly[ProcrastinateJob]):
    kept_because = "The worker removes a job when it is done; the sweep asks again for what is missing."
    about = "Work that waits for a worker, is under way, or failed."
    list_display = ("id", "task_name", "queue_name", "status", "attempts", "priority", "scheduled_at")
    list_filter = ("status",)
    search_fields = ("task_name", "queue_name")
    ordering = ("-id",)
    hidden = ("args",)
    extra = ("args_shown",)

    @admin.display(description="arguments")
    def args_shown(self, job: ProcrastinateJob) -> str:
        return as_lines(job.args)
