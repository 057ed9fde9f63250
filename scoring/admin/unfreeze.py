"""The pages that unfreeze a score, and those that take one further step in the same transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils import timezone

from debates.admin import Closed, StaffRequest
from scoring.admin import timeline
from scoring.admin.actions import (
    Freeze,
    HeldForm,
    Lift,
    Override,
    OverrideForm,
    RollBack,
    RollBackForm,
    ScoreForm,
    ScorePage,
)
from scoring.admin.striking import FactsForm, Reinstate, Strike
from scoring.enums import EntryKind, HeldChoice
from scoring.models import Evaluation
from scoring.services import moderation, unfreeze_options
from scoring.services.moderation import Done, Order
from scoring.services.plans import Intent

CAPTIONS: Mapping[HeldChoice, str] = {
    HeldChoice.APPLY: "If what was held is applied",
    HeldChoice.DISCARD: "If what was held is discarded",
}


class UnfreezeForm(HeldForm, ScoreForm):
    """What becomes of what was held, and why."""

    field_order: Sequence[str] = ("choice", "reason")


def chosen(given: Mapping[str, Any]) -> HeldChoice | None:
    """Return what is to become of what was held, where that was asked."""
    return HeldChoice(given["choice"]) if given.get("choice") else None


class Thawing(ScorePage):
    """An unfreeze. What becomes of what was held is asked only where something is."""

    step_named = ""

    def form(self, *, row: Evaluation, data: Any, initial: Mapping[str, Any]) -> forms.Form:
        """Return the form; where nothing is held there is nothing to choose."""
        form = super().form(row=row, data=data, initial=initial)
        if not row.held:
            del form.fields["choice"]
        return form

    def context(self, *, request: StaffRequest, row: Evaluation, form: forms.Form) -> dict[str, Any]:
        """Return what it would change, once where nothing is held; and what was held, with its words."""
        found = super().context(request=request, row=row, form=form)
        return {**found, "held": timeline.rows(evaluation=row, ids=row.held)}

    def ways(self, *, row: Evaluation, given: Mapping[str, Any]) -> Sequence[tuple[str, Intent]]:
        """Show the choice that is taken, or both side by side; neither where nothing is held."""
        then = f", and {self.step_named} follows" if self.further(given) else ""
        if not row.held:
            return [(f"What this changes{then}", Intent(EntryKind.UNFREEZE))]
        taken = chosen(given)
        shown = [taken] if taken and self.step_named else list(CAPTIONS)
        return [(f"{CAPTIONS[one]}{then}", Intent(EntryKind.UNFREEZE, choice=one)) for one in shown]


class Unfreeze(Thawing):
    name, title, kind, permission = "unfreeze", "Unfreeze", EntryKind.UNFREEZE, "unfreeze_evaluation"
    form_class = UnfreezeForm

    def closed(self, request: StaffRequest, row: Evaluation) -> Closed | None:
        return Closed(f"{row} is not frozen.") if row.frozen_at is None else None

    def do(self, *, order: Order, given: Mapping[str, Any]) -> Done:
        return moderation.unfreeze(order=order, choice=chosen(given), now=timezone.now())


class Carrying(Thawing):
    """An unfreeze that carries a step; the page of the step itself says how it is filled in."""

    permission = "unfreeze_evaluation"
    previews = True
    says = "Both happen in one transaction or not at all: nobody sees the score in between, and nothing moves it there."

    def may(self, request: StaffRequest, row: Evaluation) -> bool:
        further = unfreeze_options.PERMISSIONS[self.kind]
        return super().may(request, row) and request.user.has_perm(f"scoring.{further}")

    def closed(self, request: StaffRequest, row: Evaluation) -> Closed | None:
        plain = self.name.removeprefix("unfreeze_")
        return Closed(f"{row} is not frozen.", instead=plain) if row.frozen_at is None else None

    def do(self, *, order: Order, given: Mapping[str, Any]) -> Done:
        return moderation.unfreeze(order=order, choice=chosen(given), now=timezone.now(), then=self.further(given))


class UnfreezeOverrideForm(OverrideForm, UnfreezeForm):
    """What becomes of what was held, and the value."""

    field_order = ("choice", "value", "reason")


class UnfreezeAndOverride(Carrying, Override):
    name, title, kind = "unfreeze_override", "Unfreeze and override", EntryKind.OVERRIDE
    form_class, step_named = UnfreezeOverrideForm, "the override"

    def further(self, given: Mapping[str, Any]) -> Intent | None:
        return Intent(self.kind, value=given["value"]) if given.get("value") else None


class UnfreezeStrikeForm(FactsForm, UnfreezeForm):
    """What becomes of what was held, and what is struck."""

    field_order = ("choice", "facts", "reason")


class UnfreezeAndStrike(Carrying, Strike):
    name, title, kind = "unfreeze_strike", "Unfreeze and strike", EntryKind.STRIKE
    form_class, step_named = UnfreezeStrikeForm, "the strike"

    def closed(self, request: StaffRequest, row: Evaluation) -> Closed | None:
        return super().closed(request, row) or self.nothing(row)

    def facts(self, row: Evaluation) -> Sequence[int]:
        """Return what counts now, and what would if it is applied."""
        return sorted({*row.basis, *row.held})

    def further(self, given: Mapping[str, Any]) -> Intent | None:
        return Intent(self.kind, facts=given["facts"]) if given.get("facts") else None


class UnfreezeRollBackForm(RollBackForm, UnfreezeForm):
    """What becomes of what was held, and the point to go back to."""

    field_order = ("choice", "target", "reason")


class UnfreezeAndRollBack(Carrying, RollBack):
    name, title, kind = "unfreeze_roll_back", "Unfreeze and roll back", EntryKind.ROLLBACK
    form_class, step_named = UnfreezeRollBackForm, "the rollback"

    def further(self, given: Mapping[str, Any]) -> Intent | None:
        return Intent(self.kind, target=given["target"]) if given.get("target") is not None else None


PAGES: Sequence[ScorePage] = (
    Freeze(), Unfreeze(), UnfreezeAndOverride(), UnfreezeAndStrike(), UnfreezeAndRollBack(), Override(), Lift(),
    Strike(), Reinstate(), RollBack(),
)  # fmt: skip
