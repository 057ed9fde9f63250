"""Run every benchmark and write docs/benchmarks.md: ``python -m benchmarks [NAME ...]``.

With names only those are measured anew; the figures of the others stay as they were. ``--page`` measures nothing.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from benchmarks import at_once, curves, desk, guards, kills, live, play, record, report, rest, scale
from benchmarks.curves import Curve
from tests import postgres

ALL = {
    "record": record,
    "play": play,
    "live": live,
    "scale": scale,
    "desk": desk,
    "rest": rest,
    "kills": kills,
    "at_once": at_once,
    "guards": guards,
}
DRAWN = {"play": play, "scale": scale}
PAGE = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"
FIGURES = PAGE.with_suffix(".json")
PICTURES = PAGE.with_suffix("")


def version() -> str:
    """Return the version of the embedded PostgreSQL, which every benchmark runs on."""
    with postgres.throwaway_cluster() as server:
        [found] = server.ask("SHOW server_version") or ["unknown"]
    return str(found)


def drawn(kept: dict[str, Any]) -> list[Curve]:
    """Return the growth curves of what was measured."""
    return [curve for name, module in DRAWN.items() if name in kept for curve in module.curves(kept[name])]


def page(text: str, kept: dict[str, Any]) -> str:
    """Return the page with the figures that are kept."""
    rows = [row for name, module in ALL.items() if name in kept for row in module.rows(kept[name])]
    return report.page(text=text, where=kept["machine"], rows=rows, curves=drawn(kept))


def write(kept: dict[str, Any]) -> None:
    """Keep the figures, put them on the page, and draw the curves."""
    FIGURES.write_text(json.dumps(kept, indent=2) + "\n")
    PICTURES.mkdir(exist_ok=True)
    for curve in drawn(kept):
        PICTURES.joinpath(f"{curve.name}.svg").write_text(curves.svg(curve))
    PAGE.write_text(page(PAGE.read_text(), kept))


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*ALL, []], metavar="NAME", help=", ".join(ALL))
    parser.add_argument("--page", action="store_true", help="write the page from the figures that are kept")
    options = parser.parse_args()
    kept: dict[str, Any] = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    if not options.page:
        kept["machine"] = report.machine() | {"postgresql": version()}
        for name in options.names or ALL:
            print(f"{name} ...", flush=True)
            kept[name] = ALL[name].measure()
            write(kept)
    write(kept)


if __name__ == "__main__":
    main()
