"""A debate before play, for who conducts it: started now or at a time, changed, copied, withdrawn."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.generic import FormView

from debates.errors import DomainError, Invalid
from debates.types import Conduct, Kind, Status
from judging.engine import external_play, lifecycle, new_debates
from judging.formats.registry import format_of
from judging.models import NewDebate, PlannedStart
from judging.pages.forms import MomentField
from judging.views.lifecycle import Conducts


class StartForm(forms.Form):
    """When a debate starts."""

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
        }
        return super().get_context_data(**{**own, **kwargs})

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
            new_debates.plan(
                debate_id=self.debate.pk, by=self.person, starts_at=form.cleaned_data["starts_at"], now=timezone.now()
            )
        except Invalid as refusal:
            form.add_error("starts_at", forms.ValidationError(refusal.message, code=refusal.code))
            return self.form_invalid(form)
        except DomainError as refusal:
            return self.refused(refusal.message)
        return redirect("prepare-debate", self.debate.public_id)

    def form_invalid(self, form: StartForm) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=HTTPStatus.UNPROCESSABLE_ENTITY)

    def refused(self, why: str) -> HttpResponse:
        page = self.get_context_data(form=StartForm(), refused=why)
        return self.render_to_response(page, status=HTTPStatus.CONFLICT)

    def start(self) -> HttpResponse:
        service = lifecycle.start if self.debate.conducted_by == Conduct.ENGINE.value else external_play.start
        service(debate_id=self.debate.pk, by=self.person, now=timezone.now())
        return redirect("debate", self.debate.public_id)

    def unplan(self) -> HttpResponse:
        new_debates.unplan(debate_id=self.debate.pk, by=self.person)
        return redirect("prepare-debate", self.debate.public_id)

    def copy(self) -> HttpResponse:
        return self.fill_in(new_debates.copy(debate_id=self.debate.pk, by=self.person))

    def edit(self) -> HttpResponse:
        return self.fill_in(new_debates.edit(debate_id=self.debate.pk, by=self.person, now=timezone.now()))

    @staticmethod
    def fill_in(new: NewDebate) -> HttpResponse:
        return redirect("new-debate-step", new.public_id, format_of(new.format).steps[0].name)

    def withdraw(self) -> HttpResponse:
        new_debates.withdraw(debate_id=self.debate.pk, by=self.person, now=timezone.now())
        return redirect("index")
