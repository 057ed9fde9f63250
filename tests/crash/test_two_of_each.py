"""Two web processes and two workers as if on machines of their own; one of each dies while a debate is played."""

import contextlib
import socket
import time
from pathlib import Path

import pytest

from tests import fork_server
from tests.crash.harness import Stage, stage
from tests.crash.sse_client import Watcher
from tests.debates.servers import free_port
from tests.fork_server import Child

pytestmark = pytest.mark.kills
CRITERIA, ROUNDS = 8, 3
PLAYED = CRITERIA * ROUNDS
PUBLIC = "SELECT count(*), max(seq) FROM debates_event WHERE audience = 'public'"


def machine(here: Stage, place: Path, *command: str) -> Child:
    """Start one process that shares nothing with the others but the address of the database and the secret."""
    own = {"MOOT_DATA_DIR": str(place), "SECRET_KEY": "one secret for all machines"}
    process = fork_server.start("manage.py", *command, environment={**here.environment, **own})
    here.processes.append(process)
    return process


def answers(port: int) -> None:
    end = time.monotonic() + 120
    while time.monotonic() < end:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    raise AssertionError(f"nobody listens at {port}")


def test_of_two_web_processes_and_two_workers_one_each_may_die(tmp_path):
    ports = [free_port(), free_port()]
    with stage() as here:
        webs = [
            machine(here, tmp_path / f"web-{port}", "serve", "--host", "127.0.0.1", "--port", str(port))
            for port in ports
        ]
        workers = [machine(here, tmp_path / f"worker-{number}", "worker") for number in (1, 2)]
        for port in ports:
            answers(port)
        debate = here.act("start", CRITERIA, ROUNDS, 0.7)["debate"]
        address = str(here.ask(f"SELECT public_id FROM debates_debate WHERE id = {debate}"))
        watchers = [Watcher(ports=order, debate=address) for order in (ports, ports[::-1])]
        for watcher in watchers:
            watcher.start()
        while watchers[0].seen("round:complete") == 0:
            time.sleep(0.1)

        here.end(webs[0])
        here.end(workers[0])

        here.wait_for(debate, "concluded")
        end = time.monotonic() + 120
        while min(one.seen("debate:concluded") for one in watchers) == 0 and time.monotonic() < end:
            time.sleep(0.1)
        for watcher in watchers:
            watcher.end()
        report = here.act("report", debate)
        assert (report["faults"], report["gapless"], report["jobs"]) == ([], True, 0)
        assert (report["rounds"], report["entries"], report["verdicts"]) == (PLAYED, PLAYED, 2 * PLAYED)
        assert (report["turns"], report["used"]) == (4 * PLAYED + 1, 3 * PLAYED + 1)
        public = int(here.ask(PUBLIC))
        for watcher in watchers:
            seqs = [event["seq"] for event in watcher.events]
            assert (len(seqs), seqs) == (public, sorted(set(seqs)))
        assert max(one.connections for one in watchers) > 1
        assert not list(tmp_path.glob("*/postgres"))
