"""Where deliveries are sent: no private address, whatever its name, and no receiver that takes for ever."""

import contextlib
import runpy
import socket
import struct
import threading
import time
from datetime import timedelta
from ipaddress import ip_address

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from debates import signing, webhook_client
from debates.errors import Invalid
from debates.services import webhooks
from tests import factories
from tests.project.source_files import ROOT

NOT_PUBLIC = [
    "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1", "192.0.0.1", "192.0.0.9",  # noqa: S104 -- as an address that is refused
    "192.0.0.170", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.51.100.1", "203.0.113.1",
    "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "::7", "::127.0.0.1", "::10.0.0.1", "::93.184.216.34",
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:0:127.0.0.1", "::ffff:192.0.0.1", "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe", "64:ff9b::c000:1", "64:ff9b:1::1", "64:ff9b:1::5db8:d822", "100::1", "100:0:0:1::1",
    "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1",
    "2002:7f00:1::", "2002:a00:1::", "2002:5db8:d822::", "3ffe::1", "3fff::1", "5f00::1", "4000::1", "fc00::1",
    "fd12:3456::1", "fe80::1", "fec0::1", "feff::1", "ff02::1", "ff0e::1",
]  # fmt: skip
PUBLIC = [
    "1.1.1.1", "93.184.216.34", "192.0.1.1", "2606:2800:220:1::1", "2a00:1450:4001:800::200e", "::ffff:93.184.216.34",
    "64:ff9b::5db8:d822",
]  # fmt: skip


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_an_address_that_is_not_of_the_open_internet_is_not_public_on_any_python(address):
    assert not webhook_client.is_public(ip_address(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_public(address):
    assert webhook_client.is_public(ip_address(address))


@pytest.mark.parametrize("address", ["10.1.2.3", "::1", "fec0::1", "192.0.0.1"])
def test_a_private_address_is_not_connected_to_whatever_its_name_and_nobody_learns_it(address):
    asked = []

    def resolve(host, port, **kind):
        asked.append(host)
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        return [(family, socket.SOCK_STREAM, 6, "", (address, port))]

    answer = post(url="https://innocent.example.org/", allowed=[], resolve=resolve)

    assert asked == ["innocent.example.org"]
    assert answer.problem == "Refused: innocent.example.org has an address that is not public."


def test_a_name_that_changes_between_the_check_and_the_connection_leads_nowhere():
    """The first look-up is public and nothing answers there; a second, to loopback, is never made."""
    listening = socket.create_server(("127.0.0.1", 0))
    answers = [("192.0.1.1", 9), ("127.0.0.1", listening.getsockname()[1])]
    asked = []

    def resolve(host, port, **kind):
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", answers[len(asked) - 1])]

    first = post(url="https://rebound.example.org/", allowed=[], resolve=resolve)
    second = post(url="https://rebound.example.org/", allowed=[], resolve=resolve)

    listening.settimeout(0.1)
    assert asked == ["rebound.example.org"] * 2
    assert first.status is None
    assert second.problem == "Refused: rebound.example.org has an address that is not public."
    with pytest.raises(TimeoutError):
        listening.accept()
    listening.close()


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/", "ftp://example.org/", "https://", "https://user:word@example.org/", "https://10.0.0.1/",
        "https://[::1]/", "https://exa mple.org/", "https://ex\r\nample.org/", "https://bücher.example/", "nonsense",
        "https://example.org:99999/", "https://example.org/\x7f",
    ],
)  # fmt: skip
@pytest.mark.django_db
def test_an_address_that_is_not_sent_to_is_refused_when_it_is_registered(url):
    with pytest.raises(Invalid):
        webhooks.register(owner=factories.moderator(), url=url, now=timezone.now())


def test_a_host_is_exempt_however_the_setting_writes_its_letters(monkeypatch):
    monkeypatch.setenv("MOOT_WEBHOOK_HOSTS", "Hooks.Example, LOCALHOST")

    hosts = runpy.run_path(str(ROOT / "config" / "settings.py"))["WEBHOOK_HOSTS"]

    assert webhook_client.target("http://HOOKS.example/", allowed=hosts).hostname == "hooks.example"
    assert hosts == ["hooks.example", "localhost"]


