"""The drill: a debate is dumped while it is played, restored into another server, and played to its end there."""

import contextlib
import subprocess
import time
from typing import Any

import pytest

from tests import fork_server, postgres
from tests.crash.harness import Stage, stage
from tests.crash.sse_client import Watcher
from tests.debates.live_site import Site
from tests.debates.servers import Web
from tests.debates.stream_readers import socket_read

pytestmark = pytest.mark.kills
CRITERIA, ROUNDS = 6, 5
PLAYED = CRITERIA * ROUNDS
CLOSED = "SELECT count(*) FROM debates_round WHERE closed_at IS NOT NULL"
SEQ, EPOCH = "SELECT seq FROM debates_eventhead", "SELECT value FROM debates_epoch"
PUBLIC = "SELECT array_agg(seq ORDER BY seq) FROM debates_event WHERE audience = 'public'"
LOG = "SELECT string_agg(seq || type || data::text, E'\\n' ORDER BY seq) FROM debates_event WHERE seq <= {}"


def db(here: Stage, *words: str) -> subprocess.CompletedProcess[str]:
    """Run ``manage.py db`` on the server of a stage."""
    return fork_server.run("manage.py", "db", *words, environment=here.environment)


def followed(here: Stage, debate: int) -> tuple[Web, Watcher]:
    """Start a web process, and somebody who follows the debate there."""
    web = Site(here).serve("daphne")
    address = str(here.ask(f"SELECT public_id FROM debates_debate WHERE id = {debate}"))
    watcher = Watcher(ports=[web.port], debate=address)
    watcher.start()
    return web, watcher


def told_more(here: Stage, watcher: Watcher) -> int:
    """Wait until a watcher knows what happened after this moment, and say how far it is."""
    now = here.ask(SEQ)
    here.until(lambda: watcher.seen("debate:concluded") or (watcher.events and watcher.events[-1]["seq"] > now))
    return watcher.events[-1]["seq"]


def assert_whole(report: dict[str, Any]) -> None:
    """Everything was played and told once, and can be proved."""
    assert (report["faults"], report["gapless"], report["jobs"]) == ([], True, 0)
    assert (report["rounds"], report["entries"], report["verdicts"]) == (PLAYED, PLAYED, 2 * PLAYED)
    assert (report["turns"], report["told"]["debate:concluded"]) == (4 * PLAYED + 1, 1)
    assert report["finals"] == ["8.500000"]


def assert_begun_anew(here: Stage, watcher: Watcher) -> None:
    """Who followed before the restore was told once to forget it all, and then everything that is there now."""
    here.until(lambda: [event["seq"] for event in watcher.events] == here.ask(PUBLIC))
    watcher.end()
    assert watcher.resyncs == 1


def test_a_debate_dumped_during_play_goes_on_elsewhere_and_loses_and_doubles_nothing(tmp_path):
    dumped = tmp_path / "moot.dump"
    with stage() as before, postgres.throwaway_cluster() as other:
        debate = before.act("start", CRITERIA, ROUNDS, 2.0)["debate"]  # a busy machine takes its time for a dump
        web, watcher = followed(before, debate)
        worker = before.worker()
        while before.ask(CLOSED) == 0:
            time.sleep(0.1)
        assert db(before, "dump", str(dumped)).returncode == 0
        far = told_more(before, watcher)
        before.end(worker)
        before.end(web.process)
        after = Stage(server=other)

        done = db(after, "restore", str(dumped))

        assert (done.returncode, done.stderr) == (0, "")
        assert f"Restored {dumped} into " in done.stdout
        head = after.ask(SEQ)
        assert head < far
        assert 0 < after.ask(CLOSED) < PLAYED
        assert after.ask(LOG.format(head)) == before.ask(LOG.format(head))
        with contextlib.closing(after):
            Site(after).serve("daphne", port=web.port)
            [old, new] = [str(here.ask(EPOCH)) for here in (before, after)]
            told = socket_read(web, watcher.debate, after=far, epoch=old).told("resync")
            assert told == {"type": "resync", "because": "epoch", "epoch": new}
            assert new != old
            after.worker()
            after.wait_for(debate, "concluded")
            report = after.act("report", debate)
            assert_begun_anew(after, watcher)
        assert_whole(report)


def test_a_restore_is_refused_while_somebody_uses_the_database_or_when_it_is_not_empty(tmp_path):
    dumped = tmp_path / "moot.dump"
    with stage() as here:
        assert db(here, "dump", str(dumped)).returncode == 0
        filled = db(here, "restore", str(dumped))
        with here.server.connect(name="moot"):
            used = db(here, "restore", str(dumped))

    assert (filled.returncode, "is not empty" in filled.stderr) == (1, True)
    assert (used.returncode, "Others use the database" in used.stderr) == (1, True)
