"""Numbers and words as pages show them. What is missing stays missing: no filter turns it into a number."""

from datetime import UTC, datetime
from decimal import Decimal

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from debates import decimals
from debates.types import STATUS_WORDS
from judging.types import are_unable
from scoring.models.ledger import ERASED
from scoring.rules.numbers import half_up

register = template.Library()
WINNER_WORDS = {"evaluator": "Evaluator prevails", "red_team": "Red team prevails", "draw": "Draw"}
register.simple_tag(lambda: ERASED, name="erased")
register.filter("status_words", lambda value: STATUS_WORDS[value])
register.filter("winner_words", lambda value: WINNER_WORDS[value])
register.filter("readable", lambda value: value.replace("_", " "))


@register.filter
def score(value: Decimal | str | None) -> str:
    """Return a score with two places, or nothing where there is none."""
    return "" if value is None else decimals.two_places(Decimal(value))


@register.filter
def exact(value: Decimal | None) -> str:
    """Return a number of the ledger as it stands there, with 2 to 6 places, or nothing where there is none."""
    return decimals.in_places(value) or ""


@register.filter
def as_written(value: Decimal) -> str:
    """Return a number as people write it, without needless zeros."""
    return decimals.plain(value)


@register.filter
def signed(value: Decimal | str | None) -> str:
    """Return a change with its sign and two places; no change has no sign."""
    return "" if value is None else decimals.signed(Decimal(value))


@register.filter
def direction(value: Decimal | str | None) -> str:
    """Return up, down or level: how a change is coloured, besides its sign."""
    if value is None:
        return "level"
    return "up" if Decimal(value) > 0 else "down" if Decimal(value) < 0 else "level"


@register.filter
def percent(value: Decimal | str | None) -> str:
    """Return a share of 0 to 1 in whole percent, or nothing where there is none."""
    return "" if value is None else f"{half_up(Decimal(value) * 100, places=0)} %"


@register.filter
def time_left(deadline: datetime, now: datetime) -> str:
    """Return how long it is until a deadline, in the two largest units; static/live.js counts on in the same words."""
    seconds = max(0, int((deadline - now).total_seconds()))
    days, hours, minutes = seconds // 86_400, seconds % 86_400 // 3_600, seconds % 3_600 // 60
    if days:
        return f"{days} d {hours} h"
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min" if minutes > 1 else f"{seconds} s"


@register.filter
def is_not_assessed(reasons: str) -> bool:
    """Say whether a debate is partial only for what its judge could not assess."""
    return are_unable(reasons.split(", "))


@register.simple_tag
def zone() -> str:
    """Return the zone that somebody chose, as browsers call it; nothing where the browser's own is meant."""
    return getattr(timezone.get_current_timezone(), "key", "")  # datetime.UTC, which stands for no choice, has none


@register.simple_tag
def moment(at: datetime, *, seconds: bool = False) -> SafeString:
    """Return a time as readers and programs read it: in the zone that is active, which it says; as a rule, UTC.

    static/times.js writes it anew in the reader's own zone, in the same way.
    """
    here = timezone.localtime(at)
    precision, clock = ("seconds", "%H:%M:%S") if seconds else ("minutes", "%H:%M")
    written = f"{here.day} {here:%b %Y, {clock} %Z}"
    return format_html(
        '<time datetime="{}" data-written="{}">{}</time>', at.astimezone(UTC).isoformat(), precision, written
    )