@pytest.mark.parametrize(
    ("scheme", "greeting"),
    [
        ("http", b"H"),
        ("http", b"HTTP/1.1 200 OK\r\nX-Slowly: "),
        ("http", b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"),
        ("https", b"\x16\x03\x03\x3f\xff"),
    ],
    ids=["the status", "a header after a good status", "the body after a good status", "a TLS record"],
)
def test_a_receiver_that_drips_past_its_time_has_not_answered(monkeypatch, scheme, greeting):
    monkeypatch.setattr(webhook_client, "WHOLE_SECONDS", 0.5)
    server = socket.create_server(("127.0.0.1", 0))
    drops = []

    def drip() -> None:
        line, _ = server.accept()
        with line:
            try:
                line.sendall(greeting)
                for _ in range(600):
                    line.sendall(b"H")
                    drops.append(1)
                    time.sleep(0.05)
            except OSError:
                return

    answer = sent_to(server, drip, scheme=scheme)

    assert (answer.status, answer.problem[:12]) == (None, "TimeoutError")
    assert len(drops) < 600


def test_a_name_that_is_looked_up_past_the_time_has_not_answered(monkeypatch):
    monkeypatch.setattr(webhook_client, "WHOLE_SECONDS", 0.5)
    going = threading.Event()

    def resolve(host, port, **kind):
        going.wait(10)
        return []

    answer = post(url="https://slow.example.org/", allowed=[], resolve=resolve)
    going.set()

    assert (answer.status, answer.problem) == (None, "TimeoutError: no whole answer in 0.5 seconds")
    assert answer.milliseconds < 5_000


def test_a_name_that_nobody_knows_is_said_to_be_none():
    def resolve(host, port, **kind):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    answer = post(url="https://nobody.example.org/", allowed=[], resolve=resolve)

    assert (answer.status, answer.problem) == (None, "gaierror: [Errno -2] Name or service not known")


@pytest.mark.parametrize(
    "beginning",
    [
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Le",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf",
    ],
    ids=["behind the status", "in a header", "before the body", "in the body", "in chunks"],
)
def test_an_answer_that_is_cut_short_is_none(beginning):
    server = socket.create_server(("127.0.0.1", 0))

    def hang_up() -> None:
        line, _ = server.accept()
        with line, line.makefile("rb") as reading:
            while reading.readline() != b"\r\n":
                pass
            reading.read(2)
            line.sendall(beginning)

    answer = sent_to(server, hang_up)

    assert (answer.status, answer.problem.partition(":")[0]) == (None, "IncompleteRead")


@pytest.mark.parametrize(
    ("beginning", "more"),
    [
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", b"x" * 6000),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"a: b\r\n" * 1000),
        (b"", b"HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n" * 200),
        (b"", b"HTTP/1.1 100 Continue\r\nA: b\r\n\r\n" * 200),
        (b"HTTP/1.1 200 OK\r\n", b"A: " + b"x" * 60_000 + b"\r\n"),
    ],
    ids=["a chunk of -1", "trailers", "hints", "continuing", "headers"],
)
def test_no_more_of_an_answer_is_read_than_a_bound_however_it_is_framed(beginning, more):
    server = socket.create_server(("127.0.0.1", 0))

    def pour() -> None:
        line, _ = server.accept()
        with line, contextlib.suppress(OSError):
            line.recv(65536)
            line.sendall(beginning)
            for _ in range(16_000_000 // len(more)):
                line.sendall(more)

    answer = sent_to(server, pour)

    assert (answer.status, answer.problem) == (
        None,
        f"HTTPException: an answer of more than {webhook_client.LONGEST_READ} bytes",
    )


def test_the_bytes_of_an_answer_are_counted_anew_for_each_on_a_connection():
    server = socket.create_server(("127.0.0.1", 0))
    body = b"1\r\nx\r\n" * 60_000 + b"0\r\n\r\n"
    assert len(body) < webhook_client.LONGEST_READ < 2 * len(body)

    def receive() -> None:
        line, _ = server.accept()
        with line, line.makefile("rb") as reading:
            for _ in range(2):
                while reading.readline() != b"\r\n":
                    pass
                reading.read(2)
                line.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body)

    receiving = threading.Thread(target=receive, daemon=True)
    receiving.start()
    with webhook_client.Receiver(url=f"http://localhost:{server.getsockname()[1]}/", allowed=["localhost"]) as receiver:
        answers = [receiver.post(body=b"{}", headers={}) for _ in range(2)]
    server.close()

    assert [(answer.status, answer.problem) for answer in answers] == [(200, "")] * 2


def test_one_connection_carries_many_deliveries_and_is_made_anew_where_it_was_closed():
    server = socket.create_server(("127.0.0.1", 0))
    connections = []

    def receive() -> None:
        for _ in range(2):
            line, _ = server.accept()
            connections.append(0)
            with line, line.makefile("rb") as reading:
                for _ in range(3):
                    while reading.readline() not in {b"\r\n", b""}:
                        pass
                    reading.read(2)
                    line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
                    connections[-1] += 1

    receiving = threading.Thread(target=receive)
    receiving.start()
    url = f"http://localhost:{server.getsockname()[1]}/"
    with webhook_client.Receiver(url=url, allowed=["localhost"]) as receiver:
        answers = [receiver.post(body=b"{}", headers={}) for _ in range(6)]
    receiving.join()
    server.close()

    assert [(answer.status, answer.problem) for answer in answers] == [(200, "")] * 6
    assert connections == [3, 3]


def test_what_is_kept_of_an_answer_that_is_none_can_be_read_and_written_down():
    server = socket.create_server(("127.0.0.1", 0))

    def receive() -> None:
        line, _ = server.accept()
        with line:
            line.recv(65536)
            line.sendall(b"no\0\x1b[2J \x9banswer" + b"!" * 300 + b"\r\n\r\n")

    receiving = threading.Thread(target=receive)
    receiving.start()
    answer = post(url=f"http://localhost:{server.getsockname()[1]}/", allowed=["localhost"])
    receiving.join()
    server.close()

    assert answer.status is None
    assert answer.problem == "BadStatusLine: no[2J answer".ljust(200, "!")


@pytest.mark.parametrize(
    ("parts", "heard"),
    [
        pytest.param(
            [b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"],
            [500, 500],
            id="hints before it",
        ),
        pytest.param(
            [b"HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"],
            [200, 200],
            id="all at once",
        ),
        pytest.param(
            [b"HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n", b"ok"], [204, 204], id="words that nobody reads"
        ),
        pytest.param(
            [b"HTTP/1.1 101 Switching\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n"], [101, 101], id="another protocol"
        ),
    ],
)
def test_no_delivery_is_taken_for_answered_by_what_was_said_of_another(parts, heard):
    server = socket.create_server(("127.0.0.1", 0))

    def talk(line: socket.socket) -> None:
        with line, contextlib.suppress(OSError):
            while line.recv(65536):
                for part in parts:
                    line.sendall(part)
                    time.sleep(0.05)

    def receive() -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=talk, args=(server.accept()[0],), daemon=True).start()

    threading.Thread(target=receive, daemon=True).start()
    with webhook_client.Receiver(url=f"http://localhost:{server.getsockname()[1]}/", allowed=["localhost"]) as receiver:
        found = []
        for _ in range(2):
            found.append(receiver.post(body=b"{}", headers={}).status)
            time.sleep(0.1)
    server.close()

    assert found == heard


@pytest.mark.parametrize("ends", [struct.pack("ii", 1, 0), struct.pack("ii", 0, 0)], ids=["reset", "closed"])
def test_a_receiver_that_goes_after_an_interim_answer_is_not_told_again_at_once(ends):
    server, heard = socket.create_server(("127.0.0.1", 0)), []

    def hear(line: socket.socket) -> None:
        said = b""
        while not said.endswith((b"\r\n\r\n1", b"\r\n\r\n2")):
            said += line.recv(65536)
        heard.append(said[-1:])

    def receive() -> None:
        line, _ = server.accept()
        with line:
            hear(line)
            line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            hear(line)
            line.sendall(b"HTTP/1.1 102 Processing\r\n\r\n")
            time.sleep(0.2)
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, ends)
        with contextlib.suppress(OSError):
            line, _ = server.accept()
            with line:
                hear(line)

    receiving = threading.Thread(target=receive)
    receiving.start()
    with webhook_client.Receiver(url=f"http://localhost:{server.getsockname()[1]}/", allowed=["localhost"]) as receiver:
        answers = [receiver.post(body=body, headers={}) for body in (b"1", b"2")]
    server.shutdown(socket.SHUT_RDWR)
    receiving.join()
    server.close()

    assert [answer.status for answer in answers] == [200, None]
    assert heard == [b"1", b"2"]


