"""Live delivery to a thousand readers, beside a bare broadcast of the same frames in the same run.

``python -m benchmarks.live`` prints a table and, with ``--json FILE``, writes the figures. Processor time per delivery
is what to compare: delays also show what else the machine does.
"""

from __future__ import annotations

import contextlib
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

import psutil

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
import django

django.setup()

from benchmarks import report  # noqa: E402 -- Django comes first
from benchmarks.report import Row  # noqa: E402
from tests.debates import site  # noqa: E402
from tests.debates.site import Site, Web, write  # noqa: E402
from tests.kills.stage import ROOT  # noqa: E402

WATCHERS, SECONDS, EVERY = 1000, 8.0, 0.1
STALLED, OF, HEAVY_SECONDS = 20, 60, 10.0
BEHIND, REPLAYED = 50, 10_000
PATIENT = {
    "MOOT_LIVE_PER_ADDRESS": "5000", "MOOT_LIVE_STALLED_SECONDS": "30",
    "MOOT_LIVE_HEARTBEAT_SECONDS": "15", "MOOT_LIVE_RIGHTS_SECONDS": "10",
}  # fmt: skip
SCORE = ("score:updated", {
    "evaluation": "6d2a1c7e-2f0b-4f0e-9a54-0c8f6f1c9a11", "instrument": "criterion", "criterion": "P1",
    "category": "problem", "round": 1, "totalRounds": 3, "originalScore": "6.00", "currentScore": "6.50",
    "participant": None,
})  # fmt: skip
HEAVY = ("round:complete", {"criterion": "P1", "round": 1, "run": 1, "totalRounds": 3, "unanswered": ["C1"] * 1000})


class Crowd:
    """A crowd of readers in another process."""

    def __init__(self, *, port: int, path: str, cookies: Sequence[str], to: int = 0, stalled: int = 0) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.watching.crowd"],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self._say({"port": port, "path": path, "cookies": list(cookies), "to": to, "stalled": stalled})

    def _say(self, what: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        """Return the next thing that the crowd says."""
        assert self.process.stdout is not None
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def report(self) -> dict[str, Any]:
        """Have everybody leave, and return what they saw."""
        self._say("report")
        found = self.hear()
        self.process.communicate(timeout=30)
        return found


def processor(process: psutil.Process) -> float:
    """Return the seconds of processor that a process has used."""
    times = process.cpu_times()
    return float(times.user + times.system)


def percentile(values: Sequence[float], percent: int) -> float:
    """Return a percentile."""
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1] if len(values) > 1 else float(values[0])


def tell_steadily(place: Site, debate: int, news: Sequence[Any], *, seconds: float) -> dict[int, float]:
    """Append events at a steady pace and return when each was committed, by number."""
    committed: dict[int, float] = {}
    head, due = place.head(debate), time.monotonic()
    end = due + seconds
    with place.here.server.connect(user="moot_app", name="moot") as connection:
        while time.monotonic() < end:
            write(connection, debate, news)
            head += len(news)
            committed |= dict.fromkeys(range(head - len(news) + 1, head + 1), time.time())
            due += EVERY
            time.sleep(max(0.0, due - time.monotonic()))
    return committed


def delays(committed: dict[int, float], seen: dict[str, list[float]]) -> list[float]:
    """Return the milliseconds from commit to arrival, of each event at each reader."""
    return [1000 * (at - committed[int(seq)]) for seq, times in seen.items() if int(seq) in committed for at in times]


def fan_out(place: Site, web: Web, debate: dict[str, Any]) -> dict[str, float]:
    """Return what one delivery costs a server, how late it is, and what a reader costs in memory."""
    process = psutil.Process(web.process.pid)
    with contextlib.closing(site.opened(web, debate["address"])):
        before = process.memory_info().rss
    path = f"/ws/debates/{debate['address']}/?after={place.head(debate['id'])}"
    crowd = Crowd(port=web.port, path=path, cookies=[""] * WATCHERS)
    crowd.hear()
    memory, began = process.memory_info().rss, processor(process)
    committed = tell_steadily(place, debate["id"], [SCORE], seconds=SECONDS)
    time.sleep(0.5)
    spent = processor(process) - began
    found = crowd.report()
    late = delays(committed, found["times"])
    return {
        "us_per_delivery": 1e6 * spent / found["frames"],
        "p50_ms": percentile(late, 50),
        "p99_ms": percentile(late, 99),
        "kb_per_watcher": (memory - before) / 1024 / WATCHERS,
        "lost": len(committed) * WATCHERS - len(late),
    }


@contextlib.contextmanager
def bare(size: int) -> Iterator[tuple[int, psutil.Process]]:
    """Run the bare server."""
    port = site.free_port()
    process = subprocess.Popen([sys.executable, "-m", "benchmarks.watching.bare", str(port), str(size)], cwd=ROOT)
    try:
        time.sleep(1.5)
        yield port, psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait()


def broadcast(size: int) -> dict[str, float]:
    """Return what one delivery costs the bare server."""
    with bare(size) as (port, process):
        crowd = Crowd(port=port, path="/", cookies=[""] * WATCHERS)
        crowd.hear()
        time.sleep(1)
        began, at = processor(process), time.monotonic()
        time.sleep(SECONDS)
        spent, deliveries = processor(process) - began, (time.monotonic() - at) / EVERY * WATCHERS
        crowd.report()
    return {"us_per_delivery": 1e6 * spent / deliveries}


def queries(place: Site) -> int:
    """Return how many transactions the database has seen; the statistics are a second behind."""
    time.sleep(1.5)
    return int(place.here.ask("SELECT xact_commit FROM pg_stat_database WHERE datname = 'moot'"))


