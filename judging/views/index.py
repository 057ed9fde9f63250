"""Debates outside their own pages: the list of them, with search, and the feed; what a link to one says, its card, and
what other sites may show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from io import BytesIO
from itertools import groupby
from operator import attrgetter
from typing import Any
from unicodedata import bidirectional
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.syndication.views import Feed
from django.core.paginator import Page, Paginator
from django.db.models import Case, Count, IntegerField, QuerySet, Value, When
from django.db.models.functions import Coalesce, Lower
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.text import capfirst
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import conditional_page, require_safe
from PIL import Image, ImageDraw, ImageFont

from debates import replica, selectors
from debates.decimals import two_places
from debates.models import Debate
from debates.selectors import listed_debates, one_moment
from debates.types import STATUS_WORDS, Status, Visibility
from judging.formats.base import Format, Summary
from judging.formats.registry import FORMATS, format_of
from judging.views import debate as debate_page

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
    matching = selectors.listed_debates()
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


# -- the card of a debate: a picture that says what it came to ---------------------------------------------------------


WIDTH, HEIGHT = 1200, 630
MARGIN = 80
PAPER, INK, MUTED, ACCENT, RULE = "#fbfaf7", "#1e2125", "#5a5f66", "#23527f", "#dcd8ce"
TITLE_FACES = ("DejaVuSerif-Bold.ttf", "NotoSerif-Bold.ttf", "LiberationSerif-Bold.ttf")
TEXT_FACES = ("DejaVuSans.ttf", "NotoSans-Regular.ttf", "LiberationSans-Regular.ttf")
BROAD_FACES = ("DejaVuSans-Bold.ttf", "NotoSansArabic-Bold.ttf", "NotoSansCJK-Bold.ttc", "NotoSansCJK-Regular.ttc")
"""Faces with the letters of other scripts."""
NO_LETTER = "\U0010fffe"
TITLE_SIZES = (68, 58, 50)
MOST_LINES = 4
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


@dataclass(frozen=True, slots=True)
class Card:
    """What a card says: of which kind a debate is, and what it came to so far; ``figure`` may be empty."""

    title: str
    kind: str
    figure: str
    words: str


@lru_cache(maxsize=128)
def drawn(card: Card, *, face: str = "") -> bytes:
    """Return a card as PNG.

    Shape: ``face`` is the path of a font for every word on it; without one, a font of the machine is looked for, and a
    title whose letters no font has is left out.
    """
    title_text, kind, figure_text, said = (in_a_line(text) for text in (card.title, card.kind, card.figure, card.words))
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    pen = ImageDraw.Draw(image)
    _draw_brand(pen, face)
    text = font(30, face, TEXT_FACES)
    pen.text((WIDTH - MARGIN, 92), kind, font=text, fill=MUTED, anchor="rm")
    faces = faces_for(title_text, face)
    size, lines = _title(title_text, face, faces) if faces else (TITLE_SIZES[0], [])
    from_right = bidirectional(title_text[:1] or " ") in {"R", "AL"}
    place, anchor = (WIDTH - MARGIN, "ra") if from_right else (MARGIN, "la")
    for number, line in enumerate(lines):
        at = (place, 165 + number * 1.22 * size)
        pen.text(at, line, font=font(size, face, faces), fill=INK, anchor=anchor)
    pen.line([(MARGIN, 505), (WIDTH - MARGIN, 505)], fill=RULE, width=3)
    start = MARGIN
    if figure_text:
        figure = font(72, face, TITLE_FACES)
        pen.text((start, 565), figure_text, font=figure, fill=ACCENT, anchor="lm")
        start += int(figure.getlength(figure_text)) + 32
    words = fitted(said, font(36, face, TEXT_FACES), width=WIDTH - MARGIN - start)
    pen.text((start, 565), words, font=font(36, face, TEXT_FACES), fill=INK, anchor="lm")
    out = BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def in_a_line(text: str) -> str:
    """Return a text without what is no letter: line breaks, marks of direction, controls."""
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())


@lru_cache(maxsize=64)
def font(size: int, face: str, faces: tuple[str, ...] = TEXT_FACES) -> Font:
    """Return the font that was asked for, else the first of ``faces`` that the machine has, else Pillow's own.

    Raises: ``OSError`` where the font that was asked for cannot be read.
    """
    if face:
        return ImageFont.truetype(face, size)
    for name in faces:
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)


def faces_for(text: str, face: str) -> tuple[str, ...]:
    """Return the faces of which the first has every letter of a title; none where the machine has no such face."""
    if face:
        return TITLE_FACES
    choices = (TITLE_FACES, *((name,) for name in (*BROAD_FACES, *TEXT_FACES)))
    return next((names for names in choices if has_letters(font(40, face, names), text)), ())


def has_letters(chosen: Font, text: str) -> bool:
    """Say whether a font has every letter of a text: what it lacks, it draws as one and the same box."""
    box = bytes(chosen.getmask(NO_LETTER))
    return all(bytes(chosen.getmask(letter)) != box for letter in set(text) if not letter.isspace())


def _title(text: str, face: str, faces: tuple[str, ...]) -> tuple[int, list[str]]:
    """Return the largest size at which a title fits, and its lines; what does not fit at the smallest is cut."""
    for size in TITLE_SIZES:
        chosen = font(size, face, faces)
        lines = wrapped(text, chosen, width=WIDTH - 2 * MARGIN)
        if len(lines) <= MOST_LINES:
            return size, lines
    last = fitted(f"{lines[MOST_LINES - 1]} {lines[MOST_LINES]}", chosen, width=WIDTH - 2 * MARGIN)
    return size, [*lines[: MOST_LINES - 1], last]


def wrapped(text: str, chosen: Font, *, width: int) -> list[str]:
    """Return the lines of a text, none wider than ``width``; words that are wider are broken."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if chosen.getlength(longer) <= width:
            line = longer
            continue
        lines += [line] if line else []
        line = word
        while chosen.getlength(line) > width:
            most = next(end for end in range(len(line) - 1, 0, -1) if chosen.getlength(line[:end]) <= width)
            lines.append(line[:most])
            line = line[most:]
    return [*lines, line] if line else lines


