"""A person's seat in a debate: what they are writing is kept, and said or given as a ballot when it is their turn."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from debates.errors import DomainError, Invalid, NotPermitted
from debates.models import Debate, Participant, TurnDraft
from debates.selectors import one_moment
from debates.services import invitations, rights
from debates.types import Role
from debates.unsaved_text import holds_text, label_of, return_unsaved_text, typed_in
from judging.engine import ballots, human_turns, selectors
from judging.pages import ballot_form
from judging.views.debate import known, page_of, visible_debate
from scoring.models import BrokenSeal, ReplacedJudge

DIGITS = 18


@holds_text
@require_POST
def speak(request: HttpRequest, address: UUID) -> HttpResponse:
    """Say something in a debate; what is refused comes back to be mended, with why."""
    visitor = known(request)
    if not visitor.is_authenticated:
        return return_unsaved_text(request, back=reverse("debate", args=[address]))
    seat = seat_in(request, address)
    text, seen, awaited = request.POST.get("text", ""), draft_in(request), awaited_in(request)
    try:
        human_turns.speak(seat_id=seat.pk, by=visitor, text=text, awaited=awaited, seen=seen, now=timezone.now())
    except DomainError as refusal:
        return not_done(request, address, seat=seat, refusal=refusal)
    return HttpResponseRedirect(at_seat(debate=seat.debate, seat=seat))


@holds_text
@require_POST
def keep(request: HttpRequest, address: UUID) -> HttpResponse:
    """Keep what somebody is writing; a script is answered with the number of the draft, a person with the page."""
    visitor = known(request)
    if not visitor.is_authenticated:
        return return_unsaved_text(request, back=reverse("debate", args=[address]))
    seat = seat_in(request, address)
    by_script = request.headers.get("Accept") == "application/json"
    try:
        draft = human_turns.save_draft(
            seat_id=seat.pk,
            by=visitor,
            text=text_in(request.POST.dict()),
            seen=draft_in(request),
            awaited=awaited_in(request),
            before=[text_in(form) for form in unanswered_in(request)],
            now=timezone.now(),
        )
    except DomainError as refusal:
        if by_script:
            return refused_to_script(refusal)
        return not_done(request, address, seat=seat, refusal=refusal)
    if by_script:
        return JsonResponse({"draft": draft.pk if draft else 0})
    return HttpResponseRedirect(at_seat(debate=seat.debate, seat=seat))


def seat_in(request: HttpRequest, address: UUID) -> Participant:
    """Return the seat that a form names, in a debate that may be read."""
    debate = visible_debate(request, known(request), address)
    seat = Participant.objects.filter(debate=debate, public_id=id_in(request.POST.get("seat", ""))).first()
    if seat is None:
        raise Http404("There is no such seat in this debate.")
    return seat


def draft_in(request: HttpRequest) -> int:
    """Return which draft the words of a form go on from; 0 where there was none, or Enter alone would overwrite it."""
    return 0 if request.POST.get("keep") == "first" else number_in(request, "draft")


def number_in(request: HttpRequest, name: str) -> int:
    """Return the number that a hidden field holds; 0 where it holds none."""
    number = request.POST.get(name, "")
    return int(number) if number.isdecimal() and len(number) <= DIGITS else 0


def unanswered_in(request: HttpRequest) -> list[dict[str, str]]:
    """Return the forms that a script sent before and was not answered; they may have been kept."""
    return [dict(parse_qsl(form)) for form in request.POST.getlist("before")]


def text_in(form: Mapping[str, str]) -> str:
    return form.get("text", "").replace("\r\n", "\n")


def awaited_in(request: HttpRequest) -> UUID | None:
    awaited = request.POST.get("awaited")
    return id_in(awaited) if awaited else None


def not_done(request: HttpRequest, address: UUID, *, seat: Participant, refusal: DomainError) -> HttpResponse:
    """Answer with the page, the words still in their box, and why they were refused above them.

    Raises: ``PermissionDenied`` for the seat of somebody else, whose box is not on the page.
    """
    if isinstance(refusal, NotPermitted):
        raise PermissionDenied(refusal.message)
    unsaid = {
        "seat": str(seat.public_id),
        "text": request.POST.get("text", ""),
        "draft": "" if isinstance(refusal, human_turns.SavedElsewhere) else str(draft_in(request)),
        "why": refusal.message,
    }
    return page_of(request, address, unsaid=unsaid, status=code_of(refusal))


def refused_to_script(refusal: DomainError) -> JsonResponse:
    newest = {"draft": refusal.details["draft"]} if isinstance(refusal, human_turns.SavedElsewhere) else {}
    return JsonResponse({"code": refusal.code, "detail": refusal.message, **newest}, status=code_of(refusal))


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


@method_decorator(never_cache, name="dispatch")
@method_decorator(login_required, name="get")
class FillInBallot(View):
    """What is judged, and the ballot of whoever sits on a seat. Nobody else reads it, whatever rights they have."""

    http_method_names, holds_text = ("get", "head", "post"), True

    @staticmethod
    def labels(**_address: Any) -> Mapping[str, str]:
        return ballot_form.LABELS

    def get(self, request: HttpRequest, address: UUID, seat: UUID) -> HttpResponse:
        with one_moment():
            own = own_seat(request, address, seat)
            paper = paper_of(own, request.GET.get("turn", ""))
            draft = ballots.draft_of(paper.awaited) if paper else None
            kept = ballot_form.kept_as(draft.text) if draft else given_in(paper)
            return ballot_page(request, seat=own, paper=paper, kept=kept, draft=draft)

    def post(self, request: HttpRequest, address: UUID, seat: UUID) -> HttpResponse:
        """Keep what is written, or give it; what is refused comes back to be mended, with why."""
        if not known(request).is_authenticated:
            return return_unsaved_text(request, back=request.get_full_path())
        own = own_seat(request, address, seat)
        with one_moment():
            paper = paper_of(own, request.POST.get("awaited", ""))
        bench = paper.bench if paper else None
        typed = ballot_form.typed_in(bench, request.POST.dict()) if bench else {}
        by_script = request.headers.get("Accept") == "application/json"
        try:
            number = self.done(request, own, paper=paper, typed=typed, keeps=by_script or "keep" in request.POST)
        except DomainError as refusal:
            if by_script:
                return refused_to_script(refusal)
            draft = ballots.draft_of(paper.awaited) if paper else None
            return ballot_page(request, seat=own, paper=paper, kept=typed, draft=draft, refusal=refusal)
        return (
            JsonResponse({"draft": number})
            if by_script
            else HttpResponseRedirect(where_next(own, paper, keeps="keep" in request.POST))
        )

    def done(
        self,
        request: HttpRequest,
        seat: Participant,
        *,
        paper: ballots.BallotPaper | None,
        typed: Mapping[str, str],
        keeps: bool,
    ) -> int:
        """Keep or give what was typed; return the number of the draft, 0 where there is none."""
        by, now, seen, awaited = request.user, timezone.now(), draft_in(request), awaited_in(request)
        bench = paper.bench if paper else None
        if keeps:
            earlier = [ballot_form.typed_in(bench, form) for form in unanswered_in(request)] if bench else []
            text, *before = (draft_text(words) for words in (typed, *earlier))
            draft = human_turns.save_draft(
                seat_id=seat.pk, by=by, text=text, seen=seen, awaited=awaited, before=before, now=now
            )
            return draft.pk if draft else 0
        if paper and paper.given and not bench and not selectors.was_erased(seat.debate_id):
            ballots.refuse_replaced(seat)  # the button was pressed twice, or it is another ballot
            bench = ballots.bench_of(paper.awaited)
            typed = ballot_form.typed_in(bench, request.POST.dict())
        answer = ballot_form.form_of(bench, kept={}).answer(typed) if bench else {}
        if paper and (ballot := ballots.versions(paper.awaited).filter(number=number_in(request, "amends")).first()):
            answer = ballot_form.amended(answer, earlier=json.loads(ballot.answer or "{}"))
        text = json.dumps(answer, ensure_ascii=False, sort_keys=True)
        ballots.give(seat_id=seat.pk, by=by, answer=text, awaited=awaited, seen=seen, typed=draft_text(typed), now=now)
        return 0


def draft_text(typed: Mapping[str, str]) -> str:
    """Return what was typed into a ballot as a draft keeps it; nothing where nothing was."""
    return json.dumps(typed, ensure_ascii=False) if typed else ""


def given_in(paper: ballots.BallotPaper | None) -> Mapping[str, str]:
    """Return the ballot that may be amended as it was typed; nothing where there is none."""
    if paper is None or paper.bench is None or paper.given is None or not paper.given.answer:
        return {}
    return ballot_form.typed_of(paper.bench, json.loads(paper.given.answer))


def own_seat(request: HttpRequest, address: UUID, number: UUID) -> Participant:
    """Return a judge's seat of whoever asks; to anybody else there is none."""
    debate = visible_debate(request, known(request), address)
    assert isinstance(request.user, User)  # noqa: S101 -- whoever is signed in
    seats = Participant.objects.filter(debate=debate, user=request.user, role=Role.JUDGE.value)
    seat = seats.select_related("debate__subject").filter(public_id=number).first()
    if seat is None:
        raise Http404("There is no such seat of yours in this debate.")
    return seat


