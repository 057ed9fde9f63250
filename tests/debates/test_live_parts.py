"""Parts of open pages: drawn once and sent through the stream, to those who show them and may read the debate."""

import asyncio
import contextlib
import json
import re
from itertools import permutations
from uuid import uuid4

import pytest
from django.db import DatabaseError
from websockets.exceptions import ConnectionClosed

from debates.live import parts
from debates.live.authorization import Access, AccessRequest
from debates.live.channel import Channel
from debates.live.parts import DrawnPart, Stirring
from debates.live.reader import Head, Line
from debates.live.subscriber import WINDOW_BYTES, Subscriber
from debates.live.transports import WebSocketTransport
from debates.types import Audience
from tests.debates.servers import SERVERS
from tests.debates.stream_readers import PATIENCE, Read, blocks, credentials, fetched, follow, opened, streaming

SHOWS = ("heading", "overall", "scoreboard")
SCORE = ("score:updated", {
    "evaluation": "6d2a1c7e-2f0b-4f0e-9a54-0c8f6f1c9a11", "instrument": "criterion", "criterion": "K1",
    "category": "problem", "round": 1, "totalRounds": 3, "originalScore": "6.00", "currentScore": "6.50",
    "participant": None,
})  # fmt: skip


@pytest.fixture
def played(place):
    """A debate with a page of its own, and the number of its last event."""
    made = place.here.act("start", 2, 2, 0)["debate"]
    address = place.here.ask(f"SELECT public_id FROM debates_debate WHERE id = {made}")
    return {"id": made, "address": str(address), "seq": place.head(made)}


def shows(seq, *names):
    return ",".join(f"{name}:{seq}" for name in names or SHOWS)


def brought(read):
    """The parts that a reader was sent: name and number, in order."""
    return [(part["name"], part["seq"]) for one in read.others if one["type"] == "parts" for part in one["parts"]]


def until_parts(socket, *names):
    """Read until these parts have come, in however many frames, or until the server closes."""
    read = Read()
    while not {*names} <= {name for name, _ in brought(read)}:
        try:
            frame = json.loads(socket.recv(timeout=PATIENCE))
        except ConnectionClosed as closed:
            read.code = closed.rcvd.code
            break
        read.take(frame)
        if "events" in frame:
            socket.send(json.dumps({"ack": frame["through"]}))
    return read


def streamed_parts(response):
    """The first frame of parts of a stream of events, as it is said there."""
    return next(block for block in blocks(response) if block.get("event") == "parts")


def test_whoever_shows_parts_is_sent_what_an_event_has_made_out_of_date_and_nobody_else_is(place, web, played):
    seq = played["seq"]
    with (
        opened(web, played["address"], after=seq, shows=shows(seq)) as page,
        opened(web, played["address"], after=seq) as program,
        streaming(web, played["address"], after=seq, shows=shows(seq, "overall")) as stream,
    ):
        place.tell(played["id"], SCORE)
        read = until_parts(page, "overall", "scoreboard")
        plain = follow(program, to=seq + 1)
        streamed = streamed_parts(stream)

    assert read.seqs == plain.seqs == [seq + 1]
    assert sorted(brought(read)) == [("overall", seq + 1), ("scoreboard", seq + 1)]
    assert brought(plain) == []
    assert "id" not in streamed
    asked = fetched(web, f"/debates/{played['address']}/parts/?of=overall")
    [drawing] = re.findall(r'<div data-drawn-at="\d+">(.*)</div>\s*</body>', asked, re.DOTALL)
    assert json.loads(streamed["data"])["parts"] == [{"name": "overall", "seq": seq + 1, "html": drawing}]


def test_what_was_missed_is_brought_as_soon_as_a_page_says_what_it_shows(place, web, played):
    seq = played["seq"]
    place.tell(played["id"], SCORE)

    with opened(web, played["address"], after=seq + 1, shows=shows(seq, "overall")) as late:
        read = until_parts(late, "overall")
    with opened(web, played["address"], after=seq + 1, shows=shows(seq + 1, "overall")) as page:
        nothing = follow(page, seconds=1.5)
        page.send(
            json.dumps({"shows": {"overall": seq + 1, "scoreboard": seq, "criterion-1": seq, "criterion-2": seq}})
        )
        opened_later = until_parts(page, "scoreboard", "criterion-1")
        page.send(json.dumps({"shows": {}}))
        place.tell(played["id"], SCORE)
        hidden = follow(page, seconds=1.5)

    assert brought(read) == [("overall", seq + 1)]
    assert brought(nothing) == brought(hidden) == []
    assert sorted(brought(opened_later)) == [("criterion-1", seq + 1), ("scoreboard", seq + 1)]
    assert hidden.seqs == [seq + 2]


