"""What live delivery is put through, one scene after another."""

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Any

import psutil

from benchmarks.scale import spent
from benchmarks.watching.measuring import Crowd, delays, percentile, tell_steadily
from tests.crash.harness import ROOT
from tests.debates import stream_readers
from tests.debates.live_site import Site
from tests.debates.servers import Web

FOUR = ("heading", "overall", "scoreboard", "progression")
PARTS = "&".join(f"of={name}" for name in FOUR)
PATIENT = {
    "MOOT_LIVE_PER_ADDRESS": "5000", "MOOT_LIVE_STALLED_SECONDS": "30",
    "MOOT_LIVE_HEARTBEAT_SECONDS": "15", "MOOT_LIVE_RIGHTS_SECONDS": "10",
}  # fmt: skip
SCORE = ("score:updated", {
    "evaluation": "6d2a1c7e-2f0b-4f0e-9a54-0c8f6f1c9a11", "instrument": "criterion", "criterion": "P1",
    "category": "problem", "round": 1, "totalRounds": 3, "originalScore": "6.00", "currentScore": "6.50",
    "participant": None,
})  # fmt: skip
NEWS = (SCORE, ("debate:paused", {}))
"""What makes all four parts out of date."""
HEAVY = ("round:complete", {"criterion": "P1", "round": 1, "run": 1, "totalRounds": 3, "unanswered": ["C1"] * 1000})


@dataclass(frozen=True, kw_only=True)
class Size:
    """How many take part, how long a scene lasts in seconds, and how long logs are."""

    watchers: int = 1000
    fewer: int = 250
    seconds: float = 8.0
    stalled: int = 20
    of: int = 60
    heavy_seconds: float = 10.0
    silent: int = 20
    silent_seconds: float = 60.0
    behind: int = 50
    replayed: int = 10_000
    short: int = 1_000
    times: int = 5
    apart: float = 3.0


FULL = Size()


def fan_out(place: Site, web: Web, debate: dict[str, Any], *, watchers: int, seconds: float) -> dict[str, float]:
    """Return what one delivery costs a server, how late it is, and what a reader costs in memory."""
    process = psutil.Process(web.process.pid)
    with stream_readers.opened(web, debate["address"]):
        before = process.memory_info().rss
    path = f"/ws/debates/{debate['address']}/?after={place.head(debate['id'])}"
    crowd = Crowd(port=web.port, path=path, cookies=[""] * watchers)
    crowd.hear()
    memory, began = process.memory_info().rss, spent(process)
    committed = tell_steadily(place, debate["id"], [SCORE], seconds=seconds)
    time.sleep(0.5)
    busy = spent(process) - began
    report = crowd.report()
    late = delays(committed, report["times"])
    return {
        "us_per_delivery": 1e6 * busy / report["frames"],
        "p50_ms": percentile(late, 50),
        "p99_ms": percentile(late, 99),
        "kb_per_watcher": (memory - before) / 1024 / watchers,
        "lost": len(committed) * watchers - len(late),
    }


def queries(place: Site) -> int:
    """Return how many transactions the database has seen; the statistics are a second behind."""
    time.sleep(1.5)
    return int(place.here.ask("SELECT xact_commit FROM pg_stat_database WHERE datname = 'moot'"))


def storm(place: Site, debate: dict[str, Any], size: Size) -> dict[str, float]:
    """Return how long a thousand signed-in readers take who all come back to a server that has just started."""
    head = place.head(debate["id"])
    cookies = [place.person()["session"] for _ in range(size.watchers)]
    web = place.serve("daphne", **PATIENT)
    before = queries(place)
    crowd = Crowd(
        port=web.port, path=f"/ws/debates/{debate['address']}/?after={head - size.behind}", cookies=cookies, to=head
    )
    took = crowd.hear()["seconds"]
    asked = queries(place) - before
    report = crowd.report()
    web.end()
    return {
        "seconds": took,
        "queries": asked,
        "back": len(report["times"].get(str(head), [])),
        "closed": report["closed"],
    }


def slow(place: Site, web: Web, debate: dict[str, Any], size: Size) -> dict[str, float]:
    """Return how much a server grows when a third of its readers take nothing, and how late the others are told."""
    process = psutil.Process(web.process.pid)
    path = f"/ws/debates/{debate['address']}/?after={place.head(debate['id'])}"
    crowd = Crowd(port=web.port, path=path, cookies=[""] * size.of, stalled=size.stalled)
    crowd.hear()
    before = process.memory_info().rss
    committed = tell_steadily(place, debate["id"], [HEAVY] * 10, seconds=size.heavy_seconds)
    time.sleep(0.5)
    grown = (process.memory_info().rss - before) / 1024 / 1024
    report = crowd.report()
    late = delays(committed, report["times"])
    missed = len(committed) * (size.of - size.stalled) - len(late)
    sent = len(json.dumps(HEAVY[1])) * len(committed) * size.stalled / 1024 / 1024
    return {"grown_mb": grown, "p99_ms": percentile(late, 99), "missed": missed, "unread_mb": sent}


