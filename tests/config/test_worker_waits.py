"""A worker that comes before the tables waits for them, says so once, and then plays, on a few connections."""

import itertools
import subprocess
import sys

from tests import postgres
from tests.crash.harness import ROOT, Stage, stage

WAITS = "The worker waits for migrations: "
PLAYS = "The worker is playing.\n"


def test_a_worker_waits_for_migrations_and_then_plays():
    with postgres.throwaway_cluster() as server:
        here = Stage(server=server)
        command, both = (
            [sys.executable, "manage.py", "worker"],
            {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT},
        )
        with subprocess.Popen(command, cwd=ROOT, env=here.environment, text=True, **both) as worker:
            try:
                assert worker.stdout is not None
                waits = worker.stdout.readline()
                here.manage("migrate", "--verbosity", "0")
                said = list(itertools.takewhile(lambda line: line != PLAYS, worker.stdout))
                plays = worker.poll() is None
            finally:
                worker.terminate()

    assert plays, said
    assert waits.startswith(f"{WAITS}account.0001_initial, ")
    assert waits.endswith(" more. Run `manage.py migrate`.\n")
    assert [line for line in said if not line.startswith(WAITS)] == []


def test_a_worker_that_is_busy_keeps_at_most_the_eleven_connections_that_are_written_of_it():
    with stage() as here:
        here.worker()
        debate = here.act("start", 24, 1, 0)["debate"]
        here.wait_for(debate, "concluded")
        kept = here.ask("SELECT count(*) FROM pg_stat_activity WHERE usename = 'moot_app'")

    assert 8 < kept <= 11
