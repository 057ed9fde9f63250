"""Consumers of Channels that follow one debate: over a WebSocket, and as server-sent events. They write nothing.

# Note [Without a channel layer]
What is new is sent by a subscriber of this process's hub (``debates.live``), straight to the server's ``send``: a group
of a channel layer would cost each reader a message of their own. So consumers have no channel layer, no connection of
Django's to close after each message, and nothing that comes from elsewhere but the end of the subscription.
"""

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any, NoReturn
from uuid import UUID

from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.http import AsyncHttpConsumer
from channels.generic.websocket import AsyncWebsocketConsumer

from debates import problems
from debates.live import frames, handshake, hub
from debates.live.authorization import AccessRequest
from debates.live.frames import Ack, Close, Ping, RefusedStream
from debates.live.handshake import Position, Scope
from debates.live.subscriber import Send, Subscriber
from debates.live.transports import EventStreamTransport, Transport, WebSocketTransport
from debates.models.access import SHOWN, digest_of

MOST_MESSAGES, IN_SECONDS = 100, 10.0
RETRY_SECONDS = 5
OUT_OF_SEARCH = (b"x-robots-tag", b"noindex")
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
    OUT_OF_SEARCH,
]
REFUSAL_HEADERS = {
    401: [(b"www-authenticate", b'Bearer realm="Moot"')],
    429: [(b"retry-after", str(RETRY_SECONDS).encode())],
    503: [(b"retry-after", str(RETRY_SECONDS).encode())],
}
log = logging.getLogger(__name__)


class ResyncNeeded(Exception):
    """What somebody knows of a log means nothing here."""

    def __init__(self, *, because: str, epoch: UUID) -> None:
        super().__init__(because)
        self.because, self.epoch = because, epoch


@contextlib.asynccontextmanager
async def subscribed(
    scope: Scope, *, debate: UUID, position: Position, send: Send, transport: Callable[[UUID], Transport]
) -> AsyncIterator[tuple[Subscriber, UUID]]:
    """Give a subscriber that the hub looks after, and the epoch of the log it reads.

    Shape: ``transport`` makes the form of the frames, given the epoch.
    Raises: ``RefusedStream``, ``ResyncNeeded``.
    """
    visitor = handshake.visitor(scope)
    running = await hub.of_this_process()
    with running.connections.take(visitor.address):
        key = None if visitor.bearer is None else digest_of(visitor.bearer)
        request = AccessRequest(debate=debate, session=visitor.session, key=key)
        access = await running.access(request)
        if visitor.bearer is not None:
            log.info("debate %s is followed with the key %s", debate, visitor.bearer[:SHOWN])
        channel = await running.channel(debate_id=access.debate_id, reaching=position.after)
        epoch = running.epoch
        if position.epoch not in {None, epoch}:
            raise ResyncNeeded(because="epoch", epoch=epoch)
        if position.after > channel.head:
            raise ResyncNeeded(because="ahead", epoch=epoch)
        subscriber = Subscriber(
            channel=channel,
            transport=transport(epoch),
            send=send,
            request=request,
            access=access,
            after=position.after,
            shown_parts=handshake.shown(scope),
        )
        with running.watching(subscriber):
            # Asked again: who changed rights before this subscriber was known found nobody to send away.
            subscriber.access = await running.access(request)
            yield subscriber, epoch


