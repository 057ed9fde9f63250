"""The hub of a web process: its channels, what wakes them, and what looks after everybody who watches."""

import asyncio
import contextlib
import gc
import logging
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings

from debates import addresses
from debates.live.authorization import Access, AccessRequest, Authorization
from debates.live.channel import Channel
from debates.live.frames import Close, RefusedStream
from debates.live.reader import Head, LogReader, Unreadable, listen
from debates.live.subscriber import Subscriber

TICK = 1.0
CURRENT_FOR = 5.0
LINGER = 60.0
PARTING = 2.0
GARBAGE = 20_000
"""So many objects are made, less those that are gone, before it is looked for garbage; by default it is 700 (3.11)."""
REFUSALS = {
    Close.NOT_FOUND: "There is no such debate for you.",
    Close.BAD_KEY: "This key is unknown, revoked or expired, or lacks the scope read.",
}
STOPS = "This server stops. Come again."
RIGHTS_CHANGED = "Who you are or what you may see has changed. Open it again."
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Load:
    """How many watch how many debates here, and how old what they see may be.

    Units: ``lag`` in seconds since the logs should have been looked at; 0 while they are looked at every second.
    """

    watchers: int
    debates: int
    lag: float


class ConnectionLimit:
    """The connections of each address to this process."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    @contextlib.contextmanager
    def take(self, address: str) -> Iterator[None]:
        """Take one of the connections that an address may have.

        Raises: ``RefusedStream``.
        """
        address = addresses.counted(address)
        if self._taken[address] >= settings.LIVE_PER_ADDRESS:
            raise RefusedStream(Close.TOO_MANY, "Too many connections from this address.")
        self._taken[address] += 1
        try:
            yield
        finally:
            self._taken[address] -= 1
            if not self._taken[address]:
                del self._taken[address]


@contextlib.contextmanager
def unreadable_is_refused() -> Iterator[None]:
    """Refuse, while the database cannot be read.

    Raises: ``RefusedStream``.
    """
    try:
        yield
    except Unreadable as error:
        log.warning("a reader was refused: %s", error)
        raise RefusedStream(Close.UNAVAILABLE, "The log cannot be read now.") from error


class Hub:
    """Started with the first who watches; one for each process and event loop."""

    def __init__(self) -> None:
        self.reader = LogReader()
        self.authorization = Authorization(self.reader)
        self.channels: dict[int, Channel] = {}
        self.epoch = UUID(int=0)
        self.connections = ConnectionLimit()
        self._opening: dict[int, asyncio.Task[Channel]] = {}
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
        gc.set_threshold(GARBAGE)  # and so would looking often through what is kept of a thousand readers
        for work in (listen(on_notify=self.notified, on_listen=self.kick_all), self._tick(), self._watch_rights()):
            self._tasks.append(asyncio.create_task(work))

    def load(self, *, now: float) -> Load:
        """Return how much this hub has to do; ``now`` is that of the monotonic clock."""
        channels = list(self.channels.values())
        late = max(0.0, now - self._read_at - TICK)
        return Load(watchers=sum(len(channel.subscribers) for channel in channels), debates=len(channels), lag=late)

    async def part(self) -> None:
        """Say good-bye to everybody, and wait a moment until they are gone."""
        for subscriber in self._subscribers():
            subscriber.say_bye(because="shutdown")
            self._quiet.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PARTING):
                await self._quiet.wait()

    def _subscribers(self) -> list[Subscriber]:
        return [subscriber for channel in self.channels.values() for subscriber in channel.subscribers]

    async def stop(self) -> None:
        for channel in self.channels.values():
            channel.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.reader.close()

    def notified(self, payload: str) -> None:
        channel = self.channels.get(int(payload)) if payload.isascii() and payload.isdigit() else None
        if channel is not None:
            channel.kick()

    def kick_all(self) -> None:
        """Have all logs looked at: notifications may have been missed."""
        for channel in self.channels.values():
            channel.kick()

    async def access(self, request: AccessRequest) -> Access:
        """Return what somebody may follow.

        Raises: ``RefusedStream``.
        """
        with unreadable_is_refused():
            answer = await self.authorization.of(request)
        if isinstance(answer, Close):
            raise RefusedStream(answer, REFUSALS[answer])
        return answer

    async def channel(self, *, debate_id: int, reaching: int) -> Channel:
        """Return the channel of a debate, opened if need be, having read as far as ``reaching`` if the log goes so far.

        Raises: ``RefusedStream``.
        """
        with unreadable_is_refused():
            while True:
                channel = self.channels.get(debate_id)
                if channel is None:
                    channel = await asyncio.shield(self._open(debate_id))
                if channel.head < reaching:  # the page that was left off may be newer than the last notification
                    await channel.catch_up()
                if channel is self.channels.get(debate_id):  # it may have been dropped meanwhile
                    return channel

    def _open(self, debate_id: int) -> asyncio.Task[Channel]:
        task = self._opening.get(debate_id)
        if task is None:
            task = self._opening[debate_id] = asyncio.create_task(self._opened(debate_id))
            task.add_done_callback(lambda _: self._opening.pop(debate_id, None))
        return task

    async def _opened(self, debate_id: int) -> Channel:
        heads = await self.reader.heads(debates=[debate_id])
        if not heads:
            raise RefusedStream(Close.NOT_FOUND, "This debate has no log.")
        self._take_epoch(heads[0].epoch)
        channel = Channel(head=heads[0], reader=self.reader, check_rights=self._check_rights)
        await channel.catch_up()
        self.channels[debate_id] = channel
        channel.kick()  # there may have been a notification before the channel was known
        return channel

    @contextlib.contextmanager
    def watching(self, subscriber: Subscriber) -> Iterator[None]:
        subscriber.channel.subscribers.add(subscriber)
        try:
            yield
        finally:
            subscriber.channel.subscribers.discard(subscriber)
            subscriber.channel.parts.leave(subscriber)
            subscriber.channel.empty_since = time.monotonic()
            if not any(channel.subscribers for channel in self.channels.values()):
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
        for channel in list(self.channels.values()):
            current = max(now - self._read_at, channel.behind_for(now=now)) < CURRENT_FOR
            for subscriber in list(channel.subscribers):
                subscriber.tend(now=now, current=current)
            if not channel.subscribers and now - channel.empty_since > LINGER:
                self._drop(channel)

    async def _poll(self) -> None:
        """Look where all watched logs are: one query, which finds what a lost notification did not tell."""
        if not self.channels:
            self._take_epoch(await self.reader.epoch())
            self._read_at = time.monotonic()
            return
        known = {debate: channel.head for debate, channel in self.channels.items()}
        for head in await self.reader.heads(debates=list(known)):
            self._take_epoch(head.epoch)
            channel = self.channels.get(head.debate_id)
            if channel is None:
                continue
            self._compare(channel, head, known=known[head.debate_id])
        self._read_at = time.monotonic()

    def _compare(self, channel: Channel, head: Head, *, known: int) -> None:
        """Compare a channel with its log, of which it knew so much before the log was asked for."""
        if head.erasures != channel.erasures:
            channel.forget(erasures=head.erasures)
            channel.send_away(because="erased", epoch=self.epoch)
        if head.seq == channel.head:
            channel.status = head.status
        if head.seq > channel.head:
            channel.note_head(head.seq, now=time.monotonic())
            channel.kick()
        if head.seq < known:  # an older state was put back, and nobody changed the epoch
            channel.send_away(because="ahead", epoch=self.epoch)
            self._drop(channel)

    def _drop(self, channel: Channel) -> None:
        channel.close()
        self.channels.pop(channel.debate_id, None)

    def _take_epoch(self, epoch: UUID | None) -> None:
        """Send everybody away when the database is not the one it was, and forget what was read of it."""
        if epoch is None or epoch == self.epoch:
            return
        self.epoch = epoch
        for channel in list(self.channels.values()):
            channel.send_away(because="epoch", epoch=epoch)
            self._drop(channel)

    async def _watch_rights(self) -> None:
        while True:
            await asyncio.sleep(settings.LIVE_RIGHTS_SECONDS)
            try:
                await self._check_rights(self._subscribers())
            except Unreadable:
                continue
            except Exception:
                log.exception("looking at the rights of readers failed")

    async def _check_rights(self, watching: Iterable[Subscriber]) -> None:
        subscribers = list(watching)
        answers = (
            await self.authorization.look({subscriber.request for subscriber in subscribers}) if subscribers else {}
        )
        for subscriber in subscribers:
            if answers[subscriber.request] != subscriber.access:
                subscriber.end(Close.RIGHTS_CHANGED, type="refused", code="rights_changed", message=RIGHTS_CHANGED)


def load() -> Load:
    """Return what live delivery has to do in this process, from any thread; nothing before somebody watches."""
    running = Process.hub
    return Load(0, 0, 0.0) if running is None else running.load(now=time.monotonic())


class Process:
    """The hub of this process, and how many are using it."""

    hub: Hub | None = None
    starting: asyncio.Task[Hub] | None = None
    leaving = False


async def of_this_process() -> Hub:
    """Return the running hub, started if need be.

    Raises: ``RefusedStream`` while the database cannot be read, and once this process takes leave of its readers.
    """
    if Process.leaving:
        raise RefusedStream(Close.UNAVAILABLE, STOPS)
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
    if Process.leaving:  # since this began
        await hub.stop()
        raise RefusedStream(Close.UNAVAILABLE, STOPS)
    Process.hub = hub
    return hub


async def stop() -> None:
    """Take leave of everybody who watches, and stop the hub of this process, if there is one."""
    hub, Process.hub = Process.hub, None
    if hub is not None:
        await hub.part()
        await hub.stop()


async def leave() -> None:
    """Stop, because the process ends: whoever comes back from now on is to come again, to another one."""
    Process.leaving = True
    await stop()
