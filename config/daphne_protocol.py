"""What daphne's connections do otherwise here than by themselves; asked for by ``config.asgi`` where daphne serves."""

import asyncio
from collections.abc import Awaitable
from typing import Any

from daphne import cli, http_protocol, server
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from twisted.internet import tcp

from config.websocket_frames import LastFrame
from debates.live.transports import SENT

last_frame = LastFrame()
CLOSING_SECONDS = 60
"""How long a reader who was closed may take to find that out before the connection is cut.

By default it is one second: whoever took nothing for a while then never read what was still on its way to them, nor
the code that tells them to resume. What waits for them is bounded by the window of ``debates.live.subscriber``.
"""


class Protocol(WebSocketProtocol):  # type: ignore[misc]  # comes without types
    """Sends a frame at once, as far as the network takes it; what it does not take waits for the event loop.

    By itself the library has the loop call back for each frame of each reader, and puts into words, for a log that is
    off, that it sends: together two thirds of what a delivery costs.
    """

    def handle_reply(self, message: dict[str, Any]) -> None:
        """Send a text as bytes that were made once for all readers; by itself the library makes them for each."""
        is_open = self.state == self.STATE_OPEN and self._perMessageCompress is None
        if is_open and message["type"] == "websocket.send" and message.get("text") and not message.get("bytes"):
            self.sendData(last_frame.of(message))
        else:
            super().handle_reply(message)

    def sendData(self, data: bytes, *how: object, **named: object) -> None:  # noqa: N802 -- its name in the library
        """Send a frame; by the library's queue where something else is asked for, or waits there."""
        if any(how) or named or self.send_queue:
            super().sendData(data, *how, **named)
        elif (sent := sent_at_once(self.transport, data)) < len(data):
            self.transport.write(data[sent:])


def sent_at_once(line: Any, data: bytes) -> int:
    """Return how many bytes the network has taken just now: none where others wait before them, or encrypt them."""
    if not isinstance(line, tcp.Connection) or line.TLS or not line.connected or line.disconnecting:
        return 0
    if line.dataBuffer or line._tempDataBuffer:  # noqa: SLF001 -- the library has no other word for what waits
        return 0
    try:
        return int(line.socket.send(data))
    except OSError:
        return 0  # it takes no more, or it is lost, as the loop will find


class Factory(WebSocketFactory):  # type: ignore[misc]  # as above
    """Makes these connections, and lets them wait when they close."""

    protocol = Protocol

    def resetProtocolOptions(self) -> None:  # noqa: N802 -- its name in the library
        """Set what the library sets, and how long closing may take."""
        super().resetProtocolOptions()
        self.closeHandshakeTimeout = CLOSING_SECONDS


class Flow:
    """Whether the network takes what is sent to somebody: Twisted says so to whoever produces it.

    Whoever takes nothing for as long as a closing may take is cut off.
    """

    def __init__(self, request: Any) -> None:
        self._request = request
        self._cut: asyncio.TimerHandle | None = None
        self.taken = asyncio.Event()
        self.taken.set()

    def pauseProducing(self) -> None:  # noqa: N802 -- its name in the library
        self.taken.clear()
        self._cut = asyncio.get_running_loop().call_later(CLOSING_SECONDS, self._abort)

    def _abort(self) -> None:
        if self._request.channel is not None:
            self._request.channel.forceAbortClient()

    def resumeProducing(self) -> None:  # noqa: N802 -- as above
        if self._cut is not None:
            self._cut.cancel()
            self._cut = None
        self.taken.set()

    stopProducing = resumeProducing  # noqa: N815 -- as above; the connection is gone, and what is sent goes nowhere


class Request(http_protocol.WebRequest):  # type: ignore[misc]  # comes without types
    """Has whoever sends a long response wait until the network has taken it; by itself daphne keeps all of it."""

    flow: Flow | None = None

    def handle_reply(self, message: dict[str, Any]) -> None:
        goes_on = message.get("more_body", False)
        if goes_on and self.flow is None and not self.finished and self.channel is not None:
            self.flow = Flow(self)
            self.registerProducer(self.flow, True)  # noqa: FBT003 -- its order in the library
        elif self.flow is not None and not goes_on and not self.finished and self.channel is not None:
            self.unregisterProducer()
        super().handle_reply(message)

    async def taken(self) -> None:
        """Wait until there is room for more."""
        if self.flow is not None and not self.finished:
            await self.flow.taken.wait()


class DaphneServer(server.Server):  # type: ignore[misc]  # as above
    """Lets who sends wait."""

    def handle_reply(self, protocol: Any, message: dict[str, Any]) -> Awaitable[None]:
        """Send a message, and return once there is room for the next; a reader has room, who acknowledges."""
        if isinstance(protocol, Protocol) and message["type"] == "websocket.send":
            if protocol in self.connections and not self.connections[protocol].get("disconnected"):
                protocol.handle_reply(message)
            return SENT
        sending: Awaitable[None] = super().handle_reply(protocol, message)
        return self.sent_and_taken(sending, protocol) if isinstance(protocol, Request) else sending

    async def sent_and_taken(self, sending: Awaitable[None], request: Request) -> None:
        await sending
        await request.taken()


def install() -> None:
    """Have daphne make its connections so; before it begins to listen."""
    server.WebSocketFactory = Factory
    http_protocol.WebRequest = Request
    cli.CommandLineInterface.server_class = DaphneServer
