"""What benchmarks have in common: a row of the table, the page they are written to, and processes that take part."""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from benchmarks.curves import Curve
from tests.crash.harness import ROOT

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


class LineProcess:
    """A Python process of ours that is told what to do by lines, and answers with lines of JSON."""

    patience = 120.0
    """Seconds that it has for its end."""

    def __init__(self, *words: object, directory: Path = ROOT, environment: Mapping[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *map(str, words)],
            cwd=directory, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.process.communicate(timeout=self.patience)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
            raise

    def tell(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def hear(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, f"it ended: {self.process.args!r}"
        return json.loads(line)

    def ask(self, line: str) -> Any:
        self.tell(line)
        return self.hear()
