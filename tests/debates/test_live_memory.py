"""The parts of the hub by themselves."""

import asyncio
import contextlib
import json
import time
from collections import Counter
from uuid import uuid4

import psycopg
import pytest
from django.db import connections
from django.utils import timezone

from debates import consumers, event_log
from debates.live import buffer, channel, hub, reader
from debates.live.authorization import Access, AccessRequest
from debates.live.buffer import Buffer, portion
from debates.live.channel import Channel
from debates.live.frames import Close, RefusedStream
from debates.live.handshake import Position
from debates.live.hub import ConnectionLimit, Hub, Load
from debates.live.reader import PAGE, Head, Line, LogReader
from debates.live.subscriber import Subscriber
from debates.live.transports import WebSocketTransport
from debates.models import Epoch, EventHead
from debates.services import visibility
from debates.types import Audience, News, Visibility
from tests import factories


def line(seq, *, size=10):
    return Line(seq, "public", "x" * size)


def test_memory_keeps_the_newest_lines_and_lets_the_oldest_go():
    kept = Buffer(head=7)

    kept.add([line(seq) for seq in range(8, 8 + buffer.MOST_LINES + 5)])

    assert (kept.head, kept.before) == (buffer.MOST_LINES + 12, 12)
    assert [one.seq for one in kept.after(kept.head - 2)] == [kept.head - 1, kept.head]


