"""The page of a debate, put together from the parts that every debate has and those of its format."""

from __future__ import annotations

from collections.abc import Collection

from debates.models import Debate
from judging.formats.registry import format_of
from judging.pages.fragments import Page, Part, named

HEADING = Part("heading", "debates/_heading.html", stirred_by=("debate:", "review:"))


def page(*, debate: Debate, only: Collection[str] | None = None) -> Page:
    """Return what the page of a debate shows; with ``only``, no more than the parts of these names."""
    own = format_of(debate.format).page(debate=debate, only=only)
    parts = named(HEADING) | dict(own.parts)
    wanted = parts if only is None else {name: part for name, part in parts.items() if name in only}
    return Page(layout=own.layout, parts=wanted, values=own.values)
