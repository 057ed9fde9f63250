"""The parts of one debate's page that readers here show: drawn once for all of them, and sent through their streams.

# Note [Pages are pushed]
A page says which of its parts it shows, and as of which event each was drawn. What an event makes out of date is drawn
in a thread, once for a moment, however many show it, and handed to each reader whose own is older. Nothing is queued
for anybody: who cannot take a drawing now is given the newest one later, or asks for it by HTTP.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from django.db import DatabaseError, connections
from django.utils.module_loading import import_string

from debates.live import frames
from debates.live.buffer import FRAME_BYTES
from debates.live.reader import Line, Unreadable
from debates.live.transports import Message
from debates.types import Audience

if TYPE_CHECKING:
    from debates.live.channel import Channel
    from debates.live.subscriber import Subscriber

DRAW_EVERY, LONGEST_REST = 0.5, 2.0
"""Seconds between drawings of one debate: at first, and while events keep coming. After quiet it is drawn at once."""
REST = 2.0
"""So many times the processor time that drawing and sending took nothing is drawn anew: a third goes there at most."""
LARGEST = 256 * 1024
"""A longer part fits into no window: pages ask for it."""
CUTS_KEPT = 64
"""So many frames of the same drawings are kept for the next reader who lacks the same parts."""
FAILED = "parts of debate %s were not drawn: %s"
log = logging.getLogger(__name__)
drawer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="parts")


class Stirring(NamedTuple):
    """Which events make a part out of date: of these types, or of all that begin so; of one criterion or round alone
    where the part is about it.
    """

    types: frozenset[str]
    beginnings: tuple[str, ...]
    criterion: str
    round: str

    def by(self, line: Line) -> bool:
        return (
            (line.type in self.types or line.type.startswith(self.beginnings))
            and (not self.criterion or not line.criterion or line.criterion == self.criterion)
            and (not self.round or line.round is None or line.round == self.round)
        )


class PartSource(Protocol):
    """Where drawings come from. Called in a thread; what is returned is the same for whoever may read the debate."""

    def stirring(self, *, debate: int, names: Collection[str]) -> Mapping[str, Stirring]:
        """Return what makes parts out of date, of those of these names that there are."""
        ...

    def drawn(self, *, debate: int, names: Collection[str]) -> tuple[int, Mapping[str, str]]:
        """Return as of which event parts are drawn, all of them as of now, and {name: HTML} of those that there are."""
        ...


SOURCES: list[str] = []


def draw_by(source: str) -> None:
    """Have parts drawn by a ``PartSource``, named by its dotted path: only web processes need it, and load it then."""
    SOURCES[:] = [source]


@dataclass(frozen=True, slots=True)
class DrawnPart:
    """The newest drawing of a part: as of which event, and as it stands in a frame; no text where it is too long."""

    seq: int
    text: str


class PartsCut(NamedTuple):
    """One frame of parts: {name: as of which event}, its bytes, and its message."""

    brought: Mapping[str, int]
    size: int
    message: Message


class Parts:
    """Draws for the readers of one channel. ``newest`` has for each part the last event that made it out of date, by
    which audiences a reader is told the events of: nobody is sent a drawing for what they are not told.
    """

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._readers: set[Subscriber] = set()
        self._stirring: dict[str, Stirring] = {}
        self._newest: dict[frozenset[Audience], dict[str, int]] = {}
        self._drawn: dict[str, DrawnPart] = {}
        self._due: set[str] = set()
        self._unknown: set[str] = set()
        self._cuts: dict[tuple[str, ...], PartsCut] = {}
        self._drawing: asyncio.Task[None] | None = None
        self._kicked = False
        self._spent = 0.0
        self._pace, self._drawn_at = DRAW_EVERY, -math.inf

    def follow(self, reader: Subscriber) -> None:
        """Look after what a reader shows, from when they come and whenever they show something else."""
        if not reader.shown or not SOURCES:
            self.leave(reader)
            return
        self._readers.add(reader)
        audiences = reader.access.audiences
        if audiences not in self._newest:
            self._newest[audiences] = {}
            self._look_back(self._stirring, audiences=[audiences])
        self._unknown.update(name for name in reader.shown if name not in self._stirring)
        self._note_due(reader)
        self._kick()

    def leave(self, reader: Subscriber) -> None:
        self._readers.discard(reader)
        if not self._readers:
            self.forget()
            self._newest.clear()

    def forget(self) -> None:
        for kept in (self._drawn, self._cuts, self._due):
            kept.clear()

    def close(self) -> None:
        if self._drawing is not None:
            self._drawing.cancel()

    def stir(self, lines: Iterable[Line]) -> None:
        """Note what new events make out of date, and have it drawn."""
        if not self._readers:
            return
        for line in lines:
            stirred = [name for name, stirring in self._stirring.items() if stirring.by(line)]
            for audiences, newest in self._newest.items():
                if line.audience in audiences:
                    newest.update(dict.fromkeys(stirred, line.seq))
                    self._due.update(stirred)
        self._kick()

    def cut(self, reader: Subscriber) -> PartsCut | None:
        """Return a frame of what is drawn and a reader has not, as much as one holds; nothing if there is none."""
        newest, drawn = self._newest.get(reader.access.audiences, {}), self._drawn
        names = tuple(
            name
            for name, seq in reader.shown.items()
            if name in drawn and drawn[name].seq > seq and newest.get(name, 0) > seq and drawn[name].text
        )
        if not names:
            return None
        key = (reader.transport.kind, *names)
        if key not in self._cuts:
            if len(self._cuts) == CUTS_KEPT:
                self._cuts.clear()
            self._cuts[key] = self._frame(names, reader.transport.parts)
        return self._cuts[key]

    def _frame(self, names: Iterable[str], message: Callable[[str], Message]) -> PartsCut:
        brought: dict[str, int] = {}
        texts: list[str] = []
        size = 0
        for name in names:
            part = self._drawn[name]
            size += len(part.text.encode())
            if texts and size > FRAME_BYTES:
                break
            texts.append(part.text)
            brought[name] = part.seq
        text = frames.parts(texts)
        return PartsCut(brought, len(text.encode()), message(text))

    def _look_back(self, names: Iterable[str], *, audiences: Iterable[frozenset[Audience]]) -> None:
        """Note what made parts out of date last, as far as memory reaches; what was before it may have."""
        lines, before = self._channel.buffer.after(self._channel.buffer.before), self._channel.buffer.before
        for each in audiences:
            for name in names:
                stirring = self._stirring[name]
                seqs = (line.seq for line in reversed(lines) if line.audience in each and stirring.by(line))
                self._newest[each][name] = next(seqs, before)

    def _note_due(self, reader: Subscriber) -> None:
        newest, drawn = self._newest[reader.access.audiences], self._drawn
        for name, seq in reader.shown.items():
            stirred = newest.get(name, 0)
            if stirred > seq and (name not in drawn or drawn[name].seq < stirred):
                self._due.add(name)

    def _kick(self) -> None:
        self._kicked = True
        if (self._due or self._unknown) and (self._drawing is None or self._drawing.done()):
            self._drawing = asyncio.create_task(self._draw())

    async def _draw(self) -> None:
        """Draw what is due and shown, again and again, with a rest after each time."""
        while True:
            shown_parts: set[str] = set().union(*(reader.shown for reader in self._readers))
            self._due &= shown_parts
            self._unknown &= shown_parts
            if not self._due and not self._unknown:
                return
            self._spent, self._kicked, failed = 0.0, False, False
            for work, names in ((self._learn, self._unknown), (self._bring, self._due)):
                draws = bool(names)
                try:
                    await work(frozenset(names))
                except Exception as error:
                    failed, unreadable = True, isinstance(error, (*Unreadable, DatabaseError))
                    log.warning(FAILED, self._channel.debate_id, error, exc_info=not unreadable)
            if failed:
                await asyncio.sleep(LONGEST_REST)
                if not self._kicked:
                    return  # pages ask for them, and the next event has them tried again
                continue
            await asyncio.sleep(self._rest(now=time.monotonic()) if draws else REST * self._spent)

    def _rest(self, *, now: float) -> float:
        """Return how long nothing is drawn anew: longer while events keep coming, and where drawing takes long."""
        self._pace = DRAW_EVERY if now - self._drawn_at > 2 * LONGEST_REST else min(LONGEST_REST, 2 * self._pace)
        self._drawn_at = now
        return max(self._pace, min(LONGEST_REST, REST * self._spent))

    async def _learn(self, names: frozenset[str]) -> None:
        """Find out what makes parts out of date that nobody has shown yet; those that there are not are not shown."""
        if not names:
            return
        stirring, spent = await in_thread(source().stirring, debate=self._channel.debate_id, names=names)
        self._spent += spent
        self._stirring |= stirring
        self._look_back(stirring, audiences=self._newest)
        self._unknown -= names
        for reader in self._readers:
            for name in names - stirring.keys():
                reader.shown.pop(name, None)
            self._note_due(reader)

    async def _bring(self, names: frozenset[str]) -> None:
        """Draw some parts, and hand them out once everything that they show has been told, and rights looked at."""
        if not names:
            return
        channel, erasures = self._channel, self._channel.erasures
        (seq, texts), spent = await in_thread(drawn_for_frames, debate=channel.debate_id, names=names)
        self._spent += spent
        if seq > channel.head:
            await channel.catch_up()
        if channel.erasures != erasures or seq > channel.head:
            return  # drawn before words were erased; what is due stays due
        for name in names:
            if name in texts:
                self._drawn[name] = DrawnPart(seq, texts[name])
            if all(newest.get(name, 0) <= seq for newest in self._newest.values()):
                self._due.discard(name)
        self._cuts.clear()
        began, now = time.thread_time(), time.monotonic()
        for reader in list(self._readers):
            reader.wake_for_parts(now=now)
        self._spent += time.thread_time() - began


def source() -> PartSource:
    part_source: PartSource = import_string(SOURCES[0])
    return part_source


def drawn_for_frames(*, debate: int, names: Collection[str]) -> tuple[int, dict[str, str]]:
    """Return as of which event parts are drawn, and {name: as it stands in a frame}; no text of one too long for it."""
    seq, drawn = source().drawn(debate=debate, names=names)
    texts = {name: frames.part(name=name, seq=seq, html=html) for name, html in drawn.items()}
    return seq, {name: text if len(text.encode()) <= LARGEST else "" for name, text in texts.items()}


async def in_thread(function: Callable[..., Any], **arguments: Any) -> tuple[Any, float]:
    """Call something that reads the database, in the thread that draws, which keeps no connection.

    Units: beside the result, the seconds of a processor that it took.
    """

    def call() -> tuple[Any, float]:
        began = time.thread_time()
        try:
            return function(**arguments), time.thread_time() - began
        finally:
            connections.close_all()

    return await asyncio.get_running_loop().run_in_executor(drawer, call)
