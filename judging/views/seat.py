"""A person's seat in a debate: what they are writing is kept, and said when it is their turn."""

from __future__ import annotations

from http import HTTPStatus
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from debates.errors import DomainError, Invalid, NotPermitted
from debates.models import Debate, Participant
from debates.types import Role
from judging.engine import human_turns
from judging.views.debate import known, page_of, visible_debate

DIGITS = 18


@require_POST
def speak(request: HttpRequest, address: UUID) -> HttpResponse:
    """Say something in a debate; what is refused comes back to be mended, with why."""
    visitor = known(request)
    seat = seat_in(request, address)
    text = request.POST.get("text", "")
    try:
        human_turns.speak(seat_id=seat.pk, by=visitor, text=text, awaited=awaited_in(request), now=timezone.now())
    except DomainError as refusal:
        return not_done(request, address, seat=seat, refusal=refusal)
    return HttpResponseRedirect(at_seat(debate=seat.debate, seat=seat))


@require_POST
def keep(request: HttpRequest, address: UUID) -> HttpResponse:
    """Keep what somebody is writing; a script is answered with the number of the draft, a person with the page."""
    visitor = known(request)
    seat = seat_in(request, address)
    by_script = request.headers.get("Accept") == "application/json"
    text = request.POST.get("text", "").replace("\r\n", "\n")
    try:
        draft = human_turns.save_draft(
            seat_id=seat.pk,
            by=visitor,
            text=text,
            seen=draft_in(request),
            now=timezone.now(),
        )
    except DomainError as refusal:
        if by_script:
            return JsonResponse({"code": refusal.code, "detail": refusal.message}, status=code_of(refusal))
        return not_done(request, address, seat=seat, refusal=refusal)
    if by_script:
        return JsonResponse({"draft": draft.pk if draft else 0})
    return HttpResponseRedirect(at_seat(debate=seat.debate, seat=seat))


def seat_in(request: HttpRequest, address: UUID) -> Participant:
    """Return the seat that a form names, in a debate that may be read."""
    debate = visible_debate(known(request), address)
    seat = Participant.objects.filter(debate=debate, public_id=id_in(request.POST.get("seat", ""))).first()
    if seat is None:
        raise Http404("There is no such seat in this debate.")
    return seat


def draft_in(request: HttpRequest) -> int:
    """Return which draft the words of a form go on from, 0 where there was none."""
    seen = request.POST.get("draft", "")
    return int(seen) if seen.isdecimal() and len(seen) <= DIGITS else 0


def awaited_in(request: HttpRequest) -> UUID | None:
    awaited = request.POST.get("awaited")
    return id_in(awaited) if awaited else None


def not_done(request: HttpRequest, address: UUID, *, seat: Participant, refusal: DomainError) -> HttpResponse:
    """Answer with the page, the words still in their box, and why they were refused above them."""
    unsaid = {"seat": str(seat.public_id), "text": request.POST.get("text", ""), "why": refusal.message}
    return page_of(request, address, unsaid=unsaid, status=code_of(refusal))


def code_of(refusal: DomainError) -> HTTPStatus:
    if isinstance(refusal, NotPermitted):
        return HTTPStatus.FORBIDDEN
    return HTTPStatus.UNPROCESSABLE_ENTITY if isinstance(refusal, Invalid) else HTTPStatus.CONFLICT


def at_seat(*, debate: Debate, seat: Participant) -> str:
    if seat.role == Role.JUDGE.value:
        return reverse("ballot", args=[debate.public_id, seat.public_id])
    return f"{reverse('debate', args=[debate.public_id])}#seat-{seat.position}"


def id_in(text: str) -> UUID:
    """Return the id that a hidden field holds; without one the form is none of ours."""
    try:
        return UUID(text)
    except ValueError as error:
        raise Http404("There is no such seat in this debate.") from error
