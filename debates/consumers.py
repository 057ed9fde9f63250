"""The WebSocket door: follows one debate, takes acknowledgements and pings, writes nothing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from debates.live import frames, handshake, session
from debates.live.frames import Ack, Close, Refused
from debates.live.session import Resync
from debates.live.subscriber import Send, Subscriber
from debates.live.transports import WebSocketTransport

Receive = Callable[[], Awaitable[dict[str, Any]]]
TRANSPORT = WebSocketTransport()
MOST_MESSAGES, IN_SECONDS = 100, 10.0


async def watch(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Follow a debate. Refusals come after the handshake, because only then do browsers learn why."""
    await receive()
    await send({"type": "websocket.accept"})
    try:
        position = handshake.position(scope)
        debate = scope["url_route"]["kwargs"]["debate"]
        async with session.watching(
            scope, debate=debate, position=position, send=send, transport=lambda _epoch: TRANSPORT
        ) as (
            subscriber,
            epoch,
        ):
            hearing = asyncio.create_task(hear(subscriber, receive))
            try:
                await subscriber.run(epoch=epoch)
            finally:
                hearing.cancel()
    except Refused as refusal:
        await part(send, refusal.frame(), refusal.close)
    except Resync as resync:
        frame = frames.frame("resync", because=resync.because, epoch=str(resync.epoch))
        await part(send, frame, Close.RESYNC)


async def nowhere(_scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Send away whoever opens an address that is none."""
    await receive()
    await send({"type": "websocket.accept"})
    refusal = Refused(Close.NOT_FOUND, "There is nothing to follow at this address.")
    await part(send, refusal.frame(), refusal.close)


async def part(send: Send, frame: str, close: Close) -> None:
    await send({"type": "websocket.send", "text": frame})
    await send(TRANSPORT.closing(close=close))


async def hear(subscriber: Subscriber, receive: Receive) -> None:
    """Take what a reader says until they are gone or have said what is not taken."""
    pace = Pace()
    while (message := await receive())["type"] == "websocket.receive":
        try:
            pace.one_more()
            await obey(subscriber, message.get("text"))
        except Refused as refusal:
            subscriber.end(refusal.close, type="refused", code=refusal.code, message=refusal.message)
            return
    subscriber.leave()


class Pace:
    """How often somebody has spoken lately."""

    def __init__(self) -> None:
        self.spoken, self.since = 0, time.monotonic()

    def one_more(self) -> None:
        """Count a message.

        Raises: ``Refused`` where there are too many.
        """
        now = time.monotonic()
        if now - self.since > IN_SECONDS:
            self.spoken, self.since = 0, now
        self.spoken += 1
        if self.spoken > MOST_MESSAGES:
            raise Refused(Close.TOO_MANY, f"At most {MOST_MESSAGES} messages in {IN_SECONDS:.0f} seconds.")


async def obey(subscriber: Subscriber, text: str | None) -> None:
    """Do what one message asks for.

    Raises: ``Refused``.
    """
    said = frames.parse_message(text=text)
    if isinstance(said, Ack):
        subscriber.acknowledge(said.seq)
    else:
        await subscriber.pong(said.value)
