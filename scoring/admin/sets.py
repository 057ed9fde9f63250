"""Rescore sets: what was staged, old against new, to be applied or cancelled whole."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.contrib import admin
from django.utils import timezone
from django.utils.safestring import SafeString

from debates.admin import Acting, ActionForm, Closed, Outcome, Page, ReadOnly, ReasonForm, StaffRequest
from scoring.admin import words
from scoring.kinds import BulkAction, RescoreState
from scoring.models import Evaluation, RescoreSet
from scoring.services import rescore
from scoring.services.bulk import PERMISSIONS
from scoring.services.previews import Preview


class SetPage(Page[RescoreSet]):
    """A decision about a whole set."""

    template = "admin/scoring/rescoreset/act.html"

    def may(self, request: StaffRequest, row: RescoreSet) -> bool:
        """It takes the permission of the action itself."""
        return request.user.has_perm(f"scoring.{PERMISSIONS[BulkAction(row.action)]}")

    def closed(self, request: StaffRequest, row: RescoreSet) -> Closed | None:
        """What is decided changes no more."""
        return None if row.state == RescoreState.STAGED else Closed(rescore.how_it_ended(row))

    def context(self, *, request: StaffRequest, row: RescoreSet, form: Any) -> dict[str, Any]:
        """Return old against new."""
        return table(row)


class Apply(SetPage):
    name, title, form_class = "apply", "Apply", ActionForm
    says = "Every score of the set moves, or none does, for the reason that the set was staged for."

    def closed(self, request: StaffRequest, row: RescoreSet) -> Closed | None:
        """One score that refuses holds the whole set back."""
        return super().closed(request, row) or overtaken(row)

    def act(self, *, request: StaffRequest, row: RescoreSet, given: Mapping[str, Any]) -> Outcome:
        """Apply."""
        done = rescore.apply(set_id=row.pk, by=request.user, now=timezone.now())
        return Outcome(told=f"The set was applied: {len(done)} scores were acted on.", logged="applied")


class Cancel(SetPage):
    name, title, button, form_class = "cancel", "Cancel", "Cancel the set", ReasonForm
    says = "Nothing moves, and the public stream never tells of it."

    def act(self, *, request: StaffRequest, row: RescoreSet, given: Mapping[str, Any]) -> Outcome:
        """Cancel."""
        rescore.cancel(set_id=row.pk, by=request.user, reason=given["reason"], now=timezone.now())
        return Outcome(told="The set was cancelled; nothing has moved.", logged="cancelled")


def overtaken(row: RescoreSet) -> Closed | None:
    """Say that some scores of a staged set refuse by now, if so."""
    refusing = sum(one.refusal is not None for one in rescore.lines_now(row))
    told = f"{refusing} of {len(row.lines)} refuse as things stand now, so the set cannot be applied."
    return Closed(f"{told} Cancel it, and stage the others anew.", instead="cancel") if refusing else None


def table(row: RescoreSet) -> dict[str, Any]:
    """Return the lines of a set as they were staged and, while it is staged, what has moved and who would refuse it."""
    staged = row.state == RescoreState.STAGED
    now = {one.evaluation_id: one for one in rescore.lines_now(row)} if staged else {}
    scores = Evaluation.objects.select_related("debate").in_bulk([line["id"] for line in row.lines])
    action = BulkAction(row.action)
    lines = [
        {
            **line,
            "debate": scores[line["id"]].debate.title,
            "frost": words.frost(action=action, score=scores[line["id"]] if staged else None),
            "moves": Decimal(line["value_after"]) - Decimal(line["value_before"]),
            "refusal": now[line["id"]].refusal if line["id"] in now else None,
            "moved": moved(line, now[line["id"]].preview) if line["id"] in now else None,
        }
        for line in row.lines
    ]
    return {
        "lines": lines,
        "refusing": sum(one["refusal"] is not None for one in lines),
        "moved": sum(one["moved"] is not None for one in lines),
    }


def moved(line: Mapping[str, str], preview: Preview | None) -> Preview | None:
    """Return what would become of a score as it stands now, where that is not what was staged."""
    if preview is None:
        return None
    staged = Decimal(line["value_before"]), Decimal(line["value_after"])
    return None if staged == (preview.now.value, preview.then.value) else preview


@admin.register(RescoreSet)
class RescoreSetAdmin(Acting[RescoreSet], ReadOnly[RescoreSet]):
    kept_because = "It says what was meant to be done, by whom and why."
    pages = (Apply(), Cancel())
    list_display = ("id", "action", "choice", "size", "state_shown", "staged_by", "staged_at", "decided_by")
    list_filter = ("state", "action")
    list_select_related = ("staged_by", "decided_by")
    search_fields = ("public_id", "staged_by__name", "because__text")
    ordering = ("-id",)
    hidden = ("lines",)
    change_form_template = "admin/scoring/rescoreset/change_form.html"

    def desk(self, request: StaffRequest, row: RescoreSet) -> dict[str, Any]:
        """Return old against new."""
        return table(row)

    @admin.display(description="scores")
    def size(self, row: RescoreSet) -> int:
        """Return how many scores a set is about."""
        return len(row.lines)

    @admin.display(description="state", ordering="state")
    def state_shown(self, row: RescoreSet) -> SafeString:
        """Return where the set stands."""
        return words.badges([(f"rescore-{row.state}", row.state)])
