"""One reader's connection: a cursor that follows the head of a channel, as fast as the reader takes it."""

import asyncio
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable, Generator, Mapping
from types import MappingProxyType
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from debates import event_schemas
from debates.live.authorization import Access, AccessRequest
from debates.live.channel import Channel, Cut
from debates.live.frames import Close, RefusedStream
from debates.live.parts import PartsCut
from debates.live.reader import Unreadable
from debates.live.transports import SENT, Message, Transport

Send = Callable[[Message], Awaitable[None]]
WINDOW_BYTES = 256 * 1024
ACK_BYTES = 64 * 1024
ACK_SECONDS = 10
LAST_WORD_SECONDS = 1.0
FLUSH_SECONDS = 0.1
NOTHING: Mapping[str, int] = MappingProxyType({})
SPREAD = 0.2
"""By so much of its lifetime a connection lasts longer or shorter than others, so that not all come back at once."""


class Begun:
    """A sending that was begun outside of a task and now waits for something. Whoever awaits this finishes it.

    Shape: ``through`` and ``brought`` are what the reader has then: up to which event, and which parts.
    """

    def __init__(
        self, sending: Generator[Any, Any, None], waited: Any, *, through: int, brought: Mapping[str, int]
    ) -> None:
        self._sending, self._waited = sending, waited
        self.through, self.brought = through, brought

    def __await__(self) -> Generator[Any, Any, None]:
        yield self._waited
        yield from self._sending


