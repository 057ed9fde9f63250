"""A debate outside its own page: what a link to it says, its card, the feed of public debates, and the score board that
other sites may show."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.syndication.views import Feed
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.text import capfirst
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import conditional_page, require_safe

from debates import replica
from debates.decimals import two_places
from debates.models import Debate
from debates.selectors import listed_debates, one_moment
from debates.types import STATUS_WORDS, Status, Visibility
from judging.formats.base import Summary
from judging.formats.registry import format_of
from judging.pages import preview_card
from judging.views import debate as debate_page
from judging.views.index import summaries_of


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
        "width": preview_card.WIDTH,
        "height": preview_card.HEIGHT,
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
    picture = preview_card.drawn(
        preview_card.Card(title=debate.title, kind=kind_of(debate), figure=figure, words=words), face=settings.CARD_FONT
    )
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
