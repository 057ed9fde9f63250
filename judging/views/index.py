"""The list of public debates, with search, and their feed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.contrib.syndication.views import Feed
from django.core.paginator import Page, Paginator
from django.db.models import Case, Count, IntegerField, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce, Greatest, Lower
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.views.decorators.http import conditional_page, require_safe

from debates import replica, selectors
from debates.models import Debate, Event
from debates.printable import UNWRITABLE
from debates.selectors import listed_debates
from debates.types import Audience, Status
from judging.formats.base import Format, Summary
from judging.formats.registry import FORMATS, format_of
from judging.views.debate import described

PER_PAGE = 20
LONGEST_QUERY = 100
GROUPS: Mapping[str, frozenset[Status]] = {
    "live": frozenset({Status.RUNNING, Status.PAUSED, Status.AWAITING_REVIEW, Status.CONCLUDING}),
    "upcoming": frozenset({Status.DRAFT, Status.SCHEDULED}),
    "concluded": frozenset({Status.CONCLUDED, Status.FAILED, Status.CANCELLED}),
}


ORDERS: Mapping[str, str] = {"newest": "Newest first", "oldest": "Oldest first", "title": "By title"}
BY: Mapping[str, Sequence[Any]] = {"newest": ("-id",), "oldest": ("id",), "title": (Lower("title"), "-id")}


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of the index."""

    debate: Debate
    group: str
    format: Format[Any]
    summary: Summary


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of the index, and how many debates each group holds under the same search."""

    page: Page[Any]
    lines: Sequence[Listed]
    counts: Mapping[str, int]
    query: str
    chosen: str
    format: str
    order: str

    @property
    def total(self) -> int:
        return sum(self.counts.values())


def listing(*, query: str, group: str, page: str, only: str = "", order: str = "") -> Listing:
    """Return one page of the public debates: live, then upcoming, then concluded, each newest first, or as asked for.

    Shape: ``query`` is looked for in titles; ``group`` is a key of ``GROUPS``, ``only`` of ``FORMATS``, ``order`` of
    ``ORDERS``, or anything else for all of them, newest first; a ``page`` that does not exist is the nearest one.
    """
    words = query.replace("\x00", "").strip()[:LONGEST_QUERY]
    named = only if only in FORMATS else ""
    by = order if order in ORDERS else next(iter(ORDERS))
    matching = selectors.listed_debates().select_related("planned_start")
    matching = matching.filter(title__icontains=words) if words else matching
    matching = matching.filter(format=named) if named else matching
    ordered = matching.annotate(place=place()).order_by("place", *BY[by])
    chosen = ordered.filter(status__in=GROUPS[group]) if group in GROUPS else ordered
    listed = Paginator(chosen, PER_PAGE).get_page(page)
    debates = list(listed.object_list)
    summaries = summaries_of(debates)
    lines = [
        Listed(debate, group_of(debate), format_of(debate.format), summaries.get(debate.pk, Summary()))
        for debate in debates
    ]
    chosen_group = group if group in GROUPS else ""
    return Listing(
        page=listed, lines=lines, counts=counted(matching), query=words, chosen=chosen_group, format=named, order=by
    )


by_format = attrgetter("format")


def summaries_of(debates: Sequence[Debate]) -> dict[int, Summary]:
    """Return what debates came to, asked of each format once: {debate: summary}."""
    summaries: dict[int, Summary] = {}
    for name, own in groupby(sorted(debates, key=by_format), key=by_format):
        summaries |= format_of(name).summaries(debates=list(own))
    return summaries


def place() -> Case:
    return Case(
        *(When(status__in=statuses, then=Value(number)) for number, statuses in enumerate(GROUPS.values())),
        output_field=IntegerField(),
    )


def group_of(debate: Debate) -> str:
    return next(name for name, statuses in GROUPS.items() if debate.status in statuses)


def counted(debates: QuerySet[Debate]) -> dict[str, int]:
    counts = dict.fromkeys(GROUPS, 0)
    for number, count in debates.annotate(place=place()).order_by().values_list("place").annotate(Count("pk")):
        counts[list(GROUPS)[number]] = count
    return counts


# The front page.


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Public debates, found by title and by how far they are."""
    asked = request.GET
    with replica.reading():
        debates = listing(
            query=asked.get("q", ""),
            group=asked.get("show", ""),
            page=asked.get("page", ""),
            only=asked.get("format", ""),
            order=asked.get("sort", ""),
        )
        replica.confirm([line.debate.pk for line in debates.lines])
    formats = {name: own.called.capitalize() for name, own in FORMATS.items()}
    values = {"formats": formats, "format_called": formats.get(debates.format, ""), "orders": ORDERS}
    return render(request, "debates/index.html", {"listing": debates, "query": debates.query, **values})


