"""Frames that are made once: the bytes that a library makes, and never those of another message."""

import pytest
from websockets.frames import Frame, Opcode

from config.websocket_frames import LastFrame, text_frame


@pytest.mark.parametrize("text", ["", "a", "ä" * 62, "a" * 125, "a" * 126, "ö" * 32767, "a" * 65535, "a" * 65536])
def test_a_frame_is_what_a_library_makes_of_the_text(text):
    assert text_frame(text) == Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


def test_each_message_has_its_own_frame_however_they_take_turns():
    last = LastFrame()
    first, second, like_first = ({"type": "websocket.send", "text": text} for text in ("one", "two", "one"))

    assert [last.of(message)[2:] for message in (first, second, first, like_first)] == [b"one", b"two", b"one", b"one"]
    assert last.of(first) is last.of(first)
