"""What the conductor knows of a debate and of one thread while it plays. Values only; rows stay in the database."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self, TypeVar

from debates.types import DEADLINE, Kind, Role, TurnKind
from judging.types import CriterionCard, Purpose

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Voice:
    """A participant as the conductor needs it."""

    id: int
    role: Role
    name: str
    provider: str
    model: str
    kind: Kind = Kind.ENGINE


@dataclass(frozen=True)
class Brief:
    """What does not change once a debate has started.

    Shape: ``parameters`` as the debate keeps them, which each format reads for itself; ``voices`` has the first
    participant of each role, ``everybody`` all of them in speaking order.
    """

    debate_id: int
    public_id: str
    format: str
    title: str
    subject: str
    rounds: int
    parameters: Mapping[str, Any]
    voices: Mapping[Role, Voice]
    everybody: tuple[Voice, ...]
    has_limit: bool
    script: Sequence[Mapping[str, Any]]

    def voice(self, ask: Ask) -> Voice:
        """Return who is asked: the participant that is named, or the one of the role."""
        return self.speaker(ask.participant) if ask.participant else self.voices[ask.role]

    def speaker(self, participant: int) -> Voice:
        return next(voice for voice in self.everybody if voice.id == participant)

    @cached_property
    def cards(self) -> Mapping[str, CriterionCard]:
        """The criteria of its rubric by their codes, in order; made once, because every question shows them."""
        named = ("code", "name", "category", "question", "high", "low")
        rows = self.parameters["rubric"]["criteria"]
        return {row["code"]: CriterionCard(**{name: row[name] for name in named}) for row in rows}


@dataclass(frozen=True, slots=True)
class ThreadState:
    """One thread at one round, under one claim; ``round_id`` is 0 until the round is open. Formats add to it.

    Shape: ``parsed`` are the answers of this round by the id of their call, as far as the job that has this board read
    them itself. It grows as they come; no other job knows of it.
    """

    thread_id: int
    key: str
    run: int
    fence: int
    number: int
    round_id: int
    parsed: dict[int, Any] = field(default_factory=dict, kw_only=True, repr=False, compare=False)

    @classmethod
    def of(cls, thread: Any, *, number: int, **more: Any) -> Self:
        """Return what is known at a round that is not open yet of a locked thread, whose row is ``thread``."""
        return cls(thread.pk, thread.key, thread.run_number, thread.fence, number, round_id=0, **more)

    def answer_of(self, call_id: int, text: str, *, read: Callable[[str], T]) -> T:
        """Return the answer of a call, parsed from the text that was kept where another job has asked for it."""
        if call_id not in self.parsed:
            self.parsed[call_id] = read(text)
        answer: T = self.parsed[call_id]
        return answer


@dataclass(frozen=True, slots=True)
class Ask:
    """The next thing to do is to ask somebody; ``participant`` names one where several have the role.

    Shape: ``about`` is the participant whose words are asked about, where it is somebody's; of a batch the number of
    the response. Where one thing is judged several times, ``reading`` counts from 1 within each order; 0: it is judged
    once.
    """

    purpose: Purpose
    role: Role
    participant: int = 0
    about: int = 0
    swapped: bool = False
    reading: int = 0

    @property
    def of_a_chair(self) -> bool:
        """Whether it is for somebody to argue, and not for somebody to judge."""
        return self.role is Role.CHAIR


@dataclass(frozen=True, slots=True)
class Await:
    """The next thing to do is to wait until a person, or somebody else's program, has spoken, or has let time pass.

    Shape: ``about`` is the turn that they are to judge, where it is one alone; ``because`` is the code that says why
    nothing came, where nothing did.
    Units: ``seconds`` is how long they have, from the moment at which the waiting begins.
    """

    participant: int
    kind: TurnKind
    seconds: int = 0
    about: int = 0
    because: str = DEADLINE


@dataclass(frozen=True, slots=True)
class AwaitAll:
    """The next thing to do is to wait for several, until the same moment; none hears of another before all have."""

    awaited: tuple[Await, ...]


@dataclass(frozen=True, slots=True)
class Together:
    """The next thing to do is to ask several at once, none of whom hears of another before all have answered."""

    asks: tuple[Ask, ...]


@dataclass(frozen=True, slots=True)
class Close:
    """The next thing to do is to close the round: nothing in it is left to ask, and it counts if it can be judged."""


@dataclass(frozen=True, slots=True)
class Finish:
    """Nothing is left to play in this thread; ``partial``: it cannot go on, and ``alert`` tells a moderator why."""

    because: str
    partial: bool = False
    alert: str = ""


Step = Ask | Await | AwaitAll | Together | Close | Finish


@dataclass(frozen=True, slots=True)
class Acting:
    """Who speaks or thinks at a step, and what comes next: two clauses without a full stop; either may be missing."""

    now: str = ""
    following: str = ""
