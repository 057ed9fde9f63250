"""Debates at the desk: starting, pausing, stopping, playing again, each on a page of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.utils import timezone

from debates.admin import Acting, ActionForm, Closed, Outcome, Page, ReasonForm, StaffRequest
from debates.admin.debate import DebateAdmin
from debates.errors import DomainError
from debates.models import Debate
from debates.rules import IN_PLAY
from debates.services import visibility
from debates.types import STATUS_WORDS, Conduct, Status, Visibility
from judging.engine import lifecycle
from judging.formats import costs
from judging.formats.registry import format_of
from judging.rules import fairness as fairness_rules
from judging.rules.fairness import Fairness
from scoring.admin import bulk, formatting
from scoring.enums import AlertState, ApprovalState
from scoring.models import Alert, Approval, Evaluation
from scoring.services import moderation

READ_BY: Mapping[Visibility, str] = {
    Visibility.PUBLIC: "public: everybody",
    Visibility.UNLISTED: "unlisted: everybody who has its address",
    Visibility.PRIVATE: "private: its creator, who takes part, and whoever may view debates",
}
OVER = frozenset({Status.CONCLUDED, Status.FAILED, Status.CANCELLED})


def refused(ask: Callable[..., object], debate: Debate) -> Closed | None:
    """Say what a service would refuse whatever is filled in, if it would."""
    try:
        ask(debate=debate)
    except DomainError as refusal:
        return Closed(refusal.message)
    return None


class Conducting(Page[Debate]):
    """What whoever made a debate, or may change debates, does to its play."""

    template = "admin/debates/act.html"
    when: frozenset[Status]
    done: str
    service: Callable[..., Debate]

    def may(self, request: StaffRequest, row: Debate) -> bool:
        return row.created_by_id == request.user.pk or request.user.has_perm("debates.change_debate")

    def closed(self, request: StaffRequest, row: Debate) -> Closed | None:
        if Status(row.status) in self.when:
            return None
        open_to = " or ".join(STATUS_WORDS[one] for one in Status if one in self.when)
        return Closed(
            f"This debate is {STATUS_WORDS[row.status]}. \u201c{self.title}\u201d is for one that is {open_to}."
        )

    def context(self, *, request: StaffRequest, row: Debate, form: forms.Form) -> dict[str, Any]:
        return {"scores": scores_of(row)}

    def act(self, *, request: StaffRequest, row: Debate, given: Mapping[str, Any]) -> Outcome:
        type(self).service(debate_id=row.pk, by=request.user, now=timezone.now(), **given)
        return Outcome(told=f"{row} {self.done}.", logged=self.done)


class StartPage(Conducting):
    name, title, done, form_class = "start", "Start", "has been started", ActionForm
    when, service = frozenset({Status.DRAFT}), staticmethod(lifecycle.start)
    says = "The accounts are opened, and play begins."

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


class PausePage(Conducting):
    name, title, done, form_class = "pause", "Pause", "is paused", ActionForm
    when, service = IN_PLAY - {Status.PAUSED}, staticmethod(lifecycle.pause)
    says = "Calls in flight are still written down; no further one is made until it is resumed."


class ResumePage(Conducting):
    name, title, done, form_class = "resume", "Resume", "goes on", ActionForm
    when, service = frozenset({Status.PAUSED}), staticmethod(lifecycle.resume)
    says = "Play goes on where it was."


class StopForm(ReasonForm):
    """Why, in words that stay on the debate itself."""

    reason = forms.CharField(
        min_length=10,
        max_length=lifecycle.LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3, "cols": 60}),
        help_text="10 to 500 characters. They stay on the debate, for its creator and for moderators.",
    )


class StopPage(Conducting):
    name, title, done, form_class = "stop", "Stop and conclude", "is being concluded", StopForm
    when, service = IN_PLAY - {Status.AWAITING_REVIEW}, staticmethod(lifecycle.stop)
    says = "Rounds that have counted stay counted; what is not finished ends partial."

    def closed(self, request: StaffRequest, row: Debate) -> Closed | None:
        """One that waits for its review alone is not stopped."""
        return super().closed(request, row) or refused(lifecycle.may_stop, row)


class CancelPage(Conducting):
    name, title, button, done = "cancel", "Cancel", "Cancel the debate", "is cancelled"
    when, service, grave = frozenset({Status.DRAFT, *IN_PLAY}), staticmethod(lifecycle.cancel), True
    says = "Nothing more is played or counted. What was counted stays in the ledger."


class RetrySynthesisPage(Conducting):
    name, title, done, form_class = "retry_synthesis", "Conclude again", "is concluded again", ActionForm
    when, service = frozenset({Status.FAILED}), staticmethod(lifecycle.retry_synthesis)
    says = "Its scores have stood all along; only the synthesis is written again."

    def closed(self, request: StaffRequest, row: Debate) -> Closed | None:
        """Only what failed at its synthesis, and can still be read, is concluded again."""
        return super().closed(request, row) or refused(lifecycle.may_conclude_again, row)


class VisibilityForm(ActionForm):
    """Who may read the debate from now on."""

    visibility = forms.TypedChoiceField(
        choices=[(value.value, words) for value, words in READ_BY.items()], coerce=Visibility
    )


class ChangeVisibilityPage(Conducting):
    name, title, button, form_class = "visibility", "Change who may read it", "Change", VisibilityForm
    when = frozenset(Status)
    says = "Whoever follows it live and may not read it any more is sent away at once."

    def form(self, *, row: Debate, data: Any, initial: Mapping[str, Any]) -> forms.Form:
        return super().form(row=row, data=data, initial={"visibility": row.visibility, **initial})

    def act(self, *, request: StaffRequest, row: Debate, given: Mapping[str, Any]) -> Outcome:
        visibility.change(debate_id=row.pk, by=request.user, now=timezone.now(), **given)
        return Outcome(told=f"{row} is {given['visibility']} now.", logged=f"made it {given['visibility']}")


class RewindForm(ReasonForm):
    """A reason, and the versions of the scores that whoever acts was looking at."""

    seen = forms.CharField(widget=forms.HiddenInput, required=False, max_length=20_000)

    def clean_seen(self) -> dict[int, int | None]:
        """Return {evaluation: moderation version}."""
        return dict(bulk.rows_of(self.cleaned_data["seen"]))


class Rewinding(Conducting):
    """What takes many scores of a debate back: each is shown now and then, and none may have moved since."""

    template = "admin/debates/rewind.html"
    form_class = RewindForm

    def form(self, *, row: Debate, data: Any, initial: Mapping[str, Any]) -> forms.Form:
        return super().form(row=row, data=data, initial={**initial, "seen": versions(row)})

    def look_again(self, *, row: Debate, form: forms.Form) -> forms.Form:
        """Keep what was written, now about the scores as the page shows them."""
        data = form.data.copy()  # type: ignore[attr-defined]  # a QueryDict
        data["seen"] = versions(row)
        form.data = data
        return form

    def context(self, *, request: StaffRequest, row: Debate, form: forms.Form) -> dict[str, Any]:
        return {"rewinds": rewinds(row)}


@dataclass(frozen=True, slots=True)
class Rewind:
    """One score before and after it is taken back, and what becomes void with it."""

    evaluation: Evaluation
    states: formatting.States
    void: str


def scores(debate: Debate) -> QuerySet[Evaluation]:
    return Evaluation.objects.filter(debate=debate).order_by("position", "pk")


def versions(debate: Debate) -> str:
    """Return the versions of the scores of a debate, for the hidden field."""
    return bulk.text_of(list(scores(debate).values_list("pk", "moderation_version")))


def rewinds(debate: Debate) -> list[Rewind]:
    """Return what would become of each score of a debate, in two queries."""
    waiting = Approval.objects.filter(evaluation__debate=debate, state=ApprovalState.WAITING.value)
    asked = {one.evaluation_id: one for one in waiting.select_related("requested_by")}
    return [
        Rewind(one, formatting.states(one), formatting.void(override=one.override_score, asked=asked.get(one.pk)))
        for one in scores(debate)
    ]


class RerunForm(RewindForm):
    """All criteria or some of them."""

    criteria = forms.MultipleChoiceField(
        required=False, widget=forms.CheckboxSelectMultiple, help_text="None chosen means all of them."
    )
    field_order = ("criteria", "reason")


class RerunPage(Rewinding):
    name, title, done, form_class = "rerun", "Rerun", "is played again", RerunForm
    when, service = OVER, staticmethod(lifecycle.rerun)
    says = "A new run from the initial scores. Earlier rounds stay readable."

    def may(self, request: StaffRequest, row: Debate) -> bool:
        return request.user.has_perm("scoring.rerun_evaluation")

    def closed(self, request: StaffRequest, row: Debate) -> Closed | None:
        """Other formats are repeated as new debates."""
        return super().closed(request, row) or refused(lifecycle.may_rerun, row) or refused(lifecycle.may_play, row)

    def form(self, *, row: Debate, data: Any, initial: Mapping[str, Any]) -> forms.Form:
        form = super().form(row=row, data=data, initial=initial)
        field = form.fields["criteria"]
        assert isinstance(field, forms.MultipleChoiceField)  # noqa: S101 -- narrows the type
        field.choices = [(one.key, str(one)) for one in scores(row)]
        return form


class RollBackAllPage(Rewinding):
    name, title, done = "roll_back", "Roll back all", "is rolled back"
    when = OVER | {Status.DRAFT}
    says = "Every score goes back to its opening, all of them or none. The entries stay in the ledger."

    def may(self, request: StaffRequest, row: Debate) -> bool:
        return request.user.has_perm("scoring.rollback_evaluation")

    def closed(self, request: StaffRequest, row: Debate) -> Closed | None:
        if shut := super().closed(request, row):
            return shut
        found = list(scores(row))
        if not any(one.version > 1 for one in found):
            return Closed("No score of this debate has moved from its opening.")
        frozen = [str(one) for one in found if one.frozen_at]
        return Closed(f"These scores are frozen: {', '.join(frozen)}. Unfreeze them first.") if frozen else None

    def act(self, *, request: StaffRequest, row: Debate, given: Mapping[str, Any]) -> Outcome:
        moved = moderation.roll_back_debate(
            debate_id=row.pk, by=request.user, reason=given["reason"], seen=given["seen"], now=timezone.now()
        )
        return Outcome(told=f"{moved} scores of {row} are back at their opening.", logged=f"rolled back {moved} scores")


def scores_of(debate: Debate) -> list[dict[str, Any]]:
    """Return the scores of a debate with their states, in one query."""
    return [{"evaluation": one, "states": formatting.states(one)} for one in scores(debate)]


admin.site.unregister(Debate)


@admin.register(Debate)
class DebateDesk(Acting[Debate], DebateAdmin):
    """A debate with its scores, and what can be done to its play."""

    pages = (
        StartPage(),
        PausePage(),
        ResumePage(),
        StopPage(),
        CancelPage(),
        RetrySynthesisPage(),
        RerunPage(),
        RollBackAllPage(),
        ChangeVisibilityPage(),
    )
    change_form_template = "admin/debates/debate/change_form.html"

    def desk(self, request: StaffRequest, row: Debate) -> dict[str, Any]:
        alerts = Alert.objects.filter(debate=row, state=AlertState.OPEN.value).select_related("evaluation")
        return {
            "scores": scores_of(row),
            "open_alerts": alerts.order_by("-pk")[:20],
            "awaited": format_of(row.format).awaited(debate=row),
            "fairness": fairness_told(fairness_rules.of(row.parameters)),
        }


def fairness_told(wanted: Fairness) -> str:
    """Return in words what a debate does against the moods of its judges."""
    orders = "in both orders" if wanted.swap else "in one order"
    times = f", {wanted.repeats} times" if wanted.repeats > 1 else ""
    names = "; judges see no names" if wanted.blind_names else ""
    return f"judged {orders}{times}{names}"
