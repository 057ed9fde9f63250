"""The drill: a debate is dumped while it is played, restored into another server, and played to its end there."""

import contextlib
import subprocess
import sys
import time

import pytest

from tests import postgres
from tests.kills.stage import ROOT, Stage, stage

pytestmark = pytest.mark.kills
CRITERIA, ROUNDS = 6, 5
PLAYED = CRITERIA * ROUNDS
CLOSED = "SELECT count(*) FROM debates_round WHERE closed_at IS NOT NULL"
LOG = "SELECT string_agg(seq || type || data::text, E'\\n' ORDER BY seq) FROM debates_event WHERE seq <= {}"


def db(here: Stage, *words: str) -> subprocess.CompletedProcess[str]:
    """Run ``manage.py db`` on the server of a stage."""
    command = [sys.executable, "manage.py", "db", *words]
    return subprocess.run(
        command, cwd=ROOT, env=here.environment, timeout=120, capture_output=True, text=True, check=False
    )


def test_a_debate_dumped_during_play_goes_on_elsewhere_and_loses_and_doubles_nothing(tmp_path):
    dumped = tmp_path / "moot.dump"
    with stage() as before, postgres.throwaway_cluster() as other:
        debate = before.act("start", CRITERIA, ROUNDS, 0.8)["debate"]
        worker = before.worker()
        while before.ask(CLOSED) == 0:
            time.sleep(0.1)
        assert db(before, "dump", str(dumped)).returncode == 0
        before.end(worker)
        after = Stage(server=other)

        done = db(after, "restore", str(dumped))

        assert (done.returncode, done.stderr) == (0, "")
        assert f"Restored {dumped} into " in done.stdout
        head = after.ask("SELECT seq FROM debates_eventhead")
        assert 0 < after.ask(CLOSED) < PLAYED
        assert after.ask(LOG.format(head)) == before.ask(LOG.format(head))
        assert after.ask("SELECT value FROM debates_epoch") != before.ask("SELECT value FROM debates_epoch")
        with contextlib.closing(after):
            after.worker()
            after.wait_for(debate, "concluded", seconds=90)
            report = after.act("report", debate)
        assert (report["faults"], report["gapless"], report["jobs"]) == ([], True, 0)
        assert (report["rounds"], report["entries"], report["verdicts"]) == (PLAYED, PLAYED, 2 * PLAYED)
        assert (report["turns"], report["told"]["debate:concluded"]) == (4 * PLAYED + 1, 1)
        assert report["finals"] == ["8.500000"]


def test_a_restore_is_refused_while_somebody_uses_the_database_or_when_it_is_not_empty(tmp_path):
    dumped = tmp_path / "moot.dump"
    with stage() as here:
        assert db(here, "dump", str(dumped)).returncode == 0
        filled = db(here, "restore", str(dumped))
        with here.server.connect(name="moot"):
            used = db(here, "restore", str(dumped))

    assert (filled.returncode, "is not empty" in filled.stderr) == (1, True)
    assert (used.returncode, "Others use the database" in used.stderr) == (1, True)
