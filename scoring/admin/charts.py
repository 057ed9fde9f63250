"""Where the lines and marks of a score's chart lie. Values in, values out; the template draws what this returns."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from debates.decimals import plain
from scoring.enums import EntryKind
from scoring.models import ScoreChange

WIDTH, HEIGHT = 480, 220
LEFT, RIGHT, TOP, BOTTOM = 34, 468, 14, 186
MOST = 60
"""More entries than this are not told apart; the newest are drawn."""

Height = Callable[[Decimal], str]
SHAPES = {
    EntryKind.OVERRIDE: "override",
    EntryKind.OVERRIDE_LIFTED: "lifted",
    EntryKind.ROLLBACK: "rollback",
    EntryKind.STRIKE: "strike",
    EntryKind.REINSTATE: "strike",
    EntryKind.RERUN: "rollback",
}


@dataclass(frozen=True, slots=True)
class Mark:
    """One entry in the chart."""

    x: str
    y: str
    shape: str
    words: str


@dataclass(frozen=True, slots=True)
class Chart:
    """The course of a score over its entries: what counted, and underneath what the facts gave.

    Shape: ``frosts`` are (x, width) of the stretches during which it was frozen, ``levels`` (y, text) of the grid.
    """

    value: str
    computed: Sequence[str]
    marks: Sequence[Mark]
    frosts: Sequence[tuple[str, str]]
    levels: Sequence[tuple[str, str]]
    first: int
    last: int


def chart(*, entries: Sequence[ScoreChange], low: Decimal, high: Decimal) -> Chart | None:
    """Return the chart of some entries, oldest first; nothing where there are none.

    Units: ``low`` and ``high`` are the ends of the scale; where that is very wide, of what is drawn.
    """
    drawn = list(entries)[-MOST:]
    if not drawn:
        return None
    low, high = _ends(drawn, low, high)
    steps = max(len(drawn) - 1, 1)
    across = [LEFT + Decimal(RIGHT - LEFT) * number / steps for number in range(len(drawn))]

    def up(value: Decimal) -> str:
        return _plain(BOTTOM - (BOTTOM - TOP) * (value - low) / (high - low))

    return Chart(
        value=_steps([(x, up(entry.value_after)) for x, entry in zip(across, drawn, strict=True)]),
        computed=list(_underneath(across, drawn, up)),
        marks=[_mark(entry, x=_plain(x), y=up(entry.value_after)) for x, entry in zip(across, drawn, strict=True)],
        frosts=list(_frosts(across, drawn)),
        levels=[(up(height), plain(height)) for height in _grid(low, high)],
        first=drawn[0].sequence,
        last=drawn[-1].sequence,
    )


def _ends(entries: Sequence[ScoreChange], low: Decimal, high: Decimal) -> tuple[Decimal, Decimal]:
    if high - low <= 100:
        return low, high
    values = [value for entry in entries for value in (entry.value_after, entry.computed_after) if value is not None]
    return max(low, min(values) - 10), min(high, max(values) + 10)


def _grid(low: Decimal, high: Decimal) -> list[Decimal]:
    """Return the heights of the lines: whole numbers where the scale divides by three, as 1 to 10 does."""
    parts = 3 if (high - low) % 3 == 0 else 4
    return [low + (high - low) * number / parts for number in range(parts + 1)]


def _steps(dots: Sequence[tuple[Decimal, str]]) -> str:
    """Return a line that stays level until the next entry: between entries nothing moves."""
    if len(dots) == 1:
        dots = [dots[0], (Decimal(RIGHT), dots[0][1])]
    points = [f"{_plain(dots[0][0])},{dots[0][1]}"]
    for (_, before), (x, after) in pairwise(dots):
        points += [f"{_plain(x)},{before}", f"{_plain(x)},{after}"]
    return " ".join(points)


def _underneath(across: Sequence[Decimal], entries: Sequence[ScoreChange], up: Height) -> Iterator[str]:
    """Return what the facts gave, wherever an override covered it."""
    run: list[tuple[Decimal, str]] = []
    for x, entry in zip(across, entries, strict=True):
        if entry.override_after is not None and entry.computed_after is not None:
            run.append((x, up(entry.computed_after)))
            continue
        if run and entry.computed_after is not None:
            yield _steps([*run, (x, up(entry.computed_after))])
        run = []
    if run:
        yield _steps(run)


def _frosts(across: Sequence[Decimal], entries: Sequence[ScoreChange]) -> Iterator[tuple[str, str]]:
    since: Decimal | None = None
    for x, entry in zip(across, entries, strict=True):
        if entry.frozen_after and since is None:
            since = x
        if not entry.frozen_after and since is not None:
            yield _plain(since), _plain(x - since)
            since = None
    if since is not None:
        yield _plain(since - 4), _plain(RIGHT - since + 8)


def _mark(entry: ScoreChange, *, x: str, y: str) -> Mark:
    words = f"entry {entry.sequence}, {entry.kind.replace('_', ' ')}: {entry.value_after:.2f}"
    return Mark(x, y, SHAPES.get(EntryKind(entry.kind), "plain"), words)


def _plain(value: Decimal) -> str:
    return f"{value:.1f}"
