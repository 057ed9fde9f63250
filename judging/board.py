"""What the conductor knows of a debate and of one thread while it plays. Values only; rows stay in the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from debates.types import Role
from judging.types import CriterionCard, Purpose, Reply, Severity


@dataclass(frozen=True, slots=True)
class Voice:
    """A participant as the conductor needs it."""

    id: int
    role: Role
    name: str
    provider: str
    model: str


@dataclass(frozen=True, slots=True)
class Brief:
    """What does not change once a debate has started."""

    debate_id: int
    public_id: str
    format: str
    title: str
    subject: str
    rounds: int
    cards: Mapping[str, CriterionCard]
    voices: Mapping[Role, Voice]
    personas: tuple[str, ...]
    challenges_per_criterion: int
    at_end: bool
    has_limit: bool
    script: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Point:
    """One challenge on the board, with what was said about it in every round of this run."""

    id: int
    label: str
    persona: str
    severity: Severity
    quote: str
    said: tuple[tuple[int, str, str], ...]
    put_turn: int | None = None
    reply: Reply | None = None
    conceded: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """One thread at one round, under one claim; ``round_id`` is 0 until the round is open."""

    thread_id: int
    key: str
    run: int
    fence: int
    number: int
    round_id: int
    evaluation_id: int
    initial: Decimal
    value: Decimal
    points: tuple[Point, ...] = ()
    done: frozenset[Purpose] = field(default_factory=frozenset)

    @property
    def open(self) -> tuple[Point, ...]:
        """Return the challenges that nobody has conceded in an earlier round."""
        return tuple(point for point in self.points if not point.conceded)


@dataclass(frozen=True, slots=True)
class Ask:
    """The next thing to do is to ask somebody."""

    purpose: Purpose
    role: Role


@dataclass(frozen=True, slots=True)
class Close:
    """The next thing to do is to close the round, because nothing in it was answered and nothing can be judged."""


@dataclass(frozen=True, slots=True)
class Finish:
    """Nothing is left to play in this thread."""

    because: str


Step = Ask | Close | Finish
