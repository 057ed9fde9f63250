"""Readers of a stream: what they say when they come, and what they are told."""

import contextlib
import http.client
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.debates.servers import Web

PATIENCE = 60.0


@dataclass
class Read:
    """What a reader was told until the end of a log, or until it was sent away."""

    seqs: list[int] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    others: list[dict[str, Any]] = field(default_factory=list)
    through: int = 0
    frames: int = 0
    code: int | None = None

    def take(self, frame: Mapping[str, Any]) -> None:
        """Take note of one frame."""
        if "events" in frame:
            self.frames += 1
            self.through = frame["through"]
            self.events += frame["events"]
            self.seqs += [one["seq"] for one in frame["events"]]
        else:
            self.others.append(dict(frame))

    def told(self, type: str) -> dict[str, Any] | None:
        """Return the first frame of a type."""
        return next((one for one in self.others if one["type"] == type), None)


def credentials(*, session: str | None = None, bearer: str | None = None) -> dict[str, str]:
    """Return the headers of somebody who is signed in, or of a program with a key."""
    if bearer:
        return {"Authorization": f"Bearer {bearer}"}
    return {"Cookie": f"sessionid={session}"} if session else {}


def opened(
    web: Web,
    address: str,
    *,
    session: str | None = None,
    bearer: str | None = None,
    origin: str | None = "",
    **query: Any,
):
    """Open a WebSocket, as a page of our own does unless told otherwise."""
    own = None if bearer else f"http://127.0.0.1:{web.port}"
    return connect(
        f"ws://127.0.0.1:{web.port}/ws/debates/{address}/?{urlencode(query, doseq=True)}",
        origin=own if origin == "" else origin,  # type: ignore[arg-type]
        additional_headers=credentials(session=session, bearer=bearer),
        compression=None,
        open_timeout=PATIENCE,
        max_size=None,
    )


def follow(socket: ClientConnection, *, to: int | None = None, seconds: float = PATIENCE, ack: bool = True) -> Read:
    """Read frames until ``to`` has been passed, the server closes, or the time is over."""
    found, end = Read(), time.monotonic() + seconds
    try:
        while (left := end - time.monotonic()) > 0:
            frame = json.loads(socket.recv(timeout=left))
            found.take(frame)
            if "events" in frame and ack:
                with contextlib.suppress(ConnectionClosed):  # what was sent before the end is still to be read
                    socket.send(json.dumps({"ack": frame["through"]}))
            if to is not None and max(found.through, frame.get("through", 0)) >= to and found.others:
                break
    except TimeoutError:
        pass
    except ConnectionClosed as closed:
        found.code = closed.rcvd.code if closed.rcvd else 1006
    return found


def socket_read(web: Web, address: str, *, to: int | None = None, seconds: float = PATIENCE, **options: Any) -> Read:
    """Open a WebSocket, read, and close it."""
    with opened(web, address, **options) as socket:
        return follow(socket, to=to, seconds=seconds)


@contextlib.contextmanager
def streaming(
    web: Web,
    address: str,
    *,
    headers: Mapping[str, str] = {},
    method: str = "GET",
    seconds: float = PATIENCE,
    **query: Any,
) -> Iterator[http.client.HTTPResponse]:
    """Open a stream of server-sent events."""
    visitor = http.client.HTTPConnection("127.0.0.1", web.port, timeout=seconds)
    try:
        visitor.request(method, f"/stream/debates/{address}?{urlencode(query, doseq=True)}", headers=dict(headers))
        yield visitor.getresponse()
    finally:
        visitor.close()


def fetched(web: Web, path: str, *, bearer: str | None = None) -> str:
    """Return a page, whatever its status."""
    visitor = http.client.HTTPConnection("127.0.0.1", web.port, timeout=PATIENCE)
    try:
        visitor.request("GET", path, headers=credentials(bearer=bearer))
        return visitor.getresponse().read().decode()
    finally:
        visitor.close()


def blocks(response: http.client.HTTPResponse) -> Iterator[dict[str, str]]:
    """Give the server-sent events of a response as they come, field by field."""
    block: dict[str, str] = {}
    while line := response.readline().decode():
        if line == "\n":
            yield block
            block = {}
        else:
            name, _, value = line.rstrip("\n").partition(": ")
            block[name] = value


def stream_read(
    web: Web,
    address: str,
    *,
    to: int | None = None,
    seconds: float = PATIENCE,
    session: str | None = None,
    bearer: str | None = None,
    **query: Any,
) -> Read:
    """Read a stream of events until ``to`` has been passed, the server ends it, or the time is over."""
    found, end = Read(), time.monotonic() + seconds
    headers = credentials(session=session, bearer=bearer)
    with streaming(web, address, headers=headers, seconds=seconds, **query) as response:
        if response.status != 200:
            found.code, told = response.status, json.loads(response.read())
            found.others.append({**told, "type": "refused"})
            return found
        with contextlib.suppress(TimeoutError):
            for block in blocks(response):
                frame = json.loads(block["data"])
                found.take(frame)
                if (to is not None and max(found.through, frame.get("through", 0)) >= to) or time.monotonic() > end:
                    break
    return found


READERS = {"websocket": socket_read, "sse": stream_read}
