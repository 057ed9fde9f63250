"""What uvicorn does otherwise here with WebSockets: ``uvicorn --ws config.uvicorn_protocol:UvicornProtocol``."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from config.websocket_frames import LastFrame

last_frame = LastFrame()


class UvicornProtocol(WebSocketsSansIOProtocol):
    """Sends a message to many readers as bytes that were made once; by itself the library makes them for each."""

    async def send(self, message: Any) -> None:
        """Send a message, and return once there is room for the next."""
        if message["type"] == "websocket.send" and message.get("text"):
            await self.writable.wait()
            if self.sends_plain_text:
                self.transport.write(last_frame.of(message))
                return
        await super().send(message)  # refuses, too, what comes too late

    @property
    def sends_plain_text(self) -> bool:
        """Whether a text goes out as it is: the handshake is over, nobody has closed, nothing is compressed."""
        return (
            self.handshake_complete
            and self.conn.state is State.OPEN
            and not (self.close_sent or self.disconnected or self.conn.extensions)
        )