# -- the feed of debates ----------------------------------------------------------------------------------------------


MOST_IN_FEED = 50


def revalidated(feed: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Return the view of a feed that is asked for each time, by its ETag.

    Its newest date does not move where a title changes, words are erased, or a debate is hidden: that would say that
    nothing is new, and let caches keep it for days.
    """

    @require_safe
    @conditional_page
    def respond(request: HttpRequest, **address: Any) -> HttpResponse:
        answer = feed(request, **address)
        del answer.headers["Last-Modified"]
        answer.headers["Cache-Control"] = "no-cache"
        return answer

    return respond


Item = tuple[Debate, Summary, datetime]
"""A debate, what it came to, and when anything last happened to it that everybody may know."""


def last_changed() -> list[Any]:
    """Return the public debates to which anything happened last that everybody may know, with when it did as ``last``.

    That is never later than the end of a log, so it is looked for in the logs that ended last alone: in more of them
    where what ended these was not for everybody.
    """
    events = Event.objects.filter(debate=OuterRef("pk"), audience=Audience.PUBLIC.value).order_by("-seq")
    last = Coalesce(Subquery(events.values("at")[:1]), "created_at")
    began = listed_debates().exclude(status=Status.DRAFT.value)
    ended = began.annotate(last=last, log_end=Greatest("head__at", "created_at")).order_by("-log_end", "-pk")
    many = 2 * MOST_IN_FEED
    while True:
        debates = list(ended[:many])
        newest = sorted(debates, key=attrgetter("last", "pk"), reverse=True)[:MOST_IN_FEED]
        if len(debates) < many or newest[-1].last > debates[-1].log_end:
            return newest
        many *= 4


class PublicDebates(Feed[Item, None]):
    """The newest public debates as Atom, by when anything last happened to them."""

    feed_type = Atom1Feed
    title = "Debates on Moot"
    subtitle = "Public debates: those that began, and what they came to."
    author_name = "Moot"

    def link(self) -> str:
        return reverse("index")

    def feed_url(self) -> str:
        return reverse("feed")

    def items(self) -> list[Item]:
        """Return debates with what they came to, asked of each format once."""
        with replica.reading():
            debates = last_changed()
            summaries = summaries_of(debates)
            replica.confirm([debate.pk for debate in debates])
        return [(debate, summaries.get(debate.pk, Summary()), debate.last) for debate in debates]

    def item_title(self, item: Item) -> str:
        return item[0].title.translate(UNWRITABLE)

    def item_description(self, item: Item) -> str:
        return escape(described(*item[:2]).translate(UNWRITABLE))

    def item_link(self, item: Item) -> str:
        return reverse("debate", args=[item[0].public_id])

    def item_guid(self, item: Item) -> str:
        return f"urn:uuid:{item[0].public_id}"

    def item_pubdate(self, item: Item) -> datetime:
        return item[0].created_at

    def item_updateddate(self, item: Item) -> datetime:
        return item[2]

    def item_categories(self, item: Item) -> list[str]:
        return [item[0].get_format_display()]
