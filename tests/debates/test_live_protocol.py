"""What is answered at the doors of a stream, by real servers: the table of docs/reference/stream.md."""

import http.client
import json
from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from config.server_command import APPLICATION
from tests import fork_server
from tests.debates import servers
from tests.debates.stream_readers import READERS, follow, opened, socket_read, streaming

HEAD = 1200
READS = {
    "no after": ({}, 1),
    "from 0": ({"after": 0}, 1),
    "before what is in memory": ({"after": 100}, 101),
    "within what is in memory": ({"after": 1100}, 1101),
    "one behind": ({"after": HEAD - 1}, HEAD),
}
REFUSED = {
    "negative": ({"after": -1}, "bad_request"),
    "text": ({"after": "seven"}, "bad_request"),
    "empty": ({"after": ""}, "bad_request"),
    "not ASCII": ({"after": "٣"}, "bad_request"),
    "too large a number": ({"after": 2**63}, "bad_request"),
    "an epoch that is none": ({"epoch": "now"}, "bad_request"),
}
OF_EACH = {"instance", "request_id"}
CODES = {"bad_request": (4400, 400), "not_found": (4404, 404), "origin_refused": (4403, 403), "too_many": (4429, 429)}


@pytest.fixture(params=READERS)
def door(request):
    return request.param


def code(name, door):
    return CODES[name][door == "sse"]


@pytest.mark.parametrize("asked", READS)
@pytest.mark.parametrize("with_epoch", [True, False], ids=["with epoch", "without"])
def test_a_log_is_read_from_where_the_reader_left_off(place, web, door, long_log, asked, with_epoch):
    query, first = READS[asked]
    query = query | ({"epoch": place.epoch()} if with_epoch else {})

    read = READERS[door](web, long_log["address"], to=HEAD, **query)

    assert read.seqs == list(range(first, HEAD + 1))
    assert (read.through, read.code) == (HEAD, None)
    hello = read.others[0]
    assert abs(datetime.fromisoformat(hello.pop("now")) - timezone.now()) < timedelta(minutes=1)
    assert hello == {
        "type": "hello",
        "schema": 1,
        "debate": long_log["address"],
        "status": "running",
        "epoch": place.epoch(),
        "head": HEAD,
        "after": first - 1,
        "erasures": 0,
        "heartbeat": 1.0,
        "ack": {"bytes": 65536, "seconds": 4 / 3},
    }


def test_at_the_head_there_is_a_heartbeat_and_nothing_else(web, door, long_log):
    read = READERS[door](web, long_log["address"], to=HEAD, after=HEAD)

    assert [one["type"] for one in read.others] == ["hello", "heartbeat"]
    assert (read.seqs, read.others[1]["through"]) == ([], HEAD)


@pytest.mark.parametrize("asked", REFUSED)
def test_a_position_that_is_none_is_refused(web, door, long_log, asked):
    query, name = REFUSED[asked]

    read = READERS[door](web, long_log["address"], **query)

    assert (read.code, read.told("refused")["code"], read.seqs) == (code(name, door), name, [])


@pytest.mark.parametrize("name", ["after", "epoch"])
def test_a_parameter_given_twice_is_refused(web, door, long_log, name):
    read = READERS[door](web, long_log["address"], **{name: ["1", "2"]})

    assert read.code == code("bad_request", door)


@pytest.mark.parametrize(
    ("query", "because"),
    [
        pytest.param({"after": HEAD + 1}, "ahead", id="beyond the head"),
        pytest.param({"after": 1, "epoch": str(uuid4())}, "epoch", id="of another database"),
        pytest.param({"after": HEAD + 1, "epoch": str(uuid4())}, "epoch", id="both"),
    ],
)
def test_a_position_that_means_nothing_here_is_told_to_begin_again(place, web, door, long_log, query, because):
    read = READERS[door](web, long_log["address"], **query)

    assert read.others == [{"type": "resync", "because": because, "epoch": place.epoch()}]
    assert (read.seqs, read.code) == ([], 4410 if door == "websocket" else None)


