"""The page of a debate, put together from the parts that every debate has and those of its format."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import require_safe

from debates import event_log
from debates.live.frames import MOST_PARTS
from debates.live.parts import Stirring
from debates.models import Debate, Participant
from debates.printable import slug
from debates.rules import IN_PLAY
from debates.selectors import Visitor, one_moment, repeated, visible_debates
from debates.services import rights
from debates.types import Role, Status
from judging.engine import appeals, queue, selectors
from judging.engine.lifecycle import actions_open
from judging.formats.registry import format_of
from judging.pages import participants, transcript
from judging.pages.parts import DRAWINGS, Log, Page, Part, named
from judging.views import index

HEADING = Part("heading", "debates/_heading.html", stirred_by=("debate:", "review:"))
MOVES = ("debate:", "thread:", "round:", "turn:", "verdict:", "response:", "state:", "arbiter:", "panel:", "score:")
PROGRESS = Part("progress", "debates/_progress.html", stirred_by=(*MOVES, "criterion:", "participant:", "review:"))


def compose_page(*, debate: Debate, only: Collection[str] | None = None) -> Page:
    """Return what the page of a debate shows; with ``only``, no more than the parts of these names."""
    own = format_of(debate.format).page(debate=debate, only=only)
    parts = named(HEADING, PROGRESS) | dict(own.parts)
    chosen = parts if only is None else {name: part for name, part in parts.items() if name in only}
    values = {"progress": selectors.progress(debate=debate)} if PROGRESS.name in chosen else {}
    return Page(layout=own.layout, parts=chosen, values={**own.values, **values})


# The page of one debate, and its result: for people, for programs.


@require_safe
def debate(request: HttpRequest, address: UUID) -> HttpResponse:
    """A debate as it is now, and the number of the event from which a stream goes on."""
    return page_of(request, address)


def page_of(
    request: HttpRequest, address: UUID, *, unsaid: Mapping[str, str] | None = None, status: int = 200
) -> HttpResponse:
    """Answer with the page of a debate as it is now.

    Shape: ``unsaid`` are the words that somebody could not say: ``seat``, ``text``, and ``why`` they were refused.
    """
    visitor, epoch = known(request), event_log.epoch()
    with one_moment():
        debate = visible_debate(visitor, address)
        page = compose_page(debate=debate)
        mine = participants.own_seats(
            debate=debate, states=page.values.get("seats", ()), parts=page.parts, visitor=visitor, unsaid=unsaid
        )
        earlier = repeated(visitor=visitor, debate=debate)
        sought = transcript.filter_of(request.GET)
        own = {"epoch": epoch, "mine": mine, "unsaid": unsaid, "repeated": earlier, "sought": sought}
        own["preview"] = index.preview(debate)
        own |= conducting(visitor, debate)
        own["judging"] = own_judges(visitor, debate)
        own["tab"] = participants.tab(awaited=page.values.get("awaited"), mine=mine)
        values = common(debate) | composed(page) | own
        answer = render(request, "debates/debate.html", values, status=status)
    queue.note_onlooker(debate=debate)
    return answer


def own_judges(visitor: Visitor, debate: Debate) -> list[Participant]:
    """Return the seats from which somebody judges in a debate."""
    if not isinstance(visitor, User):
        return []
    return list(Participant.objects.filter(debate=debate, user=visitor, role=Role.JUDGE.value, replacement=None))


def conducting(visitor: Visitor, debate: Debate) -> dict[str, Any]:
    """Return what whoever conducts a debate is offered: its actions, and where it is prepared or held again."""
    if not (isinstance(visitor, User) and rights.conducts(by=visitor, debate=debate)):
        return {"conducts": False}
    return {"conducts": True, "actions": actions_open(debate), "prepares": Status(debate.status) not in IN_PLAY}


@require_safe
def some_parts(request: HttpRequest, address: UUID) -> HttpResponse:
    """Some parts of a debate's page, drawn anew for a page that is open; nothing where nothing has happened since."""
    debate = visible_debate(known(request), address)
    queue.note_onlooker(debate=debate)
    if request.GET.get("since") == str(debate.head.seq):
        return HttpResponse(status=204)
    log = log_of(debate)
    names = dict.fromkeys(request.GET.getlist("of")[:MOST_PARTS])
    drawings = DRAWINGS.of(log=log, names=names, draw=partial(drawn, debate.pk))
    values = {
        "debate": debate,
        "drawings": drawings.values(),
        "seq": min([drawing.seq for drawing in drawings.values()], default=log.seq),
        "epoch": log.epoch,
    }
    return render(request, "debates/parts.html", values)


