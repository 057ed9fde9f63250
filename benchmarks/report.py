"""What benchmarks have in common: a row of the table, a command line, and the page they are written to."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.curves import Curve

Figures = Mapping[str, Any]
PICTURES = "benchmarks"
"""The directory of the curves, as the page names it."""
BEGIN, END = "<!-- figures: written by python -m benchmarks -->", "<!-- end of figures -->"


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Shape: ``met`` is nothing where there is no bar; ``because`` is shown where the bar is missed.
    """

    what: str
    bar: str
    found: str
    met: bool | None = None
    because: str = ""

    def markdown(self) -> str:
        verdict = {True: "yes", False: "**no**", None: ""}[self.met]
        reason = f" {self.because}" if self.met is False and self.because else ""
        return f"| {self.what} | {self.bar} | {self.found} | {verdict}{reason} |"


def machine() -> dict[str, Any]:
    """Return what the figures depend on, naming nobody's machine."""
    return {"cores": os.cpu_count(), "python": platform.python_version(), "system": platform.system()}


def page(*, text: str, where: Figures, rows: Sequence[Row], curves: Sequence[Curve] = ()) -> str:
    """Return the page with its figures and the curves below them replaced."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    about = ", ".join(f"{name} {value}" for name, value in where.items())
    table = ["| what | bar | measured | met |", "|---|---|---|---|", *(row.markdown() for row in rows)]
    pictures = [line for curve in curves for line in (curve.markdown(PICTURES), "")]
    return "\n".join([f"{before}{BEGIN}", "", f"Measured on: {about}.", "", *table, "", *pictures, f"{END}{after}"])


def main(description: str | None, measure: Callable[[], Figures], rows: Callable[[Figures], Sequence[Row]]) -> None:
    """Measure, print the rows, and keep the figures where ``--json`` says."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    show(measure(), rows, options.json)


def show(figures: Figures, rows: Callable[[Figures], Sequence[Row]], file: Path | None) -> None:
    """Print the rows of figures, and keep the figures in a file where there is one."""
    for row in rows(figures):
        sys.stdout.write(row.markdown() + "\n")
    if file:
        file.write_text(json.dumps(figures, indent=2) + "\n")
