"""The address of the site: refused with the way out, and asked whether it answers."""

import errno
import http.server
import socket
import threading

import pytest

from config.site_address import Address, NotFree


@pytest.fixture
def listener():
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def port_of(server: socket.socket) -> int:
    return int(server.getsockname()[1])


def test_a_port_in_use_is_refused_with_ways_out(listener):
    port = port_of(listener)

    with pytest.raises(NotFree, match=f"Port {port} on 127.0.0.1 is in use.*--port {port + 1}.*ss -ltnp"):
        Address(host="127.0.0.1", port=port).refuse_taken()


def test_a_port_in_use_is_refused_for_all_addresses_too(listener):
    with pytest.raises(NotFree, match="is in use"):
        Address(host="0.0.0.0", port=port_of(listener)).refuse_taken()  # noqa: S104 -- that is the case


def test_a_free_port_is_accepted(listener):
    port = port_of(listener)
    listener.close()

    assert Address(host="127.0.0.1", port=port).refuse_taken() is None


@pytest.mark.parametrize("port", [-1, 0, 65_536, 99_999])
def test_a_port_that_cannot_be_is_refused_before_anything_starts(port):
    with pytest.raises(NotFree, match=f"--port must be a whole number from 1 to 65535; got {port}"):
        Address(host="127.0.0.1", port=port).refuse_taken()


def test_a_host_that_is_not_ours_is_refused():
    with pytest.raises(NotFree, match=r"Nobody can listen at 192\.0\.2\.1 port 8000: .*--host"):
        Address(host="192.0.2.1", port=8000).refuse_taken()


def test_a_port_without_the_right_to_it_is_refused_in_words():
    address = Address(host="127.0.0.1", port=80)

    assert address.explain(PermissionError(errno.EACCES, "Permission denied")) == (
        "Port 80 needs the rights of root. Choose one from 1024 on with --port."
    )


@pytest.mark.parametrize(
    ("host", "url", "endpoint"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000/", "tcp:port=8000:interface=127.0.0.1:backlog=4096"),
        ("0.0.0.0", "http://127.0.0.1:8000/", "tcp:port=8000:interface=0.0.0.0:backlog=4096"),  # noqa: S104 -- a case
        ("::1", "http://[::1]:8000/", r"tcp:port=8000:interface=\:\:1:backlog=4096"),
        ("::", "http://[::1]:8000/", r"tcp:port=8000:interface=\:\::backlog=4096"),
    ],
)
def test_an_address_has_a_form_for_browsers_and_one_for_the_server(host, url, endpoint):
    address = Address(host=host, port=8000)

    assert (address.url, address.endpoint) == (url, endpoint)


def test_any_answer_is_an_answer_and_silence_is_none(listener):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        answered = Address(host="127.0.0.1", port=server.server_port).answers()
        server.shutdown()
        thread.join()
    listener.close()

    assert answered
    assert not Address(host="127.0.0.1", port=server.server_port).answers()
