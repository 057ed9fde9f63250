"""Workers die while a person is awaited: the turn and the deadline do not depend on anybody who waits."""

import time

import pytest

from tests.crash.harness import stage

pytestmark = pytest.mark.kills
SECONDS = 12
WAITS = "SELECT count(*) FROM debates_thread WHERE status = 'awaiting_turn'"
OVERDUE = "SELECT max(deadline) < now() FROM debates_awaitedturn"
FORFEITS = "SELECT count(*) FROM debates_event WHERE type = 'turn:forfeited'"


def until(here, question, wanted, *, seconds=180):
    end = time.monotonic() + seconds
    while here.ask(question) != wanted:
        assert time.monotonic() < end, question
        time.sleep(0.1)


def test_a_worker_killed_while_a_person_is_awaited_loses_neither_their_turn_nor_their_deadline():
    with stage() as here:
        debate = here.act("seat", 1, SECONDS)["debate"]
        first = here.worker()
        until(here, WAITS, 1)
        here.end(first)

        assert here.act("speak", debate) == {"kind": "opening"}
        second = here.worker()
        until(here, WAITS, 1)
        here.end(second)
        until(here, OVERDUE, True)
        assert here.ask(FORFEITS) == 0
        here.worker()
        here.wait_for(debate, "concluded")

        report = here.act("table_report", debate)
        assert (report["faults"], report["gapless"], report["partial"]) == ([], True, False)
        assert here.ask(FORFEITS) == 1
        # introduction, two openings, Mira's response, Konrad's forfeit, synthesis
        assert (report["turns"], report["judged"], report["standings"]) == (6, 1, 4)
