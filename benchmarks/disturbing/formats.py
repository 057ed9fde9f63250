"""A debate of each format, played while everything is disturbed: how it begins, who watches, what must be found."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.crash import complete
from tests.crash.harness import Stage
from tests.crash.sse_client import Watcher

CRITERIA, ROUNDS = 24, 3
EXCHANGES, DEBATED = 8, 3
PUBLIC = "SELECT array_agg(seq ORDER BY seq) FROM debates_event WHERE audience = 'public' AND debate_id = {}"
STATUS = "SELECT status FROM debates_debate WHERE id = {}"
ADDRESS = "SELECT public_id FROM debates_debate WHERE id = {}"


@dataclass(frozen=True, kw_only=True)
class Format:
    """How a debate of one format is begun and reported on, and how large it is.

    Shape: ``begin`` makes an act of ``tests.crash.in_database`` of the seconds that an answer takes; ``whole`` is what
    the act ``report`` must say in the end.
    """

    begin: Callable[[float], tuple[object, ...]]
    report: str
    whole: Mapping[str, Any]
    rounds: int


FORMATS: Mapping[str, Format] = {
    "criterion": Format(
        begin=lambda latency: ("start", CRITERIA, ROUNDS, latency),
        report="report",
        whole=complete.criterion(CRITERIA * ROUNDS),
        rounds=CRITERIA * ROUNDS,
    ),
    # One answer after the other, and many of them: each takes less time, so that all three last about as long.
    "open": Format(
        begin=lambda latency: ("table", EXCHANGES, latency / 4),
        report="table_report",
        whole=complete.OPEN,
        rounds=1 + EXCHANGES,
    ),
    "panel": Format(
        begin=lambda latency: ("bench", DEBATED, latency / 2),
        report="bench_report",
        whole=complete.PANEL,
        rounds=1 + DEBATED,
    ),
}


@dataclass(frozen=True)
class Debate:
    """One debate of a format, and those who watch it."""

    here: Stage
    name: str
    id: int
    watchers: Sequence[Watcher]

    @property
    def log(self) -> list[int]:
        """The numbers of the events that everybody may see."""
        numbers: list[int] = self.here.ask(PUBLIC.format(self.id))
        return numbers

    def closed(self) -> int:
        return int(self.here.act("state", self.id)["rounds"])

    def ended(self) -> bool:
        """Tell whether it has come as far as it goes."""
        return bool(self.here.ask(STATUS.format(self.id)) == FORMATS[self.name].whole["status"])

    def told(self) -> bool:
        """Tell whether everybody who watches has seen as much as the log holds."""
        many = len(self.log)
        return all(len(watcher.events) >= many for watcher in self.watchers)

    @property
    def connections(self) -> int:
        """How often those who watch it had to ask."""
        return sum(watcher.connections for watcher in self.watchers)

    def leave(self) -> None:
        for watcher in self.watchers:
            watcher.end()

    def differences(self) -> list[str]:
        """Return one sentence for everything that is not as it should be."""
        kind = FORMATS[self.name]
        report = self.here.act(kind.report, self.id)
        sentences = [
            f"{self.name}: {what} is {report[what]}, not {expected}"
            for what, expected in kind.whole.items()
            if report[what] != expected
        ]
        log = self.log
        for number, watcher in enumerate(self.watchers, start=1):
            if (seen := [event["seq"] for event in watcher.events]) != log:
                sentences.append(f"{self.name}: watcher {number} saw {len(seen)} events, the log has {len(log)}")
        return sentences


def begin(here: Stage, name: str, *, latency: float, ports: Sequence[int], watchers: int) -> Debate:
    """Begin a debate whose answers take ``latency`` seconds or thereabouts; its watchers, each begun elsewhere, follow.

    Shape: they ask the web processes at ``ports`` in turn, every second of them from the last one on.
    """
    debate = here.act(*FORMATS[name].begin(latency))["debate"]
    address = str(here.ask(ADDRESS.format(debate)))
    following = [Watcher(ports=ports[:: 1 if number % 2 else -1], debate=address) for number in range(watchers)]
    for watcher in following:
        watcher.start()
    return Debate(here, name, debate, following)
