"""The pages on which a moderator acts on one score, made from the table of actions. Each calls one service."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.html import format_html

from debates.admin import Closed, Outcome, Page, ReasonForm, StaffRequest, filled_in
from debates.errors import DomainError
from scoring import selectors
from scoring.admin import formatting, timeline
from scoring.enums import EntryKind, HeldChoice, ReasonCode
from scoring.errors import Frozen
from scoring.models import Appeal, Approval, Evaluation
from scoring.models.appeal import WAITING
from scoring.rules.instruments import range_of
from scoring.services import conflicts, moderation, previews
from scoring.services.actions import ACTIONS, ONE_SNAPSHOT, Intent
from scoring.services.previews import Preview
from scoring.services.steps import Order
from scoring.types import Instrument

MOST_POINTS = 200
"""So many points of a timeline are offered to go back to; the service takes any earlier one."""
CAPTIONS: Mapping[HeldChoice, str] = {
    HeldChoice.APPLY: "If what was held is applied",
    HeldChoice.DISCARD: "If what was held is discarded",
}
FACTS = {
    Instrument.CRITERION: "Verdicts",
    Instrument.ADHERENCE: "Response evaluations",
    Instrument.PANEL: "Judges' scores",
    Instrument.STANDING: "Standings",
}
AT_ONCE = "Both happen in one transaction or not at all: nobody sees the score in between, and nothing moves it there."


@dataclass(frozen=True, slots=True)
class Wording:
    """What the page of an action is called and says; ``empty`` where there are no facts to choose from."""

    name: str
    title: str
    says: str = ""
    caption: str = "What this changes"
    empty: str = ""


WORDINGS: Mapping[EntryKind, Wording] = {
    EntryKind.FREEZE: Wording(
        "freeze",
        "Freeze",
        says="Until it is unfrozen nothing moves this score: not the engine, not a person, not a command.",
    ),
    EntryKind.UNFREEZE: Wording("unfreeze", "Unfreeze"),
    EntryKind.OVERRIDE: Wording(
        "override",
        "Override",
        says="The value that you set counts until it is lifted; what the verdicts give is computed on underneath.",
        caption="What setting it to {value} changes",
    ),
    EntryKind.OVERRIDE_LIFTED: Wording("lift", "Lift override"),
    EntryKind.STRIKE: Wording(
        "strike",
        "Strike",
        says="What is struck no longer counts, and is kept. It can be reinstated.",
        empty="Nothing counts, so there is nothing to strike.",
    ),
    EntryKind.REINSTATE: Wording(
        "reinstate",
        "Reinstate",
        says="What was struck or discarded in this run counts again; a panel's score is always of one round.",
        empty="Nothing that could count beside what counts is left out, so there is nothing to reinstate.",
    ),
    EntryKind.ROLLBACK: Wording(
        "roll_back",
        "Roll back",
        says="The score becomes what it was after the entry that you choose. Later entries stay in the ledger, void.",
        caption="What going back to entry {target} changes",
    ),
}


class ScoreForm(ReasonForm):
    """A reason, and the version that whoever acts was looking at."""

    seen = forms.IntegerField(widget=forms.HiddenInput)


class HeldField(forms.ChoiceField):
    """What becomes of what was held."""

    def __init__(self) -> None:
        super().__init__(
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
    begins: Sequence[timeline.FactRow] = ()
    ceases: Sequence[timeline.FactRow] = ()
    discarded: Sequence[timeline.FactRow] = ()
    whole: Sequence[timeline.Consequence] = ()


def look(row: Evaluation, caption: str, outcome: Preview | DomainError) -> Look:
    if isinstance(outcome, DomainError):
        return Look(caption, preview=None, refusal=outcome.message)
    groups = (outcome.facts_in, outcome.facts_out, outcome.held_discarded)
    begins, ceases, discarded = (timeline.rows(evaluation=row, ids=[fact.pk for fact in group]) for group in groups)
    whole = timeline.consequences(evaluation=row, then=outcome.then)
    return Look(caption, outcome, begins=begins, ceases=ceases, discarded=discarded, whole=whole)


class VersionedPage(Page[Evaluation]):
    """A page of a score whose form carries the version that was looked at."""

    form_class = ScoreForm

    def moderates(self, request: StaffRequest, row: Evaluation) -> bool:
        return True

    def moved(self, row: Evaluation, *, form: forms.Form) -> str:
        """Compare versions before choices are read: what was offered then may be no choice now."""
        seen = filled_in(form).get("seen", row.moderation_version)
        return "" if seen == row.moderation_version else selectors.who_moved_it(evaluation=row, seen=seen)

    def seen(self, request: StaffRequest, row: Evaluation) -> Mapping[str, str]:
        return {"seen": str(row.moderation_version)}


class ScorePage(VersionedPage):
    """An action on one score, alone or carried by an unfreeze: what it would change is shown before it is done."""

    template, part = "admin/scoring/act.html", "admin/scoring/_looks.html"

    def __init__(self, kind: EntryKind, *, carried: bool = False) -> None:
        self.kind, self.action, self.wording, self.carried = kind, ACTIONS[kind], WORDINGS[kind], carried
        self.unfreezes = carried or kind is EntryKind.UNFREEZE
        self.previews = bool(self.action.inputs) and kind is not EntryKind.UNFREEZE
        self.name, self.title, self.says = self.wording.name, self.wording.title, self.wording.says
        if carried:
            self.name, self.title, self.says = f"unfreeze_{self.name}", f"Unfreeze and {self.title.lower()}", AT_ONCE

    def may(self, request: StaffRequest, row: Evaluation) -> bool:
        """Each action has a permission of its own; one that is carried takes that of an unfreeze too."""
        carrier = [ACTIONS[EntryKind.UNFREEZE].permission] if self.carried else []
        return request.user.has_perms([*carrier, self.action.permission])

    def closed(self, request: StaffRequest, row: Evaluation) -> Closed | None:
        """What is frozen can only be unfrozen, and only what is frozen; and there has to be something to choose."""
        try:
            ACTIONS[EntryKind.UNFREEZE if self.unfreezes else self.kind].ready(row)
        except Frozen as refusal:
            carried = f"unfreeze_{self.name}" if self.action.follows_unfreeze else "unfreeze"
            return Closed(refusal.message, instead=carried)
        except DomainError as refusal:
            return Closed(refusal.message, instead=self.wording.name if self.carried else "")
        if "facts" not in self.action.inputs:
            return None
        if row.instrument == Instrument.STANDING:
            return Closed(ONE_SNAPSHOT)
        return None if self.facts(row) else Closed(self.wording.empty)

    def facts(self, row: Evaluation) -> Sequence[int]:
        """The facts that can be chosen: of an unfreeze what counts now, and what would if it is applied."""
        if self.kind is EntryKind.REINSTATE:
            return sorted(selectors.reinstatable(evaluation=row))
        return sorted({*row.basis, *row.held}) if self.carried else row.basis

    def form(self, request: StaffRequest, row: Evaluation, *, data: Any, initial: Mapping[str, Any]) -> forms.Form:
        """Ask for the inputs of the action, about the version that is shown; a choice only where something is held."""
        facts = initial.get("facts", [])
        chosen = facts if isinstance(facts, list) else [facts]
        form = super().form(request, row, data=data, initial={**initial, "facts": chosen})
        held = ["choice"] if self.unfreezes and row.held else []
        inputs = [*held, *(name for name in self.action.inputs if name != "choice")]
        form.fields |= {name: FIELDS[name](self, row) for name in inputs}
        if Appeal.objects.filter(WAITING, debate=row.debate_id).exists():
            form.fields["for_appeal"] = for_appeal_field()
        form.order_fields([*inputs, "reason", "note"])
        return form

    def moved(self, row: Evaluation, *, form: forms.Form) -> str:
        return super().moved(row, form=form) if self.action.versioned else ""

    def step(self, cleaned_data: Mapping[str, Any]) -> Intent | None:
        """The action itself, once all of its inputs are filled in; an unfreeze alone has none besides."""
        inputs = {
            name: cleaned_data[name] for name in self.action.inputs if cleaned_data.get(name) not in (None, "", [])
        }
        filled = len(inputs) == len(self.action.inputs) and self.kind is not EntryKind.UNFREEZE
        return Intent(self.kind, **inputs) if filled else None

    def ways(self, row: Evaluation, cleaned_data: Mapping[str, Any]) -> Sequence[tuple[str, Intent]]:
        """What can be shown beforehand, with captions: of an unfreeze the choice that is taken, or both together."""
        step = self.step(cleaned_data)
        if not self.unfreezes:
            return [(self.wording.caption.format(**cleaned_data), step)] if step else []
        follows = f", and the {self.action.name} follows" if step else ""
        if not row.held:
            return [(f"What this changes{follows}", Intent(EntryKind.UNFREEZE, then=step))]
        choice = chosen_of(cleaned_data)
        choices = [choice] if choice and self.carried else list(CAPTIONS)
        return [(CAPTIONS[each] + follows, Intent(EntryKind.UNFREEZE, choice=each, then=step)) for each in choices]

    def context(self, *, request: StaffRequest, row: Evaluation, form: forms.Form) -> dict[str, Any]:
        """Show where the score stands, what is held, and what the action would change or why it would be refused."""
        context: dict[str, Any] = {"states": formatting.states(row)}
        if self.unfreezes:
            context["held"] = timeline.rows(evaluation=row, ids=row.held)
        if not form.is_bound and self.closed(request, row):
            return context
        looks = []
        for caption, intent in self.ways(row, filled_in(form)):
            try:
                preview = previews.preview(evaluation_id=row.pk, intent=intent, by=request.user.pk)
                looks.append(look(row, caption, preview))
            except DomainError as refusal:
                looks.append(look(row, caption, refusal))
        refusals = {each.refusal for each in looks}
        if not looks:  # as long as nothing is chosen
            lost = conflicts.lost(by=request.user, evaluations=[row], kind=self.kind)
            refusals = {refusal.message for refusal in lost.values()}
        hindrance = refusals.pop() if len(refusals) == 1 else ""
        errors = form.non_field_errors() if form.is_bound else ()
        return {**context, "looks": [] if hindrance else looks, "hindrance": "" if hindrance in errors else hindrance}

    def act(self, *, request: StaffRequest, row: Evaluation, cleaned_data: Mapping[str, Any]) -> Outcome:
        """Do it, and say what became of the score. What needs no version wins over whatever happened meanwhile."""
        seen = cleaned_data["seen"] if self.action.versioned else None
        order = Order(
            evaluation_id=row.pk, by=request.user, reason=cleaned_data["reason"], note=cleaned_data["note"], seen=seen,
            reason_code=ReasonCode.APPEAL.value if cleaned_data.get("for_appeal") else "",
        )  # fmt: skip
        step = self.step(cleaned_data)
        intent = Intent(EntryKind.UNFREEZE, choice=chosen_of(cleaned_data), then=step) if self.unfreezes else step
        assert intent is not None  # noqa: S101 -- the form asks for every input
        assert step is not None or not self.carried  # noqa: S101 -- as above
        done = moderation.perform(order=order, intent=intent, now=timezone.now())
        if isinstance(done, Approval):
            return waiting(row, done)
        return Outcome(told=formatting.happened(done), logged=formatting.logged(done))


def for_appeal_field() -> forms.Field:
    return forms.BooleanField(
        required=False,
        label="For an appeal",
        help_text="Its entry carries the code appeal; an appeal that you hold can be allowed by naming its number.",
    )


def chosen_of(cleaned_data: Mapping[str, Any]) -> HeldChoice | None:
    return HeldChoice(cleaned_data["choice"]) if cleaned_data.get("choice") else None


def waiting(row: Evaluation, approval: Approval) -> Outcome:
    """Say that nothing has moved, and which request waits for a second person."""
    request = formatting.link("scoring_approval", approval.pk, f"request {approval.pk}")
    waits = "{} has not moved: {} waits for a second person ({})."
    message = format_html(waits, formatting.named(row), formatting.shown(approval.value), request)
    return Outcome(told=message, logged=f"asked for an override, request {approval.pk}")


def value_field(_page: ScorePage, row: Evaluation) -> forms.Field:
    """The service reads the value, so that it is never a binary float."""
    low, high = range_of(Instrument(row.instrument))
    return forms.CharField(
        max_length=40,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "size": 8, "autocomplete": "off"}),
        help_text=f"From {low} to {high}, at most 2 places.",
    )


def facts_field(page: ScorePage, row: Evaluation) -> forms.Field:
    choices = [
        (fact.fact.pk, f"Round {fact.fact.round.number}: {fact.title}, {fact.moves}. {fact.beginning}".strip())
        for fact in timeline.rows(evaluation=row, ids=page.facts(row))
    ]
    label = FACTS[Instrument(row.instrument)]
    return forms.TypedMultipleChoiceField(coerce=int, widget=forms.CheckboxSelectMultiple, label=label, choices=choices)


def target_field(_page: ScorePage, row: Evaluation) -> forms.Field:
    """Points of the timeline; the service says which there are."""
    earlier = timeline.newest_first(row).filter(sequence__lt=row.version)[:MOST_POINTS]
    points = [(entry.sequence, timeline.point(entry, now=row)) for entry in earlier]
    return forms.IntegerField(label="Back to", widget=forms.RadioSelect(choices=points))


FIELDS: Mapping[str, Callable[[ScorePage, Evaluation], forms.Field]] = {
    "choice": lambda _page, _row: HeldField(),
    "value": value_field,
    "facts": facts_field,
    "target": target_field,
}
FIRST = (EntryKind.FREEZE, EntryKind.UNFREEZE)
PAGES: Sequence[ScorePage] = (
    *(ScorePage(kind) for kind in FIRST),
    *(ScorePage(kind, carried=True) for kind, action in ACTIONS.items() if action.follows_unfreeze),
    *(ScorePage(kind) for kind in ACTIONS if kind not in FIRST),
)
