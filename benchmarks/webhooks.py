"""Webhooks: how fast one quick receiver is told, and how late it is beside fifty that answer nothing in time.

One worker, all of it on loopback; what is started is ended, and whatever takes longer than ``LONGEST`` fails.
"""

import contextlib
import json
import os
import statistics
import time
from collections.abc import Iterator
from typing import Any

from benchmarks import report
from benchmarks.report import LineProcess, Row
from tests.crash.harness import Stage, stage

EVENTS, EACH, SLOW, TOLD, SECONDS = 6000, 20, 50, 300, 30
LONGEST = 300.0
NOT_IN_TIME = 20.0
"""Seconds after which slow receivers would answer: by then nobody listens any more."""
ANSWERED = "SELECT count(*) FROM debates_delivery WHERE state = 'delivered'"


def act(here: Stage, *words: object) -> dict[str, Any]:
    """Run one act in a process of its own, and return what it printed."""
    return here.act(words[0], *map(json.dumps, words[1:]), module="benchmarks.telling.act")


def heard(here: Stage, receiver: LineProcess, many: int) -> dict[int, float]:
    """Wait until so many events came at the quick address, and return when each came first."""
    came: dict[int, float] = {}

    def all_came() -> bool:
        for seq, at in receiver.ask("?")["came"].get("/quick/0", []):
            came.setdefault(seq, at)
        return len(came) >= many

    here.until(all_came, seconds=LONGEST, every=0.2)
    return came


@contextlib.contextmanager
def telling() -> Iterator[tuple[Stage, LineProcess, int, int]]:
    """Give a stage whose processes may send to loopback, a receiver with its port, and a debate."""
    os.environ["MOOT_WEBHOOK_HOSTS"] = "127.0.0.1"
    try:
        with (
            stage(heart="1", stalled="30") as here,
            LineProcess("-m", "benchmarks.telling.receiver", NOT_IN_TIME) as receiver,
        ):
            yield here, receiver, receiver.hear(), act(here, "debate")["debate"]
    finally:
        del os.environ["MOOT_WEBHOOK_HOSTS"]


def throughput(*, events: int) -> dict[str, Any]:
    """Have one quick receiver told of events that are all there when the worker starts, and at once."""
    with telling() as (here, receiver, port, debate):
        act(here, "register", port, "quick", 1, 1)
        act(here, "happen", debate, events, 0, EACH)
        here.worker()
        came = heard(here, receiver, events)
    span = max(came.values()) - min(came.values())
    return {"events": events, "per_second": (events - 1) / span}


def lateness(*, slow: int, events: int, seconds: float) -> dict[str, Any]:
    """Have a quick receiver told beside slow ones, all of which are stuck when its first event happens."""
    with telling() as (here, receiver, port, debate):
        act(here, "register", port, "slow", slow, 5)
        act(here, "happen", debate, 1, 0, 1)
        here.worker()
        here.until(lambda: receiver.ask("?")["slow"] >= slow, seconds=LONGEST, every=0.2)
        act(here, "register", port, "quick", 1, 1)
        committed = act(here, "happen", debate, events, seconds, 1)["committed"]
        came = heard(here, receiver, events)
        here.until(lambda: here.ask(ANSWERED) >= events, seconds=LONGEST)  # an answer is noted after it was given
        answered = here.ask(ANSWERED)
    late = sorted(came[int(seq)] - at for seq, at in committed.items())
    return {
        "slow": slow,
        "events": events,
        "median_s": statistics.median(late),
        "most_s": late[-1],
        "delivered_to_slow": int(answered) - events,
    }


def measure(
    *, events: int = EVENTS, slow: int = SLOW, events_beside: int = TOLD, seconds: float = SECONDS
) -> dict[str, Any]:
    begun = time.monotonic()
    figures = {
        "throughput": throughput(events=events),
        "beside": lateness(slow=slow, events=events_beside, seconds=seconds),
    }
    return figures | {"took_s": time.monotonic() - begun}


def rows(figures: report.Figures) -> list[Row]:
    rate, beside = figures["throughput"], figures["beside"]
    return [
        Row(
            "webhooks: events told to one quick receiver by one worker",
            "at least 200 a second",
            f"{rate['per_second']:.0f}/s of {rate['events']}",
            met=rate["per_second"] >= 200,
            because="Worker, database and receiver share the cores.",
        ),
        Row(
            f"webhooks: a quick receiver beside {beside['slow']} that answer nothing in time",
            "at most 2 s late",
            f"median {beside['median_s']:.2f} s, at most {beside['most_s']:.2f} s of {beside['events']} events",
            met=beside["most_s"] <= 2,
            because="A worker looks for what is new once a second.",
        ),
    ]
