"""The words that belong to events: data to whoever reads them, and gone from memory once they are erased."""

import pytest

from debates import event_schemas
from debates.live.reader import TEXT_QUERIES
from tests.debates.stream_readers import READERS, follow, opened

HOSTILE = '</script><img src=x onerror=alert(1)> "\'\\ \u2028 & line\nfeed: {"ack": 1}\r\nid: 7\n\ndata: {}'
NAME = '<b>Bob</b> & "Sons"'


@pytest.fixture
def said(place):
    """A debate in which one thing was said."""
    return place.here.act("say", HOSTILE, NAME)


def test_words_of_people_are_data(web, said):
    reads = [reader(web, said["address"], to=1) for reader in READERS.values()]

    assert [(read.events[0]["data"]["text"], read.events[0]["data"]["speaker"]) for read in reads] == [
        (HOSTILE, NAME)
    ] * 2
    assert [set(read.events[0]["data"]) for read in reads] == [
        {"turn", "kind", "role", "speaker", "text", "challenge", "persona", "severity", "quote", "reply"}
    ] * 2


def test_erased_words_are_not_told_from_memory(place, web, said):
    with opened(web, said["address"]) as socket:
        before = follow(socket, to=1)
        place.here.server.ask(f"UPDATE debates_debate SET status = 'cancelled' WHERE id = {said['id']} RETURNING id")
        place.here.manage("erase", "--debate", said["address"], "--yes", "--as", "root", "--reason", "Bob has asked.")
        told = follow(socket)
    after = [reader(web, said["address"], to=1) for reader in READERS.values()]

    assert before.events[0]["data"]["text"] == HOSTILE
    assert (told.code, told.told("resync")["because"]) == (4410, "erased")
    assert [read.events[0]["data"]["text"] for read in after] == ["", ""]


def test_every_type_that_promises_words_has_somebody_who_reads_them():
    promised = {type for type, shape in event_schemas.TYPES.items() if shape.words is not None}

    assert set(TEXT_QUERIES) == promised
