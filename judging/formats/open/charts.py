"""Where the lines of an open debate's charts lie: stance and conviction of every chair, exchange by exchange."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from judging.formats.criterion.charts import BOTTOM, LEFT, MOST_LINES, TOP, Dot, Mark, plain, spread
from judging.formats.open.page import Chair, Point, Table

WIDTH, HEIGHT = 340, 210
RIGHT, NAMES = 262, 270
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
    of: Callable[[Point], Decimal]

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
class Course:
    """The line of one chair."""

    chair: Chair
    style: int
    dots: Sequence[Dot]
    label_y: str
    first: Decimal
    last: Decimal

    @property
    def points(self) -> str:
        return " ".join(f"{dot.x},{dot.y}" for dot in self.dots)


@dataclass(frozen=True, slots=True)
class Drawn:
    """One small chart: at most ``MOST_LINES`` chairs; ``stops`` are where the start and each exchange lie."""

    measure: Measure
    courses: Sequence[Course]
    stops: Sequence[str]
    across: Sequence[Mark]
    up: Sequence[Mark]


def drawn(*, table: Table) -> list[Drawn]:
    """Return the charts of a table: both measures for every few chairs."""
    chairs = table.chairs
    shares = [chairs[start : start + MOST_LINES] for start in range(0, len(chairs), MOST_LINES)]
    return [chart(measure, share, exchanges=table.exchanges) for share in shares for measure in MEASURES]


def chart(measure: Measure, chairs: Sequence[Chair], *, exchanges: int) -> Drawn:
    stops = [LEFT + Decimal(RIGHT - LEFT) * stop / exchanges for stop in range(exchanges + 1)]
    labels = spread([measure.upwards(measure.of(one.now)) for one in chairs])
    every = -(-exchanges // MOST_MARKS)
    return Drawn(
        measure=measure,
        courses=[
            course(measure, one, stops=stops, label=label, style=style)
            for style, (one, label) in enumerate(zip(chairs, labels, strict=True))
        ],
        stops=[plain(one) for one in stops],
        across=[Mark(plain(at), str(stop) if stop else "start") for stop, at in enumerate(stops) if stop % every == 0],
        up=[Mark(plain(measure.upwards(Decimal(text))), text.replace("-", "\N{MINUS SIGN}")) for text in measure.grid],
    )


def course(measure: Measure, chair: Chair, *, stops: Sequence[Decimal], label: Decimal, style: int) -> Course:
    values = {stop: measure.of(point) for stop, point in chair.points.items()}
    return Course(
        chair=chair,
        style=style,
        dots=[Dot(stop, plain(stops[stop]), plain(measure.upwards(value))) for stop, value in values.items()],
        label_y=plain(label),
        first=values[min(values)],
        last=values[max(values)],
    )
