"""Where a request comes from: what proxies say is believed of those that the operator named, at real servers too."""

import http.client
from ipaddress import ip_network

import pytest

from config import proxies
from tests.debates import live_site, servers

PROXY = "127.0.0.1"
ALLOWED, ASKED = 2, 8
"""Of so many requests of one address in a minute or two, more are asked than can be allowed."""


def scope(peer: str, port: int = 9, *passed: str) -> dict:
    headers = [(b"host", b"localhost"), (b"x-forwarded-proto", b"https")]
    return {
        "type": "http",
        "client": [peer, port],
        "headers": [*headers, *((b"x-forwarded-for", one.encode()) for one in passed)],
    }


@pytest.mark.parametrize(
    ("trusted", "peer", "passed", "client"),
    [
        pytest.param([], PROXY, ["203.0.113.7"], PROXY, id="nobody is trusted"),
        pytest.param([PROXY], "192.0.2.1", ["203.0.113.7"], "192.0.2.1", id="somebody beside the proxy"),
        pytest.param([PROXY], PROXY, ["198.51.100.1, 203.0.113.7"], "203.0.113.7", id="the one before the proxy"),
        pytest.param([PROXY], PROXY, ["198.51.100.1", "203.0.113.7"], "203.0.113.7", id="a header given twice"),
        pytest.param([PROXY, "203.0.113.0/24"], PROXY, ["198.51.100.1, 203.0.113.7"], "198.51.100.1", id="two proxies"),
        pytest.param([PROXY], PROXY, ["198.51.100.1, unknown"], PROXY, id="what is no address"),
        pytest.param([PROXY], PROXY, [], PROXY, id="nothing passed on"),
        pytest.param([PROXY], f"::ffff:{PROXY}", ["203.0.113.7"], "203.0.113.7", id="a proxy heard over IPv6"),
        pytest.param(["::1"], "::1", ["2001:db8::7"], "2001:db8::7", id="addresses of IPv6"),
        pytest.param([], "::ffff:192.0.2.1", [], "192.0.2.1", id="IPv4 heard over IPv6"),
    ],
)
def test_an_address_is_what_trusted_proxies_pass_on(trusted, peer, passed, client):
    resolved = proxies.resolve_client(scope(peer, 9, *passed), proxies=list(map(ip_network, trusted)))

    assert resolved["client"][0] == client
    assert (b"x-forwarded-proto" in dict(resolved["headers"])) == (
        (peer.endswith(PROXY) and bool(trusted)) or peer == "::1"
    )


def test_where_the_server_has_rewritten_addresses_all_who_say_one_are_counted_together():
    resolved = proxies.resolve_client(scope("203.0.113.7", 0, "203.0.113.7"), proxies=[ip_network(PROXY)])

    assert resolved["client"][0] == proxies.UNKNOWN
    assert dict(resolved["headers"]) == {b"host": b"localhost"}


def statuses(port: int) -> list[int]:
    """What somebody is answered who gives another address with every request."""
    found = []
    for number in range(ASKED):
        connection = http.client.HTTPConnection(PROXY, port, timeout=180)
        connection.request("GET", "/api/v1/subjects/", headers={"X-Forwarded-For": f"203.0.113.{number}"})
        found.append(connection.getresponse().status)
        connection.close()
    return found


def rewriting(server: str, port: int) -> list[str]:
    """Uvicorn as whoever forgets an option of the page starts it."""
    return [word for word in servers.command(server, port) if word != "--no-proxy-headers"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("server", "trusted", "command"),
    [
        pytest.param("daphne", "", servers.command, id="daphne"),
        pytest.param("uvicorn", "", servers.command, id="uvicorn as documented"),
        pytest.param("uvicorn", "", rewriting, id="uvicorn that believes loopback"),
        pytest.param("uvicorn", "192.0.2.0/24", servers.command, id="another is trusted"),
    ],
)
def test_no_caller_chooses_the_address_that_is_counted(place, monkeypatch, server, trusted, command):
    monkeypatch.setattr(live_site, "command", command)
    web = place.serve(server, MOOT_API_PER_MINUTE_ANONYMOUS=str(ALLOWED), MOOT_TRUSTED_PROXIES=trusted)

    found = statuses(web.port)
    web.end()

    assert found.count(429) >= ASKED - 2 * ALLOWED
    assert set(found) == {200, 429}


@pytest.mark.slow
@pytest.mark.parametrize("server", servers.SERVERS)
def test_what_a_named_proxy_passes_on_is_counted(place, server):
    web = place.serve(server, MOOT_API_PER_MINUTE_ANONYMOUS=str(ALLOWED), MOOT_TRUSTED_PROXIES=PROXY)

    found = statuses(web.port)
    web.end()

    assert found == [200] * ASKED


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/accounts/login/", "/api/v1/debates/"])
def test_a_body_in_pieces_is_weighed_too(web, path):
    pieces = (b"x" * 100_000 for _ in range(80))
    kind = "application/json" if "api" in path else "application/x-www-form-urlencoded"
    connection = http.client.HTTPConnection(PROXY, web.port, timeout=180)
    connection.request("GET", "/accounts/login/")
    page = connection.getresponse()
    page.read()
    cookie = page.headers["Set-Cookie"].partition(";")[0]  # the token against forged forms: without it nobody reads on

    connection.request("POST", path, pieces, headers={"Content-Type": kind, "Cookie": cookie}, encode_chunked=True)
    status = connection.getresponse().status
    connection.close()

    assert status == (401 if "api" in path else 413)