def paper_of(seat: Participant, turn: str) -> ballots.BallotPaper | None:
    """Return the ballot that an address or a form names, or without one the most urgent."""
    paper = ballots.paper(seat=seat, awaited=id_in(turn) if turn else None)
    if paper is None and turn:
        raise Http404("There is no such ballot of yours in this debate.")
    return paper


def where_next(seat: Participant, paper: ballots.BallotPaper | None, *, keeps: bool) -> str:
    """Return where somebody goes on: with the same ballot, or once it is given with the most urgent that waits."""
    page = reverse("ballot", args=[seat.debate.public_id, seat.public_id])
    return f"{page}?turn={paper.awaited.public_id}" if keeps and paper else page


def ballot_page(
    request: HttpRequest,
    *,
    seat: Participant,
    paper: ballots.BallotPaper | None,
    kept: Mapping[str, str],
    draft: TurnDraft | None,
    refusal: DomainError | None = None,
) -> HttpResponse:
    """Answer with the ballot as it stands, and what was refused above it; without a form as a copy."""
    bench = paper.bench if paper else None
    answer: Any = json.loads(paper.given.answer) if paper and paper.given and paper.given.answer else None
    waiting = ballots.waiting(seat=seat)
    unsaid = [(label_of(name, labels=ballot_form.LABELS), text) for name, text in kept.items()]
    is_elsewhere = isinstance(refusal, human_turns.SavedElsewhere)
    form = ballot_form.form_of(bench, kept=kept) if bench else None
    if form and isinstance(refusal, Invalid):
        form.mark_faults(refusal)
    values = {
        "waiting": [turn for turn in waiting if paper is None or turn.pk != paper.awaited.pk],
        "debate": seat.debate,
        "seat": seat,
        "replaced": ReplacedJudge.objects.select_related("because").filter(judge=seat).first(),
        "paper": paper,
        "in_vain": invitations.in_vain([seat]).get(seat.pk) or rights.kept_from_seat(user_id=seat.user_id, seat=seat),
        "bench": bench,
        "form": form,
        "words": [] if bench else typed_in(request) or unsaid,
        "given": ballot_form.parts_of(answer) if answer else None,
        "last": seat.ballots.select_related("round__thread", "about__participant").last(),
        "unsealed": paper and BrokenSeal.objects.filter(ballot__in=ballots.versions(paper.awaited)).exists(),
        "draft": draft,
        "goes_on_from": draft_in(request) if refusal and not is_elsewhere else draft.pk if draft else 0,
        "is_elsewhere": is_elsewhere,
        "refusal": refusal,
        "now": timezone.now(),
    }
    return render(request, "debates/ballot.html", values, status=code_of(refusal) if refusal else 200)
