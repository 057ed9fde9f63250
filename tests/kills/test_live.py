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
TOLD = "SELECT seq || ' ' || type FROM debates_event WHERE debate_id = %s AND audience = 'public' ORDER BY seq"
HURRIED = {"MOOT_LIVE_HEARTBEAT_SECONDS": "1", "MOOT_LIVE_STALLED_SECONDS": "5"}


def follower(door, port, address):
    return subprocess.Popen(
        [sys.executable, "-m", "tests.kills.follow", door, str(port), address],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def kill_one(number, place, webs, worker, luck):
    """End a web server, a worker or all listeners, and have it back."""
    match number % 3:
        case 0:
            which = number // 3 % len(webs)
            old = webs[which]
            place.wait(old)  # on a busy machine it may not be back from last time
            time.sleep(0.5)  # nor may its readers, who come back within 0.3 s
            old.end(luck.choice([signal.SIGKILL, signal.SIGTERM]))
            webs[which] = place.serve(old.server, port=old.port, wait=False, **HURRIED)
        case 1:
            place.here.end(worker, signal.SIGKILL)
            return place.here.worker()
        case _:
            place.do(DEAF)
    return worker


def test_readers_are_told_everything_once_and_in_order_whatever_dies():
    luck = random.Random(20262)
    with site() as place:
        webs = [place.serve(server, wait=False, **HURRIED) for server in ("daphne", "uvicorn")]
        debate = place.here.act("start", CRITERIA, ROUNDS, 1.5)["debate"]
        address = str(place.here.ask(f"SELECT public_id FROM debates_debate WHERE id = {debate}"))
        followers = [follower(door, web.port, address) for web in webs for door in ("websocket", "sse")]
        worker = place.here.worker()
        for number in range(KILLS):
            worker = kill_one(number, place, webs, worker, luck)
            time.sleep(luck.uniform(0.1, 0.5))
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