def test_a_longer_answer_than_anybody_reads_is_an_answer_and_ends_the_connection():
    server = socket.create_server(("127.0.0.1", 0))

    def receive() -> None:
        for _ in range(2):
            line, _ = server.accept()
            with line:
                line.recv(65536)
                with contextlib.suppress(OSError):
                    line.sendall(b"HTTP/1.1 202 Accepted\r\nContent-Length: 10000000\r\n\r\n" + bytes(10_000_000))

    receiving = threading.Thread(target=receive)
    receiving.start()
    with webhook_client.Receiver(url=f"http://localhost:{server.getsockname()[1]}/", allowed=["localhost"]) as receiver:
        answers = [receiver.post(body=b"{}", headers={}) for _ in range(2)]
    receiving.join()
    server.close()

    assert [(answer.status, answer.problem) for answer in answers] == [(202, "")] * 2


@pytest.mark.parametrize(
    ("url", "place", "host"),
    [
        ("http://[2606:4700::1111]/", ("2606:4700::1111", 80), "[2606:4700::1111]"),
        ("http://[2606:4700::1111]:8080/", ("2606:4700::1111", 8080), "[2606:4700::1111]:8080"),
        ("http://example.org/", ("example.org", 80), "example.org"),
        ("http://example.org:8080/", ("example.org", 8080), "example.org:8080"),
    ],
)
def test_a_receiver_is_named_as_its_address_names_it(monkeypatch, url, place, host):
    ours, theirs = socket.socketpair()
    theirs.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
    asked = []
    monkeypatch.setattr(webhook_client, "connected", lambda *at, **_: asked.append(at) or ours)

    answer = post(url=url, allowed=[place[0]])

    with theirs:
        lines = theirs.recv(4096).decode().split("\r\n")
    assert (answer.status, asked) == (204, [place])
    assert [line for line in lines if line.lower().startswith("host:")] == [f"Host: {host}"]


