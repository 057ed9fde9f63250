"""Workers, and whoever gives a ballot, die while people and machines judge: each ballot counts once, no seat is lost,
and deadlines are kept.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import product

import pytest

from tests.crash.harness import Process, Stage, stage

pytestmark = pytest.mark.kills
ROUNDS, KILLS = 3, 25
IN_TIME, LATE, PATIENCE = 3600, 30, 180
AWAITED = """
    SELECT count(*) FROM debates_awaitedturn a JOIN debates_participant p ON p.id = a.participant_id
    JOIN debates_round r ON r.id = a.round_id JOIN debates_thread t ON t.id = r.thread_id
    WHERE t.debate_id = {debate} AND p.name = 'Judge {judge}' AND r.number = {number} AND r.closed_at IS NULL
      AND t.status = 'awaiting_turn'
"""
DEADLINES = """
    SELECT json_object_agg(a.id, ARRAY[a.at, a.deadline]) FROM debates_awaitedturn a
"""
FORFEITS = "SELECT count(*) FROM debates_turn WHERE slot LIKE 'forfeit:%'"


Kill = Callable[[int, int, int], None]


@dataclass
class Disturbance:
    """Kills, and every deadline that was seen: none may be another later."""

    here: Stage
    luck: random.Random
    workers: list[Process] = field(default_factory=list)
    kills: int = 0
    deadlines: dict[str, list[str]] = field(default_factory=dict)

    def kill_a_worker(self, *_ballot: int) -> None:
        """Kill the older worker at some moment and start another."""
        time.sleep(self.luck.uniform(0, 0.4))
        self.here.end(self.workers.pop(0))
        self.workers.append(self.here.worker())
        self.kills += 1

    def kill_who_gives(self, debate: int, judge: int, number: int) -> None:
        """Kill whoever is giving a ballot at some moment; nobody knows whether it came."""
        words = [str(word) for word in (debate, judge, number)]
        giver = self.here.fork_server.start("tests.crash.in_database", "ballot", *words)
        time.sleep(self.luck.uniform(0.05, 0.6))
        self.here.end(giver)
        self.kills += 1

    def look(self) -> None:
        now = self.here.ask(DEADLINES) or {}
        assert {name: now.get(name) for name in self.deadlines} == self.deadlines, "a deadline has moved"
        self.deadlines = now

    def give(self, debate: int, judge: int, number: int, *kills: Kill) -> None:
        """Have a ballot given as soon as it is awaited, whoever dies meanwhile."""
        asked = AWAITED.format(debate=debate, judge=judge, number=number)
        self.here.until(partial(self.here.ask, asked), seconds=PATIENCE)
        self.look()
        for kill in kills:
            kill(debate, judge, number)
        assert self.here.act("ballot", debate, judge, number) == {"once": True, "round": number}


def test_workers_and_judges_killed_while_people_and_machines_judge_lose_no_ballot_no_seat_and_no_deadline():
    with stage() as here:
        in_time = here.act("seated", 0.2, IN_TIME)["debate"]
        disturbed = Disturbance(here, random.Random(20265), [here.worker(), here.worker()])
        for number, judge in product(range(ROUNDS), (1, 2)):
            disturbed.give(in_time, judge, number, disturbed.kill_a_worker, disturbed.kill_who_gives)
        late = here.act("seated", 0.2, LATE)["debate"]
        for judge, number in ((1, 0), (2, 0), (1, 1)):  # and Judge 2 says nothing in round 1
            disturbed.give(late, judge, number)
        while disturbed.kills < KILLS:
            disturbed.kill_a_worker()
        here.until(lambda: here.ask(FORFEITS) == 1, seconds=PATIENCE)
        for judge in (1, 2):
            disturbed.give(late, judge, 2)

        for debate in (in_time, late):
            here.wait_for(debate, "awaiting_review", seconds=PATIENCE)
        disturbed.look()
        assert disturbed.kills == KILLS
        nothing_is_lost(here, in_time, silent=[])
        nothing_is_lost(here, late, silent=[[1, "Judge 2"]])


def nothing_is_lost(here: Stage, debate: int, *, silent: list[list[int | str]]) -> None:
    """Say that every ballot is there once and every other is a forfeit, in time, and that nothing else is doubled."""
    report = here.act("seated_report", debate)
    every = [[number, f"Judge {judge}"] for number, judge in product(range(ROUNDS), (1, 2))]
    assert report["ballots"] == [ballot for ballot in every if ballot not in silent]
    assert (report["late"], report["too early"]) == (silent, 0)
    assert (report["awaited"], report["seats"]) == (len(every), [f"judge {judge} of {debate}" for judge in (1, 2)])
    assert (report["gapless"], report["faults"]) == (True, [])
    assert (report["reports"], report["consensuses"], report["reviews"]) == (4 * ROUNDS, ROUNDS, 1)
    assert report["told"] == [ROUNDS, 4 * ROUNDS, ROUNDS, 1]
