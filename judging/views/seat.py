"""A person's seat in a debate: taking it with an invitation, and speaking when it is their turn."""

from __future__ import annotations

from http import HTTPStatus
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from debates.errors import DomainError, Invalid, NotAllowedNow
from debates.models import Debate, Participant
from debates.services import seats
from judging.engine import human_turns
from judging.views.debate import known, page_of, visible_debate


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def take(request: HttpRequest, invitation: str) -> HttpResponse:
    assert isinstance(request.user, User)  # noqa: S101 -- whoever is signed in
    try:
        seat = seats.invited(invitation=invitation)
        if request.method == "POST" and seat.user_id != request.user.pk:
            seat = seats.take(invitation=invitation, by=request.user)
        if seat.user_id == request.user.pk:
            return HttpResponseRedirect(at_seat(debate=seat.debate, seat=seat))
        if seat.user_id is not None:
            raise NotAllowedNow("This seat is taken; an invitation is good once.")
    except DomainError as refusal:
        return render(request, "debates/take_seat.html", {"why": refusal.message}, status=HTTPStatus.GONE)
    return render(request, "debates/take_seat.html", {"seat": seat, "debate": seat.debate})


@require_POST
def speak(request: HttpRequest, address: UUID) -> HttpResponse:
    """Say something in a debate; what is refused comes back to be mended, with why."""
    visitor, given = known(request), request.POST
    shown = visible_debate(visitor, address)
    seat = Participant.objects.filter(debate=shown, public_id=id_in(given.get("seat", ""))).first()
    if seat is None:
        raise Http404("There is no such seat in this debate.")
    text = given.get("text", "")
    try:
        wanted = given.get("awaited")
        human_turns.speak(
            seat_id=seat.pk, by=visitor, text=text, awaited=id_in(wanted) if wanted else None, now=timezone.now()
        )
    except DomainError as refusal:
        unsaid = {"seat": str(seat.public_id), "text": text, "why": refusal.message}
        code = HTTPStatus.UNPROCESSABLE_ENTITY if isinstance(refusal, Invalid) else HTTPStatus.CONFLICT
        return page_of(request, address, unsaid=unsaid, status=code)
    return HttpResponseRedirect(at_seat(debate=shown, seat=seat))


def at_seat(*, debate: Debate, seat: Participant) -> str:
    return f"{reverse('debate', args=[debate.public_id])}#seat-{seat.position}"


def id_in(text: str) -> UUID:
    """Return the id that a hidden field holds; without one the form is none of ours."""
    try:
        return UUID(text)
    except ValueError as error:
        raise Http404("There is no such seat in this debate.") from error
