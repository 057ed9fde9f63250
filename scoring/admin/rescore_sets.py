"""Rescore sets: what was staged, old against new, to be applied or cancelled whole."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.safestring import SafeString

from debates.admin import Acting, ActionForm, Closed, Outcome, Page, ReasonForm, StaffRequest
from debates.services import rights
from scoring.admin import formatting
from scoring.enums import BulkAction, RescoreState
from scoring.models import Evaluation, RescoreSet
from scoring.services import rescore
from scoring.services.actions import action_of
from scoring.services.previews import Preview


class SetPage(Page[RescoreSet]):
    """A decision about a whole set."""

    template = "admin/scoring/rescoreset/act.html"

    def may(self, request: StaffRequest, row: RescoreSet) -> bool:
        return request.user.has_perm(action_of(row.action).permission)

    def closed(self, request: StaffRequest, row: RescoreSet) -> Closed | None:
        return None if row.state == RescoreState.STAGED else Closed(rescore.how_it_ended(row))

    def context(self, *, request: StaffRequest, row: RescoreSet, form: Any) -> dict[str, Any]:
        return table(row, by=request.user)


class ApplyForm(ActionForm):
    """Whether to leave out the scores that refused when the page was read; those and no others."""

    fewer = forms.BooleanField(required=False, label="Leave out the scores that refuse, and apply the others")
    refusing = forms.CharField(required=False, widget=forms.HiddenInput)

    def clean_refusing(self) -> list[int]:
        try:
            return [int(pk) for pk in self.cleaned_data["refusing"].split(",") if pk]
        except ValueError:
            raise forms.ValidationError("Which scores refuse could not be read. Open the page again.") from None


class ApplyPage(SetPage):
    name, title, form_class = "apply", "Apply", ApplyForm
    says = (
        "Every score of the set that is not left out moves, or none does, for the reason that the set was staged for."
    )

    def closed(self, request: StaffRequest, row: RescoreSet) -> Closed | None:
        """Where its words are gone, or every score of the set refuses by now, there is nothing to apply."""
        closed = super().closed(request, row)
        if not closed and (why := rescore.erased(row)):
            return Closed(why, instead="cancel")
        if closed or len(refusals(row, by=request.user)) < len(row.lines):
            return closed
        why = "As things stand now every score of the set refuses, so there is nothing to apply."
        return Closed(f"{why} Cancel it, and stage it anew.", instead="cancel")

    def form(self, request: StaffRequest, row: RescoreSet, *, data: Any, initial: Mapping[str, Any]) -> forms.Form:
        """Offer to leave out who refuses whoever asks, where somebody does; what was chosen so stays chosen."""
        form = super().form(request, row, data=data, initial=initial)
        if not form.initial["refusing"] and "fewer" not in (data or ()):
            form.fields.pop("fewer")
        return form

    def seen(self, request: StaffRequest, row: RescoreSet) -> Mapping[str, str]:
        return {"refusing": ",".join(str(pk) for pk in refusals(row, by=request.user))}

    def act(self, *, request: StaffRequest, row: RescoreSet, cleaned_data: Mapping[str, Any]) -> Outcome:
        leave_out = cleaned_data["refusing"] if cleaned_data.get("fewer") else ()
        done = rescore.apply(set_id=row.pk, by=request.user, now=timezone.now(), leave_out=leave_out)
        message = f"The set was applied: {len(done)} scores were acted on."
        if leave_out:
            message += f" {len(leave_out)} stay as they are."
        return Outcome(told=message, logged=f"applied, {len(leave_out)} left out" if leave_out else "applied")


class CancelPage(SetPage):
    name, title, button, form_class = "cancel", "Cancel", "Cancel the set", ReasonForm
    says = "Nothing moves, and the public stream never tells of it."

    def closed(self, request: StaffRequest, row: RescoreSet) -> Closed | None:
        """Who is a party in a debate of the set cancels it no more than the service lets them."""
        refused = rights.refused(by=request.user, debates=rescore.debates_of(row))
        return super().closed(request, row) or next((Closed(refusal.message) for refusal in refused.values()), None)

    def act(self, *, request: StaffRequest, row: RescoreSet, cleaned_data: Mapping[str, Any]) -> Outcome:
        rescore.cancel(set_id=row.pk, by=request.user, now=timezone.now(), **cleaned_data)
        return Outcome(told="The set was cancelled; nothing has moved.", logged="cancelled")


def refusals(row: RescoreSet, *, by: User) -> list[int]:
    return [line.evaluation_id for line in rescore.lines_now(row, by=by) if line.refusal is not None]


def table(row: RescoreSet, *, by: User) -> dict[str, Any]:
    """Return the lines of a set as they were staged and, while it is staged, what has moved and who would refuse it."""
    staged = row.state == RescoreState.STAGED
    now = {line.evaluation_id: line for line in rescore.lines_now(row, by=by)} if staged else {}
    scores = Evaluation.objects.select_related("debate").in_bulk([line["id"] for line in row.lines])
    action = BulkAction(row.action)
    lines = [
        {
            **line,
            "debate": scores[line["id"]].debate.title,
            "frost": formatting.frost(action=action, score=scores[line["id"]] if staged else None),
            "moves": Decimal(line["value_after"]) - Decimal(line["value_before"]),
            "refusal": now[line["id"]].refusal if line["id"] in now else None,
            "left_out": line["id"] in row.left_out,
            "moved": moved(line, now[line["id"]].preview) if line["id"] in now else None,
        }
        for line in row.lines
    ]
    return {
        "lines": lines,
        "refusing": sum(line["refusal"] is not None for line in lines),
        "moved": sum(line["moved"] is not None for line in lines),
    }


def moved(line: Mapping[str, str], preview: Preview | None) -> Preview | None:
    """Return what would become of a score as it stands now, where that is not what was staged."""
    if preview is None:
        return None
    staged = Decimal(line["value_before"]), Decimal(line["value_after"])
    return None if staged == (preview.now.value, preview.then.value) else preview


@admin.register(RescoreSet)
class RescoreSetAdmin(Acting[RescoreSet]):
    kept_because = "It says what was meant to be done, by whom and why."
    pages = (ApplyPage(), CancelPage())
    list_display = ("id", "action", "choice", "size", "state_shown", "staged_by", "staged_at", "decided_by")
    list_filter = ("state", "action")
    search_fields = ("public_id", "staged_by__name", "because__text")
    hidden = ("lines", "left_out")
    change_form_template = "admin/scoring/rescoreset/change_form.html"

    def desk(self, request: StaffRequest, row: RescoreSet) -> dict[str, Any]:
        return table(row, by=request.user)

    @admin.display(description="scores")
    def size(self, row: RescoreSet) -> int:
        return len(row.lines)

    @admin.display(description="state", ordering="state")
    def state_shown(self, row: RescoreSet) -> SafeString:
        return formatting.badges([(f"rescore-{row.state}", row.state)])
