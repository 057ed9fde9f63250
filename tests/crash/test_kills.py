"""Workers and the database are killed while a debate is played: nothing is lost, nothing is doubled."""

import json
import random
import signal
import time

import pytest

from tests.crash import call_log
from tests.crash.complete import OPEN, PANEL
from tests.crash.harness import SOAK, stage

pytestmark = pytest.mark.kills
CRITERIA, ROUNDS, KILLS = 30, 3, 25 if SOAK else 10
PLAYED = CRITERIA * ROUNDS
A_THIRD = ("--rounds-at-once", "12")
CALLS = "SELECT count(*) FROM judging_call"
CLAIMS = "SELECT sum(fence) FROM debates_thread"


def assert_whole(here, debate):
    """Everything was played once, is told once, can be proved, and was asked again only where an answer was lost."""
    report = here.act("report", debate)
    assert report["faults"] == []
    assert report["gapless"]
    assert (report["status"], report["partial"]) == ("concluded", False)
    assert (report["rounds"], report["entries"]) == (PLAYED, PLAYED)
    assert (report["verdicts"], report["facts"]) == (2 * PLAYED, 2 * PLAYED)
    assert report["turns"] == 4 * PLAYED + 1
    assert report["used"] == 3 * PLAYED + 1
    assert report["finals"] == ["7.500000"]
    assert report["told"]["round:complete"] == PLAYED
    assert report["told"]["verdict:issued"] == 2 * PLAYED
    assert report["told"]["debate:concluded"] == 1
    assert report["jobs"] == 0
    lost = call_log.again(here.asked, answers=here.act("answers", debate))
    assert lost >= report["superseded"] + 1, "the disturbance came to nothing"


def test_workers_killed_at_random_moments_lose_and_double_nothing(tmp_path):
    luck = random.Random(20260)
    with stage(asked=tmp_path / "asked") as here:
        debate = here.act("start", CRITERIA, ROUNDS, 1.0)["debate"]
        workers = [here.worker(*A_THIRD) for _ in range(3)]
        for number in range(KILLS):
            time.sleep(luck.uniform(0.2, 0.8))
            for worker in workers if number % 5 == 4 else [luck.choice(workers)]:  # now and then all of them
                here.end(worker, signal.SIGKILL)
            workers = [one if one.poll() is None else here.worker(*A_THIRD) for one in workers]
        assert here.act("state", debate)["rounds"] < PLAYED, "the kills came too late to mean anything"

        here.wait_for(debate, "concluded")

        assert here.ask(CLAIMS) > 2 * CRITERIA + KILLS, "the kills must have been felt"
        assert_whole(here, debate)


def test_a_debate_at_a_pace_survives_the_kill_of_whoever_takes_its_steps():
    luck, criteria, rounds = random.Random(20262), 2, 2
    with stage() as here:
        debate = here.act("start", criteria, rounds, 0.3, 1)["debate"]
        for _ in range(4):
            worker = here.worker()
            time.sleep(luck.uniform(1, 2))
            here.end(worker, signal.SIGKILL)
        assert here.act("state", debate)["rounds"] < criteria * rounds, "the kills came too late to mean anything"

        here.worker()
        here.wait_for(debate, "concluded")

        report = here.act("report", debate)
        assert (report["faults"], report["gapless"], report["jobs"]) == ([], True, 0)
        assert (report["rounds"], report["verdicts"], report["turns"]) == (4, 8, 17)


def test_a_database_that_stops_at_once_and_comes_back_loses_and_doubles_nothing(tmp_path):
    luck = random.Random(20261)
    with stage(asked=tmp_path / "asked") as here:
        debate = here.act("start", CRITERIA, ROUNDS, 0.4)["debate"]
        for _ in range(5):
            written = here.ask(CALLS)
            worker = here.worker("--grace", "0.5")
            here.until(lambda before=written: here.ask(CALLS) > before)
            time.sleep(luck.uniform(0, 0.5))
            here.server.restart(immediate=True)
            here.end(worker, signal.SIGTERM)
        assert here.act("state", debate)["rounds"] < PLAYED, "the restarts came too late to mean anything"

        here.worker()
        here.wait_for(debate, "concluded")

        assert_whole(here, debate)


