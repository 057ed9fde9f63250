"""Forms on pages: a page that has one, and in the admin as well a moment, on the clock of whoever fills it in."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, TypeVar

from django import forms
from django.http import HttpResponse
from django.utils import timezone
from django.utils.functional import lazystr
from django.views.generic import FormView

F = TypeVar("F", bound=forms.Form)


class FormPage(FormView[F]):
    """A page with a form, on which it says what is wrong with the form, or why it is refused."""

    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | {"label_suffix": "", "use_required_attribute": False}

    def form_invalid(self, form: F) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=HTTPStatus.UNPROCESSABLE_ENTITY)

    def refused(self, form: F, why: str) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form, refused=why), status=HTTPStatus.CONFLICT)


class Clock:
    """Names the time zone when it is shown: it is that of whoever looks."""

    def __str__(self) -> str:
        return f"A day and a time, {timezone.get_current_timezone_name()}."


class MomentField(forms.DateTimeField):
    """A moment."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
            error_messages={"required": "Choose a day and a time.", "invalid": "Write it as 2027-03-01T18:30."},
            help_text=lazystr(Clock()),
            **options,
        )
