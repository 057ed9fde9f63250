"""Formats: how each kind of debate is played. A new one is a module here, a line in the registry, and its tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol, TypeVar

from debates.models import Debate, Round, Thread
from debates.types import Format, News
from judging.formats.criterion.play import Criterion
from judging.formats.open.play import Open
from judging.formats.panel.play import Panel
from judging.formats.parsing import Concluded
from judging.formats.state import Ask, Await, Board, Brief, Step
from judging.models import Call
from judging.types import Request, Utterance

B = TypeVar("B", bound=Board)


class Play(Protocol[B]):
    """The contract between the conductor and a format, which may keep more on its board than the conductor looks at.

    What is called pure reads nothing but its arguments. The rest runs inside a short transaction of its caller.

    Source: docs/how-to/add-a-format.md.
    """

    # -- before play ---------------------------------------------------------------------------------------------

    def given(self, *, debate: Debate) -> Mapping[str, Any] | None:
        """Return what the threads begin with, by thread key, if it came with the debate; nothing: it must be assessed.

        A format in which nothing is assessed returns an empty mapping. Pure.
        """
        ...

    def assessment(self, *, brief: Brief, key: str, attempt: int) -> tuple[Ask, Request]:
        """Return the question to put about a thread before play. Pure; asked only where ``given`` gave nothing."""
        ...

    def read_assessment(self, *, brief: Brief, text: str) -> Any:
        """Return an assessment as values. Pure; raises ``AnswerRejected``."""
        ...

    def assessed(self, *, debate_id: int) -> Mapping[str, Any]:
        """Return what was assessed so far, by thread key, in the shape of ``given``."""
        ...

    def open(self, *, debate: Debate, initial: Mapping[str, Any]) -> None:
        """Open the accounts of a locked debate that begins to play, but for threads that ``initial`` lacks."""
        ...

    # -- play ----------------------------------------------------------------------------------------------------

    def board(self, *, thread: Thread, number: int) -> B:
        """Return what is known of a locked thread at a round, read from the database; the round may not be open yet."""
        ...

    def next_board(self, *, board: B) -> B:
        """Return the board of the round that follows a closed one. Pure."""
        ...

    def next_step(self, *, brief: Brief, board: B) -> Step:
        """Say what happens next. Pure."""
        ...

    def request(self, *, brief: Brief, board: B, ask: Ask, attempt: int) -> Request:
        """Return the question to put. Pure."""
        ...

    def read(self, *, brief: Brief, board: B, ask: Ask, text: str) -> Any:
        """Return the answer as values. Pure; raises ``AnswerRejected``."""
        ...

    def write(
        self, *, brief: Brief, board: B, ask: Ask, answer: Any, call: Call, round: Round | None, now: datetime
    ) -> tuple[B, list[News]]:
        """Write an answer down inside the caller's transaction; return the board after it and what to tell.

        Shape: ``round`` is given where the answer closes it.
        """
        ...

    def without(self, *, brief: Brief, board: B, ask: Ask, now: datetime) -> list[News] | None:
        """Write down what follows from an answer that could not be had, and return what to tell; nothing: give up.

        It runs inside the caller's transaction, with the thread locked; ``board`` will find what it writes. What it
        returns is told in the same transaction, before the alert about the judge; about a chair there is none.
        """
        ...

    def hear(self, *, brief: Brief, board: B, awaited: Await, text: str | None, now: datetime) -> list[News]:
        """Write down what somebody said who was awaited, or that they said nothing in time; return what to tell.

        It runs inside the caller's transaction, with the thread locked; ``board`` will find what it writes. Never
        called where ``next_step`` awaits nobody.
        """
        ...

    def shut(self, *, brief: Brief, board: B, round: Round, now: datetime) -> tuple[B, list[News]]:
        """Write what a round comes to that ``Close`` ends; return the board after it and what to tell.

        It runs inside the caller's transaction, with debate and thread locked.
        """
        ...

    def calls_left(self, *, brief: Brief, board: B) -> int:
        """Return how many calls the rest of the round needs, for the budget to set aside. Pure."""
        ...

    def closes(self, *, board: B, ask: Ask) -> bool:
        """Say whether the answer to a question closes the round that the board is at. Pure."""
        ...

    def over(self, *, brief: Brief, board: B) -> str:
        """Return, as a code, why a thread ends with the round that this board is at; empty: it goes on. Pure.

        It is asked before the answer that closes the round is written, to know what to lock, and again after it: what
        is said before must be said after.
        """
        ...

    def round_told(self, *, board: B) -> Mapping[str, Any]:
        """Return what a closed round tells of, beside its numbers. Pure."""
        ...

    def judged(self, *, brief: Brief, board: B, ask: Ask) -> int | None:
        """Return the turn that a question to a judge is about, where it is about one alone. Pure."""
        ...

    def concerned(self, *, board: B) -> int | None:
        """Return the evaluation that an alert about a failed judge belongs to, if it is one alone. Pure."""
        ...

    # -- the end -------------------------------------------------------------------------------------------------

    def end(self, *, thread: Thread, brief: Brief, because: str, partial: bool) -> list[News]:
        """Complete the accounts of a locked thread, or let them fall back; return what to tell."""
        ...

    def numbers(self, *, debate: Debate) -> Mapping[str, Any]:
        """Return what a debate comes to, as its synthesis keeps it: JSON with decimals as text, ``overall`` if any."""
        ...

    def said(self, *, debate: Debate) -> Sequence[Utterance]:
        """Return what was said, where the last words are about that too; it is not kept with them."""
        ...

    def synthesis(
        self, *, brief: Brief, numbers: Mapping[str, Any], said: Sequence[Utterance], attempt: int
    ) -> tuple[Ask, Request] | None:
        """Return the question for the last words, or nothing where a debate concludes without any. Pure."""
        ...

    def read_synthesis(self, *, brief: Brief, text: str) -> Concluded:
        """Return the last words as values. Pure; raises ``AnswerRejected``."""
        ...

    def warn(self, *, debate: Debate) -> list[News]:
        """Raise what a whole debate that concludes gives reason to look at; return what to tell."""
        ...


PLAYS: Mapping[Format, Play[Any]] = {
    Format.CRITERION: Criterion(),
    Format.OPEN: Open(),
    Format.PANEL: Panel(),
}
"""The formats that are played here."""

FIRST_ROUNDS: Mapping[Format, int] = {Format.OPEN: 0, Format.PANEL: 0}
"""Formats whose rounds are not numbered from 1: the independent analysis of a panel is before its debate."""


def play_of(format_name: str) -> Play[Any]:
    """Return how a format is played."""
    return PLAYS[Format(format_name)]


def first_round(format_name: str) -> int:
    """Return the number of a format's first round."""
    return FIRST_ROUNDS.get(Format(format_name), 1)
