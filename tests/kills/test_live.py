"""Web server, worker and doorbell die in turn while readers in other processes follow a debate."""

import random
import signal
import subprocess
import sys
import time

import pytest

from tests.debates.site import site
from tests.kills.stage import ROOT

pytestmark = pytest.mark.kills
CRITERIA, ROUNDS, KILLS = 30, 3, 50
DEAF = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'moot listener'"
HEAD = "SELECT coalesce(max(seq), 0) FROM debates_event WHERE debate_id = {}"
TOLD = "SELECT seq || ' ' || type FROM debates_event WHERE debate_id = %s AND audience = 'public' ORDER BY seq"
HURRIED = {"MOOT_LIVE_HEARTBEAT_SECONDS": "1", "MOOT_LIVE_STALLED_SECONDS": "5"}


def follower(door, port, address):
    return subprocess.Popen(
        [sys.executable, "-m", "tests.kills.follow", door, str(port), address],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def kill_one(number, place, webs, worker, luck):
    """End a web server, all listeners or a worker, and have it back; nothing is played while a web server starts."""
    match number % 3:
        case 0:
            old = of(webs, number)
            old.end(luck.choice([signal.SIGKILL, signal.SIGTERM]))
            webs[webs.index(old)] = place.serve(old.server, port=old.port, wait=False, **HURRIED)
        case 1:
            place.do(DEAF)
        case _:
            place.here.end(worker, signal.SIGKILL)
            place.wait(of(webs, number + 1))  # which is to die next
            time.sleep(0.5)  # its readers come back within 0.3 s
            return place.here.worker()
    return worker


def of(webs, number):
    """Return the web server that dies at this kill: they take turns."""
    return webs[number // 3 % len(webs)]


def test_readers_are_told_everything_once_and_in_order_whatever_dies():
    luck = random.Random(20262)
    with site() as place:
        webs = [place.serve(server, **HURRIED) for server in ("daphne", "uvicorn")]
        debate = place.here.act("start", CRITERIA, ROUNDS, 0.5)["debate"]
        address = str(place.here.ask(f"SELECT public_id FROM debates_debate WHERE id = {debate}"))
        followers = [follower(door, web.port, address) for web in webs for door in ("websocket", "sse")]
        worker = place.here.worker()
        for number in range(KILLS):
            due = number * CRITERIA * ROUNDS * 6 // KILLS  # a round is told in seven events: the kills fall all over
            place.here.until(lambda due=due: place.here.ask(HEAD.format(debate)) >= due)
            time.sleep(luck.uniform(0, 0.2))
            worker = kill_one(number, place, webs, worker, luck)
        status = place.here.ask(f"SELECT status FROM debates_debate WHERE id = {debate}")
        assert status == "running", "the kills came too late to mean anything"
        place.here.wait_for(debate, "concluded", seconds=120)

        told = [one.communicate(timeout=30) for one in followers]

        with place.here.server.connect(name="moot") as connection:
            rows = connection.execute(TOLD, [debate]).fetchall()
        log = [row[0] for row in rows]
        assert len(log) > CRITERIA * ROUNDS * 7
        assert [one.returncode for one in followers] == [0] * 4, told
        assert [events.splitlines() == log for events, _ in told] == [True] * 4
        connections = [int(one) for _, one in told]
        assert min(connections) >= 3, f"the kills must have been felt: {connections}"
