"""What the pages of debates call: charts drawn on the server, marks of parts, words of open debates."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from django import template
from django.template import Context
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from debates.decimals import in_places
from debates.models import Debate, Participant
from judging.formats import charts
from judging.formats.charts import on_scale, plain
from judging.formats.criterion.scoreboard import Group, Scoreboard
from judging.formats.open.page import Chair, ChairPoint, Table
from judging.formats.panel import results
from judging.formats.registry import format_of
from judging.pages.participants import kind_of
from judging.pages.parts import Part
from judging.pages.transcript import TranscriptFilter
from judging.rules import frameworks, standing
from judging.rules.frameworks import Framework
from judging.rules.persuasion import Surrender
from judging.rules.standing import Side, Victory
from judging.templatetags.markdown import unmarked
from judging.types import Position
from scoring.rules.overall import RECOMMENDED_FROM, Recommendation

# Charts, drawn on the server as SVG. Their numbers are also in a table on the same page.


register = template.Library()
ROW_HEIGHT = 30
DUMBBELL_LEFT, DUMBBELL_RIGHT = 104, 344


@register.filter
def by_marks(score: str | None, policy: Mapping[str, Any]) -> str:
    """Return a score of a panel on the side of its marks on which it is, or nothing where there is none."""
    return in_places(results.shown(score, policy=policy)) or ""


@register.filter
def names(several: Iterable[str], between: str) -> SafeString:
    """Return names with words between them, each in its own direction."""
    return format_html_join(between, "<bdi>{}</bdi>", ((name,) for name in several))


@register.filter
def of_length(debate: Debate) -> str:
    """How long a debate is, as its format calls it."""
    return format_of(debate.format).length(debate=debate)


@register.filter
def kind_in(person: Participant, debate: Debate) -> str:
    return kind_of(person, debate=debate)


@register.inclusion_tag("charts/progression.html")
def progression(board: Scoreboard) -> dict[str, Any]:
    """Small multiples: how every score moved, a panel for each category."""
    return {
        "panels": charts.panels(board=board),
        "width": charts.WIDTH,
        "height": charts.HEIGHT,
        "low": charts.LOW,
        "high": charts.HIGH,
        "top": charts.TOP,
        "bottom": charts.BOTTOM,
    }


@register.inclusion_tag("charts/courses.html")
def courses(table: Table) -> dict[str, Any]:
    """The stance and the conviction of every chair of an open debate, exchange by exchange."""
    return {
        "charts": charts.drawn(table=table),
        "width": charts.WIDTH,
        "height": charts.HEIGHT,
        "left": charts.LEFT,
        "right": charts.CHAIR_RIGHT,
        "names": charts.NAMES,
        "top": charts.TOP,
        "bottom": charts.BOTTOM,
    }


@register.inclusion_tag("charts/scale.html")
def scale(before: str | None, after: str | None) -> dict[str, Any]:
    """The overall score before and after, on the scale of recommendations."""
    edges = [(charts.LOW, Recommendation.ABANDON), *sorted(RECOMMENDED_FROM)]
    ends = [*(low for low, _ in edges[1:]), charts.HIGH]
    return {
        "before": before,
        "after": after,
        "before_x": plain(on_scale(Decimal(before))) if before else None,
        "after_x": plain(on_scale(Decimal(after))) if after else None,
        "zones": [
            {
                "word": word.value,
                "x": plain(on_scale(low)),
                "width": plain(on_scale(high) - on_scale(low)),
                "middle": plain((on_scale(low) + on_scale(high)) / 2),
                "low": low,
            }
            for (low, word), high in zip(edges, ends, strict=True)
        ],
    }


@register.inclusion_tag("charts/dumbbells.html")
def dumbbells(groups: list[Group]) -> dict[str, Any]:
    return {
        "lines": [
            {
                "group": group,
                "y": 34 + number * ROW_HEIGHT,
                "before_x": _across(group.before),
                "after_x": _across(group.after),
            }
            for number, group in enumerate(groups)
        ],
        "marks": [{"x": _across(str(value)), "value": value} for value in charts.GRID],
        "height": 34 + len(groups) * ROW_HEIGHT,
    }


def _across(value: str | None) -> str | None:
    if value is None:
        return None
    share = (Decimal(value) - charts.LOW) / (charts.HIGH - charts.LOW)
    return plain(DUMBBELL_LEFT + (DUMBBELL_RIGHT - DUMBBELL_LEFT) * share)


# How a template marks the root element of a part, so that the page's module finds it.


@register.simple_tag
def marks(part: Part | None) -> SafeString | str:
    """Return the attributes of a part's root element; nothing on pages that do not move."""
    if not part:
        return ""
    return format_html(
        ' data-part="{}" data-stirred-by="{}" data-about="{}" data-about-round="{}"{}',
        part.name,
        " ".join(part.stirred_by),
        part.about,
        "" if part.round is None else part.round,
        " data-when-open" if part.when_open else "",
    )


