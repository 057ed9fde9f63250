"""The parts of an open debate's page: how it ended, where all stand, how fairly they argued, what was said."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from debates.models import Debate
from judging import table_document
from judging.pages import exchanges, latest, synthesis, table
from judging.pages.criterion import shows_latest
from judging.pages.exchanges import Exchange
from judging.pages.part import Page, Part, named

STANDS = ("state:", "participant:", "round:complete", "score:", "debate:")
SAID = ("turn:", "response:", "arbiter:", "state:", "participant:", "round:", "score:")
MOST_UNFOLDED = 6
"""Debates of more exchanges than this are folded: whoever reads one opens what they want."""


def page(*, debate: Debate, only: Collection[str] | None) -> Page:
    """Return the page of an open debate; what was said is read for the exchanges that are asked for alone."""
    values = board(debate=debate)
    wanted = [number for number in range(debate.rounds + 1) if only is None or name_of(number) in only]
    chapters = exchanges.exchanges(debate=debate, table=values["table"], numbers=wanted)
    return Page(
        layout="debates/open.html",
        parts=named(
            Part("contents", "debates/_open_contents.html", stirred_by=("synthesis:",)),
            Part("outcome", "debates/_open_outcome.html", stirred_by=STANDS),
            Part("latest", "debates/_latest.html", stirred_by=()),
            Part("synthesis", "debates/_synthesis.html", stirred_by=("synthesis:",)),
            Part("courses", "debates/_open_courses.html", stirred_by=STANDS),
            Part("standings", "debates/_open_standings.html", stirred_by=STANDS),
            Part("adherence", "debates/_open_adherence.html", stirred_by=("response:", "score:", "debate:")),
            *(chapter(one) for one in chapters),
        ),
        values={
            **values,
            "chapters": [chapter(one) for one in chapters],
            "latest": latest.latest(debate=debate) if shows_latest(debate, only=only) else [],
            "unfolded": debate.rounds <= MOST_UNFOLDED,
        },
    )


def board(*, debate: Debate) -> Mapping[str, Any]:
    """Return what the page of an open debate and its result have in common."""
    shown, result = table.table(debate=debate), table_document.document(debate=debate)
    bands = {one["name"]: one["bands"] for one in result["participants"]}
    return {
        "table": shown,
        "standings": [(chair, bands[chair.name]) for chair in shown.ranked],
        "result": result,
        "synthesis": synthesis.newest(debate=debate),
    }


def chapter(one: Exchange) -> Part:
    """Return the part that holds one exchange."""
    return Part(name_of(one.number), "debates/_open_exchange.html", stirred_by=SAID, round=one.number, shown=one)


def name_of(number: int) -> str:
    """Return the name of the part that holds an exchange."""
    return f"exchange-{number}"
