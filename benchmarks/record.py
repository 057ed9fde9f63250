"""Record judged rounds by eight clients at once: as shipped, by the ORM without guards, and by plain psycopg.

The three ways take short turns in one run, each on a database of its own in the same server, so that whatever else the
machine does hits all.
"""

import contextlib
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from benchmarks import report
from benchmarks.recording import databases
from benchmarks.report import LineProcess, Row
from tests.crash.harness import Stage, stage

WAYS = {"shipped": databases.SHIPPED, "unguarded": databases.UNGUARDED, "psycopg": databases.PLAIN}
CLIENTS, TURNS, ACCOUNTS_PER_TURN = 8, 18, 5


@dataclass
class Team:
    """The clients of one way, and what they took."""

    clients: list[LineProcess]
    latencies: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)

    def play(self, first: int, last: int, *, counts: bool) -> None:
        """Have every client record rounds on its accounts from ``first`` to ``last``."""
        begun = time.perf_counter()
        for client in self.clients:
            client.tell(f"{first} {last}")
        taken = [ms for client in self.clients for ms in client.hear()]
        if counts:
            self.latencies += taken
            self.rates.append(len(taken) / (time.perf_counter() - begun))

    def figures(self) -> dict[str, float]:
        cuts = statistics.quantiles(self.latencies, n=100, method="inclusive")
        return {
            "per_second": statistics.median(self.rates),
            "p50_ms": cuts[49],
            "p99_ms": cuts[98],
            "transactions": len(self.latencies),
        }


@contextlib.contextmanager
def team(here: Stage, way: str, debates: list[int]) -> Iterator[Team]:
    """Start the clients of a way, one for each debate, and end them afterwards."""
    environment = here.environment | {"DATABASE_URL": here.server.url(name=WAYS[way])}
    with contextlib.ExitStack() as stack:
        clients = [
            LineProcess("-m", "benchmarks.recording.client", way, debate, environment=environment) for debate in debates
        ]
        for client in clients:
            stack.enter_context(client)
        for client in clients:
            client.hear()
        yield Team(clients)


def compete(here: Stage, *, clients: int, turns: int, accounts: int) -> dict[str, Team]:
    """Have the ways record in turns and return their teams.

    Shape: the first turn warms everything up and is not counted; the way that begins changes with every turn.
    """
    debates = databases.prepare(here, clients=clients, accounts=(turns + 1) * accounts)
    with contextlib.ExitStack() as stack:
        teams = {way: stack.enter_context(team(here, way, debates)) for way in WAYS}
        order = list(WAYS)
        for turn in range(turns + 1):
            for way in order[turn % 3 :] + order[: turn % 3]:
                teams[way].play(turn * accounts, (turn + 1) * accounts, counts=turn > 0)
    return teams


def ratio(ours: Team, theirs: Team) -> float:
    return statistics.median(own / their for own, their in zip(ours.rates, theirs.rates, strict=True))


def measure(
    *, clients: int = CLIENTS, turns: int = TURNS, accounts_per_turn: int = ACCOUNTS_PER_TURN
) -> dict[str, Any]:
    """Return rate and latency of each way, and how the shipped one compares."""
    with stage(heart="5", stalled="30") as here:
        teams = compete(here, clients=clients, turns=turns, accounts=accounts_per_turn)
        durable = here.ask("SHOW synchronous_commit")
    return {
        **{way: competitor.figures() for way, competitor in teams.items()},
        "to_unguarded": ratio(teams["shipped"], teams["unguarded"]),
        "to_psycopg": ratio(teams["shipped"], teams["psycopg"]),
        "synchronous_commit": durable,
    }


def rows(figures: report.Figures) -> list[Row]:
    shipped = figures["shipped"]
    rates = ", ".join(f"{way} {figures[way]['per_second']:.0f}/s" for way in WAYS)
    return [
        Row(
            f"record one judged round, {CLIENTS} clients, durable",
            "p99 under 100 ms",
            f"p50 {shipped['p50_ms']:.0f} ms, p99 {shipped['p99_ms']:.0f} ms of {shipped['transactions']}",
            met=shipped["p99_ms"] < 100,
            because="More clients than cores: a transaction waits for a processor.",
        ),
        Row(
            "its rate to the rate of the same ORM writes without guards",
            "at least 0.8",
            f"{figures['to_unguarded']:.2f} ({rates})",
            met=figures["to_unguarded"] >= 0.8,
            because="The guards do their work in the database, for every entry and fact.",
        ),
        Row("its rate to the rate of plain psycopg", "reported", f"{figures['to_psycopg']:.2f}"),
    ]
