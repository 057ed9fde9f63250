"""The pages that unfreeze a score and take one further step in the same transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from debates.admin import Outcome
from scoring.admin import timeline
from scoring.admin.actions import (
    CAPTIONS,
    Freeze,
    Lift,
    Override,
    OverrideForm,
    RollBack,
    RollBackForm,
    ScorePage,
    Unfreeze,
    UnfreezeForm,
)
from scoring.admin.striking import FactsForm, Reinstate, Strike
from scoring.kinds import EntryKind, HeldChoice
from scoring.models import Evaluation
from scoring.services import carried, moderation
from scoring.services.moderation import Done, Order
from scoring.services.plans import Intent
from scoring.types import Instrument


class Carrying(ScorePage):
    """An unfreeze that carries a step; the page of the step itself says how it is filled in."""

    permission = "unfreeze_evaluation"
    step_named: str
    previews = True
    says = "Both happen in one transaction or not at all: nobody sees the score in between, and nothing moves it there."

    def may(self, request: HttpRequest, row: Evaluation) -> bool:
        """It takes both rights."""
        further = carried.PERMISSIONS[self.kind]
        return super().may(request, row) and request.user.has_perm(f"scoring.{further}")

    def makes_sense(self, row: Evaluation) -> bool:
        """Only what is frozen is unfrozen."""
        return row.frozen_at is not None

    def intents(self, given: Mapping[str, Any]) -> Sequence[tuple[str, Intent]]:
        """Show the choice that is taken, or both side by side."""
        chosen = [HeldChoice(given["choice"])] if given.get("choice") else list(CAPTIONS)
        then = f", and {self.step_named} follows" if self.further(given) else ""
        return [(f"{CAPTIONS[one]}{then}", Intent(EntryKind.UNFREEZE, choice=one)) for one in chosen]

    def context(self, *, request: HttpRequest, row: Evaluation, form: Any) -> dict[str, Any]:
        """Return also what was held, with its words."""
        found = super().context(request=request, row=row, form=form)
        return {**found, "held": timeline.rows(evaluation=row, ids=row.held)}

    def act(self, *, request: HttpRequest, row: Evaluation, given: Mapping[str, Any]) -> Outcome:
        """Do both; nobody is asked half-way."""
        return ScorePage.act(self, request=request, row=row, given=given)

    def do(self, *, order: Order, given: Mapping[str, Any]) -> Done:
        """Unfreeze, and take the step."""
        choice = HeldChoice(given["choice"])
        return moderation.unfreeze(order=order, choice=choice, now=timezone.now(), then=self.further(given))


class UnfreezeOverrideForm(OverrideForm, UnfreezeForm):
    """What becomes of what was held, and the value."""

    field_order = ("choice", "value", "reason")


class UnfreezeAndOverride(Carrying, Override):
    name, title, kind = "unfreeze_override", "Unfreeze and override", EntryKind.OVERRIDE
    form_class, step_named = UnfreezeOverrideForm, "the override"

    def further(self, given: Mapping[str, Any]) -> Intent | None:
        """Set the value."""
        return Intent(self.kind, value=given["value"]) if given.get("value") else None


class UnfreezeStrikeForm(FactsForm, UnfreezeForm):
    """What becomes of what was held, and what is struck."""

    field_order = ("choice", "facts", "reason")


class UnfreezeAndStrike(Carrying, Strike):
    name, title, kind = "unfreeze_strike", "Unfreeze and strike", EntryKind.STRIKE
    form_class, step_named = UnfreezeStrikeForm, "the strike"

    def makes_sense(self, row: Evaluation) -> bool:
        """There has to be something to choose; a standing is one snapshot."""
        return super().makes_sense(row) and row.instrument != Instrument.STANDING and bool(self.facts(row))

    def facts(self, row: Evaluation) -> Sequence[int]:
        """Return what counts now, and what would if it is applied."""
        return sorted({*row.basis, *row.held})

    def further(self, given: Mapping[str, Any]) -> Intent | None:
        """Strike what is chosen."""
        return Intent(self.kind, facts=given["facts"]) if given.get("facts") else None


class UnfreezeRollBackForm(RollBackForm, UnfreezeForm):
    """What becomes of what was held, and the point to go back to."""

    field_order = ("choice", "target", "reason")


class UnfreezeAndRollBack(Carrying, RollBack):
    name, title, kind = "unfreeze_roll_back", "Unfreeze and roll back", EntryKind.ROLLBACK
    form_class, step_named = UnfreezeRollBackForm, "the rollback"

    def further(self, given: Mapping[str, Any]) -> Intent | None:
        """Go back to the point that is chosen."""
        return Intent(self.kind, target=given["target"]) if given.get("target") is not None else None


PAGES: Sequence[ScorePage] = (
    Freeze(), Unfreeze(), UnfreezeAndOverride(), UnfreezeAndStrike(), UnfreezeAndRollBack(), Override(), Lift(),
    Strike(), Reinstate(), RollBack(),
)  # fmt: skip
