"""Readers who fall behind, and those who take nothing at all."""

import json
import re
import socket
import time
from contextlib import ExitStack

import psutil
import pytest

from tests.debates.servers import SERVERS
from tests.debates.stream_readers import follow, opened, socket_read

IDLE, SLOW = 200, 10
DOORS = {
    "websocket": "GET /ws/debates/{address}/ HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nHost: 127.0.0.1:{port}\r\n\r\n",
    "sse": "GET /stream/debates/{address} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\n\r\n",
}
MOST = 400 * 1024
"""What a window holds, and the frame that overflowed it."""
CLOSED = re.compile(rb"\x88[\x02\x09]\x11\x38(stalled)?$")
"""A last frame that closes with 4408."""
LONG = ("round:complete", {"criterion": "P1", "round": 1, "run": 1, "totalRounds": 3, "unanswered": ["C1"] * 1000})


def test_a_reader_who_takes_nothing_is_sent_away_to_resume(place, web, log):
    with opened(web, log["address"]) as socket:
        read = follow(socket, ack=False)

    assert (read.code, read.told("refused")["code"]) == (4408, "stalled")
    assert socket_read(web, log["address"], to=3, after=read.through - 1).seqs == [3]


def test_a_reader_who_acknowledges_stays(place, web, log):
    with opened(web, log["address"]) as socket:
        read = follow(socket, seconds=6)

    assert read.code is None
    assert len([one for one in read.others if one["type"] == "heartbeat"]) >= 2


def test_no_more_is_sent_than_the_window_holds(place, web):
    long = place.debate(events=6000)

    with opened(web, long["address"]) as socket:
        read = follow(socket, ack=False)

    kept = sum(len(json.dumps(one, separators=(",", ":"))) for one in read.events)
    assert read.code == 4408
    assert read.seqs == list(range(1, len(read.seqs) + 1))
    assert 150_000 < kept < 256 * 1024 + 64 * 1024


def come(door, web, log):
    """Come in and read nothing: what is sent stays on its way."""
    reader = socket.socket()
    reader.settimeout(20)
    reader.connect(("127.0.0.1", web.port))
    reader.sendall(DOORS[door].format(address=log["address"], port=web.port).encode())
    return reader


def rest(reader):
    """Read at last what was sent, to the code of a WebSocket or to the end of the connection."""
    found = b""
    try:
        while not CLOSED.search(found[-20:]) and (piece := reader.recv(1 << 16)):
            found += piece
    except OSError:
        pass
    return found


def memory(web):
    """Return what a server uses, once it has settled."""
    time.sleep(1)
    return psutil.Process(web.process.pid).memory_info().rss


@pytest.mark.parametrize("server", SERVERS)
def test_readers_cost_bounded_memory_whether_they_read_or_not(place, server, log):
    web = place.serve(server, MOOT_LIVE_PER_ADDRESS="300")
    with ExitStack() as held:
        held.enter_context(come("websocket", web, log))
        before = memory(web)
        for _ in range(IDLE):
            held.enter_context(come("websocket", web, log))
        each = (memory(web) - before) / IDLE
    with ExitStack() as held:
        slow = {door: [held.enter_context(come(door, web, log)) for _ in range(SLOW)] for door in DOORS}
        before = memory(web)
        for _ in range(40):
            place.tell(log["id"], *[LONG] * 50)
        grown, unread = memory(web) - before, 2 * SLOW * 40 * 50 * len(json.dumps(LONG[1]))
        told = {door: [rest(reader) for reader in readers] for door, readers in slow.items()}
    web.end()

    assert each < 100 * 1024
    assert grown < unread / 5, f"{grown} bytes are kept of {unread} that nobody read"
    for found in told["websocket"]:
        assert len(found) < MOST
        assert CLOSED.search(found), found[-99:]
    for found in told["sse"]:
        assert re.findall(rb"event: (\w+)", found)[-1] in {b"bye", b"refused", b"hello"}
