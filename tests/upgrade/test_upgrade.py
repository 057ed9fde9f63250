"""A database of an earlier release is brought to this one: nothing of it changes, and what waited in it is played.

Each dump is of Moot as it was at some time. ``manage.py db dump`` of that release wrote it, and ``pg_restore --no-owner
--no-privileges`` turned it into SQL.

* ``earlier.sql``, when twelve migrations had been written: a criterion debate that was played and then moderated (an
  override that is frozen, a strike, a rollback), and one that was started and never played.
* ``tables_and_panels.sql``, before people could take part: an open debate that was played (a judge failed in it) and
  then moderated (a standing set by hand, a response struck); a panel that agreed, one of whose scores was struck and is
  frozen; a panel that waits for its review; and an open debate and a panel that were started and never played.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from config.embedded import binaries
from tests import postgres
from tests.kills.stage import ROOT, Stage
from tests.upgrade import look

pytestmark = pytest.mark.kills
DUMPS = Path(__file__).parent
LEDGER = "SELECT string_agg(e::text, E'\\n' ORDER BY id) FROM scoring_scorechange e"
LOG = "SELECT string_agg(e::text, E'\\n' ORDER BY id) FROM debates_event e WHERE id <= {}"
LAST = "SELECT max(id) FROM debates_event"


def load(server: postgres.Throwaway, dump: str) -> None:
    """Fill the empty database of a server as its owner."""
    address = ["--host", str(server.places.run), "--username", "moot_owner", "--dbname", "moot"]
    options = ["--quiet", "--set", "ON_ERROR_STOP=1", "--single-transaction", "--file", str(DUMPS / dump)]
    subprocess.run([binaries.installed() / "psql", *address, *options], check=True, stdout=subprocess.DEVNULL)


def pages(here: Stage) -> dict[str, int]:
    """Return the status of every page."""
    command = [sys.executable, "-m", "tests.upgrade.look"]
    told = subprocess.run(command, cwd=ROOT, env=here.environment, stdout=subprocess.PIPE, check=True, timeout=120)
    found: dict[str, int] = json.loads(told.stdout)
    return found


@pytest.mark.parametrize(
    ("dump", "waiting", "debates", "concluded", "scores"),
    [
        pytest.param("earlier.sql", [2], 2, 2, 4, id="rounds alone"),
        pytest.param("tables_and_panels.sql", [4, 5], 5, 4, 14, id="tables and panels"),
    ],
)
def test_an_earlier_database_is_migrated_proved_shown_and_played_on(dump, waiting, debates, concluded, scores):
    with postgres.throwaway_cluster() as server:
        here = Stage(server=server)
        load(server, dump)
        ledger, last = here.ask(LEDGER), here.ask(LAST)
        log = here.ask(LOG.format(last))

        here.manage("migrate", "--verbosity", "0")

        here.manage("check", "--database", "default")
        here.manage("verify_ledger")
        assert (here.ask(LEDGER), here.ask(LOG.format(last))) == (ledger, log)
        here.worker()
        try:
            for debate_id in waiting:
                here.wait_for(debate_id, "concluded", seconds=60)
        finally:
            here.close()
        here.manage("verify_ledger")
        statuses = pages(here)
        assert {path: status for path, status in statuses.items() if status != 200} == {}
        assert len(statuses) == len(look.LISTS) + 2 * debates + 2 * concluded + scores