def fitted(text: str, chosen: Font, *, width: int) -> str:
    """Return a text, or as much of its beginning as is no wider than ``width``, with an ellipsis."""
    if chosen.getlength(text) <= width:
        return text
    while text and chosen.getlength(f"{text}…") > width:
        text = text[:-1].rstrip()
    return f"{text}…"


def _draw_brand(pen: ImageDraw.ImageDraw, face: str) -> None:
    """Draw the scales and the name, as in the head of every page."""

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(MARGIN + 2.4 * x, 62 + 2.4 * y) for x, y in points]

    for line in (at((4, 7), (20, 7)), at((12, 4), (12, 19)), at((8, 20), (16, 20))):
        pen.line(line, fill=ACCENT, width=4)
    for middle in (4, 20):
        pen.line(at((middle - 2.5, 14), (middle, 7), (middle + 2.5, 14)), fill=ACCENT, width=4, joint="curve")
        pen.arc(at((middle - 2.5, 11.5), (middle + 2.5, 16.5)), 0, 180, fill=ACCENT, width=4)
        pen.line(at((middle - 2.5, 14), (middle + 2.5, 14)), fill=ACCENT, width=4)
    pen.text((MARGIN + 76, 92), "Moot", font=font(40, face, TITLE_FACES), fill=INK, anchor="lm")


def kind_of(debate: Debate) -> str:
    """Return of which kind and length a debate is: "criterion debate, 3 rounds"."""
    played = format_of(debate.format)
    return f"{played.called}, {debate.rounds} {played.round_noun}{'' if debate.rounds == 1 else 's'}"


def outcome(debate: Debate, summary: Summary) -> tuple[str, str]:
    """Return what a debate came to: a figure, or nothing, and words."""
    status = STATUS_WORDS[debate.status]
    if summary.overall is not None and summary.overall.score is not None:
        words = [str(summary.overall.band or ""), str(summary.overall.recommendation or "")]
        return two_places(summary.overall.score), " · ".join(word for word in [*words, status] if word)
    figure = "" if summary.figure is None else two_places(summary.figure)
    words = [summary.headline, summary.detail, summary.without, status]
    return figure, " · ".join(dict.fromkeys(word for word in words if word))


def described(debate: Debate, summary: Summary) -> str:
    """Return a debate in a sentence, as search engines and messengers show it below its title."""
    figure, words = outcome(debate, summary)
    at = debate.concluded_at or debate.started_at or debate.created_at
    return f"{capfirst(kind_of(debate))}. {f'{figure}: ' if figure else ''}{words}. {at.day} {at:%b %Y}."


def summary_of(debate: Debate) -> Summary:
    return format_of(debate.format).summaries(debates=[debate]).get(debate.pk, Summary())


