"""The parts of a debate's page: what draws each, which events make it out of date, and drawings kept for a moment."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from debates.live.parts import Stirring


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a page that can be drawn alone.

    Shape: ``stirred_by`` names types of events, or with a colon at the end all types that begin so; a part ``about``
    a criterion is left alone by events about another one, and one about a ``round`` by events of other rounds; one
    ``when_open`` is drawn anew only while a reader has it open. ``shown`` is what its template prints.
    """

    name: str
    template: str
    stirred_by: Sequence[str]
    about: str = ""
    round: int | None = None
    when_open: bool = False
    shown: Any = None

    @property
    def stirring(self) -> Stirring:
        """What makes it out of date, as the stream knows it."""
        beginnings = tuple(type for type in self.stirred_by if type.endswith(":"))
        types = frozenset(self.stirred_by) - {*beginnings}
        return Stirring(types, beginnings, self.about, "" if self.round is None else str(self.round))


@dataclass(frozen=True, slots=True)
class Page:
    """What a format adds to the page of a debate: a layout, its parts by name, and values for their templates."""

    layout: str
    parts: Mapping[str, Part]
    values: Mapping[str, Any] = field(default_factory=dict)


def named(*parts: Part) -> dict[str, Part]:
    return {part.name: part for part in parts}


# Drawn parts, kept for a moment: however many watch a debate, each part of its page is drawn about once a second.


FRESH_SECONDS = 1.0
"""So long a drawing is given out although the debate has gone on: whoever needs a newer one asks again."""
STILL_SECONDS = 10.0
"""So long while nothing has happened; names and titles change without an event."""
MOST = 4000
AT_WORK = 64


@dataclass(frozen=True, slots=True)
class Log:
    """Where a debate's log is. Drawings of another epoch, or from before words were erased, are not given out."""

    debate: int
    epoch: str
    erasures: int
    seq: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """One part, as of which event it was drawn, and when by the clock of this process."""

    html: str
    seq: int
    at: float


Draw = Callable[[Collection[str]], tuple[int, Mapping[str, str]]]
Key = tuple[int, str, int, str]


@dataclass(slots=True)
class Drawings:
    """The newest drawings of a process. One thread draws while others that want the same debate wait for it."""

    clock: Callable[[], float] = time.monotonic
    _kept: OrderedDict[Key, Drawing] = field(default_factory=OrderedDict)
    _guard: threading.Lock = field(default_factory=threading.Lock)
    _at_work: list[threading.Lock] = field(default_factory=lambda: [threading.Lock() for _ in range(AT_WORK)])

    def of(self, *, log: Log, names: Collection[str], draw: Draw, fresh: float = FRESH_SECONDS) -> dict[str, Drawing]:
        """Return the drawings of some parts, drawing those that are missing or too old.

        Shape: ``draw`` takes names and returns as of which event it drew, and {name: HTML} of those that there are.
        Units: ``fresh`` in seconds, as ``FRESH_SECONDS``.
        """
        drawings = self._fresh(log, names, fresh)
        if len(drawings) == len(set(names)):
            return drawings
        with self._at_work[log.debate % AT_WORK]:
            drawings = self._fresh(log, names, fresh)
            missing = [name for name in names if name not in drawings]
            return drawings | (self._keep(log, *draw(missing)) if missing else {})

    def _fresh(self, log: Log, names: Collection[str], fresh: float) -> dict[str, Drawing]:
        now = self.clock()
        with self._guard:
            kept = {name: self._kept.get((log.debate, log.epoch, log.erasures, name)) for name in names}
        return {
            name: drawing
            for name, drawing in kept.items()
            if drawing is not None and may_serve(drawing, log=log, now=now, fresh=fresh)
        }

    def _keep(self, log: Log, seq: int, drawn: Mapping[str, str]) -> dict[str, Drawing]:
        now = self.clock()
        drawings = {name: Drawing(html=html, seq=seq, at=now) for name, html in drawn.items()}
        with self._guard:
            for name, drawing in drawings.items():
                key = (log.debate, log.epoch, log.erasures, name)
                self._kept[key] = drawing
                self._kept.move_to_end(key)
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)
        return drawings


def may_serve(drawing: Drawing, *, log: Log, now: float, fresh: float) -> bool:
    """Say whether a drawing is still good enough for somebody who asks now."""
    age = now - drawing.at
    return age < (STILL_SECONDS if drawing.seq == log.seq else fresh) and drawing.seq <= log.seq


DRAWINGS = Drawings()
