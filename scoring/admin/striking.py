"""The pages that take facts out of a score, and put them back."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.utils import timezone

from debates.admin import Closed, StaffRequest
from scoring import selectors
from scoring.admin import timeline
from scoring.admin.actions import ScoreForm, ScorePage
from scoring.enums import EntryKind
from scoring.models import Evaluation
from scoring.services import moderation
from scoring.services.moderation import Done, Order
from scoring.services.plans import Intent
from scoring.types import Instrument

FACTS = {
    Instrument.CRITERION: "Verdicts",
    Instrument.ADHERENCE: "Response evaluations",
    Instrument.PANEL: "Judges' scores",
    Instrument.STANDING: "Standings",
}


class FactsForm(ScoreForm):
    """Which facts."""

    facts = forms.TypedMultipleChoiceField(coerce=int, widget=forms.CheckboxSelectMultiple)
    field_order: Sequence[str] = ("facts", "reason")


class FactsPage(ScorePage):
    """An action on some of the facts of a score."""

    form_class = FactsForm
    permission = "strike_evaluation"
    is_empty: str
    previews = True

    @abstractmethod
    def facts(self, row: Evaluation) -> Sequence[int]:
        """Return the facts that can be chosen."""

    def closed(self, request: StaffRequest, row: Evaluation) -> Closed | None:
        return super().closed(request, row) or self.nothing(row)

    def nothing(self, row: Evaluation) -> Closed | None:
        """Say that there is nothing to choose, if so; a standing is one snapshot."""
        if row.instrument == Instrument.STANDING:
            return Closed("A standing is one snapshot; its parts cannot be struck.")
        return None if self.facts(row) else Closed(self.is_empty)

    def form(self, *, row: Evaluation, data: Any, initial: Mapping[str, Any]) -> forms.Form:
        chosen = initial.get("facts", [])
        form = super().form(
            row=row, data=data, initial={**initial, "facts": chosen if isinstance(chosen, list) else [chosen]}
        )
        field = form.fields["facts"]
        assert isinstance(field, forms.TypedMultipleChoiceField)  # noqa: S101 -- narrows the type
        field.label = FACTS[Instrument(row.instrument)]
        field.choices = list(self.choices(row))
        return form

    def choices(self, row: Evaluation) -> Iterator[tuple[int, str]]:
        for one in timeline.rows(evaluation=row, ids=self.facts(row)):
            yield one.fact.pk, f"Round {one.fact.round.number}: {one.title}, {one.moves}. {one.beginning}".strip()

    def intents(self, given: Mapping[str, Any]) -> Sequence[tuple[str, Intent]]:
        facts = given.get("facts")
        return [("What this changes", Intent(self.kind, facts=facts))] if facts else []


class Strike(FactsPage):
    name, title, kind = "strike", "Strike", EntryKind.STRIKE
    thaws_at, is_empty = "unfreeze_strike", "Nothing counts, so there is nothing to strike."
    says = "What is struck no longer counts, and is kept. It can be reinstated."

    def facts(self, row: Evaluation) -> Sequence[int]:
        return row.basis

    def do(self, *, order: Order, given: Mapping[str, Any]) -> Done:
        return moderation.strike(order=order, facts=given["facts"], now=timezone.now())


class Reinstate(FactsPage):
    name, title, kind = "reinstate", "Reinstate", EntryKind.REINSTATE
    is_empty = "Nothing that could count beside what counts is left out, so there is nothing to reinstate."
    says = "What was struck or discarded in this run counts again; a panel's score is always of one round."

    def facts(self, row: Evaluation) -> Sequence[int]:
        """Return what belongs to this run and does not count, of a panel beside its round alone."""
        return sorted(selectors.reinstatable(evaluation=row))

    def do(self, *, order: Order, given: Mapping[str, Any]) -> Done:
        return moderation.reinstate(order=order, facts=given["facts"], now=timezone.now())
