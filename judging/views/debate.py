"""The page of a debate, put together from the parts that every debate has and those of its format; what a link to it
says, its card, and what other sites may show."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC
from functools import lru_cache, partial
from io import BytesIO
from typing import Any
from unicodedata import bidirectional
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.text import capfirst
from django.views.decorators.http import conditional_page, require_safe
from PIL import Image, ImageDraw, ImageFont

from debates import event_log, event_schemas
from debates.decimals import in_places, two_places
from debates.live.frames import MOST_PARTS
from debates.live.parts import Stirring
from debates.models import AwaitedTurn, Debate, Participant
from debates.printable import slug
from debates.rules import IN_PLAY, OVER
from debates.selectors import Visitor, awaited_turns, one_moment, played_out, repeated, visible_debates
from debates.services import rights
from debates.types import STATUS_WORDS, AwaitedState, Role, Status, Visibility
from judging.engine import appeals, queue, selectors
from judging.engine.appeals import Against
from judging.engine.lifecycle import actions_open, concludable_again
from judging.formats.base import Summary
from judging.formats.registry import format_of
from judging.pages import participants, transcript
from judging.pages.parts import DRAWINGS, Log, Page, Part, named

HEADING = Part("heading", "debates/_heading.html", stirred_by=("debate:", "review:", "judge:"))
MOVES = ("debate:", "thread:", "round:", "turn:", "verdict:", "response:", "state:", "arbiter:", "panel:", "score:")
PROGRESS = Part("progress", "debates/_progress.html", stirred_by=(*MOVES, "criterion:", "participant:", "review:"))
SPEAKERS = Part("speakers", "debates/_speakers.html", stirred_by=("judge:",))
JUDGEMENTS = Part("judgements", "debates/_judgements.html", stirred_by=("turn:", "round:", "debate:"))
SUBJECT = Part("subject", "debates/_subject.html", stirred_by=())
CONDUCTING = Part("conducting", "debates/_conducting.html", stirred_by=("turn:", "round:", "debate:", "review:"))


def compose_page(*, debate: Debate, only: Collection[str] | None = None) -> Page:
    """Return what the page of a debate shows; with ``only``, no more than the parts of these names."""
    own = format_of(debate.format).page(debate=debate, only=only)
    parts = named(HEADING, CONDUCTING, PROGRESS, SPEAKERS, JUDGEMENTS, SUBJECT) | dict(own.parts)
    chosen = parts if only is None else {name: part for name, part in parts.items() if name in only}
    values = {
        **own.values,
        "judgements": awaited_judgements(debate),
        "actions": partial(actions_open, debate),
        "prepares": Status(debate.status) not in IN_PLAY,
    }
    if PROGRESS.name in chosen:
        values["progress"] = selectors.progress(debate=debate)
    return Page(layout=own.layout, parts=chosen, values=values)


def awaited_judgements(debate: Debate) -> QuerySet[AwaitedTurn]:
    """Return what is awaited of judges, in every format: also where a ballot was given that nobody hears of yet."""
    waiting = (AwaitedState.WAITING.value, AwaitedState.PAUSED.value)
    rows = awaited_turns().filter(Q(state__in=waiting), round__thread__debate=debate)
    return rows.filter(participant__role=Role.JUDGE.value).order_by("pk")


# The page of one debate, and its result: for people, for programs.


@require_safe
def debate(request: HttpRequest, address: UUID) -> HttpResponse:
    """A debate as it is now, and the number of the event from which a stream goes on."""
    return page_of(request, address)


def page_of(
    request: HttpRequest, address: UUID, *, unsaid: Mapping[str, str] | None = None, status: int = 200
) -> HttpResponse:
    """Answer with the page of a debate as it is now.

    Shape: ``unsaid`` are the words that somebody could not say: ``seat``, ``text``, ``why`` they were refused, and the
    number of the ``draft`` that they were sent with, empty where another device has changed it since.
    """
    visitor, epoch = known(request), event_log.epoch()
    with one_moment():
        debate = visible_debate(request, visitor, address)
        page = compose_page(debate=debate)
        mine = participants.own_seats(
            debate=debate, states=page.values.get("seats", ()), parts=page.parts, visitor=visitor, unsaid=unsaid
        )
        earlier = repeated(visitor=visitor, debate=debate)
        sought = transcript.filter_of(request.GET)
        own = {"epoch": epoch, "mine": mine, "unsaid": unsaid, "repeated": earlier, "sought": sought}
        own |= {"schema": event_schemas.SCHEMA_VERSION, "preview": preview(debate)}
        own["conducts"] = isinstance(visitor, User) and rights.conducts(by=visitor, debate=debate)
        own["judging"] = judges = own_judges(visitor, debate)
        seated = {own_seat.state.participant.pk for own_seat in mine} | {judge.pk for judge in judges}
        own["tab"] = participants.tab(awaited=page.values.get("awaited", ()), mine=seated)
        values = common(debate) | composed(page) | own
        answer = render(request, "debates/debate.html", values, status=status)
    queue.note_onlooker(debate=debate)
    return answer


def own_judges(visitor: Visitor, debate: Debate) -> list[Participant]:
    """Return the seats from which somebody judges in a debate."""
    if not isinstance(visitor, User):
        return []
    return list(Participant.objects.filter(debate=debate, user=visitor, role=Role.JUDGE.value, replacement=None))


@require_safe
def some_parts(request: HttpRequest, address: UUID) -> HttpResponse:
    """Some parts of a debate's page, drawn anew for a page that is open; nothing where nothing has happened since."""
    debate = visible_debate(request, known(request), address)
    queue.note_onlooker(debate=debate)
    log = log_of(debate)
    known_as = {"since": str(log.seq), "erasures": str(log.erasures), "epoch": log.epoch}
    if "since" in request.GET and all(request.GET.get(name, now) == now for name, now in known_as.items()):
        return HttpResponse(status=204)
    names = dict.fromkeys(request.GET.getlist("of")[:MOST_PARTS])
    drawings = DRAWINGS.of(log=log, names=names, draw=partial(drawn, debate.pk))
    values = {
        "debate": debate,
        "drawings": drawings.values(),
        "seq": min([drawing.seq for drawing in drawings.values()], default=log.seq),
        "epoch": log.epoch,
        "erasures": log.erasures,
        "now": timezone.now(),
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
        debate = visible_debate(request, visitor, address)
        format_ = format_of(debate.format)
        earlier = repeated(visitor=visitor, debate=debate)
        own: dict[str, Any] = {
            "repeated": earlier,
            "preview": preview(debate),
            "embeddable": bool(settings.EMBED_ORIGINS),
        }
        is_open = appeals.is_open(debate.concluded_at, now=timezone.now())
        own["may_appeal"] = is_open and appeals.may_appeal(by=visitor, debate=debate)
        own["appeal"] = appeals.own_of(by=visitor, what=Against(debate))
        values = {**common(debate), **format_.result_page(debate=debate, query=request.GET), **own}
        return render(request, format_.result_template, values)


@require_safe
def result_document(request: HttpRequest, address: UUID) -> JsonResponse:
    visitor = known(request)
    with one_moment():
        debate = visible_debate(request, visitor, address)
        document = format_of(debate.format).result_document(debate=debate)
    headers = {"Content-Disposition": f'attachment; filename="{slug(debate.title)}.result.json"'}
    return JsonResponse(document, json_dumps_params={"ensure_ascii": False, "indent": 2}, headers=headers)


def known(request: HttpRequest) -> Visitor:
    """Return who asks, found out before anything is read: a session that has ended is deleted by looking at it."""
    return request.user if request.user.is_authenticated else AnonymousUser()


def visible_debate(request: HttpRequest, visitor: Visitor, address: UUID) -> Debate:
    """Return the debate at an address; whoever may not read it learns no more than that there is none.

    Whatever is answered about one that is not public asks search engines to leave it out.
    """
    debate = visible_debates(visitor=visitor).filter(public_id=address).first()
    if debate is None:
        raise Http404("There is no debate at this address.")
    request.out_of_search = debate.visibility != Visibility.PUBLIC.value  # type: ignore[attr-defined]  # config.security
    return debate


def common(debate: Debate) -> dict[str, Any]:
    people = participants.people(debate=debate)
    return {
        "debate": debate,
        "format": format_of(debate.format),
        "people": people,
        "arbiter": participants.arbiter_name(people),
        "wordless": debate.partial and played_out(debate),
        "concludable": concludable_again([debate]),
        "seq": debate.head.seq,
        "erasures": debate.head.erasures,
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
        debate = visible_debate(request, visitor, address)
        papers = format_of(debate.format).downloads(debate=debate)
    if part not in papers:
        raise Http404("There is no such paper.")
    headers = {"Content-Disposition": f'attachment; filename="{papers[part].file_name}"'}
    return HttpResponse(papers[part].text, content_type="text/markdown; charset=utf-8", headers=headers)


# -- what a link to a debate says --------------------------------------------------------------------------------------


def kind_of(debate: Debate) -> str:
    """Return of which kind and length a debate is: "criterion debate, 3 rounds"."""
    played = format_of(debate.format)
    return f"{played.called}, {played.length(debate=debate)}"


def outcome(debate: Debate, summary: Summary) -> tuple[str, str]:
    """Return what a debate came to: a figure, or nothing, and words."""
    status = STATUS_WORDS[debate.status]
    if summary.overall is not None and summary.overall.score is not None:
        words = [str(summary.overall.band or ""), str(summary.overall.recommendation or "")]
        return two_places(summary.overall.score), " · ".join(word for word in [*words, status] if word)
    figure = in_places(summary.figure) or ""
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
    return {"description": described(debate, summary_of(debate)), "width": WIDTH, "height": HEIGHT}


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
def card_picture(card: Card, *, face: str = "") -> bytes:
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
    """Return the font that was asked for, or the first of ``faces``, that can be read; else Pillow's own."""
    for name in (face, *faces) if face else faces:
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


# -- what other sites may show -----------------------------------------------------------------------------------------


EMBEDDED = ("overall", "scoreboard", "outcome", "standings", "panel_outcome", "panel_matrix")
"""The parts of any format that say how a debate stands."""
CARD_SECONDS = 300


@require_safe
@conditional_page
def draw_card(request: HttpRequest, address: UUID) -> HttpResponse:
    """The card of a debate that everybody may read who has its address."""
    with one_moment():
        debate = visible_debate(request, AnonymousUser(), address)
        figure, words = outcome(debate, summary_of(debate))
    card = Card(title=debate.title, kind=kind_of(debate), figure=figure, words=words)
    headers = {"Cache-Control": f"public, max-age={CARD_SECONDS}"}
    picture = card_picture(card, face=settings.CARD_FONT)
    return HttpResponse(picture, content_type="image/png", headers=headers)


@require_safe
def embed(request: HttpRequest, address: UUID) -> HttpResponse:
    """How a debate stands, for a frame on another site: as anybody reads it, whoever looks, with nothing to press."""
    with one_moment():
        debate = visible_debate(request, AnonymousUser(), address)
        page = compose_page(debate=debate, only=EMBEDDED)
        templates = [page.parts[name].template for name in EMBEDDED if name in page.parts]
        values = {**common(debate), **page.values, "templates": templates, "user": AnonymousUser()}
        answer = render(request, "debates/embed.html", values)
    if debate.status not in OVER:
        answer.headers["Refresh"] = str(settings.EMBED_REFRESH_SECONDS)
    return answer
