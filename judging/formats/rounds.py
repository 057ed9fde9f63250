"""The round that a board is at, as a row."""

from __future__ import annotations

from debates.models import Round
from judging.formats.state import Board


def round_on(board: Board) -> Round:
    """Return the round of a board as a row, without reading it again: what names it never changes."""
    return Round(pk=board.round_id, thread_id=board.thread_id, run_number=board.run, number=board.number)
