"""What is somebody's own: the debates in which they have a part, with what waits for them, their seats, their deadlines
as a calendar file (RFC 5545), and which mail they get."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from debates import selectors
from debates.absolute_urls import host
from debates.errors import NotFound
from debates.mail import preferences
from debates.mail.texts import on_one_line, where, which
from debates.models import AwaitedTurn, Debate, Membership, Participant
from debates.rules import OVER
from debates.services import invitations, mail_delivery, rights
from debates.types import BALLOTS, AwaitedState, Conduct, Kind, MemberRole, Status
from judging.engine import lifecycle
from judging.engine.lifecycle import CANCEL, RESUME, RETRY_SYNTHESIS
from judging.models import NewDebate, PlannedStart
from judging.pages import participants
from judging.pages.participants import calendar_of
from judging.views.people import PER_PAGE
from judging.views.seat import at_seat
from scoring.models import Appeal

WAITING = [AwaitedState.WAITING.value, AwaitedState.PAUSED.value]


@dataclass(frozen=True, slots=True)
class Task:
    """Something that waits for somebody: what it is, where it is done, until or from when, and why."""

    text: str
    address: str
    at: datetime | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class OwnDebate:
    """A debate in which somebody has a part, and what waits in it; ``barred`` are judges, each with why as ``kept``."""

    debate: Debate
    is_creator: bool
    roles: Sequence[Membership]
    seats: Sequence[Participant]
    turns: Sequence[Any]
    free_seats: int
    barred: Sequence[Any]
    planned: PlannedStart | None
    is_concludable: bool

    @property
    def conducts(self) -> bool:
        return self.is_creator or any(role.role == MemberRole.ORGANISER.value for role in self.roles)

    def tasks(self) -> Iterator[Task]:
        """Yield what waits for this person, their own turns first."""
        for turn in self.turns:
            is_paused = turn.state == AwaitedState.PAUSED.value
            what = "Your ballot" if turn.kind in BALLOTS else "Your turn"
            text = f"{what} as {turn.participant.name}" + (", once the debate goes on" if is_paused else ", until")
            yield Task(text, at_seat(debate=self.debate, seat=turn.participant), None if is_paused else turn.deadline)
        if self.conducts:
            yield from self.tasks_of_conducting()
            people, todo = reverse("people", args=[self.debate.public_id]), rights.way_out(format_=self.debate.format)
            for judge in self.barred:
                why = f"{capfirst(rights.BARRED[judge.kept])}. {todo}"
                yield Task(f"{judge.name} may not judge here", people, why=why)

    def tasks_of_conducting(self) -> Iterator[Task]:
        debate, address = self.debate, [self.debate.public_id]
        if debate.status == Status.DRAFT.value and self.planned is None:
            yield Task("Not started yet", reverse("prepare-debate", args=address))
        elif debate.status == Status.DRAFT.value and self.planned is not None:
            prepare, starts = reverse("prepare-debate", args=address), self.planned.starts_at
            if self.planned.given_up_at:
                yield Task("Could not start by itself, and was given up", prepare)
            else:
                yield Task(
                    "Could not start yet; planned for" if self.planned.problem else "Starts by itself", prepare, starts
                )
        elif debate.status == Status.PAUSED.value:
            yield Task("Paused", reverse("conduct-debate", args=[*address, RESUME.name]))
        elif debate.status == Status.FAILED.value:
            text, action = (
                ("Its closing words failed", RETRY_SYNTHESIS) if self.is_concludable else ("Play failed", CANCEL)
            )
            yield Task(text, reverse("conduct-debate", args=[*address, action.name]))
        elif debate.status == Status.AWAITING_REVIEW.value:
            yield Task("Waits for a review", reverse("debate", args=address))
        is_played_here = debate.conducted_by == Conduct.ENGINE.value
        if self.free_seats and is_played_here and Status(debate.status) not in OVER:
            several = "s are" if self.free_seats > 1 else " is"
            yield Task(f"{self.free_seats} seat{several} free", reverse("people", args=address))


def own_debates(person: User, debates: Sequence[Debate]) -> list[OwnDebate]:
    """Return what somebody's part in each of some debates is, in as many queries as there are kinds of parts."""
    roles: Mapping[int, list[Membership]] = by_debate(selectors.standing_roles(person).filter(debate__in=debates))
    free_or_own = Q(user=None) | Q(user=person)
    of_people = Participant.objects.exclude(kind=Kind.ENGINE.value)
    standing = of_people.filter(free_or_own, debate__in=debates, replacement=None)
    its_debate = {debate.pk: debate for debate in debates}
    for seat in standing:  # a join would read the parameters of a debate, which may be long, once for each seat
        seat.debate = its_debate[seat.debate_id]
    in_vain = invitations.in_vain(standing)
    seats: Mapping[int, list[Participant]] = by_debate(standing)
    barred: Mapping[int, list[Any]] = by_debate(selectors.barred_in_time(debates=list(its_debate)))
    turns: dict[int, list[Any]] = defaultdict(list)
    for turn in turns_of(person).filter(participant__debate__in=debates):
        turns[turn.participant.debate_id].append(turn)
    planned = {row.debate_id: row for row in PlannedStart.objects.filter(debate__in=debates)}
    concludable = lifecycle.concludable_again(debates)
    return [
        OwnDebate(
            debate=debate,
            is_creator=debate.created_by_id == person.pk,
            roles=roles[debate.pk],
            seats=[seat for seat in seats[debate.pk] if seat.user_id == person.pk],
            turns=turns[debate.pk],
            free_seats=sum(seat.user_id is None and seat.pk not in in_vain for seat in seats[debate.pk]),
            barred=barred[debate.pk],
            planned=planned.get(debate.pk),
            is_concludable=debate.pk in concludable,
        )
        for debate in debates
    ]


