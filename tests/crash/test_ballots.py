"""Workers die while people and machines judge: each ballot counts once, no seat is lost, deadlines are kept."""

from __future__ import annotations

from functools import partial
from itertools import product

import pytest

from tests.crash.harness import Stage, stage

pytestmark = pytest.mark.kills
PANELS, ROUNDS, KILLS = 4, 3, 25
IN_TIME, LATE = 3600, 20
AWAITED = """
    SELECT count(*) FROM debates_awaitedturn a
    JOIN debates_participant p ON p.id = a.participant_id JOIN debates_round r ON r.id = a.round_id
    WHERE p.debate_id = {debate} AND p.name = 'Judge {judge}' AND r.number = {number} AND a.state = 'waiting'
"""


def test_workers_killed_while_people_and_machines_judge_lose_no_ballot_no_seat_and_no_deadline():
    with stage() as here:
        late, *others = (here.act("seated", 0.2, seconds)["debate"] for seconds in (LATE, *[IN_TIME] * (PANELS - 1)))
        given = list(product(range(ROUNDS), (late, *others), (1, 2)))
        given.remove((1, late, 2))  # who sits there says nothing in this round, and the next one waits for that
        given.sort(key=lambda ballot: ballot[:2] == (2, late))
        workers = [here.worker(), here.worker()]

        for number, debate, judge in given:
            kill_one(here, workers)
            here.until(partial(here.ask, AWAITED.format(debate=debate, judge=judge, number=number)))
            assert here.act("ballot", debate, judge, number) == {"once": True, "round": number}
        for _ in range(KILLS - len(given)):
            kill_one(here, workers)

        for debate in (late, *others):
            here.wait_for(debate, "awaiting_review", seconds=60)
            nothing_is_lost(
                here.act("seated_report", debate),
                ballots=[[number, f"Judge {judge}"] for number, of, judge in sorted(given) if of == debate],
                seats=[f"judge 1 of {debate}", f"judge 2 of {debate}"],
                seconds=LATE if debate == late else IN_TIME,
            )


def kill_one(here: Stage, workers: list) -> None:
    here.end(workers.pop(0))
    workers.append(here.worker())


def nothing_is_lost(report: dict, *, ballots: list, seats: list, seconds: int) -> None:
    missing = 2 * ROUNDS - len(ballots)
    assert (report["ballots"], report["seats"], report["seconds"]) == (ballots, seats, [seconds])
    assert (report["late"], report["too early"]) == (missing, 0)
    assert (report["gapless"], report["faults"]) == (True, [])
    assert (report["reports"], report["consensuses"], report["reviews"]) == (3 * ROUNDS, ROUNDS, 1)
    assert report["told"] == [ROUNDS, 3 * ROUNDS, ROUNDS, 1]
