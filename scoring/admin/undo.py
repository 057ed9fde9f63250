"""The page on which the last act of a person is taken back: what it was, and what undoing it would change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.template.defaultfilters import pluralize
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from debates.admin import Closed, Outcome, Page, StaffRequest, filled_in
from debates.errors import DomainError
from scoring.admin import formatting, timeline
from scoring.admin.actions import CAPTIONS, HeldField, Look, ScoreForm, chosen_of, waiting
from scoring.models import Approval, Evaluation
from scoring.services import undo
from scoring.services.previews import Preview
from scoring.services.undo import LastAct, UndoOrder

MOST_LINES = 100
"""So many scores of one act are listed; the service takes all of them."""
KNOWN = "last_act"
"""Where a row keeps the last act on it, once a page has read that."""


@dataclass(frozen=True, slots=True)
class UndoneScore:
    """One score of an act on many: where it stands and would stand, or why it refuses."""

    evaluation: Evaluation
    preview: Preview | None
    refusal: str


class UndoPage(Page[Evaluation]):
    """The last act on a score, whatever it was and whoever did it, taken back."""

    name, title, template = "undo", "Undo", "admin/scoring/undo.html"
    says = "What takes it back is written as new entries; nothing is removed from the ledger."

    def may(self, request: StaffRequest, row: Evaluation) -> bool:
        """Undoing takes the permissions of what takes the act back; where there is none, those of anything."""
        try:
            act = last_act_on(row)
        except DomainError:
            return request.user.has_perm("scoring.freeze_evaluation")
        return request.user.has_perms([f"scoring.{permission}" for permission in undo.permissions_for(act=act)])

    def closed(self, request: StaffRequest, row: Evaluation) -> Closed | None:
        try:
            act = last_act_on(row, entry=entry_of(request))
        except DomainError as refusal:
            return Closed(refusal.message)
        if len(act.entries) > 1 or undo.asks(act=act):
            return None
        [(_, outcome)] = undo.preview(act=act, choice=None, by=request.user.pk)
        return Closed(outcome.message) if isinstance(outcome, DomainError) else None

    def form(self, *, row: Evaluation, data: Any, initial: Mapping[str, Any]) -> forms.Form:
        form = ScoreForm(data, initial={**initial, "seen": row.moderation_version})
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

    def look_again(self, *, row: Evaluation, form: forms.Form) -> forms.Form:
        """Keep what was written, now about the score as the page shows it."""
        data = form.data.copy()  # type: ignore[attr-defined]  # a QueryDict
        data["seen"] = str(row.moderation_version)
        return self.form(row=row, data=data, initial={})

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
                looks.append(seen(row, "What undoing it changes", refusal))
                break
            for evaluation, outcome in outcomes:
                if evaluation.pk == row.pk:
                    looks.append(seen(row, CAPTIONS[choice] if choice else "What undoing it changes", outcome))
                if choice == choices[0]:
                    lines.append(line(evaluation, outcome))
        shut = not form.is_bound and self.closed(request, row)
        return {
            **context,
            "held": timeline.rows(evaluation=row, ids=row.held) if "choice" in form.fields else (),
            "looks": [] if shut else looks,
            "lines": lines[:MOST_LINES] if len(lines) > 1 else [],
            "refusing": sum(bool(each.refusal) for each in lines) if len(lines) > 1 else 0,
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
        return Outcome(told=message, logged=f"undid the last act, {entries} entr{'y' if entries == 1 else 'ies'}")


def last_act_on(row: Evaluation, *, entry: int | None = None) -> LastAct:
    """Return the last act on a score, read once for as long as a page holds the row.

    Raises: as ``undo.last_act``.
    """
    act: LastAct = vars(row).get(KNOWN) or undo.last_act(evaluation=row)
    vars(row)[KNOWN] = act
    undo.meant(act=act, evaluation=row, entry=entry)
    return act


def entry_of(request: StaffRequest) -> int | None:
    """Return the entry that the link to the page named, where it named one."""
    entry = request.GET.get("entry", "")
    return int(entry) if entry.isascii() and entry.isdigit() and len(entry) < 10 else None


def seen(row: Evaluation, caption: str, outcome: Preview | DomainError) -> Look:
    if isinstance(outcome, DomainError):
        return Look(caption, preview=None, refusal=outcome.message)
    groups: Sequence[Any] = (outcome.facts_in, outcome.facts_out, outcome.held_discarded)
    begins, ceases, discarded = (timeline.rows(evaluation=row, ids=[fact.pk for fact in group]) for group in groups)
    whole = timeline.consequences(evaluation=row, final=outcome.then.final)
    return Look(caption, outcome, begins=begins, ceases=ceases, discarded=discarded, whole=whole)


def line(evaluation: Evaluation, outcome: Preview | DomainError) -> UndoneScore:
    if isinstance(outcome, DomainError):
        return UndoneScore(evaluation, None, outcome.message)
    return UndoneScore(evaluation, outcome, "")
