"""Coming by an invitation, to the site, a role or a seat: one page, which says everything before one accepts."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from debates import selectors
from debates.errors import DomainError
from debates.models import Invitation
from debates.services import invitations
from judging.pages import participants
from judging.views.seat import at_seat


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, invitation: str) -> HttpResponse:
    """Say what an invitation is to, and let in whoever accepts it; without an account one signs up first."""
    person = request.user if isinstance(request.user, User) else None
    try:
        row = invitations.invited(text=invitation, now=timezone.now(), by=person)
        another = person is not None and meant_for_another(row, person)
        agreed = not another or "as_me" in request.POST
        came = invitations.came(invitation=row, by=person)
        if person is not None and request.method == "POST" and agreed and not came:
            row, came = invitations.accept(text=invitation, by=person, now=timezone.now()), True
    except DomainError as refusal:
        return render(request, "people/no_invitation.html", {"why": refusal.message}, status=HTTPStatus.GONE)
    if came and person is not None:
        return HttpResponseRedirect(where_it_leads(row, person))
    if person is None and request.method == "POST":
        return redirect_to_login(request.path)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if request.method == "POST" else HTTPStatus.OK
    offer: dict[str, Any] = dict(participants.offer(seat=row.seat, now=timezone.now())) if row.seat else {}
    values = {"row": row, "seat": row.seat, "debate": row.debate, "another": another, **offer}
    return render(request, "people/invitation.html", values, status=status)


def meant_for_another(row: Invitation, person: User) -> bool:
    """Say whether an invitation names a mail address that is none of this person's."""
    own = {person.email.lower(), *(address.lower() for address in addresses_of(person))}
    return row.email != "" and row.email.lower() not in own


def addresses_of(person: User) -> list[str]:
    return list(person.emailaddress_set.values_list("email", flat=True))  # type: ignore[attr-defined]  # allauth's


def where_it_leads(row: Invitation, person: User) -> str:
    """Return where somebody goes on who came by an invitation: to its seat or debate while they may read that."""
    readable = row.debate and selectors.visible_debates(visitor=person).filter(pk=row.debate.pk).exists()
    if row.debate is None or not readable:
        return reverse("my-debates")
    return at_seat(debate=row.debate, seat=row.seat) if row.seat else reverse("debate", args=[row.debate.public_id])