def silent(place: Site, server: str, debate: dict[str, Any], size: Size) -> dict[str, float]:
    """Return what readers cost who read nothing for a minute, and with which code they find themselves closed."""
    web = place.serve(server, **PATIENT)
    process = psutil.Process(web.process.pid)
    path = f"/ws/debates/{debate['address']}/?after={place.head(debate['id'])}"
    crowd = Crowd(port=web.port, path=path, cookies=[""] * size.silent, stalled=size.silent)
    crowd.hear()
    before, began = process.memory_info().rss, time.monotonic()
    committed = tell_steadily(place, debate["id"], [HEAVY] * 10, seconds=size.heavy_seconds)
    time.sleep(max(0.0, began + size.silent_seconds - time.monotonic()))
    grown = (process.memory_info().rss - before) / 1024 / 1024
    report = crowd.report()
    web.end()
    unread = len(json.dumps(HEAVY[1])) * len(committed) * size.silent / 1024 / 1024
    return {"grown_mb": grown, "unread_mb": unread, "resumable": report["codes"].get("4408", 0)}


def pushed(place: Site, web: Web, size: Size) -> dict[str, float]:
    """Return when a thousand open pages have what an event has made out of date, and what it costs to bring it."""
    debate_id = place.here.act("start", 30, 3, 0)["debate"]
    address = place.here.ask(f"SELECT public_id FROM debates_debate WHERE id = {debate_id}")
    process, head = psutil.Process(web.process.pid), place.head(debate_id)
    shows = ",".join(f"{name}:{head}" for name in FOUR)
    path = f"/ws/debates/{address}/?after={head}&shows={shows}"
    crowd = Crowd(port=web.port, path=path, cookies=[""] * size.watchers)
    crowd.hear()
    time.sleep(1)
    committed, before, began = {}, queries(place), spent(process)
    for number in range(1, size.times + 1):
        place.tell(debate_id, *NEWS)
        committed[head + number * len(NEWS)] = time.time()
        time.sleep(size.apart)
    busy, transactions = spent(process) - began, queries(place) - before
    report = crowd.report()
    late = [
        1000 * (min(at for seq, at in brought if seq >= event) - committed_at)
        for event, committed_at in committed.items()
        for brought in report["brought"]
        if brought and brought[-1][0] >= event
    ]
    return {
        "ms_per_page": 1e3 * busy / size.watchers / size.times,
        "p50_ms": percentile(late, 50),
        "p99_ms": percentile(late, 99),
        "missed": size.watchers * size.times - len(late),
        "frames": sum(map(len, report["brought"])) / size.watchers / size.times,
        "kb": report["longest"] / 1024,
        "transactions": transactions / size.times,
    }


def pages(place: Site, web: Web, size: Size) -> dict[str, float]:
    """Return what it costs when a thousand open pages ask for what an event has made out of date."""
    debate_id = place.here.act("start", 30, 3, 0)["debate"]
    address = place.here.ask(f"SELECT public_id FROM debates_debate WHERE id = {debate_id}")
    process = psutil.Process(web.process.pid)
    asked(web, f"/debates/{address}/parts/?{PARTS}")
    place.tell(debate_id, SCORE)
    before, began = queries(place), spent(process)
    visits = asked(web, f"/debates/{address}/parts/?{PARTS}", times=size.watchers)
    busy, transactions = spent(process) - began, queries(place) - before
    return {
        "ms_per_page": 1e3 * busy / size.watchers,
        "transactions": transactions,
        "p50_ms": percentile(visits["ms"], 50),
        "p99_ms": percentile(visits["ms"], 99),
        "drawn": visits["drawn"],
        "failed": visits["failed"],
    }


def asked(web: Web, path: str, *, times: int = 1) -> dict[str, Any]:
    """Have so many pages ask, each at a moment of its own, as the module does."""
    command = [sys.executable, "-m", "benchmarks.watching.pages", str(web.port), path, str(times)]
    ran = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, timeout=300)
    visits: dict[str, Any] = json.loads(ran.stdout)
    return visits


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
