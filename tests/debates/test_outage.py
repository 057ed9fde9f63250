"""A database that is away: said at once and when to come again, and to an EventSource so that it does come again."""

import http.client
import json
import socket
from contextlib import closing

import pytest

from tests.debates.live_site import site
from tests.debates.servers import SERVERS
from tests.debates.stream_readers import PATIENCE, streaming


@pytest.fixture(scope="module")
def dark():
    """Two servers whose database has been stopped, and how long a pool waits in vain."""
    with site() as place:
        place.here.act("log", 1)
        address = place.debate()["address"]
        for server in SERVERS:
            place.webs[server] = place.serve(server, wait=False)
        for web in place.webs.values():
            place.wait(web)
            asked(web, f"/api/v1/debates/{address}/")
        place.here.server.stop()
        yield place, address
        place.here.server.start()


def asked(web, path):
    headers = {"Authorization": "Bearer moot_nobodys"} if path == "/metrics" else {}
    with closing(http.client.HTTPConnection("127.0.0.1", web.port, timeout=PATIENCE)) as visitor:
        visitor.request("GET", path, headers=headers)
        response = visitor.getresponse()
        return response.status, response.headers, response.read().decode()


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("path", ["/api/v1/debates/", "/metrics", "/readyz", "/"])
def test_whoever_asks_is_told_that_the_database_is_away_and_when_to_come_again(dark, server, path):
    place, _ = dark

    status, headers, text = asked(place.webs[server], path)

    assert (status, headers["Retry-After"]) == (503, "5")
    if path.startswith(("/api/", "/metrics")):
        assert json.loads(text)["code"] == "unavailable"
    elif path == "/readyz":
        assert json.loads(text)["database"] is False
    else:
        assert "Back in a moment" in text


@pytest.mark.parametrize("server", SERVERS)
def test_an_event_source_is_told_to_come_again_and_a_program_why_not(dark, server):
    place, address = dark

    with streaming(place.webs[server], address, headers={"Accept": "text/event-stream"}) as stream:
        kind, text = stream.headers["Content-Type"], stream.read().decode()
        status = stream.status
    with streaming(place.webs[server], address) as plain:
        refused = plain.status, plain.headers["Retry-After"], json.loads(plain.read())["code"]

    assert (status, kind) == (200, "text/event-stream; charset=utf-8")
    lines = text.splitlines()
    assert lines[:2] == ["retry: 5000", "event: refused"]
    assert json.loads(lines[2].removeprefix("data: "))["code"] == "unavailable"
    assert refused == (503, "5", "unavailable")


@pytest.mark.parametrize("server", SERVERS)
def test_a_database_that_hangs_is_told_of_for_as_long_as_it_hangs(server):
    with site() as place:
        place.here.act("log", 1)
        web = place.serve(server)
        before = json.loads(asked(web, "/readyz")[2])["database"]

        with place.here.server.frozen():
            answers = [asked(web, "/readyz") for _ in range(2)]
            lives = asked(web, "/healthz")[0]
        while not (after := json.loads(asked(web, "/readyz")[2])["database"]):
            assert web.process.poll() is None

    assert (before, lives, after) == (True, 200, True)
    assert [(status, headers["Retry-After"]) for status, headers, _ in answers] == [(503, "5")] * 2
    assert not any(json.loads(text)["database"] for _, _, text in answers)


@pytest.mark.parametrize("path", ["/api/v1/debates/", "/metrics", "/readyz", "/"])
def test_a_database_that_takes_connections_and_never_answers_is_away(silent, path):
    status, headers, _ = asked(silent, path)

    assert (status, headers["Retry-After"]) == (503, "5")


@pytest.fixture(scope="module")
def silent():
    """A server whose database takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as listening, site() as place:
        port = listening.getsockname()[1]
        yield place.serve("daphne", DATABASE_URL=f"postgresql://moot_app@127.0.0.1:{port}/moot")