def turns_of(person: User) -> Any:
    """Return the turns that are awaited of somebody, with their ``state``, the most urgent first."""
    turns: Any = selectors.unanswered(selectors.awaited_turns())
    return turns.filter(participant__user=person, state__in=WAITING).order_by("deadline")


def by_debate(rows: Any) -> Mapping[int, list[Any]]:
    groups: dict[int, list[Any]] = defaultdict(list)
    for row in rows:
        groups[row.debate_id].append(row)
    return groups


@login_required
@require_safe
def my_debates(request: HttpRequest) -> HttpResponse:
    """Show the debates that somebody made, or has a part in, and what waits for them there."""
    assert isinstance(request.user, User)  # noqa: S101 -- whoever is signed in
    mine = Debate.objects.filter(selectors.concerns(request.user) | selectors.welcomes(request.user))
    page = Paginator(mine.order_by("-id"), PER_PAGE).get_page(request.GET.get("page"))
    begun = NewDebate.objects.filter(owner=request.user).count()
    lines = own_debates(request.user, list(page))
    appeals = Appeal.objects.filter(person=request.user, debate__in=selectors.visible_debates(visitor=request.user))
    own = {"begun": begun, "appeals": appeals.select_related("debate").order_by("-id")[:PER_PAGE]}
    return render(request, "people/my_debates.html", {"lines": lines, "page": page, **own})


@login_required
@require_safe
def my_seats(request: HttpRequest) -> HttpResponse:
    """Show on which seats somebody sits, whose turn is awaited, and until when."""
    assert isinstance(request.user, User)  # noqa: S101 -- as above
    awaited = turns_of(request.user)
    seats = Participant.objects.filter(user=request.user).select_related("debate", "replacement")
    page = Paginator(seats.order_by("-debate_id", "position"), PER_PAGE).get_page(request.GET.get("page"))
    address = calendar_of(request.user) if page.object_list else ""
    values = {"awaited": awaited, "page": page, "now": timezone.now(), "calendar": address}
    return render(request, "people/my_seats.html", values)


LONGEST_LINE = 75
"""Bytes, without the end of the line; what is longer is folded."""
MOST_IN_CALENDAR = 500


@require_safe
def calendar(_request: HttpRequest, token: str) -> HttpResponse:
    """Every turn that is awaited of somebody, each until its deadline."""
    owner = participants.owner_of_calendar(token)
    if owner is None:
        raise Http404("There is no calendar at this address.")
    text = "".join(folded(line) for line in calendar_lines(owner=owner, now=timezone.now()))
    headers = {"Content-Disposition": 'attachment; filename="moot.ics"', "Cache-Control": "private, max-age=300"}
    return HttpResponse(text, content_type="text/calendar; charset=utf-8", headers=headers)


def calendar_lines(*, owner: User, now: datetime) -> Iterator[str]:
    yield from ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Moot//Deadlines//EN", "X-WR-CALNAME:Moot: my turns")
    for awaited in awaited_of(owner):
        yield from calendar_event(awaited, now=now)
    yield "END:VCALENDAR"


def awaited_of(owner: User) -> list[AwaitedTurn]:
    """Return the turns that are awaited of somebody in debates that they may read."""
    rows = selectors.unanswered(selectors.awaited_turns())
    rows = rows.filter(Q(state=AwaitedState.WAITING.value), participant__user=owner)
    readable = selectors.visible_debates(visitor=owner)
    rows = rows.filter(participant__debate__in=readable.values("pk")).select_related("participant__debate", "round")
    return list(rows.order_by("deadline")[:MOST_IN_CALENDAR])


def calendar_event(awaited: AwaitedTurn, *, now: datetime) -> Iterator[str]:
    debate = awaited.participant.debate
    address = where(debate, awaited)
    yield from (
        "BEGIN:VEVENT",
        f"UID:{awaited.public_id}@{host()}",
        f"DTSTAMP:{calendar_stamp(now)}",
        f"DTSTART:{calendar_stamp(awaited.at)}",
        f"DTEND:{calendar_stamp(awaited.deadline)}",
        f"SUMMARY:{escaped(f'Your turn: {on_one_line(debate.title)}')}",
        f"DESCRIPTION:{escaped(capfirst(f'{which(awaited)}, as {on_one_line(awaited.participant.name)}'))}",
        f"URL:{address}",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
    )


def calendar_stamp(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def escaped(text: str) -> str:
    for sign in ("\\", ";", ","):
        text = text.replace(sign, f"\\{sign}")
    return text


def folded(line: str) -> str:
    """Return a line as the format has it: folded before it is too long, never within a character."""
    parts, size = [""], 0
    for sign in line:
        width = len(sign.encode())
        if size + width > LONGEST_LINE:
            parts.append(" ")
            size = 1
        parts[-1] += sign
        size += width
    return "\r\n".join(parts) + "\r\n"


@csrf_exempt  # programs that read mail send this form by themselves (RFC 8058); whoever has the link may
@require_http_methods(["GET", "HEAD", "POST"])
def stop_mail(request: HttpRequest, token: str, kind: str) -> HttpResponse:
    """Show which mail the link is about; sending the form stops it, or has it sent again. Opening the link does not."""
    try:
        switch = preferences.named(token=token, kind=kind)
    except NotFound as refusal:
        raise Http404(refusal.message) from refusal
    if request.method == "POST":
        mail_delivery.choose(switch=switch, wants_mail="again" in request.POST)
    values = {"switch": switch, "is_on": preferences.is_on(switch), "was_sent": request.method == "POST"}
    return render(request, "mail/stop.html", values)