@given(attempts=st.integers(1, 40), luck=st.floats(0, 1))
def test_pauses_grow_to_a_day_and_no_further(attempts, luck):
    pause = signing.pause(attempts=attempts, luck=luck)

    assert timedelta(seconds=4) <= pause <= signing.LONGEST_PAUSE
    assert signing.pause(attempts=attempts + 1, luck=luck) >= pause


def test_a_receiver_may_think_longer_than_it_takes_to_reach_it(monkeypatch):
    monkeypatch.setattr(webhook_client, "CONNECT_SECONDS", 0.2)
    server = socket.create_server(("127.0.0.1", 0))

    def think() -> None:
        line, _ = server.accept()
        with line:
            line.recv(65536)
            time.sleep(0.6)
            line.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")

    answer = sent_to(server, think)

    assert (answer.status, answer.problem) == (204, "")


def post(*, url, **about):
    with webhook_client.Receiver(url=url, **about) as receiver:
        return receiver.post(body=b"{}", headers={})


def sent_to(server, receiver, *, scheme="http"):
    """Send something to a server on loopback while somebody receives there, and return what came of it."""
    receiving = threading.Thread(target=receiver)
    receiving.start()
    answer = post(url=f"{scheme}://localhost:{server.getsockname()[1]}/", allowed=["localhost"])
    receiving.join()
    server.close()
    return answer