def log_of(debate: Debate) -> Log:
    return Log(debate.pk, str(event_log.epoch()), erasures=debate.head.erasures, seq=debate.head.seq)


def drawn(debate_id: int, names: Collection[str]) -> tuple[int, Mapping[str, str]]:
    """Return as of which event some parts were drawn, and each as HTML; nothing in them depends on who asks."""
    with one_moment(), timezone.override(UTC):
        debate = Debate.objects.select_related("subject", "head").get(pk=debate_id)
        page = compose_page(debate=debate, only=frozenset(names))
        values = common(debate) | composed(page)
        return debate.head.seq, {
            name: render_to_string(part.template, {**values, "part": part}) for name, part in page.parts.items()
        }


class OpenPages:
    """Draws for pages that are open: asked by ``debates.live.parts``, for all that one process serves."""

    def stirring(self, *, debate: int, names: Collection[str]) -> Mapping[str, Stirring]:
        with one_moment():
            page = compose_page(debate=Debate.objects.get(pk=debate), only=frozenset(names))
        return {name: part.stirring for name, part in page.parts.items()}

    def drawn(self, *, debate: int, names: Collection[str]) -> tuple[int, Mapping[str, str]]:
        """Draw what was not drawn as of now yet; an open page is somebody who looks."""
        row = Debate.objects.select_related("head").get(pk=debate)
        queue.note_onlooker(debate=row)
        log = log_of(row)
        drawings = DRAWINGS.of(log=log, names=names, draw=partial(drawn, debate), fresh=0)
        seq = min([drawing.seq for drawing in drawings.values()], default=log.seq)
        return seq, {name: drawing.html for name, drawing in drawings.items()}


OPEN_PAGES = OpenPages()


@require_safe
def result(request: HttpRequest, address: UUID) -> HttpResponse:
    """What a debate came to, under an address that stays."""
    visitor = known(request)
    with one_moment():
        debate = visible_debate(visitor, address)
        format_ = format_of(debate.format)
        earlier = repeated(visitor=visitor, debate=debate)
        own = {"repeated": earlier, "preview": index.preview(debate), "embeddable": bool(settings.EMBED_ORIGINS)}
        is_open = appeals.is_open(appeals.Against(debate), now=timezone.now())
        own["may_appeal"] = is_open and appeals.may_appeal(by=visitor, debate=debate)
        values = {**common(debate), **format_.result_page(debate=debate, query=request.GET), **own}
        return render(request, format_.result_template, values)


@require_safe
def result_document(request: HttpRequest, address: UUID) -> JsonResponse:
    visitor = known(request)
    with one_moment():
        debate = visible_debate(visitor, address)
        document = format_of(debate.format).result_document(debate=debate)
    headers = {"Content-Disposition": f'attachment; filename="{slug(debate.title)}.result.json"'}
    return JsonResponse(document, json_dumps_params={"ensure_ascii": False, "indent": 2}, headers=headers)


def known(request: HttpRequest) -> Visitor:
    """Return who asks, found out before anything is read: a session that has ended is deleted by looking at it."""
    return request.user if request.user.is_authenticated else AnonymousUser()


def visible_debate(visitor: Visitor, address: UUID) -> Debate:
    """Return the debate at an address; whoever may not read it learns no more than that there is none."""
    debate = visible_debates(visitor=visitor).filter(public_id=address).first()
    if debate is None:
        raise Http404("There is no debate at this address.")
    return debate


def common(debate: Debate) -> dict[str, Any]:
    people = participants.people(debate=debate)
    return {
        "debate": debate,
        "format": format_of(debate.format),
        "people": people,
        "arbiter": next((person.name for person in people if person.role == Role.ARBITER.value), ""),
        "seq": debate.head.seq,
        "now": timezone.now(),
    }


def composed(page: Page) -> dict[str, Any]:
    return {"layout": page.layout, "parts": page.parts, **page.values}


# The papers of a debate, to be taken away as Markdown: of a panel the report of each judge, and the final report.


@require_safe
def paper(request: HttpRequest, address: UUID, part: str) -> HttpResponse:
    """One paper of a debate as it is now, such as ``final``, or the report of the judge with this number."""
    visitor = known(request)
    with one_moment():
        debate = visible_debate(visitor, address)
        papers = format_of(debate.format).downloads(debate=debate)
    if part not in papers:
        raise Http404("There is no such paper.")
    headers = {"Content-Disposition": f'attachment; filename="{papers[part].file_name}"'}
    return HttpResponse(papers[part].text, content_type="text/markdown; charset=utf-8", headers=headers)
