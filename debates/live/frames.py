"""Frames: what is sent, as text, and what a reader may say. Values only."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from debates.rules import unique_keys

LONGEST_MESSAGE = 16 * 1024
LONGEST_PING = 64
MOST_PARTS = 200
PART_NAME = re.compile(r"[a-z0-9_-]{1,40}")


class Close(IntEnum):
    """With what a connection is closed. Source: docs/reference/stream.md."""

    BYE = 4012
    BAD_REQUEST = 4400
    RIGHTS_CHANGED = 4401
    ORIGIN_REFUSED = 4403
    NOT_FOUND = 4404
    BAD_KEY = 4407
    STALLED = 4408
    RESYNC = 4410
    TOO_BIG = 4413
    TOO_MANY = 4429
    UNAVAILABLE = 4500


STATUSES = {
    Close.BAD_REQUEST: 400,
    Close.BAD_KEY: 401,
    Close.ORIGIN_REFUSED: 403,
    Close.NOT_FOUND: 404,
    Close.TOO_MANY: 429,
    Close.UNAVAILABLE: 503,
}
"""The same as HTTP status, for what is refused before a stream begins."""


class RefusedStream(Exception):
    """A reader is sent away: with which code, and why in words."""

    def __init__(self, close: Close, message: str) -> None:
        super().__init__(message)
        self.close, self.message = close, message

    @property
    def code(self) -> str:
        return self.close.name.lower()

    def frame(self) -> str:
        return frame("refused", code=self.code, message=self.message)


@dataclass(frozen=True, slots=True)
class Ack:
    """Everything up to ``seq`` has been applied."""

    seq: int


@dataclass(frozen=True, slots=True)
class Ping:
    """Something to send back."""

    value: str | int


@dataclass(frozen=True, slots=True)
class Shows:
    """Which parts a page shows from now on: {name: as of which event it was drawn}."""

    parts: Mapping[str, int]


def frame(type: str, **fields: Any) -> str:
    """Return a frame that is not about events."""
    return json.dumps({"type": type, **fields}, separators=(",", ":"))


def events(*, through: int, lines: Sequence[str]) -> str:
    return f'{{"through":{through},"events":[{",".join(lines)}]}}'


def part(*, name: str, seq: int, html: str) -> str:
    """Return a drawn part as it stands in a frame."""
    return json.dumps({"name": name, "seq": seq, "html": html}, ensure_ascii=False, separators=(",", ":"))


def parts(texts: Sequence[str]) -> str:
    return f'{{"type":"parts","parts":[{",".join(texts)}]}}'


def are_parts(parts: Mapping[str, Any]) -> bool:
    """Say whether something names parts, and for each an event."""
    named = all(PART_NAME.fullmatch(name) and type(seq) is int and seq >= 0 for name, seq in parts.items())
    return named and len(parts) <= MOST_PARTS


def parse_message(*, text: str | None) -> Ack | Ping | Shows:
    """Return what a reader said; no text is a message of bytes.

    Raises: ``RefusedStream``.
    """
    if text is None:
        raise RefusedStream(Close.BAD_REQUEST, "Messages are text.")
    if len(text.encode()) > LONGEST_MESSAGE:
        raise RefusedStream(Close.TOO_BIG, f"A message has at most {LONGEST_MESSAGE} bytes.")
    try:
        message = json.loads(text, object_pairs_hook=unique_keys)
    except (ValueError, RecursionError):
        message = None
    match message:
        case {"ack": seq, **rest} if not rest and type(seq) is int and seq >= 0:
            return Ack(seq)
        case {"ping": value, **rest} if not rest and type(value) in {int, str} and len(str(value)) <= LONGEST_PING:
            return Ping(value)
        case {"shows": dict() as parts, **rest} if not rest and are_parts(parts):
            return Shows(parts)
    raise RefusedStream(
        Close.BAD_REQUEST, 'A reader says {"ack": seq}, {"ping": value} or {"shows": {part: seq}}, and nothing else.'
    )
