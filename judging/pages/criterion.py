"""The parts of a criterion debate's page: scores in several views, the latest words, a chapter for each criterion."""

from __future__ import annotations

from collections.abc import Collection

from debates.models import Debate
from debates.types import Status
from judging.pages import latest, scoreboard, synthesis, transcript
from judging.pages.part import Page, Part, named
from judging.pages.scoreboard import Row

SCORES = ("score:", "criterion:", "round:", "debate:")
OVER = frozenset({Status.CONCLUDED, Status.FAILED, Status.CANCELLED})


def page(*, debate: Debate, only: Collection[str] | None) -> Page:
    """Return the page of a criterion debate; what was said is read for the chapters that are asked for alone."""
    board = scoreboard.scoreboard(debate=debate)
    rows = [row for row in board.rows if only is None or row.anchor in only]
    chapters = transcript.transcript(rows=rows)
    parts = named(
        Part("contents", "debates/_contents.html", stirred_by=("synthesis:",)),
        Part("overall", "debates/_overall.html", stirred_by=SCORES),
        Part("latest", "debates/_latest.html", stirred_by=()),
        Part("synthesis", "debates/_synthesis.html", stirred_by=("synthesis:", "score:", "criterion:")),
        Part("scoreboard", "debates/_scoreboard.html", stirred_by=SCORES),
        Part("progression", "debates/_progression.html", stirred_by=SCORES),
        *(line(row) for row in board.rows),
        *(chapter(one) for one in chapters),
    )
    return Page(
        layout="debates/criterion.html",
        parts=parts,
        values={
            "board": board,
            "chapters": [(line(one.row), chapter(one)) for one in chapters],
            "synthesis": synthesis.newest(debate=debate),
            "latest": latest.latest(debate=debate) if shows_latest(debate, only=only) else [],
        },
    )


def shows_latest(debate: Debate, *, only: Collection[str] | None) -> bool:
    """Say whether the latest words are asked for, of a debate that has not ended."""
    return debate.status not in OVER and (only is None or "latest" in only)


def line(row: Row) -> Part:
    """Return the line above a chapter: the score of its criterion."""
    name, code = f"line-{row.thread.position}", row.card["code"]
    return Part(name, "debates/_line.html", stirred_by=SCORES, about=code, shown=row)


def chapter(one: transcript.Chapter) -> Part:
    """Return the part that holds what was said about a criterion."""
    return Part(
        one.row.anchor,
        "debates/_chapter.html",
        stirred_by=("turn:", "verdict:", "round:", "thread:", "score:", "criterion:"),
        about=one.row.card["code"],
        when_open=True,
        shown=one,
    )
