"""The page of a debate, put together from the parts that every debate has and those of its format."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import require_safe

from debates import event_log
from debates.models import Debate
from debates.printable import slug
from debates.selectors import one_moment, repeated
from judging.formats.registry import format_of
from judging.pages import participants
from judging.pages.fragments import DRAWINGS, Log, Page, Part, named
from judging.pages.participants import Visitor

# The page of a debate, put together from the parts that every debate has and those of its format.


HEADING = Part("heading", "debates/_heading.html", stirred_by=("debate:", "review:"))


def compose_page(*, debate: Debate, only: Collection[str] | None = None) -> Page:
    """Return what the page of a debate shows; with ``only``, no more than the parts of these names."""
    own = format_of(debate.format).page(debate=debate, only=only)
    parts = named(HEADING) | dict(own.parts)
    wanted = parts if only is None else {name: part for name, part in parts.items() if name in only}
    return Page(layout=own.layout, parts=wanted, values=own.values)


# The page of one debate, and its result: for people, for programs.


MOST_PARTS = 200


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
        shown = visible_debate(visitor, address)
        page = compose_page(debate=shown)
        mine = [
            (one, page.parts[one.part], unsaid if unsaid and unsaid["seat"] == str(one.participant.public_id) else None)
            for one in page.values.get("seats", ())
            if one.is_of(visitor)
        ]
        earlier = repeated(visitor=visitor, debate=shown)
        own = {"epoch": epoch, "mine": mine, "unsaid": unsaid, "repeated": earlier}
        values = common(shown) | composed(page) | own
        return render(request, "debates/debate.html", values, status=status)


@require_safe
def some_parts(request: HttpRequest, address: UUID) -> HttpResponse:
    """Some parts of a debate's page, drawn anew for a page that is open; nothing where nothing has happened since."""
    shown = visible_debate(known(request), address)
    epoch = str(event_log.epoch())
    if request.GET.get("since") == str(shown.head.seq):
        return HttpResponse(status=204)
    log = Log(debate=shown.pk, epoch=epoch, erasures=shown.head.erasures, seq=shown.head.seq)
    names = dict.fromkeys(request.GET.getlist("of")[:MOST_PARTS])
    drawings = DRAWINGS.of(log=log, names=names, draw=partial(drawn, shown.pk))
    values = {
        "debate": shown,
        "drawings": drawings.values(),
        "seq": min([one.seq for one in drawings.values()], default=log.seq),
        "epoch": epoch,
    }
    return render(request, "debates/parts.html", values)


def drawn(debate_id: int, names: Collection[str]) -> tuple[int, Mapping[str, str]]:
    """Return as of which event some parts were drawn, and each as HTML; nothing in them depends on who asks."""
    with one_moment():
        shown = Debate.objects.select_related("subject", "head").get(pk=debate_id)
        page = compose_page(debate=shown, only=frozenset(names))
        values = common(shown) | composed(page)
        return shown.head.seq, {
            name: render_to_string(part.template, {**values, "part": part}) for name, part in page.parts.items()
        }


@require_safe
def result(request: HttpRequest, address: UUID) -> HttpResponse:
    """What a debate came to, under an address that stays."""
    visitor = known(request)
    with one_moment():
        shown = visible_debate(visitor, address)
        format_ = format_of(shown.format)
        earlier = repeated(visitor=visitor, debate=shown)
        values = {**common(shown), **format_.result_page(debate=shown), "repeated": earlier}
        return render(request, format_.result_template, values)


@require_safe
def result_document(request: HttpRequest, address: UUID) -> JsonResponse:
    visitor = known(request)
    with one_moment():
        shown = visible_debate(visitor, address)
        document = format_of(shown.format).result_document(debate=shown)
    headers = {"Content-Disposition": f'attachment; filename="{slug(shown.title)}.result.json"'}
    return JsonResponse(document, json_dumps_params={"ensure_ascii": False, "indent": 2}, headers=headers)


def known(request: HttpRequest) -> Visitor:
    """Return who asks, found out before anything is read: a session that has ended is deleted by looking at it."""
    return request.user if request.user.is_authenticated else AnonymousUser()


def visible_debate(visitor: Visitor, address: UUID) -> Debate:
    """Return the debate at an address; whoever may not read it learns no more than that there is none."""
    found = participants.debate_at(address=address, visitor=visitor)
    if found is None:
        raise Http404("There is no debate at this address.")
    return found


def common(shown: Debate) -> dict[str, Any]:
    return {
        "debate": shown,
        "format": format_of(shown.format),
        "people": participants.people(debate=shown),
        "seq": shown.head.seq,
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
        shown = visible_debate(visitor, address)
        papers = format_of(shown.format).downloads(debate=shown)
    if part not in papers:
        raise Http404("There is no such paper.")
    headers = {"Content-Disposition": f'attachment; filename="{papers[part].file_name}"'}
    return HttpResponse(papers[part].text, content_type="text/markdown; charset=utf-8", headers=headers)