def test_what_is_not_there_or_not_for_the_reader_is_not_found(place, web, door):
    private = place.debate(events=1, visibility="private")["address"]

    read = [READERS[door](web, address) for address in (private, str(uuid4()))]

    assert [one.code for one in read] == [code("not_found", door)] * 2
    told = [[{name: one[name] for name in one if name not in OF_EACH} for one in each.others] for each in read]
    assert told[0] == told[1]


@pytest.mark.parametrize("path", ["/", "/ws/debates/", "/ws/debates/seven/"])
def test_there_is_nothing_to_follow_elsewhere(web, path):
    from websockets.sync.client import connect

    with connect(f"ws://127.0.0.1:{web.port}{path}", compression=None) as socket:
        read = follow(socket)

    assert (read.code, read.told("refused")["code"]) == (4404, "not_found")


@pytest.mark.parametrize(
    ("message", "closed"),
    [
        pytest.param("hello", 4400, id="no JSON"),
        pytest.param("[" * 9000, 4400, id="JSON without end"),
        pytest.param('{"say": "hello"}', 4400, id="something to say"),
        pytest.param('{"ack": 1, "say": 2}', 4400, id="more than an ack"),
        pytest.param('{"ack": 1, "ack": 2}', 4400, id="two acks in one"),
        pytest.param('{"ack": -1}', 4400, id="a negative ack"),
        pytest.param('{"ack": true}', 4400, id="an ack of truth"),
        pytest.param('{"ack": "1"}', 4400, id="an ack as text"),
        pytest.param('{"ack": 1201}', 4400, id="an ack of what was not sent"),
        pytest.param('{"ping": null}', 4400, id="a ping of nothing"),
        pytest.param(json.dumps({"ping": "x" * 65}), 4400, id="a long ping"),
        pytest.param(b"\x00", 4400, id="bytes"),
    ],
)
def test_a_reader_says_ack_and_ping_and_nothing_else(web, long_log, message, closed):
    with opened(web, long_log["address"], after=HEAD) as socket:
        json.loads(socket.recv())
        socket.send(message)

        read = follow(socket)

    assert read.code == closed


def test_a_server_takes_no_long_message(web, long_log):
    with opened(web, long_log["address"], after=HEAD) as socket:
        socket.send(json.dumps({"ping": "x" * 17_000}))
        read = follow(socket)

    assert read.code == {"daphne": 1006, "uvicorn": 1009}[web.server]


def test_a_server_that_takes_long_messages_leaves_refusing_them_to_us(place, long_log):
    port = servers.free_port()
    words = ["-m", "daphne", "-p", str(port), "-v", "0", APPLICATION]
    process = fork_server.start(*words, environment={**place.here.environment, **servers.HURRIED})
    place.here.processes.append(process)
    lenient = servers.Web("daphne", port, process)
    place.wait(lenient)
    with opened(lenient, long_log["address"], after=HEAD) as socket:
        socket.send(json.dumps({"ping": "x" * 17_000}))
        read = follow(socket)
    lenient.end()

    assert (read.code, read.told("refused")["code"]) == (4413, "too_big")


def test_whoever_says_too_much_is_sent_away(web, long_log):
    with opened(web, long_log["address"], after=HEAD) as socket:
        for number in range(101):
            socket.send(json.dumps({"ping": number}))
        read = follow(socket)

    assert [one["ping"] for one in read.others if one["type"] == "pong"] == list(range(100))
    assert (read.code, read.told("refused")["code"]) == (4429, "too_many")


