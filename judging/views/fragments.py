"""The page of a debate, put together from the parts that every debate has and those of its format."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from debates.models import Debate
from debates.types import Format
from judging.formats.criterion import page as criterion_page
from judging.formats.open import seats as open_seats
from judging.formats.open.page import page as open_page
from judging.formats.panel import page as panel_page
from judging.pages.fragments import Composer, Page, Part, named

HEADING = Part("heading", "debates/_heading.html", stirred_by=("debate:", "review:"))
COMPOSERS: Mapping[str, Composer] = {
    Format.CRITERION.value: criterion_page.page,
    Format.OPEN.value: open_page,
    Format.PANEL.value: panel_page.page,
}
"""One line for each format."""


def page(*, debate: Debate, only: Collection[str] | None = None) -> Page:
    """Return what the page of a debate shows; with ``only``, no more than the parts of these names."""
    own = COMPOSERS[debate.format](debate=debate, only=only)
    waits_for = open_seats.awaited(debate=debate)
    seats = open_seats.seats(debate=debate, waits_for=waits_for)
    parts = named(HEADING, *open_seats.parts(found=seats)) | dict(own.parts)
    waited = {"seats": seats, **open_seats.values(debate=debate, waits_for=waits_for)}
    wanted = parts if only is None else {name: part for name, part in parts.items() if name in only}
    return Page(layout=own.layout, parts=wanted, values={**own.values, **waited})
