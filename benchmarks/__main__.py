"""Run every benchmark and write docs/benchmarks.md: ``python -m benchmarks [NAME ...]``.

With names only those are measured anew, and their rows printed; the figures of the others stay as they were.
``--page`` measures nothing.
``play --before COMMIT`` plays in turns with the code of an earlier commit and prints the ratios; it writes nothing.
What fails or takes too long is said at the end, with status 1; the figures of everything else are kept all the same.
"""

import argparse
import json
import signal
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import (
    at_once,
    curves,
    desk,
    guards,
    kills,
    limit,
    live,
    play,
    record,
    report,
    rest,
    scale,
    tokens,
    webhooks,
)
from benchmarks.curves import Curve
from tests import postgres

ALL = {
    "record": record,
    "play": play,
    "live": live,
    "scale": scale,
    "limit": limit,
    "desk": desk,
    "rest": rest,
    "kills": kills,
    "at_once": at_once,
    "guards": guards,
    "webhooks": webhooks,
    "tokens": tokens,
}
LONGEST = 1800
"""Seconds that one of them may take; on two cores the longest, a million entries exported twice, takes half of that
where nothing else runs."""
DRAWN = {"play": play, "scale": scale}
PAGE = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"
FIGURES = PAGE.with_suffix(".json")
PICTURES = PAGE.with_suffix("")


def version() -> str:
    """Return the version of the embedded PostgreSQL, which every benchmark runs on."""
    with postgres.throwaway_cluster() as server:
        [server_version] = server.ask("SHOW server_version") or ["unknown"]
    return str(server_version)


def drawn(kept: dict[str, Any]) -> list[Curve]:
    return [curve for name, module in DRAWN.items() if name in kept for curve in module.curves(kept[name])]


def page(text: str, kept: dict[str, Any]) -> str:
    rows = [row for name, module in ALL.items() if name in kept for row in module.rows(kept[name])]
    return report.page(text=text, where=kept["machine"], rows=rows, curves=drawn(kept))


def write(kept: dict[str, Any]) -> None:
    FIGURES.write_text(json.dumps(kept, indent=2) + "\n")
    PICTURES.mkdir(exist_ok=True)
    for curve in drawn(kept):
        PICTURES.joinpath(f"{curve.name}.svg").write_text(curves.svg(curve))
    PAGE.write_text(page(PAGE.read_text(), kept))


class TooLong(Exception):
    """A benchmark has had its time. It is no error of the system's: those are waited out on the way."""


def too_long(*_: object) -> None:
    raise TooLong(f"not done after {LONGEST} s")


def measured(name: str) -> report.Figures | None:
    """Return the figures of one benchmark, or nothing, and why, where it fails: the others go on without it."""
    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(LONGEST)
    try:
        return ALL[name].measure()
    except Exception:  # noqa: BLE001 -- whatever it is, it is shown, and the other figures are kept
        traceback.print_exc()
        return None
    finally:
        signal.alarm(0)


def show(rows: Sequence[report.Row]) -> None:
    for row in rows:
        print(row.markdown(), flush=True)


def measured_anew(kept: dict[str, Any], *, names: Sequence[str]) -> list[str]:
    """Measure, show and write, and return what failed. What is measured alone on another machine is shown only."""
    here = report.machine() | {"postgresql": version()}
    elsewhere = kept.get("machine", here) != here
    kept = {**({} if elsewhere else kept), "machine": here}
    failed: list[str] = []
    for name in names or ALL:
        print(f"{name} ...", flush=True)
        figures = measured(name)
        if figures is None:
            failed.append(name)
            continue
        kept[name] = figures
        show(ALL[name].rows(figures))
        if not (elsewhere and names):
            write(kept)
    if elsewhere and names:
        print(
            "The figures that are kept are of another machine, so nothing is written; measure everything to have these."
        )
    return failed


def main() -> None:
    """Measure what was asked for; end with status 1 where something of it failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*ALL, []], metavar="NAME", help=", ".join(ALL))
    parser.add_argument("--page", action="store_true", help="write the page from the figures that are kept")
    parser.add_argument("--before", metavar="COMMIT", help="play in turns with the code of this commit; write nothing")
    options = parser.parse_args()
    if options.before:
        if options.names != ["play"]:
            parser.error(
                "only `play` is measured in turns with another commit: python -m benchmarks play --before COMMIT"
            )
        show(play.in_turns_rows(play.in_turns(options.before)))
        return
    kept: dict[str, Any] = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    failed: list[str] = []
    if options.page:
        write(kept)
    else:
        failed = measured_anew(kept, names=options.names)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
