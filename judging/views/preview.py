"""What a link to a debate says of it: a sentence, and the words of its card."""

from __future__ import annotations

from typing import Any

from django.utils.text import capfirst

from debates.decimals import two_places
from debates.models import Debate
from debates.types import STATUS_WORDS, Visibility
from judging.formats.base import Summary
from judging.formats.registry import format_of
from judging.pages import preview_card


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
