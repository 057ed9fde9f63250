"""Where the lines, dots and labels of a chart lie. Exact arithmetic; templates draw what this returns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from judging.formats.criterion.scoreboard import Group, Row, Scoreboard
from judging.formats.open.page import Chair, ChairPoint, Table

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
    """The line of a score or of a chair; ``style`` numbers its dash and its colour."""

    style: int
    of: Row | Chair
    values: Sequence[Decimal]
    dots: Sequence[Dot]
    label_y: str

    @property
    def points(self) -> str:
        return " ".join(f"{dot.x},{dot.y}" for dot in self.dots)


@dataclass(frozen=True, slots=True)
class AxisMark:
    at: str
    text: str


@dataclass(frozen=True, slots=True)
class ChartPanel:
    """One small chart: at most ``MOST_LINES`` scores of a category; ``legend`` has those to come, too."""

    name: str
    legend: Sequence[tuple[int, Row]]
    curves: Sequence[Curve]
    across: Sequence[AxisMark]
    up: Sequence[AxisMark]


def panels(*, board: Scoreboard) -> list[ChartPanel]:
    """Return the small charts of a scoreboard, category by category.

    What is not assessed has no line; while it may yet be, its place is kept, so that nothing moves when it comes.
    """
    return [
        panel(name=group.name, rows=rows, rounds=len(board.rounds)) for group in board.groups for rows in shares(group)
    ]


def shares(group: Group) -> list[list[Row]]:
    rows = [row for row in group.rows if row.evaluation is not None or not row.settled]
    return [rows[start : start + MOST_LINES] for start in range(0, len(rows), MOST_LINES)]


def panel(*, name: str, rows: Sequence[Row], rounds: int) -> ChartPanel:
    stops = [along(stop, stops=rounds + 2) for stop in range(rounds + 2)]
    begun = [(style, row, course(row)) for style, row in enumerate(rows) if row.evaluation is not None]
    names = ["start", *(f"round {number}" if number == 1 else str(number) for number in range(1, rounds + 1)), "final"]
    return ChartPanel(
        name=name,
        legend=list(enumerate(rows)),
        curves=curves(begun, stops=stops, upwards=upwards),
        across=[AxisMark(plain(stop), text) for stop, text in zip(stops, names, strict=True)],
        up=[AxisMark(plain(upwards(Decimal(value))), str(value)) for value in GRID],
    )


def curves(
    courses: Sequence[tuple[int, Row | Chair, Sequence[tuple[int, Decimal]]]],
    *,
    stops: Sequence[Decimal],
    upwards: Callable[[Decimal], Decimal],
) -> list[Curve]:
    """Return the lines of some courses, each with its style, whose it is, and where it was at each stop."""
    labels = spread([upwards(course[-1][1]) for _, _, course in courses])
    return [
        Curve(
            style=style,
            of=of,
            values=[value for _, value in course],
            dots=[Dot(stop, plain(stops[stop]), plain(upwards(value))) for stop, value in course],
            label_y=plain(label),
        )
        for (style, of, course), label in zip(courses, labels, strict=True)
    ]


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
    moved = dict.fromkeys(order, Decimal(0))
    lowest = Decimal(TOP) - LABEL_GAP
    for rank, index in enumerate(order):
        lowest = max(heights[index], lowest + LABEL_GAP)
        moved[index] = min(lowest, BOTTOM - LABEL_GAP * (len(order) - 1 - rank))
    return [moved[index] for index in range(len(heights))]


def plain(value: Decimal) -> str:
    """Return a coordinate with one place."""
    return f"{value:.1f}"


SCALE_LEFT, SCALE_RIGHT = 12, 348


def on_scale(value: Decimal) -> Decimal:
    """Return how far to the right a score of 1 to 10 lies on a horizontal scale."""
    return SCALE_LEFT + (SCALE_RIGHT - SCALE_LEFT) * (value - LOW) / (HIGH - LOW)


# Where the lines of an open debate's charts lie: stance and conviction of every chair, exchange by exchange.


CHAIR_RIGHT, NAMES = 262, 270
MOST_MARKS = 8


@dataclass(frozen=True, slots=True)
class Measure:
    """One of the two things that are drawn, with its scale."""

    key: str
    name: str
    about: str
    low: Decimal
    high: Decimal
    grid: Sequence[str]
    of: Callable[[ChairPoint], Decimal]

    def upwards(self, value: Decimal) -> Decimal:
        return BOTTOM - (BOTTOM - TOP) * (value - self.low) / (self.high - self.low)


MEASURES = (
    Measure(
        key="stance",
        name="Stance",
        about="from \N{MINUS SIGN}1, against the motion, to 1, for it",
        low=Decimal(-1),
        high=Decimal(1),
        grid=("-1", "0", "1"),
        of=lambda point: point.stance,
    ),
    Measure(
        key="conviction",
        name="Conviction",
        about="from 0 to 1",
        low=Decimal(0),
        high=Decimal(1),
        grid=("0", "0.5", "1"),
        of=lambda point: point.conviction,
    ),
)


@dataclass(frozen=True, slots=True)
class Drawn:
    """One small chart: at most ``MOST_LINES`` chairs; ``stops`` are where the start and each exchange lie."""

    measure: Measure
    curves: Sequence[Curve]
    stops: Sequence[str]
    across: Sequence[AxisMark]
    up: Sequence[AxisMark]


def drawn(*, table: Table) -> list[Drawn]:
    """Return the charts of a table: both measures for every few chairs."""
    chairs = table.chairs
    shares = [chairs[start : start + MOST_LINES] for start in range(0, len(chairs), MOST_LINES)]
    return [chart(measure, share, exchanges=table.exchanges) for share in shares for measure in MEASURES]


def chart(measure: Measure, chairs: Sequence[Chair], *, exchanges: int) -> Drawn:
    stops = [LEFT + Decimal(CHAIR_RIGHT - LEFT) * stop / exchanges for stop in range(exchanges + 1)]
    courses = [
        (style, chair, [(stop, measure.of(point)) for stop, point in chair.points.items()])
        for style, chair in enumerate(chairs)
    ]
    every = -(-exchanges // MOST_MARKS)
    return Drawn(
        measure=measure,
        curves=curves(courses, stops=stops, upwards=measure.upwards),
        stops=[plain(stop) for stop in stops],
        across=[
            AxisMark(plain(at), str(stop) if stop else "start") for stop, at in enumerate(stops) if stop % every == 0
        ],
        up=[
            AxisMark(plain(measure.upwards(Decimal(text))), text.replace("-", "\N{MINUS SIGN}"))
            for text in measure.grid
        ],
    )
