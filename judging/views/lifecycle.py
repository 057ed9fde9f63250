"""What whoever conducts a debate does to it, before play and in it, each on a page that asks first."""

from functools import partial
from http import HTTPStatus
from secrets import token_urlsafe
from typing import Any, cast

from django import forms
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.views.generic import FormView
from django.views.generic.base import View

from debates import rules
from debates.errors import ConflictOfInterest, DomainError, Invalid, NotAllowedNow, NotPermitted
from debates.form_fields import LinesField
from debates.models import Debate
from debates.services import rights
from debates.types import Conduct, Kind, Status, Visibility
from debates.unsaved_text import ReturnsUnsavedText, labels_in
from judging.engine import creation, external_play, human_turns, lifecycle
from judging.engine.lifecycle import DEADLINE, LIFECYCLE_ACTIONS, READ_BY, STOP, VISIBILITY, actions_open
from judging.formats.forms import FormPage, MomentField
from judging.formats.registry import format_of
from judging.models import PlannedStart
from judging.views.debate import known, visible_debate
from judging.views.new_debate import filled_in


class Conducts(ReturnsUnsavedText, LoginRequiredMixin, View):
    """A page of a debate for whoever conducts it: its creator, its organisers, and whoever may change debates and is no
    party in it."""

    debate: Debate

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Let in whoever conducts the debate."""
        if request.user.is_authenticated:
            self.debate = visible_debate(request, known(request), kwargs["address"])
            try:
                rights.may_conduct(by=request.user, debate=self.debate)
            except ConflictOfInterest as refusal:
                raise PermissionDenied(refusal.message) from refusal
            except NotPermitted as refusal:
                raise PermissionDenied("Whoever conducts the debate sees this page.") from refusal
        return super().dispatch(request, *args, **kwargs)

    @property
    def person(self) -> User:
        return cast("User", self.request.user)


class StopDebateForm(forms.Form):
    reason = LinesField(
        label="Why",
        min_length=10,
        max_length=lifecycle.LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=f"10 to {lifecycle.LONGEST_REASON} characters. They stay on the debate, for its creator and for "
        "moderators.",
    )


class DebateVisibilityForm(forms.Form):
    visibility = forms.TypedChoiceField(
        label="Who may read it",
        choices=[(value.value, words) for value, words in READ_BY.items()],
        coerce=Visibility,
        widget=forms.RadioSelect,
    )


class DeadlineForm(forms.Form):
    deadline = MomentField(label="Until")


FORMS: dict[str, type[forms.Form]] = {
    STOP.name: StopDebateForm,
    VISIBILITY.name: DebateVisibilityForm,
    DEADLINE.name: DeadlineForm,
}


class ConductDebate(Conducts, FormPage[forms.Form]):
    """One action: what it means, a form where it asks for something, and why not where it would be refused."""

    template_name = "debates/lifecycle.html"

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().setup(request, *args, **kwargs)
        self.action = LIFECYCLE_ACTIONS.get(kwargs["action"])

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if self.action is None:
            raise Http404("There is no such action.")
        return super().dispatch(request, *args, **kwargs)

    @classmethod
    def labels(cls, **address: Any) -> dict[str, str]:
        return labels_in(FORMS.get(address["action"], forms.Form))

    def get_form_class(self) -> type[forms.Form]:
        return FORMS.get(self.kwargs["action"], forms.Form)

    def get_initial(self) -> dict[str, Any]:
        is_deadline = self.action is DEADLINE
        return {
            "visibility": self.debate.visibility,
            "deadline": human_turns.deadline_of(self.debate) if is_deadline else None,
        }

    def form_valid(self, form: forms.Form) -> HttpResponse:
        """Do it; what the service refuses is said next to the button."""
        assert self.action is not None  # noqa: S101 -- or there is no such page
        try:
            self.action.service(debate_id=self.debate.pk, by=self.person, now=timezone.now(), **form.cleaned_data)
        except Invalid as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
            return self.form_invalid(form)
        except DomainError as refusal:
            return self.refused(form, refusal.message)
        return redirect("debate", self.debate.public_id)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        action, debate = self.action, self.debate
        assert action is not None  # noqa: S101 -- as above
        limit = debate.visibility_limit
        is_limited = action is VISIBILITY and rules.shows_more(Visibility.PUBLIC, than=limit)
        own = {
            "debate": debate,
            "action": action,
            "closed": action.refusal(debate),
            "others": [other for other in actions_open(debate) if other is not action],
            "limit": limit if is_limited and not rights.moderates(by=self.person, debate=debate) else "",
        }
        return super().get_context_data(**{"refused": "", **own, **kwargs})


class StartForm(forms.Form):
    starts_at = MomentField(label="Starts at")


class PrepareDebate(Conducts, FormView[StartForm]):
    """What can be done with a debate that is made, and not played yet; one that has ended can be held again."""

    template_name = "new_debate/prepare.html"
    form_class = StartForm

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        debate = self.debate
        is_draft = debate.status == Status.DRAFT.value
        is_played_here = debate.conducted_by == Conduct.ENGINE.value
        seats = debate.participants.filter(replacement=None)
        own = {
            "debate": debate,
            "format": format_of(debate.format),
            "is_draft": is_draft,
            "is_played_here": is_played_here,
            "planned": PlannedStart.objects.filter(debate=debate).first(),
            "cost": format_of(debate.format).cost(debate=debate) if is_draft and is_played_here else None,
            "free": seats.exclude(kind=Kind.ENGINE.value).order_by("position") if is_played_here else (),
            "may_create": self.person.has_perm("debates.add_debate"),
            "no_copy": self.no_copy(),
            "once": token_urlsafe(),
        }
        return super().get_context_data(**{**own, **kwargs})

    def no_copy(self) -> str:
        """Return why nobody can ask for another debate like this one; nothing where they can."""
        try:
            format_of(self.debate.format).request_of(debate=self.debate)
        except DomainError as refusal:
            return refusal.message
        return ""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Do what was asked; what is refused is said on the page, with what was typed."""
        acts = {
            "start": self.start,
            "unplan": self.unplan,
            "copy": self.copy,
            "edit": self.edit,
            "withdraw": self.withdraw,
        }
        asked = acts.get(request.POST.get("act", ""))
        if asked is None:
            return super().post(request, *args, **kwargs)
        try:
            return asked()
        except DomainError as refusal:
            return self.refused(refusal.message)

    def form_valid(self, form: StartForm) -> HttpResponse:
        """Plan the start."""
        try:
            creation.plan_start(
                debate_id=self.debate.pk, by=self.person, starts_at=form.cleaned_data["starts_at"], now=timezone.now()
            )
        except Invalid as refusal:
            form.add_error("starts_at", forms.ValidationError(refusal.message, code=refusal.code))
            return self.form_invalid(form)
        except DomainError as refusal:
            return self.refused(refusal.message, form=form)
        return redirect("prepare-debate", self.debate.public_id)

    def form_invalid(self, form: StartForm) -> HttpResponse:
        """Say what is wrong with the time; where nothing can be planned, the page has no field, and says that."""
        try:
            creation.may_plan(debate=self.debate)
        except DomainError as refusal:
            return self.refused(refusal.message, form=form)
        return self.render_to_response(self.get_context_data(form=form), status=HTTPStatus.UNPROCESSABLE_ENTITY)

    def refused(self, why: str, *, form: StartForm | None = None) -> HttpResponse:
        page = self.get_context_data(form=form or StartForm(), refused=why)
        return self.render_to_response(page, status=HTTPStatus.CONFLICT)

    def start(self) -> HttpResponse:
        """Start the debate, or lead to it where it has started: a double click asks twice."""
        service = lifecycle.start if self.debate.conducted_by == Conduct.ENGINE.value else external_play.start
        try:
            service(debate_id=self.debate.pk, by=self.person, now=timezone.now())
        except NotAllowedNow:
            self.debate.refresh_from_db(fields=["started_at"])
            if self.debate.started_at is None:
                raise
        return redirect("debate", self.debate.public_id)

    def unplan(self) -> HttpResponse:
        creation.unplan_start(debate_id=self.debate.pk, by=self.person)
        return redirect("prepare-debate", self.debate.public_id)

    def copy(self) -> HttpResponse:
        return filled_in(self.request, partial(creation.copy_debate.once, debate_id=self.debate.pk, by=self.person))

    def edit(self) -> HttpResponse:
        edit = partial(creation.edit_draft.once, debate_id=self.debate.pk, by=self.person, now=timezone.now())
        return filled_in(self.request, edit)

    def withdraw(self) -> HttpResponse:
        creation.withdraw_draft(debate_id=self.debate.pk, by=self.person, now=timezone.now())
        return redirect("index")
