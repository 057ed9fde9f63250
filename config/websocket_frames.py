"""WebSocket messages as the bytes of their frames (RFC 6455), for servers that send one message to many readers."""

import struct
from collections.abc import Mapping
from typing import Any

TEXT = 0x81  # a whole message, of text
SHORT, MEDIUM = 125, 0xFFFF


def text_frame(text: str) -> bytes:
    """Return a server's frame: neither masked nor compressed."""
    payload = text.encode()
    length = len(payload)
    if length <= SHORT:
        return struct.pack("!BB", TEXT, length) + payload
    if length <= MEDIUM:
        return struct.pack("!BBH", TEXT, 126, length) + payload
    return struct.pack("!BBQ", TEXT, 127, length) + payload


class LastFrame:
    """The frame of the last message of ASGI, kept for whoever is sent the same message next."""

    def __init__(self) -> None:
        self._message: Mapping[str, Any] | None = None
        self._frame = b""

    def of(self, message: Mapping[str, Any]) -> bytes:
        """Return the frame of a message that holds text; ``debates.live.channel`` gives all readers the same object."""
        if message is not self._message:
            self._message, self._frame = message, text_frame(message["text"])
        return self._frame
