"""Locking what a step writes to, in the order that everybody keeps: debate, thread, evaluations, head of the stream."""

from __future__ import annotations

from debates.models import Debate, Round, Thread
from judging.board import Board
from judging.errors import Superseded

THREAD_COLUMNS = ("key", "status", "run_number", "rounds_played", "fence", "position")


def lock_debate(debate_id: int) -> Debate:
    """Lock a debate: first in the order of locks."""
    return Debate.objects.defer("parameters").select_for_update(no_key=True, of=("self",)).get(pk=debate_id)


def look_at(debate_id: int) -> Debate:
    """Return a debate without locking it, to see where it stands."""
    return Debate.objects.defer("parameters").get(pk=debate_id)


def lock_thread(thread_id: int) -> Thread:
    """Lock a thread: after its debate, before its evaluations."""
    return (
        Thread.objects.select_for_update(no_key=True, of=("self",))
        .select_related("debate")
        .only("debate__status", *THREAD_COLUMNS)
        .get(pk=thread_id)
    )


def round_on(board: Board) -> Round:
    """Return the round of a board as a row, without reading it again: what names it never changes."""
    return Round(pk=board.round_id, thread_id=board.thread_id, run_number=board.run, number=board.number)


def held_thread(board: Board) -> Thread:
    """Lock the thread of a board.

    Raises: ``Superseded`` if it was claimed again since.
    """
    thread = lock_thread(board.thread_id)
    if thread.fence != board.fence:
        raise Superseded(f"thread {thread.pk} is at fence {thread.fence}, not {board.fence}")
    return thread