def test_much_at_once_is_drawn_now_and_then_and_a_newer_drawing_never_before_an_older(place, web, played):
    seq = played["seq"]
    with opened(web, played["address"], after=seq, shows=shows(seq)) as page:
        place.tell_each(played["id"], [SCORE] * 60)
        read = follow(page, seconds=9)

    numbers = [number for name, number in brought(read) if name == "overall"]
    assert read.seqs == list(range(seq + 1, seq + 61))
    assert numbers == sorted(set(numbers))
    assert numbers[-1] == seq + 60
    assert len(numbers) < 10


def test_what_nobody_shows_and_what_there_is_not_is_not_drawn(place, web, played):
    seq = played["seq"]
    with opened(web, played["address"], after=seq, shows=shows(seq, "overall", "nothing", "criterion-99")) as page:
        place.tell(played["id"], SCORE)
        read = until_parts(page, "overall")

    assert brought(read) == [("overall", seq + 1)]


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("door", ["websocket", "sse"])
def test_parts_of_a_debate_are_for_those_who_may_read_it(place, server, door, played):
    web, seq = place.webs[server], played["seq"]
    member, stranger, reader = place.person(), place.person(), place.person("debates.view_debate")
    place.do(
        f"UPDATE debates_debate SET created_by_id = {member['id']}, visibility = 'private' WHERE id = {played['id']}"
    )
    told = {}

    for number, (name, session) in enumerate(
        {
            "nobody": None,
            "stranger": stranger["session"],
            "member": member["session"],
            "reader": reader["session"],
        }.items()
    ):
        at = seq + number
        if door == "websocket":
            with opened(web, played["address"], after=at, shows=shows(at, "overall"), session=session) as page:
                place.tell(played["id"], SCORE)
                read = until_parts(page, "overall")
            told[name] = read.code or brought(read)
        else:
            headers = credentials(session=session)
            with streaming(web, played["address"], after=at, shows=shows(at, "overall"), headers=headers) as stream:
                place.tell(played["id"], SCORE)
                frame = streamed_parts(stream) if stream.status == 200 else None
            told[name] = [("overall", json.loads(frame["data"])["parts"][0]["seq"])] if frame else stream.status

    refused = 4404 if door == "websocket" else 404
    assert told == {
        "nobody": refused, "stranger": refused,
        "member": [("overall", seq + 3)], "reader": [("overall", seq + 4)],
    }  # fmt: skip


def test_a_debate_that_is_hidden_with_an_event_sends_nobody_its_parts_who_may_not_stay(place, played):
    maker, seq = place.person(), played["seq"]
    place.do(f"UPDATE debates_debate SET created_by_id = {maker['id']} WHERE id = {played['id']}")
    key = place.key(maker["id"], scope="write")
    slow = {"MOOT_LIVE_RIGHTS_SECONDS": "3600"}
    webs = [place.serve(server, **slow) for server in SERVERS]

    for web in webs:
        asked = {"after": seq, "shows": shows(seq)}
        with (
            opened(web, played["address"], **asked) as page,
            opened(web, played["address"], session=maker["session"], **asked) as own,
        ):
            for socket in (page, own):
                assert json.loads(socket.recv(timeout=PATIENCE))["type"] == "hello"
            assert place.post(web, f"debates/{played['address']}/visibility/", {"visibility": "private"}, key) == 200
            away, stayed = follow(page), until_parts(own, *SHOWS)
        assert (away.code, brought(away)) == (4401, [])
        assert sorted(name for name, _ in brought(stayed)) == ["heading", "overall", "scoreboard"]
        assert place.post(web, f"debates/{played['address']}/visibility/", {"visibility": "public"}, key) == 200
        seq = place.head(played["id"])
        web.end()


def test_parts_count_as_bytes_and_a_reader_who_acknowledges_nothing_is_sent_away(place, web, played):
    seq = played["seq"]
    with opened(web, played["address"], after=seq, shows=shows(seq)) as page:
        place.tell(played["id"], SCORE)
        until_parts(page, "overall")  # the event is acknowledged, what came after it is not
        read = follow(page, ack=False)

    assert (read.code, read.told("refused")["code"]) == (4408, "stalled")


