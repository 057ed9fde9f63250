"""Debates at the desk: starting, pausing, stopping, playing again, each on a page of its own; and inviting
somebody to a seat that is free."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from debates.admin import Acting, ActionForm, Closed, Outcome, Page, ReasonForm, StaffRequest
from debates.admin.debate import DebateAdmin, ParticipantAdmin
from debates.form_fields import LinesField
from debates.models import Debate, Participant
from debates.rules import OVER, SEES_DESK
from debates.selectors import conducts, sees_problem
from debates.services import rights, seats
from debates.types import Conduct, Kind, Status, Visibility
from judging.engine import human_turns, lifecycle
from judging.engine.lifecycle import (
    CANCEL,
    DEADLINE,
    PAUSE,
    READ_BY,
    RESUME,
    RETRY_SYNTHESIS,
    STOP,
    VISIBILITY,
    LifecycleAction,
)
from judging.formats import costs
from judging.formats.forms import MomentField
from judging.formats.registry import format_of
from judging.rules import fairness as fairness_rules
from judging.rules.fairness import Fairness
from scoring.admin import bulk, formatting
from scoring.enums import AlertState, ApprovalState, EntryKind
from scoring.models import Alert, Approval, Evaluation
from scoring.services import conflicts, moderation


class Conducting(Page[Debate]):
    """What whoever made a debate, or may change debates, does to its play."""

    template = "admin/debates/act.html"

    def __init__(self, action: LifecycleAction, *, form_class: type[forms.Form] | None = None) -> None:
        """Take what is said, when and what is called from an action, such as the pages of debates have, too."""
        self.action, self.name, self.title, self.says = action, action.name, action.title, action.says
        self.button, self.grave, self.form_class = action.button, action.grave, form_class or self.form_class

    def may(self, request: StaffRequest, row: Debate) -> bool:
        return request.user.has_perm("debates.change_debate") or conducts(user=request.user, debate=row)

    def moderates(self, request: StaffRequest, row: Debate) -> bool:
        """Who conducts it conducts it, be they a party or not."""
        return not conducts(user=request.user, debate=row)

    def closed(self, request: StaffRequest, row: Debate) -> Closed | None:
        why = self.action.refusal(row)
        return Closed(why) if why else None

    def context(self, *, request: StaffRequest, row: Debate, form: forms.Form) -> dict[str, Any]:
        return {"scores": scores_of(row)}

    def act(self, *, request: StaffRequest, row: Debate, cleaned_data: Mapping[str, Any]) -> Outcome:
        self.action.service(debate_id=row.pk, by=request.user, now=timezone.now(), **cleaned_data)
        return Outcome(told=f"{row} {self.action.done}.", logged=self.action.done)


START = LifecycleAction(
    name="start",
    title="Start",
    says="The accounts are opened, and play begins.",
    done="has been started",
    service=lifecycle.start,
    when=frozenset({Status.DRAFT}),
)


class StartPage(Conducting):
    def closed(self, request: StaffRequest, row: Debate) -> Closed | None:
        """What is conducted elsewhere is started there, too."""
        elsewhere = Closed("This debate is conducted elsewhere; its client starts it.")
        return super().closed(request, row) or (elsewhere if row.conducted_by == Conduct.EXTERNAL else None)

    def context(self, *, request: StaffRequest, row: Debate, form: forms.Form) -> dict[str, Any]:
        here = row.conducted_by == Conduct.ENGINE.value
        return {
            **super().context(request=request, row=row, form=form),
            "cost": costs.told(format_of(row.format).cost(debate=row)) if here else "",
        }


class HoldingUp(Conducting):
    """What moderators may do, too."""

    def may(self, request: StaffRequest, row: Debate) -> bool:
        return request.user.has_perm(rights.PAUSES) or super().may(request, row)


class StopForm(ActionForm):
    """Why, in words that stay on the debate itself."""

    reason = LinesField(
        min_length=10,
        max_length=lifecycle.LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3, "cols": 60}),
        help_text="10 to 500 characters. They stay on the debate, for its creator and for moderators.",
    )


class VisibilityForm(ActionForm):
    visibility = forms.TypedChoiceField(
        choices=[(value.value, words) for value, words in READ_BY.items()], coerce=Visibility
    )


class ChangeVisibilityPage(Conducting):
    form_class = VisibilityForm

    def form(self, request: StaffRequest, row: Debate, *, data: Any, initial: Mapping[str, Any]) -> forms.Form:
        return super().form(request, row, data=data, initial={"visibility": row.visibility, **initial})

    def act(self, *, request: StaffRequest, row: Debate, cleaned_data: Mapping[str, Any]) -> Outcome:
        self.action.service(debate_id=row.pk, by=request.user, now=timezone.now(), **cleaned_data)
        return Outcome(
            told=f"{row} is {cleaned_data['visibility']} now.", logged=f"made it {cleaned_data['visibility']}"
        )


class MoveDeadlineForm(ActionForm):
    deadline = MomentField()


class MoveDeadlinePage(Conducting):
    form_class = MoveDeadlineForm

    def form(self, request: StaffRequest, row: Debate, *, data: Any, initial: Mapping[str, Any]) -> forms.Form:
        return super().form(request, row, data=data, initial={"deadline": human_turns.deadline_of(row), **initial})


class Rewinding(Conducting):
    """What takes many scores of a debate back: each is shown now and then, and none may have moved since."""

    template = "admin/debates/rewind.html"
    form_class = bulk.AsSeenForm

    def seen(self, request: StaffRequest, row: Debate) -> Mapping[str, str]:
        return {"seen": bulk.versions(scores(row))}

    def context(self, *, request: StaffRequest, row: Debate, form: forms.Form) -> dict[str, Any]:
        return {"rewinds": rewinds(row)}

    def moderates(self, request: StaffRequest, row: Debate) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Rewind:
    """One score before and after it is taken back, and what becomes void with it."""

    evaluation: Evaluation
    states: formatting.States
    void: str


def scores(debate: Debate) -> QuerySet[Evaluation]:
    return Evaluation.objects.filter(debate=debate).order_by("position", "pk")


def rewinds(debate: Debate) -> list[Rewind]:
    """Return what would become of each score of a debate, in two queries."""
    waiting = Approval.objects.filter(evaluation__debate=debate, state=ApprovalState.WAITING.value)
    asked = {approval.evaluation_id: approval for approval in waiting.select_related("requested_by")}
    return [
        Rewind(
            evaluation,
            formatting.states(evaluation),
            formatting.void(override=evaluation.override_score, asked=asked.get(evaluation.pk)),
        )
        for evaluation in scores(debate)
    ]


class RerunForm(bulk.AsSeenForm):
    criteria = forms.MultipleChoiceField(
        required=False, widget=forms.CheckboxSelectMultiple, help_text="None chosen means all of them."
    )
    field_order = ("criteria", "reason", "note")


RERUN = LifecycleAction(
    name="rerun",
    title="Rerun",
    says="A new run from the initial scores. Earlier rounds stay readable.",
    done="is played again",
    service=lifecycle.rerun,
    when=OVER,
    refuse=lifecycle.may_rerun,
)


class RerunPage(Rewinding):
    form_class = RerunForm

    def may(self, request: StaffRequest, row: Debate) -> bool:
        return request.user.has_perm("scoring.rerun_evaluation")

    def closed(self, request: StaffRequest, row: Debate) -> Closed | None:
        """Say why none of the scores is played again; where some are, the page says which are not."""
        if shut := super().closed(request, row):
            return shut
        evaluations = list(scores(row))
        lost = conflicts.lost(by=request.user, evaluations=evaluations, kind=EntryKind.RERUN)
        if any(not evaluation.frozen_at and evaluation.pk not in lost for evaluation in evaluations):
            return None
        return bulk.closed_together(by=request.user, evaluations=evaluations, kind=EntryKind.RERUN)

    def context(self, *, request: StaffRequest, row: Debate, form: forms.Form) -> dict[str, Any]:
        why = conflicts.hindered(by=request.user, evaluations=list(scores(row)), kind=EntryKind.RERUN)
        return {**super().context(request=request, row=row, form=form), "hindered": why}

    def form(self, request: StaffRequest, row: Debate, *, data: Any, initial: Mapping[str, Any]) -> forms.Form:
        form = super().form(request, row, data=data, initial=initial)
        field = form.fields["criteria"]
        assert isinstance(field, forms.MultipleChoiceField)  # noqa: S101 -- narrows the type
        field.choices = [(evaluation.key, str(evaluation)) for evaluation in scores(row)]
        return form


ROLL_BACK = LifecycleAction(
    name="roll_back",
    title="Roll back all",
    says="Every score goes back to its opening, all of them or none. The entries stay in the ledger.",
    done="is rolled back",
    service=moderation.roll_back_debate,
    when=OVER | {Status.DRAFT},
)


class RollBackAllPage(Rewinding):
    def may(self, request: StaffRequest, row: Debate) -> bool:
        return request.user.has_perm("scoring.rollback_evaluation")

    def closed(self, request: StaffRequest, row: Debate) -> Closed | None:
        if shut := super().closed(request, row):
            return shut
        evaluations = list(scores(row))
        if not any(evaluation.version > 1 for evaluation in evaluations):
            return Closed("No score of this debate has moved from its opening.")
        return bulk.closed_together(by=request.user, evaluations=evaluations, kind=EntryKind.ROLLBACK)

    def act(self, *, request: StaffRequest, row: Debate, cleaned_data: Mapping[str, Any]) -> Outcome:
        moved = moderation.roll_back_debate(debate_id=row.pk, by=request.user, now=timezone.now(), **cleaned_data)
        return Outcome(told=f"{moved} scores of {row} are back at their opening.", logged=f"rolled back {moved} scores")


class ConflictForm(ReasonForm):
    username = forms.CharField(
        required=False, max_length=150, label="About", help_text="An account's name. Empty: you yourself."
    )
    field_order = ("username", "reason")


CONFLICT = LifecycleAction(
    name="conflict",
    title="Declare a conflict of interest",
    says="Whoever has a conflict of interest moderates, approves, settles and decides nothing in this debate, as if "
    "they spoke or judged in it. The declaration stays on record.",
    done="has a conflict of interest on record",
    service=conflicts.declare,
    button="Declare",
)


class DeclareConflictPage(Conducting):
    form_class = ConflictForm

    def may(self, request: StaffRequest, row: Debate) -> bool:
        return request.user.is_staff

    def moderates(self, request: StaffRequest, row: Debate) -> bool:
        return False

    def act(self, *, request: StaffRequest, row: Debate, cleaned_data: Mapping[str, Any]) -> Outcome:
        declared = conflicts.declare(debate_id=row.pk, by=request.user, now=timezone.now(), **cleaned_data)
        message = f"It is on record: {declared.person} does not moderate {row}."
        return Outcome(told=message, logged="declared a conflict of interest")


def scores_of(debate: Debate) -> list[dict[str, Any]]:
    """Return the scores of a debate with their states, in one query."""
    return [{"evaluation": evaluation, "states": formatting.states(evaluation)} for evaluation in scores(debate)]


PROBLEM = ("problem", "stop_reason")
admin.site.unregister(Debate)


@admin.register(Debate)
class DebateDesk(Acting[Debate], DebateAdmin):
    """A debate with its scores, and what can be done to its play."""

    pages = (
        StartPage(START),
        HoldingUp(PAUSE),
        HoldingUp(RESUME),
        MoveDeadlinePage(DEADLINE),
        Conducting(STOP, form_class=StopForm),
        Conducting(CANCEL),
        Conducting(RETRY_SYNTHESIS),
        RerunPage(RERUN),
        RollBackAllPage(ROLL_BACK),
        ChangeVisibilityPage(VISIBILITY),
        DeclareConflictPage(CONFLICT),
    )
    change_form_template = "admin/debates/debate/change_form.html"

    def debate_of(self, row: Debate) -> int:
        return row.pk

    def get_fields(self, request: HttpRequest, obj: Debate | None = None) -> list[Any]:
        fields = super().get_fields(request, obj)
        shown = obj is None or sees_problem(visitor=request.user, debate=obj)
        return fields if shown else [name for name in fields if name not in PROBLEM]

    def desk(self, request: StaffRequest, row: Debate) -> dict[str, Any]:
        alerts = Alert.objects.filter(debate=row, state=AlertState.OPEN.value).select_related("evaluation")
        return {
            "scores": scores_of(row),
            "open_alerts": alerts.order_by("-pk")[:20] if request.user.has_perm(SEES_DESK) else (),
            "sees_problem": sees_problem(visitor=request.user, debate=row),
            "awaited": format_of(row.format).awaited(debate=row),
            "fairness": fairness_told(fairness_rules.of(row.parameters)),
        }


def fairness_told(fairness: Fairness) -> str:
    """Return in words what a debate does against the moods of its judges."""
    orders = "in both orders" if fairness.swap else "in one order"
    times = f", {fairness.repeats} times" if fairness.repeats > 1 else ""
    names = "; judges see no names" if fairness.blind_names else ""
    return f"judged {orders}{times}{names}"


class InvitePage(Page[Participant]):
    """Makes a new invitation to a seat."""

    name, title = "invite", "Invite somebody"
    says = (
        "You get the address of an invitation that is good once and for seven days, to pass on. It is shown once;"
        " invitations made before are good no more."
    )

    def may(self, request: StaffRequest, row: Participant) -> bool:
        return request.user.has_perm("debates.change_debate") or conducts(user=request.user, debate=row.debate)

    def moderates(self, request: StaffRequest, row: Participant) -> bool:
        return not conducts(user=request.user, debate=row.debate)

    def closed(self, request: StaffRequest, row: Participant) -> Closed | None:
        if row.kind == Kind.ENGINE.value:
            return Closed("Here an engine speaks; it needs no seat.")
        if row.debate.conducted_by == Conduct.EXTERNAL.value:
            return Closed("This debate is conducted elsewhere: its program speaks here.")
        return Closed("This seat is taken.") if row.user_id is not None else None

    def act(self, *, request: StaffRequest, row: Participant, cleaned_data: Mapping[str, Any]) -> Outcome:
        invitation = seats.invite(participant_id=row.pk, by=request.user)
        address = request.build_absolute_uri(reverse("take-seat", args=[invitation]))
        return Outcome(told=f"Whoever opens this address first may speak as {row.name}: {address}", logged="invited")


admin.site.unregister(Participant)


@admin.register(Participant)
class ParticipantDesk(Acting[Participant], ParticipantAdmin):
    """A participant, and the invitation to its seat."""

    pages = (InvitePage(),)