# What was said: where it is, who said it, and whether a reader asks for it.


@register.simple_tag(takes_context=True)
def said(context: Context, kind: str, *, id: object, speaker: str, text: str, criterion: str = "") -> SafeString:
    """Return the attributes of something that was said; it is hidden where the reader asks for something else."""
    sought = context.get("sought") or EVERYTHING
    words = unmarked(text) if sought.words else ""
    admitted = sought.admits(kind=kind, speaker=speaker, criterion=criterion, text=words)
    return format_html(
        ' id="{}" data-said="{}" data-speaker="{}" data-about-criterion="{}"{}',
        anchor(kind, id),
        kind,
        speaker,
        criterion,
        "" if admitted else " hidden",
    )


@register.simple_tag
def permalink(kind: str, id: object) -> SafeString:
    """Return the permanent link to something that was said."""
    return format_html(PERMALINK, anchor(kind, id))


def anchor(kind: str, id: object) -> str:
    return f"{ANCHORS.get(kind, 'turn')}-{id}"


PERMALINK = '<a class="permalink" href="#{}" aria-label="Permanent link"></a>'
ANCHORS: Mapping[str, str] = {"verdict": "verdict", "analysis": "report", "argument": "report"}
"""What the places of what was said are called that is no turn."""


EVERYTHING = TranscriptFilter()


# Words and numbers of open debates as pages show them.


VICTORY_WORDS: Mapping[str, str] = {
    Victory.UNCONTESTED: "Uncontested",
    Victory.MUTUAL_SURRENDER: "Everybody gave up",
    Victory.DRAW: "A draw",
    Victory.OVERWHELMING: "Overwhelming",
    Victory.CLEAR: "Clear",
    Victory.NARROW: "Narrow",
}
POSITION_WORDS: Mapping[Side, str] = {Side.SUPPORTIVE: "for", Side.OPPOSED: "against", Side.NEUTRAL: "neither"}
SURRENDER_WORDS: Mapping[str, str] = {
    Surrender.PERSUADED: "Persuaded: what it heard last was convincing, and little conviction was left.",
    Surrender.WAVERING: "Wavering: it stood nearly in the middle, with little conviction.",
    Surrender.CONSECUTIVE: "Persuaded again and again: several responses in a row convinced it.",
}


register.filter("victory_words", lambda value: VICTORY_WORDS[value])
register.filter("position_words", lambda stance: POSITION_WORDS[standing.position(stance=stance)])
register.filter("surrender_words", lambda value: SURRENDER_WORDS[value])


@register.filter
def framework_of(position: Position) -> Framework | None:
    """Return the framework that somebody argues from, where it is one that ships."""
    return frameworks.frameworks().get(position.framework)


@register.filter
def points_at(chair: Chair, exchanges: int) -> list[ChairPoint | None]:
    """Return where a chair stood at the start and after each exchange; nothing where it has not been played."""
    return [chair.points.get(stop) for stop in range(exchanges + 1)]