@pytest.mark.parametrize(
    "message",
    [
        '{"shows": ["overall"]}', '{"shows": {"overall": "7"}}', '{"shows": {"overall": -1}}', '{"shows": {"<b>": 1}}',
        '{"shows": {}, "ack": 1}', json.dumps({"shows": {f"part-{number}": 1 for number in range(201)}}),
    ],
)  # fmt: skip
def test_a_page_names_parts_and_for_each_an_event(web, log, message):
    with opened(web, log["address"]) as page:
        page.send(message)
        assert follow(page).code == 4400


@pytest.mark.parametrize(
    "said", ["overall", "overall:x", ":1", "a b:1", "overall:1,,heading:1", shows(1, *map(str, range(201)))]
)
def test_an_address_that_names_no_parts_is_refused(web, log, said):
    with opened(web, log["address"], shows=said) as page:
        assert follow(page).code == 4400


# -- by themselves ---------------------------------------------------------------------------------------------------


class Draws:
    """Draws by hand: as of where the log is, and remembers what it was asked for."""

    def __init__(self):
        self.seq, self.asked = 1, []

    def stirring(self, *, debate, names):
        return {name: Stirring(frozenset({"turn:added"}), ("score:",), "", "") for name in names if name != "nothing"}

    def drawn(self, *, debate, names):
        self.asked.append(sorted(names))
        return self.seq, {name: f"<p>{name}</p>" for name in names}


DRAWS = Draws()


@pytest.fixture
def draws(monkeypatch):
    monkeypatch.setattr(parts, "SOURCES", [f"{__name__}.DRAWS"])
    monkeypatch.setattr(parts, "DRAW_EVERY", 0.01)
    DRAWS.__init__()
    return DRAWS


def reader_of(place, sent, *, audiences=frozenset({Audience.PUBLIC}), **shown):
    async def send(message):
        sent.append(json.loads(message["text"]))

    asked, access = AccessRequest(debate=uuid4()), Access(debate_id=1, person=None, audiences=audiences)
    reader = Subscriber(
        channel=place,
        transport=WebSocketTransport(),
        send=send,
        request=asked,
        access=access,
        after=1,
        shown_parts=shown,
    )
    place.subscribers.add(reader)
    return reader


def channel(*, reader=None, check_rights=None):
    place = Channel(head=Head(1, 1, 0, "running", None), reader=reader, check_rights=check_rights)
    place.buffer.head = 1
    return place


async def happen(place, line):
    """Tell of an event, as of which parts are drawn from now on, and wait until they are."""
    DRAWS.seq = line.seq
    told(place, line)
    await rest(place)


def told(place, line):
    place.buffer.add([line])
    place.parts.stir([line])
    place.wake()


@contextlib.asynccontextmanager
async def watching(*readers):
    """Have readers follow their channel, and leave it again."""
    tasks = [asyncio.create_task(reader.run(epoch=uuid4())) for reader in readers]
    await rest(readers[0].channel)
    yield
    for reader in readers:
        reader.leave()
    await asyncio.gather(*tasks)


async def rest(place):
    """Wait until nothing more is drawn."""
    await asyncio.sleep(0)
    if place.parts._drawing is not None:
        await asyncio.wait({place.parts._drawing})
    await asyncio.sleep(0.01)


def parts_of(sent):
    return [(part["name"], part["seq"]) for one in sent if one.get("type") == "parts" for part in one["parts"]]


def test_parts_are_drawn_once_for_all_and_for_those_alone_who_are_told_of_the_event(draws):
    public, desk = [], []

    async def watched():
        place = channel()
        everybody = [reader_of(place, public, overall=1) for _ in range(5)]
        staff = reader_of(place, desk, audiences=frozenset(Audience), overall=1, nothing=1)
        async with watching(*everybody, staff):
            await happen(place, Line(2, "moderators", "2", "score:updated"))
            hidden = list(draws.asked), parts_of(public), parts_of(desk)
            await happen(place, Line(3, "public", "3", "turn:added"))
        return hidden, staff.shown

    hidden, shown = asyncio.run(watched())

    assert hidden == ([["overall"]], [], [("overall", 2)])
    assert draws.asked == [["overall"]] * 2
    assert parts_of(public) == [("overall", 3)] * 5
    assert parts_of(desk) == [("overall", 2), ("overall", 3)]
    assert shown == {"overall": 3}


