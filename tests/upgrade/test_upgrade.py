"""A database of an earlier release is brought to this one: nothing of it changes, and what waited in it is played.

CHANGELOG.md says which releases are out; ``tests/upgrade/record.py`` has written the database of each, and says what it
holds. The release that is not out yet leaves behind what that script writes today.
"""

import gzip
import json
import re
import subprocess
from pathlib import Path

import pytest

from config.embedded import binaries
from tests import fork_server, postgres
from tests.crash.harness import Stage
from tests.upgrade import crawl, record

pytestmark = pytest.mark.kills
LEDGER = "SELECT string_agg(e::text, E'\\n' ORDER BY id) FROM scoring_scorechange e"
LOG = "SELECT string_agg(e::text, E'\\n' ORDER BY id) FROM debates_event e WHERE id <= {}"
LAST = "SELECT max(id) FROM debates_event"
STATUSES = "SELECT string_agg(format || ' ' || status, ', ' ORDER BY id) FROM debates_debate"
RUNNING = "SELECT array_agg(id ORDER BY id) FROM debates_debate WHERE status = 'running'"
SCORES = "SELECT count(*) FROM scoring_evaluation"
MODERATED = "SELECT string_agg(DISTINCT kind, ' ' ORDER BY kind) FROM scoring_scorechange WHERE actor_kind <> 'engine'"
LEFT = (
    "criterion concluded, open concluded, panel concluded, panel awaiting_review, criterion running, open running,"
    " panel running"
)
PLAYED = LEFT.replace("running", "concluded")


def load(server: postgres.Throwaway, dump: bytes) -> None:
    """Fill the empty database of a server as its owner."""
    address = ["--host", str(server.places.run), "--username", "moot_owner", "--dbname", "moot"]
    options = ["--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges"]
    subprocess.run([binaries.installed() / "pg_restore", *address, *options], input=dump, check=True)


def pages(here: Stage) -> dict[str, int]:
    """Return the status of every page."""
    answer = fork_server.run("-m", "tests.upgrade.crawl", environment=here.environment)
    statuses: dict[str, int] = json.loads(answer.stdout)
    return statuses


@pytest.fixture
def dump(request, tmp_path) -> bytes:
    """The database of a release."""
    release, out = request.param
    file = record.dump_of(release) if out else tmp_path / "0.dump.gz"
    if not out:
        record.record(file)
    return gzip.decompress(Path(file).read_bytes())


@pytest.mark.parametrize("dump", [pytest.param(one, id=one[0]) for one in record.releases().items()], indirect=True)
def test_a_database_of_a_release_is_migrated_proved_shown_and_played_on(dump):
    with postgres.throwaway_cluster() as server:
        here = Stage(server=server)
        load(server, dump)
        assert here.ask(STATUSES) == LEFT
        assert here.ask(MODERATED) == "freeze override rollback strike"
        ledger, last = here.ask(LEDGER), here.ask(LAST)
        log = here.ask(LOG.format(last))

        here.manage("migrate", "--verbosity", "0")

        here.manage("check", "--database", "default")
        here.manage("verify_ledger")
        assert (here.ask(LEDGER), here.ask(LOG.format(last))) == (ledger, log)
        here.worker()
        try:
            for debate_id in here.ask(RUNNING):
                here.wait_for(debate_id, "concluded")
        finally:
            here.close()
        assert here.ask(STATUSES) == PLAYED
        here.manage("verify_ledger")
        statuses = pages(here)
        assert {path: status for path, status in statuses.items() if status != 200} == {}
        assert len(statuses) == len(crawl.LISTS) + 2 * 7 + 2 * 6 + here.ask(SCORES)


def test_the_changes_name_releases_newest_first_and_each_that_is_out_has_left_its_database():
    releases = record.releases()
    headings = re.findall(r"^## (.*)$", record.CHANGES.read_text(encoding="utf-8"), re.MULTILINE)
    numbers = [tuple(int(part) for part in release.split(".")) for release in releases]

    assert len(headings) == len(releases) > 0, "a heading reads `## 0.1.0 (unreleased)` or `## 0.1.0 (2026-11-23)`"
    assert numbers == sorted(set(numbers), reverse=True)
    assert numbers[-1] == (0, 1, 0)
    assert [out for out in releases.values() if not out] == [False] * (not next(iter(releases.values())))
    kept = {file.name for file in record.HERE.glob("*.dump.gz")}
    assert {record.dump_of(release).name for release, out in releases.items() if out} <= kept
