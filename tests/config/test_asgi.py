"""How a web process loads, and the order in which it ends."""

import asyncio
import os
import signal
import subprocess
import sys

import pytest

from config import asgi
from debates.live import hub
from debates.live.frames import RefusedStream
from tests.environment import plain
from tests.project.source_files import ROOT

PASSES = """
import gc, sys
passes = []
gc.callbacks.append(lambda _phase, about: passes.append(about["generation"] and "config.settings" in sys.modules))
import config.asgi
print(any(passes), gc.isenabled())
"""


def test_what_is_loaded_to_stay_is_not_looked_through_for_garbage(tmp_path):
    environment = {**plain(), "MOOT_DATA_DIR": str(tmp_path)}

    loaded = subprocess.run(
        [sys.executable, "-c", PASSES], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )

    assert loaded.stdout == "False True\n"


@pytest.fixture
def told(monkeypatch):
    """Return what happens, in order, where the server's own handler and the good-bye only say that they were there."""
    order = []

    async def leave():
        await asyncio.sleep(0.05)
        order.append("readers")

    monkeypatch.setattr(hub, "leave", leave)
    monkeypatch.setattr(asgi, "STOPPING", set())
    kept = [
        (number, signal.signal(number, lambda *_: order.append("server"))) for number in (signal.SIGTERM, signal.SIGINT)
    ]
    yield order
    for number, handler in kept:
        signal.signal(number, handler)


async def signalled(times):
    asgi.leave_on_signals(asyncio.get_running_loop())
    for _ in range(times):
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.sleep(0.01)
    await asyncio.gather(*asgi.STOPPING)


def test_readers_are_told_before_the_server_closes_their_sockets(told):
    asyncio.run(signalled(1))

    assert told == ["readers", "server"]


def test_who_asks_twice_does_not_wait_for_readers(told):
    asyncio.run(signalled(2))

    assert told == ["server", "readers", "server"]


def test_who_comes_back_while_a_process_takes_leave_is_sent_to_another(monkeypatch):
    monkeypatch.setattr(hub.Process, "leaving", False)
    monkeypatch.setattr(hub.Process, "hub", None)

    async def come_back():
        await hub.leave()
        await hub.of_this_process()

    with pytest.raises(RefusedStream, match="Come again"):
        asyncio.run(come_back())
    assert hub.Process.hub is None


def test_who_waits_for_the_first_look_at_the_logs_while_a_process_takes_leave_is_sent_to_another(monkeypatch):
    ended = []

    class Slow:
        async def start(self):
            await asyncio.sleep(0.05)

        async def stop(self):
            ended.append("stopped")

    monkeypatch.setattr(hub.Process, "leaving", False)
    monkeypatch.setattr(hub.Process, "hub", None)
    monkeypatch.setattr(hub.Process, "starting", None)
    monkeypatch.setattr(hub, "Hub", Slow)

    async def come_and_leave():
        return await asyncio.gather(hub.of_this_process(), hub.leave(), return_exceptions=True)

    refused, _ = asyncio.run(come_and_leave())

    assert isinstance(refused, RefusedStream)
    assert (hub.Process.hub, ended) == (None, ["stopped"])
