"""Formats: how each kind of debate is played. A new one is a module here, a line in the registry, and its tests."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Protocol

from debates.models import Round, Thread
from debates.types import Format, News
from judging.board import Ask, Board, Brief, Step
from judging.formats.criterion import Criterion
from judging.models import Call
from judging.types import Request


class Play(Protocol):
    """The contract between the conductor and a format."""

    def board(self, *, thread: Thread, number: int) -> Board:
        """Return what is known of a locked thread at a round, read from the database; the round may not be open yet."""
        ...

    def next_board(self, *, board: Board) -> Board:
        """Return the board of the round that follows a closed one. Pure."""
        ...

    def next_step(self, *, brief: Brief, board: Board) -> Step:
        """Say what happens next. Pure."""
        ...

    def request(self, *, brief: Brief, board: Board, ask: Ask, attempt: int) -> Request:
        """Return the question to put. Pure."""
        ...

    def read(self, *, brief: Brief, board: Board, ask: Ask, text: str) -> Any:
        """Return the answer as values. Pure; raises ``AnswerRejected``."""
        ...

    def write(
        self, *, brief: Brief, board: Board, ask: Ask, answer: Any, call: Call, round: Round | None, now: datetime
    ) -> tuple[Board, list[News]]:
        """Write an answer down inside the caller's transaction; return the board after it and what to tell.

        Shape: ``round`` is given where the answer closes it.
        """
        ...

    def calls_left(self, *, board: Board) -> int:
        """Return how many calls the rest of the round needs, for the budget to set aside. Pure."""
        ...


PLAYS: Mapping[Format, Play] = {Format.CRITERION: Criterion()}
"""The formats that are played here."""


def play_of(format_name: str) -> Play:
    """Return how a format is played."""
    return PLAYS[Format(format_name)]