class Subscriber:
    """Sends one reader everything after its cursor, in order.

    Nothing here waits for anybody else's reader. What a reader has not acknowledged is bounded by a window; who takes
    nothing for too long is ended by ``tend``.

    # Note [Sent on the spot]
    A task that is woken for every frame costs as much as the sending itself. So what is new is sent by whoever brings
    it, as far as the server takes it without waiting; where it does wait, the reader's own task goes on from there.
    """

    def __init__(
        self,
        *,
        channel: Channel,
        transport: Transport,
        send: Send,
        request: AccessRequest,
        access: Access,
        after: int,
        shown_parts: Mapping[str, int] = NOTHING,
    ) -> None:
        self.channel, self.transport, self.request, self.access = channel, transport, request, access
        self.cursor, self.shown = after, dict(shown_parts)
        self._brought: dict[str, int] = {}
        """As of which event parts were sent: no drawing is sent twice on a line, whatever its page says."""
        self.ready = asyncio.Event()
        self._send = send
        self._sent_through = after
        self._unacked: deque[tuple[int, int, float]] = deque()
        self._in_flight = 0
        self._acknowledges, self._most_bytes = transport.acknowledges, transport.most_bytes
        self._pings: deque[str | int] = deque()
        self._sent_bytes = 0
        self._blocked_since: float | None = None
        self._ending: tuple[Close, dict[str, Any]] | None = None
        self._patience = asyncio.timeout(None)
        self._heartbeat_due = False
        self._gone = False
        self._idle = False
        self._begun: Begun | None = None
        self._last_sent_at = time.monotonic()
        lifetime = settings.LIVE_ROTATE_SECONDS * random.uniform(1 - SPREAD, 1 + SPREAD)  # noqa: S311 -- no secret
        self._until = self._last_sent_at + lifetime

    async def run(self, *, epoch: UUID) -> None:
        """Send until the reader is gone or is sent away; then take leave."""
        try:
            async with self._patience:
                await self._hello(epoch=epoch)
                self.channel.parts.follow(self)
                await self._follow()
        except TimeoutError:
            pass  # ``tend`` has ended it, and said why
        except OSError:
            return  # the reader is gone
        except Unreadable:
            self.end(Close.UNAVAILABLE, type="refused", code="unavailable", message="The log cannot be read now.")
        except asyncio.CancelledError:
            self.say_bye(because="shutdown")  # the server stops
            if self._ending is not None and self._ending[0] is Close.BYE and not self._gone:
                await self._leave()
                await asyncio.sleep(FLUSH_SECONDS)
            raise
        await self._leave()

    async def _follow(self) -> None:
        while self.is_open:
            if self._begun is not None:
                begun, self._begun = self._begun, None
                await begun
                self._sent(begun.through, begun.brought)
            elif self._pings:
                await self._answer_pings()
            elif self._is_behind():
                await self._advance()
            elif (parts := self._parts()) is not None:
                await self._bring(parts)
            elif self._heartbeat_due:
                await self._say("heartbeat", through=self.cursor)
            else:
                self._idle = True
                await self.ready.wait()
                self._idle = False
                self.ready.clear()

    async def _answer_pings(self) -> None:
        while self._pings:
            await self._say("pong", ping=self._pings.popleft())

    def _is_behind(self) -> bool:
        return self.cursor < self.channel.head and self._in_flight < WINDOW_BYTES

    def wake(self, *, now: float) -> None:
        """Have what is new sent. See Note [Sent on the spot]."""
        if self._idle and self._begun is None:
            if not (self.is_open and self._is_behind()):
                return
            cut = self.channel.cut(self.cursor, self.access.audiences, self.transport)
            if cut is not None and self._send_on_the_spot(cut, now) and self.cursor == self.channel.head:
                return
        self.ready.set()

    def wake_for_parts(self, *, now: float) -> None:
        """Have parts sent that were drawn anew. See Note [Pages are pushed]."""
        if self._idle and self._begun is None and self.is_open and not self._is_behind():
            parts = self._parts()
            if parts is None:
                return
            cut = Cut(self.cursor, parts.size, parts.message)
            if self._send_on_the_spot(cut, now, brought=parts.brought) and self._parts() is None:
                return
        self.ready.set()

    def show(self, parts: Mapping[str, int]) -> None:
        """Take note of what a page shows from now on; of a part that it showed already, it may have been sent more."""
        self.shown = {name: max(seq, self._brought.get(name, seq)) for name, seq in parts.items()}
        self.channel.parts.follow(self)
        self.ready.set()

    def _parts(self) -> PartsCut | None:
        return self.channel.parts.cut(self) if self.shown and self._in_flight < WINDOW_BYTES else None

    @property
    def is_open(self) -> bool:
        return self._ending is None and not self._gone

    def _send_on_the_spot(self, cut: Cut, now: float, *, brought: Mapping[str, int] = NOTHING) -> bool:
        """Send a frame as far as the server takes it, and say whether it took all of it."""
        if cut.message is None:
            self._sent(cut.through, brought)
            return True
        self._count(self._sent_through if brought else cut.through, cut.size, now)
        try:
            sending = self._send(cut.message)
            if sending is not SENT:
                steps = sending.__await__()
                self._begun = Begun(steps, next(steps), through=cut.through, brought=brought)
                return False
        except StopIteration:
            pass
        except Exception:  # noqa: BLE001 -- the reader's own task tries again, and meets it where it belongs
            return False
        self._sent(cut.through, brought)
        return True

    async def _advance(self) -> None:
        cursor, audiences, transport = self.cursor, self.access.audiences, self.transport
        cut = self.channel.cut(cursor, audiences, transport)
        cut = cut or await self.channel.paged(cursor=cursor, audiences=audiences, transport=transport)
        if not self.is_open:
            return  # while it was read: who may not follow any more is sent none of it
        if cut.message is not None:
            self._count(cut.through, cut.size, time.monotonic())
            await self._send(cut.message)
        self._sent(cut.through, NOTHING)

    async def _bring(self, parts: PartsCut) -> None:
        self._count(self._sent_through, parts.size, time.monotonic())
        await self._send(parts.message)
        self._sent(self.cursor, parts.brought)

    def _count(self, through: int, size: int, now: float) -> None:
        """Take note of a frame that is about to be sent, and with which event it is acknowledged.

        Parts are with the last event that was sent: the cursor may have passed others that are not for this reader.
        """
        self._sent_through = through
        self._sent_bytes += size
        self._heartbeat_due = False
        self._blocked_since = self._last_sent_at = now
        if self._acknowledges:
            self._unacked.append((through, size, now))
            self._in_flight += size

    def _sent(self, through: int, brought: Mapping[str, int]) -> None:
        """Take note that the server has taken a frame."""
        self.cursor, self._blocked_since = through, None
        if brought:
            self._brought |= brought
            self.shown |= {name: seq for name, seq in brought.items() if name in self.shown}
        if self._most_bytes is not None and self._sent_bytes > self._most_bytes:
            self.say_bye(because="rotation", soon=True)

    async def _hello(self, *, epoch: UUID) -> None:
        await self._say(
            "hello",
            schema=event_schemas.SCHEMA_VERSION,
            debate=str(self.request.debate),
            status=self.channel.status,
            epoch=str(epoch),
            erasures=self.channel.erasures,
            head=self.channel.head,
            after=self.cursor,
            now=timezone.now().isoformat(),
            heartbeat=settings.LIVE_HEARTBEAT_SECONDS,
            ack={"bytes": ACK_BYTES, "seconds": min(ACK_SECONDS, settings.LIVE_STALLED_SECONDS / 3)},
        )

    async def _say(self, type: str, **fields: Any) -> None:
        self._heartbeat_due = False
        self._blocked_since = self._last_sent_at = time.monotonic()
        await self._send(self.transport.control(type=type, position=self.cursor, **fields))
        self._blocked_since = None

    def acknowledge(self, seq: int) -> None:
        """Take note that the reader has applied everything up to ``seq``.

        Raises: ``RefusedStream`` when that was never sent.
        """
        if seq > max(self._sent_through, self.cursor):
            raise RefusedStream(Close.BAD_REQUEST, f"{seq} has not been sent.")
        was_full = self._in_flight >= WINDOW_BYTES
        while self._unacked and self._unacked[0][0] <= seq:
            self._in_flight -= self._unacked.popleft()[1]
        if was_full:
            self.ready.set()

    def pong(self, value: str | int) -> None:
        self._pings.append(value)
        self.ready.set()

    def leave(self) -> None:
        self._gone = True
        self.ready.set()

    def end(self, close: Close, **frame: Any) -> None:
        """Have the connection ended with a code, after a last frame if one is given. The first reason stands."""
        if self._ending is None:
            self._ending = (close, frame)
        self.ready.set()

    def say_bye(self, *, because: str, soon: bool = False) -> None:
        """Have the reader come back in a moment, each in another."""
        retry = random.randint(100, 500 if soon else 5000)  # noqa: S311 -- spreads load, keeps no secret
        self.end(Close.BYE, type="bye", because=because, retry=retry)

    def tend(self, *, now: float, current: bool) -> None:
        """Look after the connection once a second: heartbeat, rotation, and a reader who takes nothing.

        Shape: ``current`` says whether the log could be read lately; without that there is no heartbeat.
        """
        if now - self._waiting_since(now) > settings.LIVE_STALLED_SECONDS:
            self.end(Close.STALLED, type="refused", code="stalled", message="Resume from your last through.")
        elif now > self._until:
            self.say_bye(because="rotation")
        elif current and now - self._last_sent_at >= settings.LIVE_HEARTBEAT_SECONDS:
            self._heartbeat_due = True
            self.ready.set()
        if self._ending is not None and self._blocked_since is not None and now - self._blocked_since > 1:
            self._patience.reschedule(asyncio.get_running_loop().time())

    def _waiting_since(self, now: float) -> float:
        """Return since when the reader owes us something: to take a message, or to acknowledge one."""
        acknowledged = self._unacked[0][2] if self._unacked else now
        return min(acknowledged, now if self._blocked_since is None else self._blocked_since)

    async def _leave(self) -> None:
        self._blocked_since = None
        if self._gone or self._ending is None:
            return
        close, frame = self._ending
        try:
            async with asyncio.timeout(LAST_WORD_SECONDS):
                await self._answer_pings()
                if frame:
                    await self._send(self.transport.control(position=self.cursor, **frame))
                await self._send(self.transport.closing(close=close))
        except (TimeoutError, OSError):
            pass  # nobody takes it any more
