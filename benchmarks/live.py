"""Live delivery to a thousand readers, beside a bare broadcast of the same frames in the same run.

Processor time per delivery is what to compare: delays also show what else the machine does.
"""

import json
import os
from collections.abc import Sequence
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
import django

django.setup()

from benchmarks import report  # noqa: E402 -- Django comes first
from benchmarks.report import Row  # noqa: E402
from benchmarks.watching import scenes  # noqa: E402
from benchmarks.watching.measuring import broadcast  # noqa: E402
from benchmarks.watching.scenes import FULL, PATIENT, SCORE, Size  # noqa: E402
from tests.debates import live_site  # noqa: E402
from tests.debates.servers import SERVERS  # noqa: E402

BARS = {"daphne": 2.2, "uvicorn": 1.7}


def measure(*, size: Size = FULL, servers: Sequence[str] = tuple(SERVERS)) -> dict[str, Any]:
    with live_site.site() as place:
        place.here.act("log", 1)
        figures: dict[str, Any] = {"storm": scenes.storm(place, place.debate(events=size.behind * 2), size)}
        for server in servers:
            figures[server] = of_server(place, server, size)
    for server in servers:
        figures[server]["to_bare"] = figures[server]["us_per_delivery"] / figures[server]["bare"]["us_per_delivery"]
    return figures


def of_server(place: live_site.Site, server: str, size: Size) -> dict[str, Any]:
    """Return the figures of one server, and of the bare one right before and after its deliveries."""
    web = place.serve(server, **PATIENT)
    length = len(json.dumps(SCORE[1])) + 120
    before = broadcast(length, watchers=size.watchers, seconds=size.seconds)
    figures: dict[str, Any] = dict(
        scenes.fan_out(place, web, place.debate(), watchers=size.watchers, seconds=size.seconds)
    )
    after = broadcast(length, watchers=size.watchers, seconds=size.seconds)
    figures["bare"] = {name: (before[name] + after[name]) / 2 for name in before}
    figures["fewer"] = scenes.fan_out(place, web, place.debate(), watchers=size.fewer, seconds=size.seconds)
    figures["slow"] = scenes.slow(place, web, place.debate(), size)
    figures["replay"] = scenes.replay(place, web, place.debate(events=size.replayed))
    figures["short"] = scenes.replay(place, web, place.debate(events=size.short))
    figures["pages"] = scenes.pages(place, web, size)
    figures["pushed"] = scenes.pushed(place, web, size)
    web.end()
    return figures | {"silent": scenes.silent(place, server, place.debate(), size)}


def rows(figures: report.Figures) -> list[Row]:
    back, servers = figures["storm"], [server for server in SERVERS if server in figures]
    return [
        *(
            row
            for server in servers
            for row in [*deliveries(server, figures[server]), *readers(server, figures[server])]
        ),
        Row(
            f"reconnect storm: {FULL.watchers} signed-in watchers at once, each {FULL.behind} events behind, daphne",
            "all back within 5 s, a handful of queries",
            f"{back['back']} of {FULL.watchers} in {back['seconds']:.1f} s, {back['queries']} transactions",
            met=back["seconds"] < 5 and back["back"] == FULL.watchers and back["queries"] < 100,
            because="The readers share the two cores.",
        ),
    ]


def deliveries(server: str, figures: report.Figures) -> list[Row]:
    growth, pages = figures["us_per_delivery"] / figures["fewer"]["us_per_delivery"], figures["pages"]
    pushed = figures.get("pushed")
    return [
        Row(
            f"processor per delivery, {FULL.watchers} watchers, 10 frames a second, {server}",
            f"at most {BARS[server]} times a bare broadcast",
            f"{figures['to_bare']:.1f} times ({figures['us_per_delivery']:.0f} us)",
            met=figures["to_bare"] <= BARS[server],
            because="Each reader has a cursor of its own, whose bytes are counted until it acknowledges them.",
        ),
        Row(
            f"the same, {FULL.watchers} watchers to {FULL.fewer}, {server}",
            "reported",
            f"{growth:.2f} times ({figures['fewer']['us_per_delivery']:.0f} us)",
        ),
        Row(
            f"commit to screen, {server}",
            "p99 under 500 ms",
            f"p50 {figures['p50_ms']:.0f} ms, p99 {figures['p99_ms']:.0f} ms; {figures['lost']} lost",
            met=figures["p99_ms"] < 500 and figures["lost"] == 0,
            because="The crowd that watches runs on the same two cores.",
        ),
        Row(f"memory per watcher, {server}", "reported", f"{figures['kb_per_watcher']:.0f} kB"),
        *(brought(server, pushed) if pushed else []),
        Row(
            f"{FULL.watchers} open pages ask for four parts after an event, as those do that missed them, {server}",
            "drawn once for all of them, none fails",
            f"{pages['drawn']} drawing, {pages['failed']} failed; {pages['ms_per_page']:.1f} ms of processor each, "
            f"p50 {pages['p50_ms']:.0f} ms, p99 {pages['p99_ms']:.0f} ms, {pages['transactions']} transactions",
            met=pages["drawn"] == 1 and pages["failed"] == 0,
            because="See the figures.",
        ),
    ]


def brought(server: str, pushed: report.Figures) -> list[Row]:
    own = pushed["ms_per_page"]
    return [
        Row(
            f"{FULL.watchers} open pages are brought four parts after an event, {server}",
            "new on all within 1 s at the 99th percentile, at most 0.5 ms of processor each",
            f"p50 {pushed['p50_ms']:.0f} ms, p99 {pushed['p99_ms']:.0f} ms, {pushed['missed']} missed; "
            f"{own:.2f} ms of processor each, {pushed['kb']:.0f} kB, {pushed['transactions']:.0f} transactions",
            met=pushed["p99_ms"] < 1000 and pushed["missed"] == 0 and own <= 0.5,
            because="The crowd that watches runs on the same two cores.",
        )
    ]


def readers(server: str, figures: report.Figures) -> list[Row]:
    slow, silent, replay = figures["slow"], figures["silent"], figures["replay"]
    longer = replay["seconds"] / figures["short"]["seconds"]
    return [
        Row(
            f"slow readers, {server}: {FULL.stalled} of {FULL.of} take nothing of {slow['unread_mb']:.0f} MB",
            "under 60 MB growth, nothing late for the others",
            f"{slow['grown_mb']:.0f} MB, p99 {slow['p99_ms']:.0f} ms, {slow['missed']} missed",
            met=slow["grown_mb"] < 60 and slow["p99_ms"] < 500 and slow["missed"] == 0,
            because="The crowd that watches runs on the same two cores.",
        ),
        Row(
            f"{FULL.silent} readers read nothing for {FULL.silent_seconds:.0f} s, {server}",
            "under 60 MB growth, each closed with 4408",
            f"{silent['grown_mb']:.0f} MB of {silent['unread_mb']:.0f} unread, {silent['resumable']} closed with 4408",
            met=silent["grown_mb"] < 60 and silent["resumable"] == FULL.silent,
            because="See the figures.",
        ),
        Row(
            f"replay of {FULL.replayed} events, {server}",
            "at least 0.3 of psycopg's rate",
            f"{replay['ratio']:.2f} ({1000 * replay['seconds']:.0f} ms); {longer:.1f} times as long as of {FULL.short}",
            met=replay["ratio"] >= 0.3,
            because="See the figures.",
        ),
    ]
