"""A database of an earlier release is brought to this one: nothing of it changes, and what waited in it is played.

``earlier.sql`` is a dump of Moot as it was when twelve migrations had been written: one debate that was played and then
moderated (an override that is frozen, a strike, a rollback), and one that was started and never played. ``manage.py db
dump`` of that release wrote it, and ``pg_restore --no-owner --no-privileges`` turned it into SQL.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from config.embedded import binaries
from tests import postgres
from tests.kills.stage import ROOT, Stage

pytestmark = pytest.mark.kills
EARLIER = Path(__file__).with_name("earlier.sql")
LEDGER = "SELECT string_agg(e::text, E'\\n' ORDER BY id) FROM scoring_scorechange e"
LOG = "SELECT string_agg(e::text, E'\\n' ORDER BY id) FROM debates_event e WHERE id <= {}"
LAST = "SELECT max(id) FROM debates_event"


def load(server: postgres.Throwaway) -> None:
    """Fill the empty database of a server as its owner."""
    address = ["--host", str(server.places.run), "--username", "moot_owner", "--dbname", "moot"]
    options = ["--quiet", "--set", "ON_ERROR_STOP=1", "--single-transaction", "--file", str(EARLIER)]
    subprocess.run([binaries.installed() / "psql", *address, *options], check=True, stdout=subprocess.DEVNULL)


def pages(here: Stage) -> dict[str, int]:
    """Return the status of every page."""
    command = [sys.executable, "-m", "tests.upgrade.look"]
    told = subprocess.run(command, cwd=ROOT, env=here.environment, stdout=subprocess.PIPE, check=True, timeout=120)
    found: dict[str, int] = json.loads(told.stdout)
    return found


def test_an_earlier_database_is_migrated_proved_shown_and_played_on():
    with postgres.throwaway_cluster() as server:
        here = Stage(server=server)
        load(server)
        ledger, last = here.ask(LEDGER), here.ask(LAST)
        log = here.ask(LOG.format(last))

        here.manage("migrate", "--verbosity", "0")

        here.manage("check", "--database", "default")
        here.manage("verify_ledger")
        assert (here.ask(LEDGER), here.ask(LOG.format(last))) == (ledger, log)
        worker = here.worker()
        try:
            here.wait_for(2, "concluded", seconds=60)
        finally:
            here.end(worker)
        here.manage("verify_ledger")
        statuses = pages(here)
        assert {path: status for path, status in statuses.items() if status != 200} == {}
        assert len(statuses) == 3 + 2 * 4 + 4
