"""Conflicts of interest in the admin: what was declared, by whom and why; and withdrawing it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import admin
from django.utils import timezone

from debates.admin import Acting, Closed, Outcome, Page, ReadOnly, ReasonForm, StaffRequest
from scoring.models import Conflict
from scoring.services import conflicts


class WithdrawPage(Page[Conflict]):
    name, title, form_class = "withdraw", "Withdraw", ReasonForm
    says = "The declaration stays on record, and so does that it was withdrawn. From then on it keeps nobody out."

    def may(self, request: StaffRequest, row: Conflict) -> bool:
        return row.by.user_id == request.user.pk or request.user.has_perm(conflicts.DECLARES)

    def closed(self, request: StaffRequest, row: Conflict) -> Closed | None:
        if row.withdraws_id is not None:
            return Closed("This row says that a declaration was withdrawn; it is withdrawn no further.")
        if hasattr(row, "withdrawal"):
            return Closed(f"{row.withdrawal.by} has withdrawn this at {row.withdrawal.at:%Y-%m-%d %H:%M} UTC.")
        if row.person_id == request.user.pk and row.by.user_id != request.user.pk:
            return Closed("Somebody else declared this about you, so somebody else withdraws it.")
        return None

    def act(self, *, request: StaffRequest, row: Conflict, given: Mapping[str, Any]) -> Outcome:
        conflicts.withdraw(conflict_id=row.pk, by=request.user, now=timezone.now(), **given)
        return Outcome(told="The declaration is withdrawn; both stay on record.", logged="withdrawn")


@admin.register(Conflict)
class ConflictAdmin(Acting[Conflict], ReadOnly[Conflict]):
    kept_because = "It says who was kept out of moderating a debate, from when on and why."
    about = "Who was declared to have an interest in a debate. Declare one on the page of the debate."
    pages = (WithdrawPage(),)
    list_display = ("id", "debate", "person", "by", "stands", "at")
    list_select_related = ("debate", "person", "by", "withdrawal")
    search_fields = ("public_id", "debate__title", "person__username", "by__name")
    ordering = ("-id",)

    def named(self, row: Conflict) -> str:
        return f"{row.person} in {row.debate.title}"

    @admin.display(description="what")
    def stands(self, row: Conflict) -> str:
        """Say whether it keeps the person out now."""
        if row.withdraws_id is not None:
            return "withdraws"
        return "withdrawn" if hasattr(row, "withdrawal") else "stands"
