"""Run every benchmark and write docs/benchmarks.md: ``python -m benchmarks [NAME ...]``.

With names only those are measured anew; the figures of the others stay as they were. ``--page`` measures nothing.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from benchmarks import desk, live, play, record, report, scale
from tests import postgres

ALL = {"record": record, "play": play, "live": live, "scale": scale, "desk": desk}
PAGE = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"
FIGURES = PAGE.with_suffix(".json")


def version() -> str:
    """Return the version of the embedded PostgreSQL, which every benchmark runs on."""
    with postgres.throwaway_cluster() as server:
        [found] = server.ask("SHOW server_version") or ["unknown"]
    return str(found)


def write(kept: dict[str, Any]) -> None:
    """Keep the figures and put them on the page."""
    FIGURES.write_text(json.dumps(kept, indent=2) + "\n")
    rows = [row for name, module in ALL.items() if name in kept for row in module.rows(kept[name])]
    PAGE.write_text(report.page(text=PAGE.read_text(), where=kept["machine"], rows=rows))


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
