"""Where the lines, dots and labels of a chart lie. Exact arithmetic; templates draw what this returns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from judging.formats.criterion.scoreboard import Group, Row, Scoreboard

LOW, HIGH = Decimal(1), Decimal(10)
MOST_LINES = 6
"""More lines than this in one panel cannot be told apart; a category with more gets more panels."""

WIDTH, HEIGHT = 340, 210
LEFT, RIGHT, TOP, BOTTOM = 26, 292, 12, 182
LABEL_GAP = Decimal(13)
GRID = (1, 4, 7, 10)


@dataclass(frozen=True, slots=True)
class Dot:
    """Where a score stands at one stop of a chart: 0 the start, then the rounds, then the end."""

    stop: int
    x: str
    y: str


@dataclass(frozen=True, slots=True)
class Curve:
    """One score's line; ``style`` numbers its dash and its colour."""

    style: int
    row: Row
    dots: Sequence[Dot]
    label_y: str

    @property
    def points(self) -> str:
        return " ".join(f"{dot.x},{dot.y}" for dot in self.dots)


@dataclass(frozen=True, slots=True)
class Mark:
    """A label on an axis."""

    at: str
    text: str


@dataclass(frozen=True, slots=True)
class Panel:
    """One small chart: at most ``MOST_LINES`` scores of a category."""

    name: str
    curves: Sequence[Curve]
    across: Sequence[Mark]
    up: Sequence[Mark]


def panels(*, board: Scoreboard) -> list[Panel]:
    """Return the small charts of a scoreboard, category by category; what is not evaluated is not drawn."""
    return [
        panel(name=group.name, rows=rows, rounds=len(board.rounds)) for group in board.groups for rows in shares(group)
    ]


def shares(group: Group) -> list[list[Row]]:
    rows = [row for row in group.rows if row.evaluation is not None]
    return [rows[start : start + MOST_LINES] for start in range(0, len(rows), MOST_LINES)]


def panel(*, name: str, rows: Sequence[Row], rounds: int) -> Panel:
    stops = [along(stop, stops=rounds + 2) for stop in range(rounds + 2)]
    heights = [course(row) for row in rows]
    labels = spread([upwards(height[-1][1]) for height in heights])
    curves = [
        Curve(
            style=style,
            row=row,
            dots=[Dot(stop, plain(stops[stop]), plain(upwards(value))) for stop, value in height],
            label_y=plain(label),
        )
        for style, (row, height, label) in enumerate(zip(rows, heights, labels, strict=True))
    ]
    names = ["start", *(f"round {number}" if number == 1 else str(number) for number in range(1, rounds + 1)), "final"]
    return Panel(
        name=name,
        curves=curves,
        across=[Mark(plain(stop), text) for stop, text in zip(stops, names, strict=True)],
        up=[Mark(plain(upwards(Decimal(value))), str(value)) for value in GRID],
    )


def course(row: Row) -> list[tuple[int, Decimal]]:
    """Return where a score was at each stop: 0 the start, then the rounds, then the end where it has ended."""
    assert row.evaluation is not None  # noqa: S101 -- narrows the type; panels hold assessed criteria only
    known = [(0, row.evaluation.initial_score)]
    known += [(number, step.score) for number, step in enumerate(row.steps, start=1) if step and step.score is not None]
    if row.final is not None and (row.settled or row.evaluation.override_score is not None):
        known.append((len(row.steps) + 1, row.final))
    return known


def along(stop: int, *, stops: int) -> Decimal:
    """Return how far to the right a stop lies."""
    return LEFT + Decimal(RIGHT - LEFT) * stop / (stops - 1)


def upwards(value: Decimal) -> Decimal:
    """Return how far down a score of 1 to 10 lies."""
    return BOTTOM - (BOTTOM - TOP) * (value - LOW) / (HIGH - LOW)


def spread(heights: Sequence[Decimal]) -> list[Decimal]:
    """Return the heights of labels moved apart so that none covers another, in the order given."""
    order = sorted(range(len(heights)), key=lambda index: heights[index])
    found = dict.fromkeys(order, Decimal(0))
    lowest = Decimal(TOP) - LABEL_GAP
    for rank, index in enumerate(order):
        lowest = max(heights[index], lowest + LABEL_GAP)
        found[index] = min(lowest, BOTTOM - LABEL_GAP * (len(order) - 1 - rank))
    return [found[index] for index in range(len(heights))]


def plain(value: Decimal) -> str:
    """Return a coordinate with one place."""
    return f"{value:.1f}"


SCALE_LEFT, SCALE_RIGHT = 12, 348


def on_scale(value: Decimal) -> Decimal:
    """Return how far to the right a score of 1 to 10 lies on a horizontal scale."""
    return SCALE_LEFT + (SCALE_RIGHT - SCALE_LEFT) * (value - LOW) / (HIGH - LOW)
