"""The pages on which a moderator acts on one score. Each calls one service."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from debates.admin import Closed, Outcome, Page, ReasonForm, StaffRequest, filled_in
from debates.errors import DomainError
from scoring.admin import formatting, timeline
from scoring.enums import EntryKind, HeldChoice
from scoring.models import Approval, Evaluation
from scoring.services import approvals, moderation, plans, previews
from scoring.services.moderation import Done, Order
from scoring.services.plans import Intent
from scoring.services.previews import Preview

MOST_POINTS = 200
"""So many points of a timeline are offered to go back to; the service takes any earlier one."""


class ScoreForm(ReasonForm):
    """A reason, and the version that whoever acts was looking at."""

    seen = forms.IntegerField(widget=forms.HiddenInput)


class HeldForm(forms.Form):
    """What becomes of what was held."""

    choice = forms.ChoiceField(
        label="What was held",
        choices=[(HeldChoice.APPLY.value, "Apply: it counts"), (HeldChoice.DISCARD.value, "Discard: it does not")],
        widget=forms.RadioSelect,
        help_text="What is discarded is kept, and can be reinstated.",
    )


@dataclass(frozen=True, slots=True)
class Look:
    """What an action would change, under a caption; or why it would be refused."""

    caption: str
    preview: Preview | None
    refusal: str = ""
    begins: Sequence[timeline.Row] = ()
    ceases: Sequence[timeline.Row] = ()
    discarded: Sequence[timeline.Row] = ()


def look(row: Evaluation, caption: str, intent: Intent, further: Intent | None, *, by: int | None) -> Look:
    """Return what an action of one user, with its further step where it has one, would change."""
    try:
        found = previews.preview(evaluation_id=row.pk, intent=intent, by=by, then=further)
    except DomainError as refusal:
        return Look(caption, preview=None, refusal=refusal.message)
    groups = (found.facts_in, found.facts_out, found.held_discarded)
    begins, ceases, discarded = (timeline.rows(evaluation=row, ids=[one.pk for one in group]) for group in groups)
    return Look(caption, found, begins=begins, ceases=ceases, discarded=discarded)


class ScorePage(Page[Evaluation]):
    """An action on one score: what it would change is shown before it is done."""

    kind: EntryKind
    permission: str
    thaws_at = "unfreeze"
    form_class = ScoreForm
    template = "admin/scoring/act.html"

    def may(self, request: StaffRequest, row: Evaluation) -> bool:
        return request.user.has_perm(f"scoring.{self.permission}")

    def closed(self, request: StaffRequest, row: Evaluation) -> Closed | None:
        """What is frozen can only be unfrozen."""
        try:
            plans.movable(evaluation=row)
        except DomainError as refusal:
            return Closed(refusal.message, instead=self.thaws_at)
        return None

    def form(self, *, row: Evaluation, data: Any, initial: Mapping[str, Any]) -> forms.Form:
        return self.form_class(data, initial={**initial, "seen": row.moderation_version})

    def look_again(self, *, row: Evaluation, form: forms.Form) -> forms.Form:
        """Keep what was written, now about the score as the page shows it."""
        data = form.data.copy()  # type: ignore[attr-defined]  # a QueryDict
        data["seen"] = str(row.moderation_version)
        return self.form(row=row, data=data, initial={})

    def intents(self, given: Mapping[str, Any]) -> Sequence[tuple[str, Intent]]:
        """Return what can be shown beforehand, with captions."""
        return [("What this changes", Intent(self.kind))]

    def ways(self, *, row: Evaluation, given: Mapping[str, Any]) -> Sequence[tuple[str, Intent]]:
        """Return the same about one score: what it holds may decide what there is to show."""
        return self.intents(given)

    def further(self, given: Mapping[str, Any]) -> Intent | None:
        """Return the further step that is taken in the same transaction, as far as it is filled in."""
        return None

    def context(self, *, request: StaffRequest, row: Evaluation, form: forms.Form) -> dict[str, Any]:
        if not form.is_bound and self.closed(request, row):
            return {"states": formatting.states(row)}
        given = filled_in(form)
        ways = self.ways(row=row, given=given)
        looks = [look(row, caption, intent, self.further(given), by=request.user.pk) for caption, intent in ways]
        refusals = {one.refusal for one in looks}
        told = form.non_field_errors() if form.is_bound else ()
        hindrance = refusals.pop() if len(refusals) == 1 else ""
        return {
            "states": formatting.states(row),
            "looks": [] if hindrance else looks,
            "hindrance": "" if hindrance in told else hindrance,
        }

    def act(self, *, request: StaffRequest, row: Evaluation, given: Mapping[str, Any]) -> Outcome:
        order = Order(evaluation_id=row.pk, by=request.user, reason=given["reason"], seen=given["seen"])
        done = self.do(order=order, given=given)
        if isinstance(done, Approval):
            return waiting(row, done)
        return Outcome(told=formatting.happened(done), logged=formatting.logged(done))

    @abstractmethod
    def do(self, *, order: Order, given: Mapping[str, Any]) -> Done | Approval:
        """Call the service."""


def waiting(row: Evaluation, asked: Approval) -> Outcome:
    address = reverse(f"{formatting.SITE}:scoring_approval_change", args=[asked.pk])
    waits = '{} has not moved: {} waits for a second person (<a href="{}">request {}</a>).'
    told = format_html(waits, formatting.named(row), formatting.shown(asked.value), address, asked.pk)
    return Outcome(told=told, logged=f"asked for an override, request {asked.pk}")


class Freeze(ScorePage):
    name, title, kind, permission = "freeze", "Freeze", EntryKind.FREEZE, "freeze_evaluation"
    says = "Until it is unfrozen nothing moves this score: not the engine, not a person, not a command."

    def do(self, *, order: Order, given: Mapping[str, Any]) -> Done:
        """Freeze, whatever has happened since the page was opened: it must win every race."""
        return moderation.freeze(order=replace(order, seen=None), now=timezone.now())


class OverrideForm(ScoreForm):
    """The value that a person sets. The service reads it, so that it is never a binary float."""

    value = forms.CharField(
        max_length=40, widget=forms.TextInput(attrs={"inputmode": "decimal", "size": 8, "autocomplete": "off"})
    )
    field_order: Sequence[str] = ("value", "reason")


class Override(ScorePage):
    name, title, kind, permission = "override", "Override", EntryKind.OVERRIDE, "override_evaluation"
    form_class = OverrideForm
    thaws_at = "unfreeze_override"
    previews = True
    says = "The value that you set counts until it is lifted; what the verdicts give is computed on underneath."

    def form(self, *, row: Evaluation, data: Any, initial: Mapping[str, Any]) -> forms.Form:
        form = super().form(row=row, data=data, initial=initial)
        low, high = timeline.scale(row)
        form.fields["value"].help_text = f"From {low} to {high}, at most 2 places."
        return form

    def intents(self, given: Mapping[str, Any]) -> Sequence[tuple[str, Intent]]:
        value = given.get("value")
        return [(f"What setting it to {value} changes", Intent(self.kind, value=value))] if value else []

    def do(self, *, order: Order, given: Mapping[str, Any]) -> Done | Approval:
        return approvals.request_or_override(order=order, value=given["value"], now=timezone.now())


class Lift(ScorePage):
    name, title, kind, permission = "lift", "Lift override", EntryKind.OVERRIDE_LIFTED, "lift_evaluation"

    def closed(self, request: StaffRequest, row: Evaluation) -> Closed | None:
        nothing = Closed("There is no override to lift.") if row.override_score is None else None
        return super().closed(request, row) or nothing

    def do(self, *, order: Order, given: Mapping[str, Any]) -> Done:
        return moderation.lift(order=order, now=timezone.now())


class RollBackForm(ScoreForm):
    """Which point of the timeline to go back to; the service says which there are."""

    target = forms.IntegerField(label="Back to", widget=forms.RadioSelect)
    field_order: Sequence[str] = ("target", "reason")


class RollBack(ScorePage):
    name, title, kind, permission = "roll_back", "Roll back", EntryKind.ROLLBACK, "rollback_evaluation"
    form_class = RollBackForm
    thaws_at = "unfreeze_roll_back"
    previews = True
    says = "The score becomes what it was after the entry that you choose. Later entries stay in the ledger, void."

    def closed(self, request: StaffRequest, row: Evaluation) -> Closed | None:
        nothing = Closed(f"{row} is at its opening: nothing to go back over.") if row.version < 2 else None
        return super().closed(request, row) or nothing

    def form(self, *, row: Evaluation, data: Any, initial: Mapping[str, Any]) -> forms.Form:
        form = super().form(row=row, data=data, initial=initial)
        earlier = timeline.newest_first(row).filter(sequence__lt=row.version)[:MOST_POINTS]
        points = [(entry.sequence, timeline.point(entry, now=row)) for entry in earlier]
        form.fields["target"].widget = forms.RadioSelect(choices=points)
        return form

    def intents(self, given: Mapping[str, Any]) -> Sequence[tuple[str, Intent]]:
        target = given.get("target")
        return [(f"What going back to entry {target} changes", Intent(self.kind, target=target))] if target else []

    def do(self, *, order: Order, given: Mapping[str, Any]) -> Done:
        return moderation.roll_back(order=order, target=given["target"], now=timezone.now())
