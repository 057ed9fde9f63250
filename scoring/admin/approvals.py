"""Overrides that wait for a second person: the queue, and the pages on which one decides."""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from debates.admin import Acting, Closed, Outcome, Page, ReasonForm, StaffRequest
from debates.admin.read_only import shortened
from debates.errors import DomainError
from scoring.admin import formatting
from scoring.admin.actions import look
from scoring.admin.formatting import link, shown
from scoring.enums import ApprovalState, EntryKind
from scoring.models import Approval
from scoring.services import approvals, previews
from scoring.services.actions import Intent


def asked_by(request: StaffRequest, row: Approval) -> bool:
    return request.user.pk is not None and row.requested_by.user_id == request.user.pk


def preview_of(row: Approval, *, by: User) -> dict[str, Any]:
    """Return what the override that waits would change, or what hinders it, or whoever looks in approving it."""
    if hindrance := approvals.hindrance(approval=row, evaluation=row.evaluation, by=by):
        return {"hindrance": hindrance.message}
    try:
        intent = Intent(EntryKind.OVERRIDE, value=row.value)
        asker = row.requested_by.user_id
        preview = previews.preview(evaluation_id=row.evaluation_id, intent=intent, by=asker)
        return {"preview": preview, "look": look(row.evaluation, "What this changes", preview)}
    except DomainError as refusal:
        return {"hindrance": refusal.message}


class Deciding(Page[Approval]):
    """A decision about a request."""

    form_class = ReasonForm
    template = "admin/scoring/approval_act.html"

    def moderates(self, request: StaffRequest, row: Approval) -> bool:
        return True

    def closed(self, request: StaffRequest, row: Approval) -> Closed | None:
        return None if row.state == ApprovalState.WAITING else Closed(approvals.how_it_ended(row))

    def context(self, *, request: StaffRequest, row: Approval, form: forms.Form) -> dict[str, Any]:
        return preview_of(row, by=request.user) if row.state == ApprovalState.WAITING else {}


class ApprovePage(Deciding):
    name, title = "approve", "Approve"
    says = (
        "The override is written now, in the name of whoever asked for it; the request names you as the second person."
    )

    def may(self, request: StaffRequest, row: Approval) -> bool:
        return request.user.has_perm(approvals.APPROVES)

    def closed(self, request: StaffRequest, row: Approval) -> Closed | None:
        """Nobody approves what they asked for themselves, nor what can only be refused, by them or by anybody."""
        if closed := super().closed(request, row):
            return closed
        if asked_by(request, row):
            return Closed(approvals.OWN_REQUEST, instead="refuse")
        hindrance = approvals.hindrance(approval=row, evaluation=row.evaluation, by=request.user)
        return Closed(hindrance.message, instead="refuse") if hindrance else None

    def act(self, *, request: StaffRequest, row: Approval, cleaned_data: Mapping[str, Any]) -> Outcome:
        done = approvals.approve(approval_id=row.pk, by=request.user, now=timezone.now(), **cleaned_data)
        return Outcome(told=formatting.happened(done), logged=f"approved: {formatting.logged(done)}")


class RefusePage(Deciding):
    name, title = "refuse", "Refuse"
    says = "The score has not moved and does not."

    def may(self, request: StaffRequest, row: Approval) -> bool:
        return request.user.has_perm(approvals.APPROVES) or asked_by(request, row)

    def called(self, request: StaffRequest, row: Approval) -> str:
        """Nobody refuses themselves: who asked takes it back."""
        return "Take back" if asked_by(request, row) else self.title

    def act(self, *, request: StaffRequest, row: Approval, cleaned_data: Mapping[str, Any]) -> Outcome:
        approvals.refuse(approval_id=row.pk, by=request.user, now=timezone.now(), **cleaned_data)
        return Outcome(told=f"Request {row.pk} is refused; the score stays as it is.", logged="refused")


@admin.register(Approval)
class ApprovalAdmin(Acting[Approval]):
    kept_because = "It says who asked for an override and who decided."
    pages = (ApprovePage(), RefusePage())
    list_display = ("id", "score", "was", "wanted", "state_shown", "requested_by", "requested_at", "decided_by")
    list_filter = ("state",)
    list_select_related = ("evaluation__debate",)
    search_fields = ("public_id", "evaluation__key", "evaluation__debate__title", "requested_by__name")
    change_form_template = "admin/scoring/approval_change_form.html"

    def debate_of(self, row: Approval) -> int:
        return row.evaluation.debate_id

    def desk(self, request: StaffRequest, row: Approval) -> dict[str, Any]:
        """Show what the override would change, and the forms to decide about it."""
        states = [(f"approval-{row.state}", row.state)]
        if row.state != ApprovalState.WAITING:
            return {"states": states, "ended": approvals.how_it_ended(row)}
        decisions = self.inline(request, row, names={"approve": "", "refuse": ""}, opened=("approve",))
        return {
            "states": states,
            "decisions": decisions,
            "here": self.address("change", row.pk),
            **preview_of(row, by=request.user),
        }

    def offers(self, request: StaffRequest, row: Approval) -> Iterator[tuple[str, str]]:
        """Offer nothing besides: the forms stand on the page."""
        return iter(())

    def named(self, row: Approval) -> str:
        return f"Request {row.pk}: {formatting.named(row.evaluation)} to {shown(row.value)} ({row.state})"

    @admin.display(description="score", ordering="evaluation")
    def score(self, row: Approval) -> SafeString:
        score = link("scoring_evaluation", row.evaluation_id, row.evaluation)
        below = '{}<span class="quiet below">{}</span>'
        return format_html(below, score, shortened(row.evaluation.debate.title, longest=40))

    @admin.display(description="when asked", ordering="value_seen")
    def was(self, row: Approval) -> str:
        return shown(row.value_seen)

    @admin.display(description="asked for", ordering="value")
    def wanted(self, row: Approval) -> str:
        return shown(row.value)

    @admin.display(description="state", ordering="state")
    def state_shown(self, row: Approval) -> SafeString:
        return formatting.badges([(f"approval-{row.state}", row.state)])
