"""What voices and judges of an open debate answer, once it has been read and found usable."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from judging.rules.adherence import Marks


@dataclass(frozen=True, slots=True)
class Spoken:
    """A turn as it was given, with the passages of others that it says it quotes."""

    text: str
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a mark rests on: a sentence, and passages that occur in the response word for word."""

    notes: str
    quotes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """The four marks of a response with their grounds; the total is their sum and nobody's claim."""

    marks: Marks
    steel_attempted: bool
    critique_attempted: bool
    steel_manning: Grounds
    self_critique: Grounds
    consistency: Grounds
    honesty: Grounds
    violations: tuple[str, ...]
    issues: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Weighed:
    """What a response does to one listener, 0..1 each."""

    listener: str
    persuasion: Decimal
    attack: Decimal
    evidence: Decimal


@dataclass(frozen=True, slots=True)
class Closed:
    """The arbiter's last word."""

    summary: str
    agreements: tuple[str, ...]
    disagreements: tuple[str, ...]
    open_questions: tuple[str, ...]