def preview(debate: Debate) -> dict[str, Any]:
    """Return what the head of a debate's page says of it to who shows a link."""
    return {
        "description": described(debate, summary_of(debate)),
        "width": WIDTH,
        "height": HEIGHT,
        "listed": debate.visibility == Visibility.PUBLIC.value,
    }


MOST_IN_FEED = 50
EMBEDDED = ("overall", "scoreboard", "outcome", "standings", "panel_outcome", "panel_matrix")
"""The parts of any format that say how a debate stands."""
LIVE = frozenset({Status.SCHEDULED, Status.RUNNING, Status.PAUSED, Status.AWAITING_REVIEW, Status.CONCLUDING})
REFRESH_SECONDS = 30
CARD_SECONDS = 300
UNWRITABLE = dict.fromkeys((*range(9), 0x0B, 0x0C, *range(0x0E, 0x20), 0xFFFE, 0xFFFF))
"""What XML has no way to write."""


@require_safe
@conditional_page
def draw_card(request: HttpRequest, address: UUID) -> HttpResponse:
    """The card of a debate that everybody may read who has its address."""
    with one_moment():
        debate = debate_page.visible_debate(AnonymousUser(), address)
        figure, words = outcome(debate, summary_of(debate))
    picture = drawn(Card(title=debate.title, kind=kind_of(debate), figure=figure, words=words), face=settings.CARD_FONT)
    headers = {"Cache-Control": f"public, max-age={CARD_SECONDS}"}
    return HttpResponse(picture, content_type="image/png", headers=headers)


@require_safe
def embed(request: HttpRequest, address: UUID) -> HttpResponse:
    """How a debate stands, for a frame on another site: as anybody reads it, whoever looks, with nothing to press."""
    with one_moment():
        debate = debate_page.visible_debate(AnonymousUser(), address)
        page = debate_page.compose_page(debate=debate, only=EMBEDDED)
        templates = [page.parts[name].template for name in EMBEDDED if name in page.parts]
        values = {**debate_page.common(debate), **page.values, "templates": templates}
        answer = render(request, "debates/embed.html", values)
    if debate.status in LIVE:
        answer.headers["Refresh"] = str(REFRESH_SECONDS)
    if settings.EMBED_ORIGINS:
        rules = {**settings.SECURE_CSP, "frame-ancestors": settings.EMBED_ORIGINS}
        answer.headers["Content-Security-Policy"] = "; ".join(f"{name} {' '.join(row)}" for name, row in rules.items())
        return xframe_options_exempt(lambda _request: answer)(request)
    return answer


class PublicDebates(Feed[tuple[Debate, Summary], None]):
    """The newest public debates as Atom, by what last became of them."""

    feed_type = Atom1Feed
    title = "Debates on Moot"
    subtitle = "Public debates: those that began, and what they came to."
    author_name = "Moot"

    def link(self) -> str:
        return reverse("index")

    def feed_url(self) -> str:
        return reverse("feed")

    def items(self) -> list[tuple[Debate, Summary]]:
        """Return debates with what they came to, asked of each format once."""
        last = Coalesce("concluded_at", "started_at", "created_at")
        with replica.reading():
            newest = listed_debates().exclude(status=Status.DRAFT.value).order_by(last.desc(), "-pk")
            debates = list(newest[:MOST_IN_FEED])
            summaries = summaries_of(debates)
            replica.confirm([debate.pk for debate in debates])
        return [(debate, summaries.get(debate.pk, Summary())) for debate in debates]

    def item_title(self, item: tuple[Debate, Summary]) -> str:
        return item[0].title.translate(UNWRITABLE)

    def item_description(self, item: tuple[Debate, Summary]) -> str:
        return escape(described(*item).translate(UNWRITABLE))

    def item_link(self, item: tuple[Debate, Summary]) -> str:
        return reverse("debate", args=[item[0].public_id])

    def item_guid(self, item: tuple[Debate, Summary]) -> str:
        return f"urn:uuid:{item[0].public_id}"

    def item_pubdate(self, item: tuple[Debate, Summary]) -> datetime:
        return item[0].created_at

    def item_updateddate(self, item: tuple[Debate, Summary]) -> datetime:
        return item[0].concluded_at or item[0].started_at or item[0].created_at

    def item_categories(self, item: tuple[Debate, Summary]) -> list[str]:
        return [item[0].get_format_display()]
