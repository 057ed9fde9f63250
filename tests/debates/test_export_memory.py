"""An export that is not taken is not made: a server holds a part of it, however many stall."""

import socket
import time
from contextlib import ExitStack

import psutil
import pytest

from tests.debates.servers import SERVERS

EVENTS, STALLED = 12_000, 12
FIGURES = 20
"""So many bytes more or fewer headers have: in them stands what is left of a limit, and for how long."""
LONG = """
    UPDATE debates_eventhead SET seq = {many}, at = now() WHERE debate_id = {debate};
    INSERT INTO debates_event (debate_id, seq, type, audience, data, at)
    SELECT {debate}, n, 'debate:paused', 'public', jsonb_build_object('why', repeat('word ', 100)), now()
    FROM generate_series(1, {many}) n
"""
ASK = (
    "GET /api/v1/exports/events.jsonl?debate={address} HTTP/1.1\r\n"
    "Host: 127.0.0.1:{port}\r\nAuthorization: Bearer {key}\r\n\r\n"
)


@pytest.mark.slow
@pytest.mark.parametrize("server", SERVERS)
def test_a_server_holds_a_part_of_an_export_that_is_not_taken_and_sends_the_whole_when_it_is(place, server):
    web = place.webs[server]
    debate = place.debate(events=0)
    place.do(LONG.format(debate=debate["id"], many=EVENTS))
    key = place.key(place.person("scoring.export_evaluation")["id"], scope="export")
    process = psutil.Process(web.process.pid)
    asked = ASK.format(address=debate["address"], port=web.port, key=key).encode()

    with opened(web, asked) as reader:
        size = read_out(reader)  # what is loaded and kept by whoever exports once is not what this is about
    with ExitStack() as stack:
        before = process.memory_info().rss
        readers = [stack.enter_context(opened(web, asked)) for _ in range(STALLED)]
        for reader in readers:
            assert reader.recv(100)
        spent = -1.0
        while (now := sum(process.cpu_times()[:2])) - spent > 0.05:  # until nothing is made any more
            spent = now
            time.sleep(1)
        held = process.memory_info().rss - before
        whole = read_out(readers[0])

    assert size > EVENTS * 500
    assert whole in range(size - 100 - FIGURES, size + FIGURES)
    assert held < size * STALLED / 2


def opened(web, asked):
    """Ask for the export on a connection that takes little in by itself."""
    reader = socket.create_connection(("127.0.0.1", web.port))
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
    reader.sendall(asked)
    return reader


def read_out(reader):
    """Return how many bytes come until the last line."""
    size, last = 0, b""
    reader.settimeout(60)
    while b'"_end": true' not in last:
        piece = reader.recv(1 << 20)
        assert piece, f"cut short: {last!r}"
        size, last = size + len(piece), (last + piece)[-200:]
    return size
