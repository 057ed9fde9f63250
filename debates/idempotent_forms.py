"""Forms that do once what they ask for, however often they are sent: a double click sends them twice."""

import hashlib
from collections.abc import Callable
from secrets import token_urlsafe
from typing import TypeVar, cast

from django import forms
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils import timezone

from debates.services.idempotency import DoneBefore, RequestRecord, StillRunning

R = TypeVar("R")
ONCE = "once"


def once_field() -> forms.CharField:
    """Return the field by which a form is known again, where no version tells."""
    return forms.CharField(required=False, max_length=100, widget=forms.HiddenInput, initial=token_urlsafe)


def done_once(
    request: HttpRequest, service: Callable[[RequestRecord | None], R], *, answer: Callable[[R], str]
) -> tuple[str, bool]:
    """Do what the form of somebody who is signed in asks for, once however often that very form is sent; return what
    is kept of it, and whether it was done just now.

    Raises: ``StillRunning``, and as the service.
    """
    try:
        return answer(service(_record(request, answer))), True
    except DoneBefore as done:
        return done.body, False


def done_before(request: HttpRequest) -> str | None:
    """Return what is kept of a form that was sent and done before; what it was sent about may be gone since.

    Nothing where it does not open: it was sealed under a secret key that this process has yet to be given.
    """
    record = _record(request, str)
    try:
        if record:
            record.refuse_repetition()
    except DoneBefore as done:
        return done.body
    except StillRunning:
        pass
    return None


def _record(request: HttpRequest, answer: Callable[[R], str]) -> RequestRecord | None:
    if not request.POST.get(ONCE):
        return None
    sent = f"{request.get_full_path()} {request.POST.urlencode()}"
    digest = hashlib.sha256(sent.encode()).hexdigest()
    return RequestRecord(
        owner=cast("User", request.user),
        api_key=None,
        key=digest,
        digest=digest,
        at=timezone.now(),
        render=lambda done: (200, answer(done)),
    )
