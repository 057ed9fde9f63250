"""Growth curves as SVG files: what a figure does as something grows, beside what it would do in proportion to it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 640, 340
LEFT, RIGHT, TOP, BOTTOM = 64, 600, 48, 284
STEPS = (1, 2, 2.5, 5, 10)
STYLE = """
  text { fill: #1f2328; font: 13px sans-serif }
  .ground { fill: #ffffff } .axis { stroke: #59636e } .grid { stroke: #d1d9e0 }
  .title { font-weight: bold; font-size: 15px } .line { stroke: #0a5ba8; stroke-width: 2.5; fill: none }
  .dot { fill: #0a5ba8 } .proportion { stroke: #8a4600; stroke-width: 2; stroke-dasharray: 6 5 } .said { fill: #8a4600 }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117 } .axis { stroke: #9198a1 } .grid { stroke: #3d444d } text { fill: #f0f6fc }
    .line { stroke: #79b8ff } .dot { fill: #79b8ff } .proportion { stroke: #f0b072 } .said { fill: #f0b072 }
  }
"""


@dataclass(frozen=True, kw_only=True)
class Curve:
    """One curve.

    Shape: ``name`` is that of its file; ``points`` are by ascending x and above 0; ``proportion`` says what the dashed
    line is, which leads from nothing through the first point.
    Units: ``across`` and ``up`` name them.
    """

    name: str
    title: str
    across: str
    up: str
    points: Sequence[tuple[float, float]]
    proportion: str

    @property
    def words(self) -> str:
        """Return the curve as a sentence, for whoever does not see it."""
        return "; ".join(f"{x:g} {self.across}: {y:.3g} {self.up}" for x, y in self.points)

    def markdown(self, place: str) -> str:
        """Return the line that shows it on a page."""
        return f"![{self.title}. {self.words}]({place}/{self.name}.svg)"


def step(most: float) -> float:
    """Return the distance of four or five round marks between 0 and ``most``."""
    scale = 10 ** math.floor(math.log10(most / 4))
    return next(factor * scale for factor in STEPS if factor * scale * 5 >= most)


def svg(curve: Curve) -> str:
    """Return the file of a curve: readable on light and on dark ground, and without eyes."""
    widest = curve.points[-1][0]
    first_x, first_y = curve.points[0]
    most = max(*(y for _, y in curve.points), first_y * widest / first_x)
    apart = step(most)
    highest = apart * math.ceil(most / apart)

    def at(x: float, y: float) -> tuple[str, str]:
        return f"{LEFT + (RIGHT - LEFT) * x / widest:.1f}", f"{BOTTOM - (BOTTOM - TOP) * y / highest:.1f}"

    far = at(widest, first_y * widest / first_x)
    marks = [apart * number for number in range(round(highest / apart) + 1)]
    path = " ".join(",".join(at(x, y)) for x, y in curve.points)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="t d">',
            f'<title id="t">{escape(curve.title)}</title>',
            f'<desc id="d">{escape(curve.words)}</desc>',
            f"<style>{STYLE}</style>",
            f'<rect class="ground" width="{WIDTH}" height="{HEIGHT}"/>',
            f'<text class="title" x="{LEFT}" y="24">{escape(curve.title)}</text>',
            *(up_mark(at(0, mark)[1], f"{mark:g}") for mark in marks),
            *(f'<text x="{at(x, 0)[0]}" y="{BOTTOM + 20}" text-anchor="middle">{x:g}</text>' for x in shown(curve)),
            f'<line class="axis" x1="{LEFT}" y1="{BOTTOM}" x2="{RIGHT}" y2="{BOTTOM}"/>',
            f'<line class="proportion" x1="{LEFT}" y1="{BOTTOM}" x2="{far[0]}" y2="{far[1]}"/>',
            f'<polyline class="line" points="{path}"/>',
            *(f'<circle class="dot" cx="{x}" cy="{y}" r="4"/>' for x, y in (at(*point) for point in curve.points)),
            f'<text x="{(LEFT + RIGHT) // 2}" y="{HEIGHT - 14}" text-anchor="middle">{escape(curve.across)}</text>',
            f'<text x="{LEFT}" y="42">{escape(curve.up)}</text>',
            f'<text class="said" x="{RIGHT}" y="42" text-anchor="end">- - {escape(curve.proportion)}</text>',
            "</svg>\n",
        ]
    )


def up_mark(y: str, text: str) -> str:
    """Return one mark of the upright axis with its line across."""
    return (
        f'<line class="grid" x1="{LEFT}" y1="{y}" x2="{RIGHT}" y2="{y}"/>'
        f'<text x="{LEFT - 8}" y="{y}" dy="4" text-anchor="end">{text}</text>'
    )


def shown(curve: Curve) -> list[float]:
    """Return the marks of the level axis: where the points are, without those too near to the one after."""
    widest = curve.points[-1][0]
    places = [x for x, _ in curve.points]
    return [x for x, after in zip(places, [*places[1:], math.inf], strict=True) if (after - x) / widest > 0.05]
