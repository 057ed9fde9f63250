"""One debate that is watched in this process: its newest lines, and everybody who follows them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from debates.live import frames
from debates.live.buffer import Buffer, portion
from debates.live.frames import Close
from debates.live.parts import Parts
from debates.live.reader import PAGE, TURNS_AWAY, Head, Line, LogReader, Unreadable
from debates.live.transports import Message, Transport
from debates.types import Audience

if TYPE_CHECKING:
    from debates.live.subscriber import Subscriber

FRAME_EVERY = 0.1
PAGES_AT_ONCE = 4
FRAMES_KEPT = 64
"""Frames of up to 64 kB that are kept for the next reader at the same place; beyond so many they are cut anew."""
log = logging.getLogger(__name__)
CheckRights = Callable[[Iterable["Subscriber"]], Awaitable[None]]


class Cut(NamedTuple):
    """How far a frame goes, its bytes, and its message; none where nothing in it is for this reader."""

    through: int
    size: int
    message: Message | None


class Channel:
    """Reads its log once for all who watch, at most ten times a second, and wakes them."""

    def __init__(self, *, head: Head, reader: LogReader, check_rights: CheckRights) -> None:
        self.debate_id, self.status, self.erasures = head.debate_id, head.status, head.erasures
        self._epoch = head.epoch
        self.buffer = Buffer(head=max(0, head.seq - PAGE))
        self.subscribers: set[Subscriber] = set()
        self.parts = Parts(self)
        self.empty_since = time.monotonic()
        self._known_head, self._behind_since = 0, time.monotonic()
        self._reader, self._check_rights = reader, check_rights
        self._frames: dict[tuple[int, frozenset[Audience], str], Cut] = {}
        self._loading: asyncio.Task[None] | None = None
        self._dirty = False
        self._page_slots = asyncio.Semaphore(PAGES_AT_ONCE)
        self._page_reads: dict[int, asyncio.Task[list[Line]]] = {}

    @property
    def head(self) -> int:
        return self.buffer.head

    def note_head(self, seq: int, *, now: float) -> None:
        """Take note of how far the log goes; of what is not read yet, the oldest stands."""
        if self.head >= self._known_head:
            self._known_head, self._behind_since = seq, now

    def behind_for(self, *, now: float) -> float:
        """Return for how many seconds there has been something in the log that is not read here."""
        return now - self._behind_since if self.head < self._known_head else 0

    def kick(self) -> None:
        self._dirty = True
        if self._loading is None or self._loading.done():
            self._loading = asyncio.create_task(self._load())

    async def _load(self) -> None:
        while self._dirty:
            self._dirty = False
            try:
                await self.catch_up()
            except Unreadable as error:
                log.warning("the log of debate %s cannot be read now: %s", self.debate_id, error)
                return  # the poll kicks again
            except Exception:
                log.exception("the log of debate %s cannot be followed", self.debate_id)
                return
            await asyncio.sleep(FRAME_EVERY)

    async def catch_up(self) -> None:
        """Read everything that is new, and wake those who watch.

        Raises: one of ``Unreadable``.
        """
        before, erasures = self.head, self.erasures
        while lines := await self._reader.lines(debate=self.debate_id, after=self.head):
            if any(line.type == TURNS_AWAY for line in lines):
                await self._check_rights(self.subscribers)  # before they are sent it, or anything after it
            if self.erasures != erasures:
                return  # what was read may hold words that have been erased meanwhile; the poll kicks again
            fresh = [line for line in lines if line.seq > self.head]  # somebody may have read meanwhile
            self.buffer.add(fresh)
            if fresh:
                self.status = fresh[-1].status
            self.parts.stir(fresh)
            if len(lines) < PAGE:
                break
        if self.head > before:
            self.wake()

    def wake(self) -> None:
        self._frames.clear()
        now = time.monotonic()
        for subscriber in self.subscribers:
            subscriber.wake(now=now)

    def forget(self, *, erasures: int) -> None:
        """Let go of all lines, because words have been erased from them."""
        self.erasures = erasures
        self._frames.clear()
        self._page_reads.clear()
        self.parts.forget()
        self.buffer = Buffer(head=self.head)

    def send_away(self, *, because: str, epoch: UUID | None) -> None:
        for subscriber in list(self.subscribers):
            subscriber.end(Close.RESYNC, type="resync", because=because, epoch=str(epoch))

    async def paged(self, *, cursor: int, audiences: frozenset[Audience], transport: Transport) -> Cut:
        """Return the next frame after a cursor that memory does not reach back to, from the log.

        Everybody is sent away where the log does not reach that far: an older state was put back.

        Raises: one of ``Unreadable``.
        """
        lines = [line for line in await self._page(cursor) if line.seq <= self.head]  # beyond it rights may be others
        if not lines:
            self.send_away(because="ahead", epoch=self._epoch)
            return Cut(cursor, 0, None)
        return frame_of(lines, audiences=audiences, transport=transport)

    def holds(self, cursor: int) -> bool:
        """Say whether everything after a cursor is in memory."""
        return cursor >= self.buffer.before

    def cut(self, cursor: int, audiences: frozenset[Audience], transport: Transport) -> Cut | None:
        """Return the next frame after a cursor below the head, or nothing where memory does not reach back."""
        key = (cursor, audiences, transport.kind)
        cut = self._frames.get(key)
        if cut is None and self.holds(cursor):
            if len(self._frames) >= FRAMES_KEPT:
                self._frames.clear()
            cut = self._frames[key] = frame_of(self.buffer.after(cursor), audiences=audiences, transport=transport)
        return cut

    async def _page(self, cursor: int) -> list[Line]:
        """Read a page once for all who ask for it at the same time."""
        task = self._page_reads.get(cursor)
        if task is None:
            task = self._page_reads[cursor] = asyncio.create_task(self._read_page(cursor))
            task.add_done_callback(lambda _: self._page_reads.pop(cursor, None))
        return await asyncio.shield(task)

    async def _read_page(self, cursor: int) -> list[Line]:
        async with self._page_slots:
            return await self._reader.lines(debate=self.debate_id, after=cursor)

    def close(self) -> None:
        self.parts.close()
        if self._loading is not None:
            self._loading.cancel()


def frame_of(lines: list[Line], *, audiences: frozenset[Audience], transport: Transport) -> Cut:
    """Return the frame of the first of these lines that one frame holds."""
    part = portion(lines)
    through = part[-1].seq
    texts = [line.text for line in part if line.audience in audiences]
    if not texts:
        return Cut(through, 0, None)
    text = frames.events(through=through, lines=texts)
    return Cut(through, len(text.encode()), transport.events(through=through, text=text))
