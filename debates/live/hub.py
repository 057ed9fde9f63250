"""The hub of a web process: its rooms, what wakes them, and what looks after everybody who watches."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from uuid import UUID

from debates.live import listener, settings
from debates.live.channel import Room
from debates.live.exceptions import RIGHTS, SENT_AWAY, Places, unreadable_is_refused
from debates.live.frames import Close, Refused
from debates.live.reader import Head, Reader, Unreadable
from debates.live.rights import Access, Asked, Rights
from debates.live.subscriber import Pump

TICK = 1.0
CURRENT_FOR = 5.0
LINGER = 60.0
PARTING = 2.0
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Load:
    """How many watch how many debates here, and how old what they see may be.

    Units: ``lag`` in seconds since the logs should have been looked at; 0 while they are looked at every second.
    """

    watchers: int
    debates: int
    lag: float


class Hub:
    """Started with the first who watches; one for each process and event loop."""

    def __init__(self) -> None:
        self.reader = Reader()
        self.rights = Rights(self.reader)
        self.rooms: dict[int, Room] = {}
        self.epoch = UUID(int=0)
        self.places = Places()
        self._opening: dict[int, asyncio.Task[Room]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._read_at = 0.0
        self._quiet = asyncio.Event()
        self._quiet.set()

    async def start(self) -> None:
        """Open connections and begin to listen.

        Raises: one of ``Unreadable``.
        """
        await self.reader.open()
        try:
            self.epoch = await self.reader.epoch()
        except BaseException:
            await self.reader.close()
            raise
        self._read_at = time.monotonic()
        gc.freeze()  # what was loaded to get here stays; looking through it for garbage would hold everybody up
        for work in (listener.listen(heard=self.heard, began=self.kick_all), self._tick(), self._watch_rights()):
            self._tasks.append(asyncio.create_task(work))

    def load(self, *, now: float) -> Load:
        """Return how much this hub has to do; ``now`` is that of the monotonic clock."""
        rooms = list(self.rooms.values())
        late = max(0.0, now - self._read_at - TICK)
        return Load(watchers=sum(len(room.pumps) for room in rooms), debates=len(rooms), lag=late)

    async def part(self) -> None:
        """Say good-bye to everybody, and wait a moment until they are gone."""
        for pump in self._pumps():
            pump.say_bye(because="shutdown")
            self._quiet.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PARTING):
                await self._quiet.wait()

    def _pumps(self) -> list[Pump]:
        return [pump for room in self.rooms.values() for pump in room.pumps]

    async def stop(self) -> None:
        for room in self.rooms.values():
            room.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.reader.close()

    def heard(self, payload: str) -> None:
        room = self.rooms.get(int(payload)) if payload.isascii() and payload.isdigit() else None
        if room is not None:
            room.kick()

    def kick_all(self) -> None:
        """Have all logs looked at: bells may have been missed."""
        for room in self.rooms.values():
            room.kick()

    async def access(self, asked: Asked) -> Access:
        """Return what somebody may follow.

        Raises: ``Refused``.
        """
        with unreadable_is_refused():
            found = await self.rights.of(asked)
        if isinstance(found, Close):
            raise Refused(found, SENT_AWAY[found])
        return found

    async def room(self, *, debate_id: int, reaching: int) -> Room:
        """Return the room of a debate, opened if need be, having read as far as ``reaching`` if the log goes so far.

        Raises: ``Refused``.
        """
        with unreadable_is_refused():
            while True:
                room = self.rooms.get(debate_id)
                if room is None:
                    room = await asyncio.shield(self._open(debate_id))
                if room.head < reaching:  # the page that was left off may be newer than the last bell
                    await room.catch_up()
                if room is self.rooms.get(debate_id):  # it may have been dropped meanwhile
                    return room

    def _open(self, debate_id: int) -> asyncio.Task[Room]:
        task = self._opening.get(debate_id)
        if task is None:
            task = self._opening[debate_id] = asyncio.create_task(self._opened(debate_id))
            task.add_done_callback(lambda _: self._opening.pop(debate_id, None))
        return task

    async def _opened(self, debate_id: int) -> Room:
        heads = await self.reader.heads(debates=[debate_id])
        if not heads:
            raise Refused(Close.NOT_FOUND, "This debate has no log.")
        self._take_epoch(heads[0].epoch)
        room = Room(head=heads[0], reader=self.reader, check_rights=self._check_rights)
        await room.catch_up()
        self.rooms[debate_id] = room
        room.kick()  # a bell may have rung before the room was known
        return room

    @contextlib.contextmanager
    def watching(self, pump: Pump) -> Iterator[None]:
        pump.room.pumps.add(pump)
        try:
            yield
        finally:
            pump.room.pumps.discard(pump)
            pump.room.empty_since = time.monotonic()
            if not any(room.pumps for room in self.rooms.values()):
                self._quiet.set()

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            try:
                await self._poll()
            except Unreadable as error:
                log.warning("no log can be read now: %s", error)
            except Exception:
                log.exception("looking at the logs failed")
            try:
                self._tend(now=time.monotonic())
            except Exception:
                log.exception("looking after readers failed")

    def _tend(self, *, now: float) -> None:
        for room in list(self.rooms.values()):
            for pump in list(room.pumps):
                pump.tend(now=now, current=now - self._read_at < CURRENT_FOR)
            if not room.pumps and now - room.empty_since > LINGER:
                self._drop(room)

    async def _poll(self) -> None:
        """Look where all watched logs are: one query, which finds what a lost bell did not tell."""
        if not self.rooms:
            self._take_epoch(await self.reader.epoch())
            self._read_at = time.monotonic()
            return
        for head in await self.reader.heads(debates=list(self.rooms)):
            self._take_epoch(head.epoch)
            room = self.rooms.get(head.debate_id)
            if room is None:
                continue
            room.status = head.status
            self._compare(room, head)
        self._read_at = time.monotonic()

    def _compare(self, room: Room, head: Head) -> None:
        if head.erasures != room.erasures:
            room.forget(erasures=head.erasures)
            room.send_away(because="erased", epoch=self.epoch)
        if head.seq > room.head:
            room.kick()
        if head.seq < room.head:  # an older state was put back, and nobody changed the epoch
            room.send_away(because="ahead", epoch=self.epoch)
            self._drop(room)

    def _drop(self, room: Room) -> None:
        room.close()
        self.rooms.pop(room.debate_id, None)

    def _take_epoch(self, epoch: UUID | None) -> None:
        """Send everybody away when the database is not the one it was, and forget what was read of it."""
        if epoch is None or epoch == self.epoch:
            return
        self.epoch = epoch
        for room in list(self.rooms.values()):
            room.send_away(because="epoch", epoch=epoch)
            self._drop(room)

    async def _watch_rights(self) -> None:
        while True:
            await asyncio.sleep(settings.rights())
            try:
                await self._check_rights(self._pumps())
            except Unreadable:
                continue
            except Exception:
                log.exception("looking at the rights of readers failed")

    async def _check_rights(self, watching: Iterable[Pump]) -> None:
        pumps = list(watching)
        found = await self.rights.look({pump.asked for pump in pumps}) if pumps else {}
        for pump in pumps:
            if found[pump.asked] != pump.access:
                pump.end(Close.RIGHTS_CHANGED, type="refused", code="rights_changed", message=RIGHTS)


def load() -> Load:
    """Return what live delivery has to do in this process, from any thread; nothing before somebody watches."""
    running = Process.hub
    return Load(0, 0, 0.0) if running is None else running.load(now=time.monotonic())


class Process:
    """The hub of this process, and how many are using it."""

    hub: Hub | None = None
    starting: asyncio.Task[Hub] | None = None


async def of_this_process() -> Hub:
    """Return the running hub, started if need be.

    Raises: ``Refused`` while the database cannot be read.
    """
    if Process.hub is None:
        with unreadable_is_refused():
            if Process.starting is None or Process.starting.done():
                Process.starting = asyncio.create_task(_started())
            await asyncio.shield(Process.starting)
    assert Process.hub is not None  # noqa: S101 -- for the type checker
    return Process.hub


async def _started() -> Hub:
    hub = Hub()
    await hub.start()
    Process.hub = hub
    return hub


async def stop() -> None:
    """Take leave of everybody who watches, and stop the hub of this process, if there is one."""
    hub, Process.hub = Process.hub, None
    if hub is not None:
        await hub.part()
        await hub.stop()