def test_a_drawing_is_sent_once_on_a_line_whatever_its_page_says(draws):
    sent, others = [], []

    async def watched():
        place = channel()
        reader, stays = reader_of(place, sent, overall=1), reader_of(place, others, overall=1)
        async with watching(reader, stays):
            await happen(place, Line(2, "public", "2", "turn:added"))
            for shown in ({}, {"overall": 0}, {"overall": 1}):
                reader.show(shown)
                await rest(place)

    asyncio.run(watched())

    assert parts_of(sent) == parts_of(others) == [("overall", 2)]


def test_frames_of_the_same_drawings_in_any_order_are_kept_no_more_than_so_many(draws, monkeypatch):
    monkeypatch.setattr(parts, "CUTS_KEPT", 5)

    async def watched():
        place = channel()
        names = [f"part {number}" for number in range(4)]
        reader = reader_of(place, [], **dict.fromkeys(names, 1))
        async with watching(reader):
            await happen(place, Line(2, "public", "2", "turn:added"))
            for order in permutations(names):
                reader.shown = dict.fromkeys(order, 1)
                assert place.parts.cut(reader) is not None
            return len(place.parts._cuts)

    assert asyncio.run(watched()) <= 5


def test_parts_in_other_letters_count_as_the_bytes_that_they_are_on_the_network(draws, monkeypatch):
    sizes, sent = {"one": parts.FRAME_BYTES // 2, "other": parts.FRAME_BYTES // 2, "too long": parts.LARGEST}, []
    html = {name: "語" * (size // 3) for name, size in sizes.items()}
    monkeypatch.setattr(draws, "drawn", lambda *, debate, names: (2, {name: html[name] for name in names}))

    async def watched():
        place = channel()
        reader = reader_of(place, sent, **dict.fromkeys(sizes, 1))
        async with watching(reader):
            await happen(place, Line(2, "public", "2", "turn:added"))
            return reader._in_flight

    in_flight = asyncio.run(watched())

    frames = [json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in sent if "hello" not in one.values()]
    assert sorted(parts_of(sent)) == [("one", 2), ("other", 2)]
    assert [len(one["parts"]) for one in sent if "parts" in one] == [1, 1]
    assert in_flight >= sum(len(frame.encode()) for frame in frames[1:])


def test_after_a_read_that_failed_the_next_event_has_parts_drawn(draws, monkeypatch):
    monkeypatch.setattr(parts, "LONGEST_REST", 0.01)
    sent, failures = [], ["once"]

    def stirring(*, debate, names):
        if failures:
            failures.pop()
            raise DatabaseError("the connection was lost")
        return Draws.stirring(draws, debate=debate, names=names)

    monkeypatch.setattr(draws, "stirring", stirring, raising=False)

    async def watched():
        place = channel()
        reader = reader_of(place, sent, overall=1)
        async with watching(reader):
            await happen(place, Line(2, "public", "2", "turn:added"))

    asyncio.run(watched())

    assert parts_of(sent) == [("overall", 2)]


def test_an_event_that_comes_while_a_drawing_that_failed_rests_has_it_tried_again(draws, monkeypatch):
    monkeypatch.setattr(parts, "LONGEST_REST", 0.05)
    sent, failures, drawn = [], ["once"], draws.drawn

    def fail_once(**asked):
        if failures:
            raise DatabaseError(failures.pop())
        return drawn(**asked)

    monkeypatch.setattr(draws, "drawn", fail_once)

    async def watched():
        place = channel()
        async with watching(reader_of(place, sent, overall=1)):
            draws.seq = 3
            told(place, Line(2, "public", "2", "turn:added"))
            await asyncio.sleep(0.02)
            told(place, Line(3, "public", "3", "turn:added"))
            await rest(place)

    asyncio.run(watched())

    assert parts_of(sent) == [("overall", 3)]


def test_what_makes_one_part_out_of_date_cannot_be_found_out_and_the_others_are_drawn(draws, monkeypatch):
    monkeypatch.setattr(parts, "LONGEST_REST", 0.01)
    sent, stirring = [], draws.stirring

    def broken(*, debate, names):
        return {name: 1 / (name != "broken") and told for name, told in stirring(debate=debate, names=names).items()}

    monkeypatch.setattr(draws, "stirring", broken)

    async def watched():
        place = channel()
        reader = reader_of(place, sent, overall=1)
        async with watching(reader):
            reader.show({"overall": 1, "broken": 1})
            await happen(place, Line(2, "public", "2", "turn:added"))

    asyncio.run(watched())

    assert parts_of(sent) == [("overall", 2)]


def test_a_drawing_that_knows_more_than_was_told_waits_until_it_is_told(draws):
    sent, order = [], []

    class Behind:
        async def lines(self, *, debate, after):
            order.append("read")
            return [Line(3, "public", "3", "debate:visibility")] if after < 3 else []

    async def checked(_subscribers):
        order.append(f"rights, {len(parts_of(sent))} parts sent")

    async def watched():
        place = channel(reader=Behind(), check_rights=checked)
        reader = reader_of(place, sent, overall=1)
        async with watching(reader):
            draws.seq = 3
            told(place, Line(2, "public", "2", "turn:added"))
            await rest(place)

    asyncio.run(watched())

    assert order == ["read", "rights, 0 parts sent"]
    assert [one.get("through", one.get("type")) for one in sent] == ["hello", 2, 3, "parts"]
    assert parts_of(sent) == [("overall", 3)]


def test_what_was_drawn_before_words_were_erased_is_not_sent(draws):
    sent = []

    async def watched():
        place = channel()
        reader = reader_of(place, sent, overall=1)
        async with watching(reader):
            place.parts._drawn["overall"] = DrawnPart(2, '"words"')
            draws.seq = 2
            drawn = draws.drawn

            def erased_meanwhile(**asked):
                place.erasures += 1
                return drawn(**asked)

            draws.drawn = erased_meanwhile
            told(place, Line(2, "public", "2", "turn:added"))
            place.forget(erasures=place.erasures)
            await rest(place)
        del draws.drawn

    asyncio.run(watched())

    assert parts_of(sent) == []


def test_a_reader_whose_window_is_full_is_sent_the_newest_drawing_once_there_is_room(draws):
    sent = []

    async def watched():
        place = channel()
        reader = reader_of(place, sent, overall=1)
        async with watching(reader):
            await happen(place, Line(2, "public", json.dumps("x" * WINDOW_BYTES), "turn:added"))
            await happen(place, Line(3, "public", "3", "turn:added"))
            full = parts_of(sent)
            reader.acknowledge(2)
            await rest(place)
        return full

    assert asyncio.run(watched()) == []
    assert parts_of(sent) == [("overall", 3)]


def test_parts_that_come_after_an_event_for_others_are_acknowledged_with_what_was_sent_before(draws):
    sent = []

    async def watched():
        place = channel()
        reader = reader_of(place, sent, overall=1)
        async with watching(reader):
            draws.seq = 2
            told(place, Line(2, "public", "2", "turn:added"))
            told(place, Line(3, "moderators", "3", "alert:handled"))
            await rest(place)
            reader.acknowledge(2)
            return reader.cursor, reader._in_flight

    assert asyncio.run(watched()) == (3, 0)
    assert parts_of(sent) == [("overall", 2)]


@pytest.mark.parametrize(
    ("stirring", "line", "stirs"),
    [
        pytest.param(("", ""), {"type": "score:updated"}, True, id="of all types that begin so"),
        pytest.param(("", ""), {"type": "turn:added"}, True, id="of a type"),
        pytest.param(("", ""), {"type": "turn:awaited"}, False, id="of another"),
        pytest.param(("P1", ""), {"type": "turn:added", "criterion": "P1"}, True, id="about its criterion"),
        pytest.param(("P1", ""), {"type": "turn:added", "criterion": "P2"}, False, id="about another criterion"),
        pytest.param(("P1", ""), {"type": "turn:added"}, True, id="about no criterion"),
        pytest.param(("", "2"), {"type": "turn:added", "round": "2"}, True, id="of its round"),
        pytest.param(("", "2"), {"type": "turn:added", "round": "3"}, False, id="of another round"),
        pytest.param(("", "2"), {"type": "turn:added"}, True, id="of no round"),
    ],
)
def test_an_event_makes_a_part_out_of_date_by_its_type_and_what_it_is_about(stirring, line, stirs):
    assert Stirring(frozenset({"turn:added"}), ("score:",), *stirring).by(Line(1, "public", "", **line)) is stirs