class DebateConsumer(AsyncWebsocketConsumer):
    """Follows a debate over a WebSocket; takes acknowledgements, pings, and which parts a page shows.

    Refusals come after the handshake, because only then do browsers learn why.
    """

    scope: Any
    base_send: Any
    transport = WebSocketTransport()

    def __init__(self) -> None:
        super().__init__()
        self.resources = contextlib.AsyncExitStack()
        self.subscriber: Subscriber | None = None
        self.sending: asyncio.Task[None] | None = None
        self.until_sent = asyncio.timeout(None)
        self.received, self.received_since = 0, time.monotonic()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Dispatch what comes until the reader or the subscription is gone. See Note [Without a channel layer].

        The subscription may end before the server says that the reader has answered the close, so waiting ends with it.
        """
        self.scope, self.base_send = scope, send
        async with self.resources:
            with contextlib.suppress(StopConsumer):
                try:
                    async with self.until_sent:
                        while True:
                            await self.dispatch(await receive())
                except TimeoutError:
                    if self.sending is None or not self.until_sent.expired():
                        raise
                    self.sending.result()

    async def dispatch(self, message: dict[str, Any]) -> None:
        await getattr(self, get_handler_name(message))(message)

    async def connect(self) -> None:
        await self.accept()
        try:
            subscriber, epoch = await self.resources.enter_async_context(
                subscribed(
                    self.scope,
                    debate=self.debate(),
                    position=handshake.position(self.scope),
                    send=self.base_send,
                    transport=lambda _epoch: self.transport,
                )
            )
        except RefusedStream as refusal:
            await self.part(refusal.frame(), refusal.close)
        except ResyncNeeded as resync:
            frame = frames.frame("resync", because=resync.because, epoch=str(resync.epoch))
            await self.part(frame, Close.RESYNC)
        self.subscriber = subscriber
        self.resources.push_async_callback(self.stop_sending)
        self.sending = asyncio.create_task(subscriber.run(epoch=epoch))
        self.sending.add_done_callback(lambda _: self.stop_receiving())

    def debate(self) -> UUID:
        """Return which debate the address names.

        Raises: ``RefusedStream`` for an address that names none.
        """
        debate: UUID | None = self.scope["url_route"]["kwargs"].get("debate")
        if debate is None:
            raise RefusedStream(Close.NOT_FOUND, "There is nothing to follow at this address.")
        return debate

    async def part(self, frame: str, close: Close) -> NoReturn:
        """Say a last word, and close.

        Raises: ``StopConsumer``.
        """
        await self.send(text_data=frame)
        await self.close(int(close), close.name.lower())
        raise StopConsumer

    def stop_receiving(self) -> None:
        with contextlib.suppress(RuntimeError):  # nothing is received any more
            self.until_sent.reschedule(asyncio.get_running_loop().time())

    async def stop_sending(self) -> None:
        if self.sending is not None:
            self.sending.cancel()
            await asyncio.wait({self.sending})

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.subscriber is None or not self.subscriber.is_open:
            return
        try:
            self.count()
            message = frames.parse_message(text=text_data)
            if isinstance(message, Ack):
                self.subscriber.acknowledge(message.seq)
            elif isinstance(message, Ping):
                self.subscriber.pong(message.value)
            else:
                self.subscriber.show(message.parts)
        except RefusedStream as refusal:
            self.subscriber.end(refusal.close, type="refused", code=refusal.code, message=refusal.message)

    def count(self) -> None:
        """Count a message.

        Raises: ``RefusedStream`` where there are too many.
        """
        now = time.monotonic()
        if now - self.received_since > IN_SECONDS:
            self.received, self.received_since = 0, now
        self.received += 1
        if self.received > MOST_MESSAGES:
            raise RefusedStream(Close.TOO_MANY, f"At most {MOST_MESSAGES} messages in {IN_SECONDS:.0f} seconds.")

    async def disconnect(self, code: int) -> None:
        if self.subscriber is not None:
            self.subscriber.leave()


class EventStreamConsumer(AsyncHttpConsumer):
    """Follows a debate as server-sent events, or answers with a problem document.

    A request is handled for as long as the stream lasts, so what tells of its end is received here.
    """

    scope: Any
    base_send: Any

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.receive = receive
        await super().__call__(scope, receive, send)

    async def dispatch(self, message: dict[str, Any]) -> None:
        await getattr(self, get_handler_name(message))(message)

    async def http_request(self, message: Any) -> None:
        """Answer at once: whatever body there is, nothing of it is kept."""
        await self.handle(b"")
        raise StopConsumer

    async def handle(self, body: bytes) -> None:
        if self.scope["method"] not in {"GET", "HEAD"}:
            await self.send_problem(
                status=405, code="method_not_allowed", detail="A stream is read.", headers=[(b"allow", b"GET, HEAD")]
            )
            return
        try:
            await self.follow(handshake.resumed(self.scope) or handshake.position(self.scope))
        except RefusedStream as refusal:
            await self.refuse(refusal)
        except ResyncNeeded as resync:
            transport = EventStreamTransport(epoch=resync.epoch)
            await self.send_headers(headers=HEADERS)
            await self.send(
                transport.control(type="resync", position=0, because=resync.because, epoch=str(resync.epoch))
            )
            await self.send_body(b"")

    async def follow(self, position: Position) -> None:
        async with subscribed(
            self.scope,
            debate=self.scope["url_route"]["kwargs"]["debate"],
            position=position,
            send=self.base_send,
            transport=lambda epoch: EventStreamTransport(epoch=epoch),
        ) as (subscriber, epoch):
            await self.send_headers(headers=HEADERS)
            if self.scope["method"] == "HEAD":
                await self.send_body(b"")
                return
            listening = asyncio.create_task(self.leave_on_disconnect(subscriber))
            try:
                await subscriber.run(epoch=epoch)
            finally:
                listening.cancel()

    async def leave_on_disconnect(self, subscriber: Subscriber) -> None:
        while (await self.receive())["type"] != "http.disconnect":
            pass
        subscriber.leave()

    async def refuse(self, refusal: RefusedStream) -> None:
        """Answer with a problem, or have an EventSource come again later: it never does after a status but 200."""
        status = frames.STATUSES[refusal.close]
        headers = REFUSAL_HEADERS.get(status, [])
        is_event_source = handshake.header(self.scope, "Accept").startswith("text/event-stream")
        if status in {429, 503} and is_event_source:
            await self.send_headers(headers=HEADERS)
            retry = f"retry: {RETRY_SECONDS * 1000}\nevent: refused\ndata: {refusal.frame()}\n\n"
            await self.send_body(retry.encode())
        else:
            await self.send_problem(status=status, code=refusal.code, detail=refusal.message, headers=headers)

    async def send_problem(
        self, *, status: int, code: str, detail: str, headers: Iterable[tuple[bytes, bytes]]
    ) -> None:
        name = problems.name_of(handshake.header(self.scope, problems.HEADER))
        document = problems.document(
            status=status, code=code, detail=detail, instance=self.scope["path"], request_id=name
        )
        body = json.dumps(document).encode()
        about = [
            (b"content-type", problems.MEDIA_TYPE.encode()),
            (b"content-length", str(len(body)).encode()),
            (problems.HEADER.lower().encode(), name.encode()),
            OUT_OF_SEARCH,
        ]
        await self.send_response(status, body, headers=[*about, *headers])
