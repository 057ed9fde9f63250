"""The two forms in which frames go out: WebSocket messages and server-sent events. Values only."""

from collections.abc import Generator
from typing import Any
from uuid import UUID

from debates.live import frames
from debates.live.frames import Close

Message = dict[str, Any]


class Sent:
    """What whoever has sent something awaits where there is nothing to wait for: a coroutine for each costs more."""

    def __await__(self) -> Generator[None, None, None]:
        yield from ()


SENT = Sent()


class WebSocketTransport:
    """Frames as text messages. Readers acknowledge them."""

    kind = "websocket"
    acknowledges = True
    most_bytes: int | None = None

    def events(self, *, through: int, text: str) -> Message:
        return {"type": "websocket.send", "text": text}

    def control(self, *, type: str, position: int, **fields: Any) -> Message:
        """Return the message of any frame but events; ``position`` is where the reader is then."""
        return {"type": "websocket.send", "text": frames.frame(type, **fields)}

    def parts(self, text: str) -> Message:
        return {"type": "websocket.send", "text": text}

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

    def parts(self, text: str) -> Message:
        """Return a message without an ``id``: where the reader is does not move with it."""
        return body(f"event: parts\ndata: {text}\n\n")

    def closing(self, *, close: Close) -> Message:
        return body("", more=False)


Transport = WebSocketTransport | EventStreamTransport


def body(text: str, *, more: bool = True) -> Message:
    return {"type": "http.response.body", "body": text.encode(), "more_body": more}
