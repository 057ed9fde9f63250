"""The two forms in which frames go out: WebSocket messages and server-sent events. Values only."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID

from debates import problems
from debates.live import frames
from debates.live.frames import Close, Refused

Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a refusal says about the request: its path and its name."""

    path: str
    name: str


class Transport(Protocol):
    """How what is said to a reader is put into messages of ASGI."""

    kind: str
    acknowledges: bool
    most_bytes: int | None

    def events(self, *, through: int, text: str) -> Message: ...

    def control(self, *, type: str, position: int, **fields: Any) -> Message:
        """Return the message of any other frame; ``position`` is where the reader is then."""
        ...

    def closing(self, *, close: Close) -> Message: ...


class WebSocketTransport:
    """Frames as text messages. Readers acknowledge them."""

    kind = "websocket"
    acknowledges = True
    most_bytes: int | None = None

    def events(self, *, through: int, text: str) -> Message:
        return {"type": "websocket.send", "text": text}

    def control(self, *, type: str, position: int, **fields: Any) -> Message:
        return {"type": "websocket.send", "text": frames.frame(type, **fields)}

    def closing(self, *, close: Close) -> Message:
        return {"type": "websocket.close", "code": int(close), "reason": close.name.lower()}


class EventStreamTransport:
    """Frames as server-sent events. Nobody acknowledges them, so a stream ends after so many bytes and is resumed."""

    acknowledges = False
    most_bytes: int | None = 1024 * 1024
    POSITIONED = frozenset({"hello", "heartbeat"})

    def __init__(self, *, epoch: UUID) -> None:
        self.epoch = epoch
        self.kind = f"sse {epoch}"

    def events(self, *, through: int, text: str) -> Message:
        return body(f"id: {self.epoch}:{through}\ndata: {text}\n\n")

    def control(self, *, type: str, position: int, **fields: Any) -> Message:
        lines = [f"event: {type}", f"data: {frames.frame(type, **fields)}", "", ""]
        if type in self.POSITIONED:
            lines.insert(0, f"id: {self.epoch}:{position}")
        if type == "bye":
            lines.insert(0, f"retry: {fields['retry']}")
        return body("\n".join(lines))

    def closing(self, *, close: Close) -> Message:
        return body("", more=False)


def body(text: str, *, more: bool = True) -> Message:
    return {"type": "http.response.body", "body": text.encode(), "more_body": more}


TOO = {
    401: [(b"www-authenticate", b'Bearer realm="Moot"')],
    429: [(b"retry-after", b"5")],
    503: [(b"retry-after", b"5")],
}
"""What an answer of this status says besides."""


def refusal(refused: Refused, *, asked: Asked) -> tuple[Message, Message]:
    """Return the two messages that tell a refusal before a stream begins."""
    status = frames.STATUSES[refused.close]
    return problem(asked, status=status, code=refused.code, detail=refused.message, headers=TOO.get(status, ()))


def try_again(refused: Refused, *, seconds: int) -> Message:
    """Return a whole stream of events that says why there is none now, and when to come again."""
    return body(f"retry: {seconds * 1000}\nevent: refused\ndata: {refused.frame()}\n\n", more=False)


def problem(
    asked: Asked, *, status: int, code: str, detail: str, headers: Sequence[tuple[bytes, bytes]] = ()
) -> tuple[Message, Message]:
    told = problems.document(status=status, code=code, detail=detail, instance=asked.path, request_id=asked.name)
    document = json.dumps(told).encode()
    start = {
        "type": "http.response.start",
        "status": status,
        "headers": [
            (b"content-type", problems.MEDIA_TYPE.encode()),
            (b"content-length", str(len(document)).encode()),
            (problems.HEADER.lower().encode(), asked.name.encode()),
            *headers,
        ],
    }
    return start, {"type": "http.response.body", "body": document, "more_body": False}