def test_one_address_has_so_many_connections_and_no_more(web, door, long_log):
    from contextlib import ExitStack

    with ExitStack() as held:
        for _ in range(30):
            socket = held.enter_context(opened(web, long_log["address"], after=HEAD))
            assert json.loads(socket.recv())["type"] == "hello"
        read = READERS[door](web, long_log["address"], after=HEAD)

    assert (read.code, read.told("refused")["code"]) == (code("too_many", door), "too_many")


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        pytest.param("https://evil.example.com", False, id="another site"),
        pytest.param("http://127.0.0.1:1", False, id="another port"),
        pytest.param("null", False, id="a sandbox"),
        pytest.param("https://moot.example.org.evil.com", False, id="a name that begins like a trusted one"),
        pytest.param("http://moot.example.org", False, id="a trusted one over another scheme"),
        pytest.param("https://moot.example.org", True, id="a trusted one"),
        pytest.param("https://live.example.net", True, id="below a trusted one"),
        pytest.param("https://example.net", False, id="beside those below"),
        pytest.param(None, True, id="none"),
    ],
)
def test_pages_of_other_sites_do_not_follow(web, long_log, origin, allowed):
    read = socket_read(web, long_log["address"], to=HEAD, after=HEAD - 1, origin=origin)
    headers = {"Origin": origin} if origin else {}
    with streaming(web, long_log["address"], headers=headers, after=HEAD - 1) as response:
        status = response.status

    assert (read.code, status) == ((None, 200) if allowed else (4403, 403))


def test_a_page_of_another_site_that_hides_its_origin_does_not_follow(web, long_log):
    with streaming(web, long_log["address"], headers={"Sec-Fetch-Site": "cross-site"}) as response:
        assert response.status == 403


def test_a_host_that_is_not_ours_is_refused(web, long_log):
    visitor = http.client.HTTPConnection("127.0.0.1", web.port, timeout=180)
    visitor.request("GET", f"/stream/debates/{long_log['address']}", headers={"Host": "evil.example.com"})
    status = visitor.getresponse().status
    visitor.close()

    assert status == 403


def test_a_stream_of_events_is_taken_up_where_the_browser_says(place, web, long_log):
    headers = {"Last-Event-ID": f"{place.epoch()}:{HEAD - 2}"}

    with streaming(web, long_log["address"], headers=headers, after=3) as response:
        lines = [response.readline().decode().rstrip("\n") for _ in range(6)]

    assert (lines[0], lines[1]) == (f"id: {place.epoch()}:{HEAD - 2}", "event: hello")
    assert lines[4] == f"id: {place.epoch()}:{HEAD}"
    assert [one["seq"] for one in json.loads(lines[5].removeprefix("data: "))["events"]] == [HEAD - 1, HEAD]
    assert response.headers["Content-Type"] == "text/event-stream; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("last", ["7", ":7", "x:7", "x", "1aa83128-ea1e-4c1c-8f7a-6fcfa819eb04:-1"])
def test_a_last_event_that_is_none_is_refused(web, long_log, last):
    named = {"Last-Event-ID": last, "X-Request-ID": "from-a-browser"}
    with streaming(web, long_log["address"], headers=named) as response:
        told = json.loads(response.read())

    assert (response.status, response.headers["Content-Type"]) == (400, "application/problem+json")
    assert response.headers["X-Request-ID"] == "from-a-browser"
    assert told == {
        "type": "urn:moot:problem:bad_request", "title": "Bad Request", "status": 400, "code": "bad_request",
        "detail": told["detail"], "instance": f"/stream/debates/{long_log['address']}", "request_id": "from-a-browser",
    }  # fmt: skip


def test_an_address_with_a_slash_too_many_is_a_problem(web, long_log):
    with streaming(web, f"{long_log['address']}/") as response:
        told = json.loads(response.read())

    assert (response.status, told["code"], told["request_id"]) == (404, "not_found", response.headers["X-Request-ID"])


@pytest.mark.parametrize(("more", "after"), [("", "3"), ("", "x"), ("/", "3")], ids=["read", "refused", "no stream"])
def test_a_stream_of_events_is_kept_out_of_search(web, long_log, more, after):
    with streaming(web, f"{long_log['address']}{more}", after=after) as answer:
        assert answer.headers["X-Robots-Tag"] == "noindex"


def test_a_stream_of_events_is_read_and_nothing_else(web, long_log):
    with streaming(web, long_log["address"], method="HEAD") as looked:
        assert (looked.status, looked.read()) == (200, b"")
    with streaming(web, long_log["address"], method="POST") as posted:
        assert (posted.status, posted.headers["Allow"], json.loads(posted.read())["code"]) == (
            405, "GET, HEAD", "method_not_allowed",
        )  # fmt: skip
