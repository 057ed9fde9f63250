"""Web server, worker and doorbell die in turn while readers in other processes follow a debate."""

import contextlib
import random
import signal
import subprocess
import sys
import time

import pytest

from tests.crash.harness import ROOT, SOAK
from tests.debates.live_site import site

pytestmark = pytest.mark.kills
ROUNDS = 3
CRITERIA, KILLS = (30, 51) if SOAK else (12, 18)  # the last ends a worker, and the web server that died last is back
DEAF = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'moot listener'"
HEAD = "SELECT coalesce(max(seq), 0) FROM debates_event WHERE debate_id = {}"
TOLD = "SELECT seq || ' ' || type FROM debates_event WHERE debate_id = %s AND audience = 'public' ORDER BY seq"
HURRIED = {"MOOT_LIVE_HEARTBEAT_SECONDS": "1", "MOOT_LIVE_STALLED_SECONDS": "5"}


def follower(door, port, address):
    return subprocess.Popen(
        [sys.executable, "-m", "tests.crash.follower", door, str(port), address],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


@contextlib.contextmanager
def followed(webs, address):
    """Have the debate followed through both doors of each server, by readers who end with the test."""
    followers = [follower(door, web.port, address) for web in webs for door in ("websocket", "sse")]
    try:
        yield followers
    finally:
        for one in followers:
            one.kill()
            one.communicate()


def kill_one(number, place, webs, worker, luck):
    """End a web server, all listeners or a worker; nothing is played while this waits for what is slow to come back."""
    dying = number // 3 % len(webs)  # they take turns
    match number % 3:
        case 0:
            webs[dying].process.send_signal(luck.choice([signal.SIGKILL, signal.SIGTERM]))
        case 1:
            place.do(DEAF)
        case _:
            place.here.end(worker, signal.SIGKILL)
            old = webs[dying]
            old.process.wait(timeout=120)
            webs[dying] = place.serve(old.server, port=old.port, **HURRIED)
            time.sleep(0.5)  # its readers come back within 0.3 s
            return place.here.worker()
    return worker


def test_readers_are_told_everything_once_and_in_order_whatever_dies():
    luck = random.Random(20262)
    with site() as place:
        webs = [place.serve(server, **HURRIED) for server in ("daphne", "uvicorn")]
        debate = place.here.act("start", CRITERIA, ROUNDS, 0.5)["debate"]
        address = str(place.here.ask(f"SELECT public_id FROM debates_debate WHERE id = {debate}"))
        with followed(webs, address) as followers:
            worker = place.here.worker()
            for number in range(KILLS):
                due = number * CRITERIA * ROUNDS * 6 // KILLS  # of ten events that a round writes, some for nobody
                place.here.until(lambda due=due: place.here.ask(HEAD.format(debate)) >= due)
                time.sleep(luck.uniform(0, 0.2))
                worker = kill_one(number, place, webs, worker, luck)
            status = place.here.ask(f"SELECT status FROM debates_debate WHERE id = {debate}")
            assert status == "running", "the kills came too late to mean anything"
            place.here.wait_for(debate, "concluded")
            told = [one.communicate(timeout=120) for one in followers]

        with place.here.server.connect(name="moot") as connection:
            rows = connection.execute(TOLD, [debate]).fetchall()
        log = [row[0] for row in rows]
        assert len(log) > CRITERIA * ROUNDS * 7
        assert [one.returncode for one in followers] == [0] * 4, told
        assert [events.splitlines() == log for events, _ in told] == [True] * 4
        connections = [int(one) for _, one in told]
        assert min(connections) >= 3, f"the kills must have been felt: {connections}"
