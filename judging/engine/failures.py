"""Giving up what can never be written down: as visibly as may be, and without trying again at once. No transaction."""

from __future__ import annotations

from collections.abc import Awaitable

from django.utils import timezone

from judging.engine import thread_end
from judging.engine.attempt import UNSTORABLE, unwritten
from judging.engine.db_threads import in_thread
from judging.errors import Stuck


async def thread(ending: Awaitable[object], *, debate_id: int, problem: str) -> None:
    """Have a thread ended that cannot go on.

    Shape: ``problem`` says why it cannot.
    Raises: ``Stuck`` where it cannot be ended, either.
    """
    try:
        await ending
    except UNSTORABLE as error:
        unwritten("end of the thread", error)
        raise await stuck(debate_id=debate_id, problem=problem) from error


async def stuck(*, debate_id: int, problem: str) -> Stuck:
    """Leave an alert that a debate stays as it is, if that can be written down, and return what to raise."""
    try:
        await in_thread(thread_end.alert)(debate_id=debate_id, problem=problem, now=timezone.now())
    except UNSTORABLE as error:
        unwritten("alert", error)
    return Stuck(problem)