def test_a_worker_that_is_asked_to_stop_hands_its_work_back():
    with stage(stalled="60") as here:  # nobody takes over what was not handed back
        debate = here.act("start", 6, ROUNDS, 0.3)["debate"]
        worker = here.worker("--grace", "0.5")
        here.until(lambda: here.ask(CALLS) > 0)
        here.end(worker, signal.SIGTERM)
        assert worker.returncode == 0
        assert here.ask("SELECT count(*) FROM procrastinate_jobs WHERE status = 'todo'") == 6

        here.worker()
        here.wait_for(debate, "concluded")

        report = here.act("report", debate)
        assert (report["faults"], report["rounds"], report["gapless"]) == ([], 18, True)


def test_a_worker_that_was_frozen_and_taken_for_dead_plays_on():
    with stage(stalled="0.9") as here:
        debate = here.act("start", 6, ROUNDS, 0.3)["debate"]
        late = here.worker()
        here.until(lambda: here.ask(CALLS) > 0)
        late.send_signal(signal.SIGSTOP)
        claims = here.ask(CLAIMS)
        time.sleep(1)
        other = here.worker()
        here.until(lambda: here.ask(CLAIMS) > claims)  # of the others some may wait for what it holds

        late.send_signal(signal.SIGCONT)
        here.end(other)
        here.wait_for(debate, "concluded")

        assert late.poll() is None
        report = here.act("report", debate)
        assert (report["faults"], report["rounds"], report["gapless"]) == ([], 18, True)


def test_workers_and_the_database_killed_during_open_debates_and_panels_lose_and_double_nothing():
    luck = random.Random(20262)
    with stage(stalled="0.9") as here:
        tables = [here.act("table", 8, 0.3)["debate"] for _ in range(2)]
        panels = [here.act("bench", 3, 0.7)["debate"] for _ in range(4)]
        workers = [here.worker() for _ in range(3)]
        for number in range(KILLS):
            time.sleep(luck.uniform(0.2, 0.8))
            if number % 10 == 7:
                here.server.restart(immediate=True)
            for worker in workers if number % 5 == 4 else [luck.choice(workers)]:
                here.end(worker, signal.SIGKILL)
            workers = [one if one.poll() is None else here.worker() for one in workers]
        assert here.ask("SELECT count(*) FROM debates_debate WHERE status = 'running'"), "the kills came too late"

        for table in tables:
            here.wait_for(table, "concluded")
        for panel in panels:
            here.wait_for(panel, "awaiting_review")

        assert here.ask(CLAIMS) > len([*tables, *panels]) + 2 * KILLS // 5, "the kills must have been felt"
        assert [here.act("table_report", one) for one in tables] == [OPEN] * 2
        assert [here.act("bench_report", one) for one in panels] == [PANEL] * 4


def test_a_worker_killed_while_several_criteria_are_assessed_at_once_asks_for_nothing_twice_that_was_kept(tmp_path):
    with stage(asked=tmp_path / "asked") as here:
        debate = here.act("assessed", 6, 3, 1.0)["debate"]
        for kept, asked in ((0, 2), (2, 5)):  # of both kinds
            worker = here.worker()
            here.until(lambda kept=kept, asked=asked: here.ask(CALLS) == kept and lines(tmp_path / "asked") >= asked)
            here.end(worker, signal.SIGKILL)

        here.worker()
        here.wait_for(debate, "concluded")

        assert here.act("assessed_report", debate) == {
            "faults": [],
            "together": ["K1", "K4"],
            "alone": ["K3", "K6"],
            "initials": 6,
        }
        asked = [json.loads(line)[3] for line in (tmp_path / "asked").read_text(encoding="utf-8").splitlines()]
        assert asked.count("assess_several") == 4
        assert asked.count("assess") >= 3, "the second kill came too late to mean anything"


def lines(place):
    return len(place.read_text(encoding="utf-8").splitlines()) if place.exists() else 0
