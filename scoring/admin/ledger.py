"""The ledger and the facts that it counts, who and why, and whose words were erased."""

from typing import Any

from django.contrib import admin
from django.utils.html import format_html
from django.utils.safestring import SafeString

from debates.admin import Acting, ReadOnly, StaffRequest
from debates.admin.read_only import shortened
from debates.decimals import signed
from scoring.admin import formatting, timeline
from scoring.admin.formatting import link, shown
from scoring.enums import ApprovalState
from scoring.models import Actor, Approval, Erasure, Fact, Reason, ScoreChange


@admin.register(ScoreChange)
class ScoreChangeAdmin(Acting[ScoreChange]):
    linked_by = ("evaluation__id__exact",)
    kept_because = "The ledger is append-only: a correction is a new entry."
    about = "Every entry of every score. It only grows: a correction is a new entry."
    list_display = ("score", "kind", "moved", "who", "reason_shown", "at")
    list_filter = ("kind", "actor_kind", "evaluation__instrument")
    list_select_related = ("evaluation__debate", "actor", "reason")
    search_fields = ("evaluation__key", "evaluation__public_id", "evaluation__debate__title", "reason__text")
    hidden = ("facts_hash", "previous_hash", "hash")
    extra = ("note_shown", "approved", *hidden)
    change_form_template = "admin/scoring/scorechange/change_form.html"

    def named(self, row: ScoreChange) -> str:
        return f"Entry {row.sequence} of {formatting.named(row.evaluation)}"

    def desk(self, request: StaffRequest, row: ScoreChange) -> dict[str, Any]:
        score = row.evaluation
        approval = Approval.objects.filter(entry=row, state=ApprovalState.APPROVED.value).select_related("decided_by")
        return {
            "facts": timeline.rows(evaluation=score, ids=row.facts),
            "is_void": row.sequence in timeline.void(evaluation=score, until=score.version),
            "approval": approval.first(),
            "neighbours": score.entries.filter(sequence__in=(row.sequence - 1, row.sequence + 1)),
        }

    @admin.display(ordering="evaluation")
    def score(self, entry: ScoreChange) -> SafeString:
        title = shortened(entry.evaluation.debate.title, longest=48)
        return format_html('{}, entry {}<span class="quiet below">{}</span>', entry.evaluation, entry.sequence, title)

    @admin.display(description="value", ordering="value_after")
    def moved(self, entry: ScoreChange) -> SafeString:
        before, after = shown(entry.value_before), shown(entry.value_after)
        return format_html('{} to {}<span class="quiet below">{}</span>', before, after, signed(entry.delta))

    @admin.display(ordering="actor")
    def who(self, entry: ScoreChange) -> str:
        return str(entry.actor or entry.actor_kind)

    @admin.display(description="reason")
    def reason_shown(self, entry: ScoreChange) -> str:
        return shortened(entry.reason.text if entry.reason else entry.reason_code, longest=60) or "-"

    @admin.display(description="internal note")
    def note_shown(self, entry: ScoreChange) -> str:
        return str(entry.reason.note) if entry.reason and entry.reason.note else "-"

    @admin.display(description="second person")
    def approved(self, entry: ScoreChange) -> SafeString | str:
        approval = Approval.objects.filter(entry=entry, state=ApprovalState.APPROVED.value).first()
        if approval is None:
            return "-"
        request = link("scoring_approval", approval.pk, f"request {approval.pk}")
        return format_html("approved by {}, {}", approval.decided_by, request)


@admin.register(Actor)
class ActorAdmin(ReadOnly[Actor]):
    kept_because = "Entries of the ledger name it."
    about = "People and programs as they were named when they acted."
    list_display = ("id", "name", "role", "user")
    search_fields = ("name", "role")


@admin.register(Reason)
class ReasonAdmin(ReadOnly[Reason]):
    kept_because = "Entries of the ledger rest on it; a person's words are erased by command, which keeps the proof."
    about = "The words that entries, requests and answers to alerts were given."
    list_display = ("id", "beginning", "note_beginning")
    list_select_related = ("note",)
    search_fields = ("text", "note__text")
    hidden = ("salt", "note")
    extra = ("note_shown",)

    @admin.display(description="text")
    def beginning(self, reason: Reason) -> str:
        return shortened(reason.text) or "erased"

    @admin.display(description="internal note")
    def note_beginning(self, reason: Reason) -> str:
        return shortened(str(reason.note)) if reason.note else "-"

    @admin.display(description="internal note")
    def note_shown(self, reason: Reason) -> str:
        return str(reason.note) if reason.note else "-"


@admin.register(Fact)
class FactAdmin(ReadOnly[Fact]):
    kept_because = "Scores are computed from it."
    about = "What scores are computed from. The page of a score shows each of them in words."
    list_display = (
        "id",
        "evaluation",
        "round",
        "run_number",
        "kind",
        "amount",
        "impact",
        "weight",
        "participant",
        "at",
    )
    list_filter = ("kind",)
    search_fields = ("public_id", "evaluation__key", "evaluation__debate__title")


@admin.register(Erasure)
class ErasureAdmin(ReadOnly[Erasure]):
    kept_because = "It says why words are missing from a history."
    list_display = ("pk", "scope", "debate", "participant", "user", "by", "because", "at")
    list_filter = ("scope",)
    search_fields = ("public_id", "debate__title", "by__name")
