"""Fields of forms on pages and in the admin: a moment, on the clock of whoever fills it in."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.functional import lazystr


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
