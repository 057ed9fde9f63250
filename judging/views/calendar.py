"""Deadlines as a calendar file (RFC 5545), under an address of each person's own."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from django.contrib.auth.models import User
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.text import capfirst
from django.views.decorators.http import require_safe

from debates import selectors
from debates.absolute_urls import host
from debates.mail.texts import on_one_line, where, which
from debates.models import AwaitedTurn
from debates.types import AwaitedState
from judging.pages import participants

LONGEST_LINE = 75
"""Bytes, without the end of the line; what is longer is folded."""
MOST = 500


@require_safe
def calendar(_request: HttpRequest, token: str) -> HttpResponse:
    """Every turn that is awaited of somebody, each until its deadline."""
    owner = participants.owner_of_calendar(token)
    if owner is None:
        raise Http404("There is no calendar at this address.")
    text = "".join(folded(line) for line in lines(owner=owner, now=timezone.now()))
    headers = {"Content-Disposition": 'attachment; filename="moot.ics"', "Cache-Control": "private, max-age=300"}
    return HttpResponse(text, content_type="text/calendar; charset=utf-8", headers=headers)


def lines(*, owner: User, now: datetime) -> Iterator[str]:
    yield from ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Moot//Deadlines//EN", "X-WR-CALNAME:Moot: my turns")
    for awaited in awaited_of(owner):
        yield from event(awaited, now=now)
    yield "END:VCALENDAR"


def awaited_of(owner: User) -> list[AwaitedTurn]:
    """Return the turns that are awaited of somebody in debates that they may read."""
    rows = selectors.unanswered(selectors.awaited_turns())
    rows = rows.filter(Q(state=AwaitedState.WAITING.value), participant__user=owner)
    readable = selectors.visible_debates(visitor=owner)
    rows = rows.filter(participant__debate__in=readable.values("pk")).select_related("participant__debate", "round")
    return list(rows.order_by("deadline")[:MOST])


def event(awaited: AwaitedTurn, *, now: datetime) -> Iterator[str]:
    debate = awaited.participant.debate
    address = where(debate, awaited)
    yield from (
        "BEGIN:VEVENT",
        f"UID:{awaited.public_id}@{host()}",
        f"DTSTAMP:{stamp(now)}",
        f"DTSTART:{stamp(awaited.at)}",
        f"DTEND:{stamp(awaited.deadline)}",
        f"SUMMARY:{escaped(f'Your turn: {on_one_line(debate.title)}')}",
        f"DESCRIPTION:{escaped(capfirst(f'{which(awaited)}, as {on_one_line(awaited.participant.name)}'))}",
        f"URL:{address}",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
    )


def stamp(at: datetime) -> str:
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
