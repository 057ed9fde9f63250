"""While a stream lasts: what is told to whom, and how it ends."""

import json
import signal
import time
from uuid import uuid4

import pytest

from tests.debates.live_site import rounds
from tests.debates.servers import SERVERS
from tests.debates.stream_readers import READERS, blocks, fetched, follow, opened, socket_read, stream_read, streaming

FROZEN = {"evaluation": str(uuid4()), "criterion": "P1", "entry": 2, "before": "6.00", "after": "6.00"}
ALERT = {"alert": str(uuid4()), "code": "net_capped", "severity": "info", "evaluation": None}


def first(socket):
    """Read the hello of a socket that was just opened."""
    return json.loads(socket.recv(timeout=60))


def test_what_is_committed_is_told_to_everybody_who_watches(place, log):
    with opened(place.webs["daphne"], log["address"]) as one, opened(place.webs["uvicorn"], log["address"]) as other:
        for number in range(4, 24):
            place.tell(log["id"], *rounds(number))
        reads = [follow(socket, to=23) for socket in (one, other)]

    assert [read.seqs for read in reads] == [list(range(1, 24))] * 2


def test_events_are_put_together_and_none_is_dropped(place, web, log):
    with opened(web, log["address"], after=3) as socket:
        began = time.monotonic()
        place.tell_each(log["id"], rounds(*range(100)))
        read = follow(socket, to=103)
        took = time.monotonic() - began

    assert read.seqs == list(range(4, 104))
    assert read.frames <= 10 * took + 2


def test_a_lost_bell_is_made_up_for(place, web, log):
    with opened(web, log["address"], after=3) as socket:
        first(socket)
        place.tell(log["id"], *rounds(4), bell=False)

        read = follow(socket, to=4)

    assert read.seqs == [4]


def test_what_is_committed_between_the_page_and_the_connection_is_not_missed(place, web, log):
    seen = place.head(log["id"])
    place.tell(log["id"], *rounds(4), bell=False)

    with opened(web, log["address"], after=seen) as socket:
        place.tell(log["id"], *rounds(5), bell=False)
        read = follow(socket, to=5)

    assert read.seqs == [4, 5]


def test_a_page_that_is_newer_than_the_last_bell_is_not_ahead(place, web, log):
    with opened(web, log["address"], after=3) as socket:
        first(socket)
        place.tell(log["id"], *rounds(4), bell=False)

        read = READERS["websocket"](web, log["address"], to=4, after=4)

    assert (read.told("hello")["after"], read.code) == (4, None)


def test_a_new_hidden_event_shows_in_the_next_heartbeat_alone(place, web, log):
    with opened(web, log["address"], after=3) as socket:
        first(socket)
        place.tell(log["id"], ("alert:raised", ALERT), audience="moderators")

        read = follow(socket, to=4)

    assert (read.seqs, read.others[-1]) == ([], {"type": "heartbeat", "through": 4})


def test_a_new_epoch_is_told_to_everybody(place, log):
    old = place.epoch()
    sockets = [opened(place.webs[server], log["address"], after=3) for server in SERVERS]
    with sockets[0] as one, sockets[1] as other:
        first(one)
        first(other)
        place.here.manage("db", "new-epoch")
        reads = [follow(socket) for socket in (one, other)]

    assert [read.code for read in reads] == [4410] * 2
    assert [read.told("resync") for read in reads] == [
        {"type": "resync", "because": "epoch", "epoch": place.epoch()}
    ] * 2
    assert place.epoch() != old
    assert socket_read(place.webs["daphne"], log["address"], epoch=old).told("resync")["because"] == "epoch"


def test_a_stream_of_events_ends_in_time_and_is_resumed(place, web):
    long = place.debate(events=9000)

    one = stream_read(web, long["address"])
    other = stream_read(web, long["address"], to=9000, after=one.through)

    assert one.told("bye")["because"] == "rotation"
    assert 100 <= one.told("bye")["retry"] <= 500
    assert one.seqs + other.seqs == list(range(1, 9001))


@pytest.mark.parametrize("server", SERVERS)
def test_a_connection_lasts_a_while_and_says_good_bye(place, server, log):
    brief = place.serve(server, MOOT_LIVE_ROTATE_SECONDS="1")

    reads = [reader(brief, log["address"]) for reader in READERS.values()]
    brief.end()

    assert [read.told("bye")["because"] for read in reads] == ["rotation"] * 2
    assert [read.code for read in reads] == [4012, None]


@pytest.mark.parametrize("server", SERVERS)
def test_a_server_says_good_bye_before_it_stops(place, server, log):
    stopped = place.serve(server)

    with opened(stopped, log["address"]) as socket, streaming(stopped, log["address"]) as stream:
        first(socket)
        stopped.end()  # within what a process is given to end
        read = follow(socket)
        told = [json.loads(block["data"]) for block in blocks(stream) if block.get("event") == "bye"]

    assert (read.code, read.told("bye")["because"]) == (4012, "shutdown")
    assert [one["because"] for one in told] == ["shutdown"]


@pytest.mark.parametrize("server", SERVERS)
def test_a_server_says_good_bye_to_its_only_reader(place, server, log):
    stopped = place.serve(server)

    with streaming(stopped, log["address"]) as stream:
        told = blocks(stream)
        next(told)
        stopped.end()
        last = list(told)[-1]

    assert (last["event"], json.loads(last["data"])["because"]) == ("bye", "shutdown")


def test_a_web_process_outlives_the_loss_of_its_listener(place, web, log):
    with opened(web, log["address"], after=3) as socket:
        first(socket)
        place.do("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'moot listener'")
        place.tell(log["id"], *rounds(4), bell=False)
        place.tell(log["id"], *rounds(5))
        read = follow(socket, to=5)

    assert read.seqs == [4, 5]


def test_a_process_has_few_connections_however_many_watch(place, web, log):
    from contextlib import ExitStack

    with ExitStack() as held:
        for _ in range(25):
            first(held.enter_context(opened(web, log["address"])))
        used = place.here.ask("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'moot reader'")

    assert 1 <= used <= 4 * len(place.webs)


def test_a_server_that_is_stopped_keeps_no_connection(place, log):
    listening = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'moot listener'"
    before = place.here.ask(listening)
    stopped = place.serve("uvicorn")
    with opened(stopped, log["address"]) as socket:
        first(socket)
        during = place.here.ask(listening)
        stopped.end(signal.SIGINT)

    assert during == before + 1
    place.here.until(lambda: place.here.ask(listening) == before)


def test_a_web_process_says_how_many_watch_there_and_how_late_they_are_told(place, web, log):
    key = place.key(place.person("scoring.view_evaluation")["id"], scope="metrics")

    with opened(web, log["address"], after=place.head(log["id"])) as socket:  # so that nothing is to be acknowledged
        first(socket)
        told = fetched(web, "/metrics", bearer=key)
    ready = json.loads(fetched(web, "/readyz"))

    figures = dict(line.split() for line in told.splitlines() if line.startswith("moot_stream"))
    assert float(figures["moot_stream_watchers"]) >= 1
    assert float(figures["moot_stream_debates"]) >= 1
    assert 0 <= float(figures["moot_stream_lag_seconds"]) < 60
    assert ready["stream"] is True
