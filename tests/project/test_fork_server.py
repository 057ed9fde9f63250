"""The test's side of a fork server: how its children end."""

import json
import socket
import subprocess

import pytest

from tests import fork_server
from tests.fork_server import ForkServer


def test_a_child_has_not_ended_because_another_of_its_number_has(monkeypatch):
    theirs = []
    monkeypatch.setattr(subprocess, "Popen", lambda *_, stdin, **__: theirs.append(stdin.dup()))
    server = ForkServer("libraries", {})

    def report(**words):
        theirs[0].sendall(f"{json.dumps(words)}\n".encode())

    report(born=7)
    former = server.start()
    report(ended=7, code=3)
    former.wait(timeout=60)
    report(born=7)
    child = server.start()

    assert (former.poll(), child.poll()) == (3, None)
    report(ended=7, code=0)
    assert (child.wait(timeout=60), former.poll()) == (0, 3)
    theirs[0].shutdown(socket.SHUT_WR)
    server.listener.join(timeout=60)
    theirs[0].close()
    server.channel.close()


def test_a_program_that_takes_too_long_is_ended():
    server = fork_server.libraries()
    before = set(server.living)

    with pytest.raises(subprocess.TimeoutExpired):
        fork_server.run("-c", "import time; time.sleep(600)", environment={}, timeout=0)

    assert set(server.living) <= before
