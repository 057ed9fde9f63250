"""What uvicorn does otherwise here with WebSockets: ``uvicorn --ws config.uvicorn_protocol:UvicornProtocol``."""

from collections.abc import Awaitable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from config.websocket_frames import LastFrame
from debates.live.transports import SENT

last_frame = LastFrame()


class UvicornProtocol(WebSocketsSansIOProtocol):
    """Sends a message to many readers as bytes that were made once; by itself the library makes them for each."""

    def send(self, message: Any) -> Awaitable[None]:  # type: ignore[override]  # awaited all the same
        """Send a message, and have whoever awaits this wait until there is room for the next."""
        if message["type"] == "websocket.send" and message.get("text"):
            return self.send_text(message) if self.writable.is_set() else self.send_later(message)
        return super().send(message)

    async def send_later(self, message: Any) -> None:
        await self.writable.wait()
        await self.send_text(message)

    def send_text(self, message: Any) -> Awaitable[None]:
        """Send a text as it is where the handshake is over, nobody has closed, and nothing is compressed."""
        connection = self.conn
        if (
            self.handshake_complete
            and connection.state is State.OPEN
            and not (self.close_sent or self.disconnected or connection.extensions)
        ):
            self.transport.write(last_frame.of(message))
            return SENT
        return super().send(message)  # refuses, too, what comes too late
