"""An open debate as a provider sees it: who sits at the table, what was said, and what is asked for now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

OPENING, RESPONSE = "opening", "response"


@dataclass(frozen=True, slots=True)
class Position:
    """A chair as everybody at the table sees it; ``framework`` is empty where it argues from none.

    Units: stance -1..1, conviction 0..1.
    """

    name: str
    framework: str
    stance: Decimal
    conviction: Decimal
    strategy: str = "analytical"
    surrendered: bool = False


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something that was said; ``exchange`` is 0 before the first one."""

    speaker: str
    kind: str
    text: str
    exchange: int = 0


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything a provider may read for one request of an open debate, as data.

    Shape: ``chairs`` in speaking order; ``said`` oldest first; ``speaker`` is whose turn it is or who is judged;
    ``response`` is what is judged or answered by the arbiter, and stands in ``said`` no more than once, last.
    ``swapped`` has prompts show the response before what it answers, and the table from its end.
    """

    motion: str
    chairs: tuple[Position, ...]
    tone: str = "spirited"
    accountability: str = "moderate"
    exchange: int = 0
    exchanges: int = 0
    speaker: str = ""
    said: tuple[Utterance, ...] = ()
    response: str = ""
    violation: str = ""
    notes: tuple[str, ...] = ()
    result: Mapping[str, Any] = field(default_factory=dict)
    swapped: bool = False

    @property
    def chair(self) -> Position | None:
        """Return the chair of the speaker."""
        return next((one for one in self.chairs if one.name == self.speaker), None)

    @property
    def opponents(self) -> tuple[Position, ...]:
        """Return everybody else at the table, in speaking order."""
        return tuple(one for one in self.chairs if one.name != self.speaker)

    @property
    def own(self) -> tuple[Utterance, ...]:
        """Return what the speaker said before, oldest first, without what is judged."""
        return tuple(one for one in self.earlier if one.speaker == self.speaker)

    @property
    def answered(self) -> tuple[Utterance, ...]:
        """Return the last words of every other chair, oldest first: that is what a response answers."""
        names = {one.name for one in self.opponents}
        last = {one.speaker: at for at, one in enumerate(self.earlier) if one.speaker in names}
        return tuple(self.earlier[at] for at in sorted(last.values()))

    @property
    def earlier(self) -> tuple[Utterance, ...]:
        """Return what was said before the response that is judged."""
        last = self.said[-1] if self.said else None
        judged = (
            last is not None and last.speaker == self.speaker and bool(self.response) and last.text == self.response
        )
        return self.said[:-1] if judged else self.said
