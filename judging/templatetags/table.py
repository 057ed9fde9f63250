"""Words and numbers of open debates as pages show them."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from django import template

from judging.formats.open.page import Chair, Point
from judging.rules import standing
from judging.rules.standing import Position, Victory
from judging.rules.state import Surrender

register = template.Library()
VICTORY_WORDS: Mapping[str, str] = {
    Victory.UNCONTESTED: "Uncontested",
    Victory.MUTUAL_SURRENDER: "Everybody gave up",
    Victory.DRAW: "A draw",
    Victory.OVERWHELMING: "Overwhelming",
    Victory.CLEAR: "Clear",
    Victory.NARROW: "Narrow",
}
POSITION_WORDS: Mapping[Position, str] = {
    Position.SUPPORTIVE: "for",
    Position.OPPOSED: "against",
    Position.NEUTRAL: "neither",
}
SURRENDER_WORDS: Mapping[str, str] = {
    Surrender.PERSUADED: "Persuaded: what it heard last was convincing, and little conviction was left.",
    Surrender.WAVERING: "Wavering: it stood nearly in the middle, with little conviction.",
    Surrender.CONSECUTIVE: "Persuaded again and again: several responses in a row convinced it.",
}


@register.filter
def victory_words(value: str) -> str:
    return VICTORY_WORDS[value]


@register.filter
def position_words(stance: Decimal) -> str:
    return POSITION_WORDS[standing.position(stance=stance)]


@register.filter
def surrender_words(value: str) -> str:
    return SURRENDER_WORDS[value]


@register.filter
def points_at(chair: Chair, exchanges: int) -> list[Point | None]:
    """Return where a chair stood at the start and after each exchange; nothing where it has not been played."""
    return [chair.points.get(stop) for stop in range(exchanges + 1)]
