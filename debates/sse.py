"""The door of server-sent events: the same core as the WebSocket's, over plain HTTP. Writes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from debates.live import handshake, session, transports
from debates.live.frames import Close, Refused
from debates.live.session import Resync
from debates.live.subscriber import Send, Subscriber
from debates.live.transports import EventStreamTransport

Receive = Callable[[], Awaitable[dict[str, Any]]]
PASSING = frozenset({Close.UNAVAILABLE, Close.TOO_MANY})
AGAIN_SECONDS = 5
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


async def watch(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Follow a debate, or answer with a problem document."""
    asked = handshake.asked(scope)
    if scope["method"] not in {"GET", "HEAD"}:
        code, allowed = "method_not_allowed", [(b"allow", b"GET, HEAD")]
        await answer(
            send, transports.problem(asked, status=405, code=code, detail="A stream is read.", headers=allowed)
        )
        return
    try:
        position = handshake.resumed(scope) or handshake.position(scope)
        debate = scope["url_route"]["kwargs"]["debate"]
        async with session.watching(
            scope,
            debate=debate,
            position=position,
            send=send,
            transport=lambda epoch: EventStreamTransport(epoch=epoch),
        ) as (subscriber, epoch):
            await begin(send)
            if scope["method"] == "HEAD":
                await send(transports.body("", more=False))
                return
            hearing = asyncio.create_task(hear(subscriber, receive))
            try:
                await subscriber.run(epoch=epoch)
            finally:
                hearing.cancel()
    except Refused as refusal:
        if refusal.close in PASSING and is_event_source(scope):
            await begin(send)
            await send(transports.try_again(refusal, seconds=AGAIN_SECONDS))
        else:
            await answer(send, transports.refusal(refusal, asked=asked))
    except Resync as resync:
        transport = EventStreamTransport(epoch=resync.epoch)
        await begin(send)
        await send(transport.control(type="resync", position=0, because=resync.because, epoch=str(resync.epoch)))
        await send(transports.body("", more=False))


def is_event_source(scope: dict[str, Any]) -> bool:
    """Say whether an EventSource asks, which never comes back after any other status than 200."""
    return bytes(dict(scope["headers"]).get(b"accept", b"")).startswith(b"text/event-stream")


async def begin(send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})


async def answer(send: Send, messages: tuple[dict[str, Any], dict[str, Any]]) -> None:
    for message in messages:
        await send(message)


async def hear(subscriber: Subscriber, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    subscriber.leave()