def storm(place: Site, debate: dict[str, Any]) -> dict[str, float]:
    """Return how long a thousand signed-in readers take who all come back to a server that has just started."""
    head = place.head(debate["id"])
    cookies = [place.person()["session"] for _ in range(WATCHERS)]
    web = place.serve("daphne", **PATIENT)
    before = queries(place)
    crowd = Crowd(
        port=web.port, path=f"/ws/debates/{debate['address']}/?after={head - BEHIND}", cookies=cookies, to=head
    )
    took = crowd.hear()["seconds"]
    asked = queries(place) - before
    found = crowd.report()
    web.end()
    return {
        "seconds": took,
        "queries": asked,
        "back": len(found["times"].get(str(head), [])),
        "closed": found["closed"],
    }


def slow(place: Site, web: Web, debate: dict[str, Any]) -> dict[str, float]:
    """Return how much a server grows when a third of its readers take nothing, and how late the others are told."""
    process = psutil.Process(web.process.pid)
    path = f"/ws/debates/{debate['address']}/?after={place.head(debate['id'])}"
    crowd = Crowd(port=web.port, path=path, cookies=[""] * OF, stalled=STALLED)
    crowd.hear()
    before = process.memory_info().rss
    committed = tell_steadily(place, debate["id"], [HEAVY] * 10, seconds=HEAVY_SECONDS)
    time.sleep(0.5)
    grown = (process.memory_info().rss - before) / 1024 / 1024
    found = crowd.report()
    late = delays(committed, found["times"])
    missed = len(committed) * (OF - STALLED) - len(late)
    sent = len(json.dumps(HEAVY[1])) * len(committed) * STALLED / 1024 / 1024
    return {"grown_mb": grown, "p99_ms": percentile(late, 99), "missed": missed, "unread_mb": sent}


def replay(place: Site, web: Web, debate: dict[str, Any]) -> dict[str, float]:
    """Return how long it takes to be told ten thousand events, and to read them with psycopg."""
    own, theirs = [], []
    for _ in range(3):
        with place.here.server.connect(user="moot_app", name="moot") as connection:
            began = time.perf_counter()
            rows = connection.execute(
                "SELECT seq, type, audience, at, data FROM debates_event WHERE debate_id = %s ORDER BY seq",
                [debate["id"]],
            ).fetchall()
            theirs.append(time.perf_counter() - began)
        crowd = Crowd(port=web.port, path=f"/ws/debates/{debate['address']}/", cookies=[""], to=len(rows))
        own.append(crowd.hear()["seconds"])
        crowd.report()
    return {"seconds": min(own), "psycopg_s": min(theirs), "ratio": min(theirs) / min(own)}


def measure() -> dict[str, Any]:
    """Return all figures."""
    with site.site() as place:
        place.here.act("log", 1)
        found: dict[str, Any] = {"storm": storm(place, place.debate(events=BEHIND * 2))}
        for server in site.SERVERS:
            web = place.serve(server, **PATIENT)
            found[server] = fan_out(place, web, place.debate())
            found[server]["slow"] = slow(place, web, place.debate())
            found[server]["replay"] = replay(place, web, place.debate(events=REPLAYED))
            web.end()
        frame = len(json.dumps(SCORE[1])) + 120
    found["bare"] = broadcast(frame)
    for server in site.SERVERS:
        found[server]["to_bare"] = found[server]["us_per_delivery"] / found["bare"]["us_per_delivery"]
    return found


def rows(found: report.Figures) -> list[Row]:
    """Return what is compared with the bars."""
    back = found["storm"]
    return [
        *(row for server, bar in (("daphne", 5), ("uvicorn", 2)) for row in of_server(server, found[server], bar=bar)),
        Row(
            f"reconnect storm: {WATCHERS} signed-in watchers at once, each {BEHIND} events behind, daphne",
            "all back within 5 s, a handful of queries",
            f"{back['back']} of {WATCHERS} in {back['seconds']:.1f} s, {back['queries']} transactions",
            met=back["seconds"] < 5 and back["back"] == WATCHERS and back["queries"] < 100,
            because="The readers share the two cores.",
        ),
    ]


def of_server(server: str, found: report.Figures, *, bar: int) -> list[Row]:
    """Return the rows of one server."""
    slow, replay = found["slow"], found["replay"]
    return [
        Row(
            f"processor per delivery, {WATCHERS} watchers, 10 frames a second, {server}",
            f"at most {bar} times a bare broadcast",
            f"{found['to_bare']:.1f} times ({found['us_per_delivery']:.0f} us)",
            met=found["to_bare"] <= bar,
        ),
        Row(
            f"commit to screen, {server}",
            "p99 under 500 ms",
            f"p50 {found['p50_ms']:.0f} ms, p99 {found['p99_ms']:.0f} ms; {found['lost']} lost",
            met=found["p99_ms"] < 500 and found["lost"] == 0,
            because="The crowd that watches runs on the same two cores.",
        ),
        Row(f"memory per watcher, {server}", "reported", f"{found['kb_per_watcher']:.0f} kB"),
        Row(
            f"slow readers, {server}: {STALLED} of {OF} take nothing of {slow['unread_mb']:.0f} MB",
            "under 60 MB growth, nothing late for the others",
            f"{slow['grown_mb']:.0f} MB, p99 {slow['p99_ms']:.0f} ms, {slow['missed']} missed",
            met=slow["grown_mb"] < 60 and slow["p99_ms"] < 500 and slow["missed"] == 0,
        ),
        Row(
            f"replay of {REPLAYED} events, {server}",
            "at least 0.3 of psycopg's rate",
            f"{replay['ratio']:.2f} ({1000 * replay['seconds']:.0f} ms)",
            met=replay["ratio"] >= 0.3,
        ),
    ]


if __name__ == "__main__":
    report.main(__doc__, measure, rows)
