"""The admin's list of scores with 1,000 scores and with 100,000 and a million entries: queries and milliseconds.

Both databases are in one server, and the two moderators take turns, so that whatever else the machine does hits both.
"""

import contextlib
import statistics
from collections.abc import Mapping
from typing import Any

from benchmarks import report
from benchmarks.listing import client, databases
from benchmarks.listing.databases import LARGE, SIZES, SMALL
from benchmarks.report import LineProcess, Row
from tests.crash.harness import Stage, stage

PAGES: Mapping[str, str] = {
    "list": "/admin/scoring/evaluation/",
    "last page": "/admin/scoring/evaluation/?p={last}",
    "frozen": "/admin/scoring/evaluation/?is_frozen=yes",
    "one debate": "/admin/scoring/evaluation/?of_debate=1",
    "open alerts": "/admin/scoring/evaluation/?has_alerts=yes",
    "search": "/admin/scoring/evaluation/?q=K7",
    "ledger": "/admin/scoring/scorechange/",
    "dashboard with nothing kept": f"{client.NOTHING_KEPT}/admin/",
    "dashboard": "/admin/",
}
BAR = 1.5
TURNS = 15
PER_PAGE = 50
MOST_PAGED = 2_000
"""So many rows of a list are paged through, as ``debates.admin.read_only`` has it."""


def moderator(here: Stage, name: str) -> LineProcess:
    """Return somebody who sits at one of the databases, signed in."""
    environment = {**here.environment, "DATABASE_URL": here.server.url(name=name)}
    return LineProcess("-m", "benchmarks.listing.client", environment=environment)


def measure(*, sizes: Mapping[str, int] = SIZES, turns: int = TURNS) -> dict[str, Any]:
    """Return, for each page, the milliseconds and queries with few and with many scores."""
    with stage(heart="5", stalled="30") as here:
        databases.prepare(here, sizes)
        return compared(here, PAGES, sizes=sizes, turns=turns)


def compared(here: Stage, pages: Mapping[str, str], *, sizes: Mapping[str, int], turns: int) -> dict[str, Any]:
    """Have pages opened with few and with many scores in turn, once to warm up and then so often; return the figures.

    Shape: ``pages`` are paths by name; what is not a page but a list of the API is opened alike.
    """
    taken: dict[str, dict[str, list[dict[str, Any]]]] = {page: {name: [] for name in sizes} for page in pages}
    with contextlib.ExitStack() as stack:
        people = {name: stack.enter_context(moderator(here, name)) for name in sizes}
        for person in people.values():
            person.hear()
        for turn in range(turns + 1):
            for page, path in pages.items():
                for name, person in people.items():
                    visit = person.ask(path.format(last=min(sizes[name], MOST_PAGED) // PER_PAGE))
                    if turn:
                        taken[page][name].append(visit)
    return {page: figures(both) for page, both in taken.items()}


def figures(both: Mapping[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """Return medians and queries, and how the two compare."""
    ms = {name: statistics.median(visit["ms"] for visit in taken) for name, taken in both.items()}
    queries = {name: max(visit["queries"] for visit in taken) for name, taken in both.items()}
    return {
        "small_ms": ms[SMALL],
        "large_ms": ms[LARGE],
        "small_queries": queries[SMALL],
        "large_queries": queries[LARGE],
        "ratio": ms[LARGE] / ms[SMALL],
    }


def compared_rows(whose: str, named: Mapping[str, str], what: str, pages: report.Figures, *, because: str) -> list[Row]:
    """Return a row with the bar for each page that is named in the table, and one of all others."""
    others = [
        f"{page} {more['large_ms']:.0f} ms ({more['ratio']:.1f}x)" for page, more in pages.items() if page not in named
    ]
    return [
        *(compared_row(f"the {whose} {name}", pages[page], because=because) for page, name in named.items()),
        Row(f"other {what} with as many", "reported", ", ".join(others)),
    ]


def compared_row(name: str, page: report.Figures, *, because: str) -> Row:
    same = page["small_queries"] == page["large_queries"]
    queries = f"{page['large_queries']} queries" + ("" if same else f" instead of {page['small_queries']}")
    return Row(
        f"{name} of 100,000 scores with 1,000,000 entries, to that of 1,000 scores",
        f"same queries, at most {BAR} times the time",
        f"{page['large_ms']:.0f} ms to {page['small_ms']:.0f} ms: {page['ratio']:.2f} times; {queries}",
        met=same and page["ratio"] <= BAR,
        because=because,
    )


def rows(pages: report.Figures) -> list[Row]:
    because = "Counting every row takes longer the more there are."
    named = {"list": "list", "dashboard": "dashboard"}
    return compared_rows("admin's", named, "pages of the admin", pages, because=because)
