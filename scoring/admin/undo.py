"""The page on which the last act of a person is taken back: what it was, and what undoing it would change."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib.admin.models import CHANGE, LogEntry
from django.template.defaultfilters import pluralize
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from debates.admin import Closed, Outcome, StaffRequest, filled_in
from debates.errors import DomainError
from scoring.admin import formatting, timeline
from scoring.admin.actions import CAPTIONS, HeldField, VersionedPage, chosen_of, look, waiting
from scoring.models import Approval, Evaluation
from scoring.services import undo
from scoring.services.undo import LastAct, UndoOrder

MOST_LINES = 100
"""So many scores of one act are listed; the service takes all of them."""
KNOWN = "last_act"
"""Where a row keeps the last act on it, once a page has read that."""


class UndoPage(VersionedPage):
    """The last act on a score, whatever it was and whoever did it, taken back."""

    name, title, template = "undo", "Undo", "admin/scoring/undo.html"
    says = "What takes it back is written as new entries; nothing is removed from the ledger."

    def may(self, request: StaffRequest, row: Evaluation) -> bool:
        """Undoing takes the permissions of what takes the act back; where there is none, those of anything."""
        try:
            act = last_act_on(row)
        except DomainError:
            return request.user.has_perm("scoring.freeze_evaluation")
        return request.user.has_perms(undo.permissions_for(act=act))

    def closed(self, request: StaffRequest, row: Evaluation) -> Closed | None:
        try:
            act = last_act_on(row, entry=entry_of(request))
        except DomainError as refusal:
            return Closed(refusal.message)
        if len(act.entries) > 1 or undo.asks(act=act):
            return None
        [(_, outcome)] = undo.preview(act=act, choice=None, by=request.user.pk)
        return Closed(outcome.message) if isinstance(outcome, DomainError) else None

    def form(self, request: StaffRequest, row: Evaluation, *, data: Any, initial: Mapping[str, Any]) -> forms.Form:
        form = super().form(request, row, data=data, initial=initial)
        try:
            act = last_act_on(row)
        except DomainError:
            return form
        if undo.asks(act=act):
            form.fields["choice"] = HeldField()
        if len(act.entries) > 1:
            form.fields["alone"] = forms.BooleanField(
                required=False,
                label="Only this score",
                help_text=f"The others of the {len(act.entries)} stay as they are.",
            )
        form.order_fields(["choice", "alone", "reason", "note"])
        return form

    def context(self, *, request: StaffRequest, row: Evaluation, form: forms.Form) -> dict[str, Any]:
        context: dict[str, Any] = {"states": formatting.states(row)}
        try:
            act = last_act_on(row, entry=entry_of(request))
        except DomainError:
            return context
        own = act.entries[row.pk]
        context |= {"undone": own, "act": act.last, "number": len(act.entries)}
        cleaned_data = filled_in(form)
        choices = (
            [chosen_of(cleaned_data)] if chosen_of(cleaned_data) or "choice" not in form.fields else list(CAPTIONS)
        )
        looks, lines = [], []
        for choice in choices:
            try:
                outcomes = undo.preview(act=act, choice=choice, by=request.user.pk)
            except DomainError as refusal:
                looks.append(look(row, "What undoing it changes", refusal))
                break
            for evaluation, outcome in outcomes:
                if evaluation.pk == row.pk:
                    looks.append(look(row, CAPTIONS[choice] if choice else "What undoing it changes", outcome))
                if choice == choices[0]:
                    refused = isinstance(outcome, DomainError)
                    preview, why = (None, outcome) if refused else (outcome, None)
                    lines.append({"evaluation": evaluation, "preview": preview, "refusal": why})
        shut = not form.is_bound and self.closed(request, row)
        return {
            **context,
            "held": timeline.rows(evaluation=row, ids=row.held) if "choice" in form.fields else (),
            "looks": [] if shut else looks,
            "lines": lines[:MOST_LINES] if len(lines) > 1 else [],
            "refusing": sum(each["refusal"] is not None for each in lines) if len(lines) > 1 else 0,
        }

    def act(self, *, request: StaffRequest, row: Evaluation, cleaned_data: Mapping[str, Any]) -> Outcome:
        order = UndoOrder(
            evaluation_id=row.pk,
            by=request.user,
            reason=cleaned_data["reason"],
            note=cleaned_data["note"],
            seen=cleaned_data["seen"],
            entry=entry_of(request),
            choice=chosen_of(cleaned_data),
            alone=bool(cleaned_data.get("alone")),
        )
        done = undo.undo(order=order, now=timezone.now())
        if isinstance(done, Approval):
            return waiting(row, done)
        entries = sum(len(result.entries) for result in done)
        own = next(result for result in done if result.evaluation.pk == row.pk)
        message: SafeString = format_html("Undone. {}", formatting.happened(own))
        if len(done) > 1:
            message = format_html("{} And {} more score{}.", message, len(done) - 1, pluralize(len(done) - 1))
        logged = f"undid the last act, {entries} entr{'y' if entries == 1 else 'ies'}"
        others = Evaluation.objects.filter(pk__in=[result.evaluation.pk for result in done]).exclude(pk=row.pk)
        LogEntry.objects.log_actions(request.user.pk, others, CHANGE, logged)
        return Outcome(told=message, logged=logged)


def last_act_on(row: Evaluation, *, entry: int | None = None) -> LastAct:
    """Return the last act on a score, read once for as long as a page holds the row.

    Raises: as ``undo.last_act``.
    """
    act: LastAct = vars(row).get(KNOWN) or undo.last_act(evaluation=row)
    vars(row)[KNOWN] = act
    undo.meant(act=act, evaluation=row, entry=entry)
    return act


def entry_of(request: StaffRequest) -> int | None:
    entry = request.GET.get("entry", "")
    return int(entry) if entry.isascii() and entry.isdigit() and len(entry) < 10 else None