def test_memory_is_bounded_in_bytes_too_and_keeps_at_least_one_line():
    kept = Buffer(head=0)

    kept.add([line(seq, size=buffer.MOST_BYTES // 2) for seq in range(1, 6)])
    several = kept.before
    kept.add([line(6, size=2 * buffer.MOST_BYTES)])

    assert (several, kept.before, kept.head) == (3, 5, 6)


def test_what_is_written_in_other_letters_counts_as_the_bytes_that_it_is_on_the_network():
    long = "語" * (buffer.FRAME_BYTES // 4)
    lines = [Line(seq, "public", long) for seq in range(1, 3 * buffer.MOST_BYTES // buffer.FRAME_BYTES)]
    kept = Buffer(head=0)

    kept.add(lines)
    cut = channel.frame_of(lines, audiences=frozenset({Audience.PUBLIC}), transport=WebSocketTransport())

    assert portion(lines) == lines[:1]
    assert sum(len(line.text.encode()) for line in kept.after(kept.before)) <= buffer.MOST_BYTES
    assert cut.size == len(cut.message["text"].encode())


@pytest.mark.parametrize("seq", [7, 9])
def test_a_hole_in_a_log_is_never_taken_for_the_log(seq):
    with pytest.raises(ValueError, match=f"line {seq} does not follow 7"):
        Buffer(head=7).add([line(seq)])


@pytest.mark.parametrize(
    ("sizes", "first"),
    [
        pytest.param([10] * 600, buffer.FRAME_LINES, id="many short lines"),
        pytest.param([buffer.FRAME_BYTES // 2] * 4, 2, id="a few long lines"),
        pytest.param([2 * buffer.FRAME_BYTES, 10], 1, id="a line longer than a frame"),
        pytest.param([10, 2 * buffer.FRAME_BYTES], 1, id="a short line before a long one"),
    ],
)
def test_a_frame_holds_so_much_and_at_least_one_line(sizes, first):
    lines = [line(seq, size=size) for seq, size in enumerate(sizes, 1)]

    assert list(portion(lines)) == lines[:first]


def test_a_room_keeps_frames_for_so_many_places_and_no_more():
    place = Channel(head=Head(1, 0, 0, "running", None), reader=None, check_rights=None)
    place.buffer.add([line(seq) for seq in range(1, 201)])

    whole = [place.cut(at, frozenset({Audience.PUBLIC}), WebSocketTransport()) for at in range(190)]

    assert [through for through, _, _ in whole] == [200] * 190
    assert len(place._frames) <= channel.FRAMES_KEPT


def test_texts_are_put_at_the_end_of_the_data():
    assert reader.with_texts('{"seq":1,"data":{"turn": "7"}}', '{"text" : "so"}') == (
        '{"seq":1,"data":{"turn": "7", "text" : "so"}}'
    )


def test_connections_of_one_network_are_counted_together(settings):
    settings.LIVE_PER_ADDRESS = 1
    limit = ConnectionLimit()
    visitors = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::7", "2001:db8:1:3::1", "192.0.2.1", "::ffff:192.0.2.1"]
    refused = []

    with contextlib.ExitStack() as held:
        for visitor in visitors:
            try:
                held.enter_context(limit.take(visitor))
            except RefusedStream:
                refused.append(visitor)
    with limit.take("2001:db8:1:2::2"):
        pass

    assert refused == ["2001:db8:1:2:ffff::7", "::ffff:192.0.2.1"]


@pytest.mark.django_db(transaction=True)
def test_what_is_read_is_read_although_all_connections_have_died():
    async def read():
        log = LogReader()
        await log.open()
        try:
            async with contextlib.AsyncExitStack() as taken:
                held = [await taken.enter_async_context(log._pool.connection()) for _ in range(reader.CONNECTIONS)]
                pids = {connection.info.backend_pid for connection in held}
            await asyncio.to_thread(kill, list(pids))
            return len(pids), await log.rows("SELECT 7")
        finally:
            await log.close()

    def kill(pids):
        with psycopg.connect(**reader.connection_parameters(), autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(pid, 60000) FROM unnest(%s::int[]) pid", [pids])

    assert asyncio.run(read()) == (reader.CONNECTIONS, [(7,)])


@pytest.mark.django_db
def test_a_new_epoch_replaces_the_old_one():
    old = event_log.epoch()

    new = event_log.new_epoch(now=timezone.now())

    assert (new != old, event_log.epoch(), Epoch.objects.count()) == (True, new, 1)


@pytest.mark.django_db
def test_an_erasure_is_counted_where_the_hub_looks():
    debate = factories.debate()

    event_log.words_erased(debate_id=debate.pk)

    assert EventHead.objects.get(debate=debate).erasures == 1


@pytest.mark.django_db(transaction=True)
def test_whatever_is_committed_once_catching_up_has_begun_is_heard():
    """Were the log read before LISTEN, a notification between the two would be lost."""
    heard = []

    async def hear():
        enough = asyncio.Event()

        def listening_now():
            with psycopg.connect(**reader.connection_parameters(), autocommit=True) as other:
                other.execute("SELECT pg_notify(%s, '7')", [event_log.CHANNEL])

        def notified(payload):
            heard.append(payload)
            enough.set()

        listening = asyncio.create_task(reader.listen(on_notify=notified, on_listen=listening_now))
        async with asyncio.timeout(60):
            await enough.wait()
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)

    asyncio.run(hear())

    assert heard == ["7"]


@pytest.mark.parametrize(
    ("age", "lag"),
    [
        pytest.param(0.9, 0.0, id="looked at within the last second"),
        pytest.param(9.0, 8.0, id="not looked at for nine"),
    ],
)
def test_a_hub_is_late_by_what_it_should_have_looked_at_before(age, lag):
    async def load():
        idle = Hub()
        return idle.load(now=age)

    assert asyncio.run(load()) == Load(watchers=0, debates=0, lag=lag)


@pytest.mark.parametrize("refuses", [False, True], ids=["waits", "fails"])
def test_what_a_server_does_not_take_at_once_is_left_to_the_readers_own_task(refuses):
    sent, gate = [], asyncio.Event()

    async def send(message):
        if len(sent) == 2:
            await gate.wait()
            if refuses:
                raise OSError
        sent.append(json.loads(message["text"]))

    async def watched():
        channel = Channel(head=Head(1, 0, 0, "running", None), reader=None, check_rights=None)
        asked = AccessRequest(debate=uuid4())
        access = Access(debate_id=1, person=None, audiences=frozenset({Audience.PUBLIC}))
        subscriber = Subscriber(
            channel=channel, transport=WebSocketTransport(), send=send, request=asked, access=access, after=0
        )
        channel.subscribers.add(subscriber)
        running = asyncio.create_task(subscriber.run(epoch=uuid4()))
        await asyncio.sleep(0)
        for seq in range(1, 5):
            channel.buffer.add([Line(seq, "public", str(seq))])
            channel.wake()
            channel.wake()
        on_the_spot = len(sent)
        gate.set()
        for _ in range(10):
            await asyncio.sleep(0)
        subscriber.leave()
        await running
        return on_the_spot

    assert asyncio.run(watched()) == 2
    assert [one.get("through") for one in sent] == ([None, 1] if refuses else [None, 1, 2, 4])


def test_whoever_follows_a_log_that_has_become_shorter_than_memory_is_told_to_begin_again():
    sent, epoch = [], uuid4()

    class Shorter:
        async def lines(self, *, debate, after):
            return []

    async def send(message):
        sent.append(message)

    async def watched():
        channel = Channel(head=Head(1, 2 * PAGE, 0, "running", epoch), reader=Shorter(), check_rights=None)
        access = Access(debate_id=1, person=None, audiences=frozenset({Audience.PUBLIC}))
        subscriber = Subscriber(
            channel=channel, transport=WebSocketTransport(), send=send, request=AccessRequest(debate=uuid4()),
            access=access, after=1,
        )  # fmt: skip
        channel.subscribers.add(subscriber)
        await subscriber.run(epoch=epoch)

    asyncio.run(watched())

    frames = [json.loads(message["text"]) for message in sent if message["type"] == "websocket.send"]
    assert [frame["type"] for frame in frames] == ["hello", "resync"]
    assert frames[-1] == {"type": "resync", "because": "ahead", "epoch": str(epoch)}
    assert sent[-1]["code"] == Close.RESYNC


@pytest.mark.django_db(transaction=True)
def test_a_debate_that_is_hidden_while_somebody_comes_is_not_followed(monkeypatch, settings):
    settings.LIVE_RIGHTS_SECONDS, settings.ALLOWED_HOSTS = 3600, ["localhost"]
    debate = factories.debate()
    event_log.append(debate_id=debate.pk, news=[News("debate:paused", {})], now=timezone.now())
    request = {"type": "http", "path": "/", "headers": [(b"host", b"localhost")], "client": ["192.0.2.1", 9]}
    opened = Hub.channel

    async def hidden_meanwhile(self, **about):
        found = await opened(self, **about)
        await asyncio.to_thread(hide)
        await (
            found.catch_up()
        )  # as its notification has a channel do, before the reader is among those who are looked at
        return found

    def hide():
        now = timezone.now()
        visibility.change(debate_id=debate.pk, by=None, visibility=Visibility.PRIVATE, now=now)
        connections.close_all()

    async def come():
        about = {"position": Position(), "send": None, "transport": lambda _epoch: WebSocketTransport()}
        try:
            async with consumers.subscribed(request, debate=debate.public_id, **about) as (subscriber, _):
                return subscriber.access.audiences
        except RefusedStream as refusal:
            return refusal.code
        finally:
            await hub.stop()

    before = asyncio.run(come())
    monkeypatch.setattr(Hub, "channel", hidden_meanwhile)

    assert (before, asyncio.run(come())) == ({Audience.PUBLIC}, "not_found")


@pytest.mark.parametrize(("read", "because"), [(100, []), (99, ["ahead"])], ids=["as it was before", "an older state"])
def test_a_log_that_goes_on_while_the_hub_looks_is_not_taken_for_an_older_one(read, because, monkeypatch):
    looking, sent_away = Hub(), []
    watched = Channel(head=Head(1, 0, 0, "running", None), reader=None, check_rights=None)
    watched.buffer.head, looking.channels[1] = 100, watched
    monkeypatch.setattr(watched, "send_away", lambda **about: sent_away.append(about["because"]))

    async def heads(*, debates):
        watched.buffer.head += 1  # an event is committed, and heard of, while the answer is on its way
        return [Head(1, read, 0, "running", None)]

    monkeypatch.setattr(looking.reader, "heads", heads)

    asyncio.run(looking._poll())

    assert sent_away == because


@pytest.mark.django_db(transaction=True)
def test_where_a_debate_stands_is_read_with_its_events_and_no_older_answer_replaces_it():
    debate = factories.debate()
    event_log.append(debate_id=debate.pk, news=[News("debate:paused", {})], now=timezone.now())
    made = Hub()

    async def read():
        await made.reader.open()
        watched = await made.channel(debate_id=debate.pk, reaching=0)
        watched.close()
        [before] = await made.reader.heads(debates=[debate.pk])
        await asyncio.to_thread(conclude)
        await watched.catch_up()
        told = watched.head, watched.status
        made._compare(watched, before, known=before.seq)
        await made.reader.close()
        return told, watched.status

    def conclude():
        factories.over(debate)
        connections.close_all()

    assert asyncio.run(read()) == ((2, "concluded"), "concluded")


def test_a_log_that_is_behind_because_of_any_error_is_said_to_be_and_promised_to_nobody(monkeypatch, caplog):
    broken, looking, now = [True], Hub(), time.monotonic()

    class Holed:
        async def lines(self, *, debate, after):
            return [Line(seq, "public", "x") for seq in range(after + 2 if broken else after + 1, 3)]

    class Watcher:
        def tend(self, *, now, current):
            promised.append(current)

        def wake(self, *, now):
            pass

    promised = []
    looking.channels[1] = watched = Channel(head=Head(1, 0, 0, "running", None), reader=Holed(), check_rights=None)
    watched.subscribers.add(Watcher())

    async def heads(*, debates):
        return [Head(1, 2, 0, "running", None)]

    monkeypatch.setattr(looking.reader, "heads", heads)

    async def for_a_while():
        for after in (0, hub.CURRENT_FOR - 0.5, hub.CURRENT_FOR + 60):
            await looking._poll()
            await asyncio.wait({watched._loading})
            looking._read_at = now + after
            looking._tend(now=now + after)
            if after > hub.CURRENT_FOR:
                broken.clear()
                await looking._poll()
                await asyncio.sleep(0)
                looking._read_at = now + after
                looking._tend(now=now + after)
        watched.close()

    asyncio.run(for_a_while())

    assert promised == [True, True, False, True]
    assert "line 2 does not follow 0" in caplog.text


def test_what_looks_after_readers_goes_on_after_any_error(monkeypatch, settings):
    monkeypatch.setattr(hub, "TICK", 0)
    settings.LIVE_RIGHTS_SECONDS = 0
    made, tried = Hub(), Counter()

    def broken(name):
        def fail(**_):
            tried[name] += 1
            raise RuntimeError(name)

        return fail

    for name in ("_poll", "_tend", "_subscribers"):
        monkeypatch.setattr(made, name, broken(name))

    async def for_a_while():
        loops = [asyncio.create_task(one) for one in (made._tick(), made._watch_rights())]
        for _ in range(20):
            await asyncio.sleep(0)
        for one in loops:
            one.cancel()

    asyncio.run(for_a_while())

    assert min(tried[name] for name in ("_poll", "_tend", "_subscribers")) > 1
