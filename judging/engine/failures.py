"""What can never be written down: told apart from what may be over soon, named, and given up as visibly as may be."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace

import structlog
from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError, DataError, IntegrityError
from django.utils import timezone

from debates.errors import DomainError
from judging.engine import thread_end
from judging.engine.calls import Answered
from judging.engine.db_threads import in_thread
from judging.errors import Stuck
from judging.types import Outcome
from scoring.constraint_errors import guard_of

log = structlog.get_logger(__name__)
OURS = (ArithmeticError, AssertionError, AttributeError, LookupError, ObjectDoesNotExist, TypeError, ValueError)
"""Faults of our own: the same again, however often the same is tried."""
UNSTORABLE = (DataError, IntegrityError, DomainError, *OURS)
"""What the database or a rule says to what it will never take, and what breaks on the way there. Not among them is what
may be over soon, such as a database that does not answer."""


def unstorable(answered: Answered, error: Exception) -> Answered:
    """Return a call whose answer could be read, but not written down: asking again would end no differently."""
    return replace(answered, outcome=Outcome.FAILED, problem=log_unwritten("answer", error))


def log_unwritten(what: str, error: Exception) -> str:
    """Log that something could not be written down, and by which guard it was refused; return that as a sentence."""
    guard = guard_of(error) if isinstance(error, DatabaseError) else None
    name = getattr(error, "details", {}).get("guard") or guard or type(error).__name__
    log.error("not storable", what=what, by=name, exc_info=error if isinstance(error, OURS) else None)
    return f"The {what} could not be written down: {name}."


async def try_to_write(work: Awaitable[object], *, what: str) -> str:
    """Have something written down; return, having logged it, why that cannot be, or nothing where it is."""
    try:
        await work
    except UNSTORABLE as error:
        return log_unwritten(what, error)
    return ""


async def end_thread(ending: Awaitable[object], *, debate_id: int, problem: str) -> None:
    """Have a thread ended that cannot go on.

    Shape: ``problem`` says why it cannot.
    Raises: ``Stuck`` where it cannot be ended, either.
    """
    if await try_to_write(ending, what="end of the thread"):
        raise await stuck(debate_id=debate_id, problem=problem)


async def stuck(*, debate_id: int, problem: str) -> Stuck:
    """Leave an alert that a debate stays as it is, if that can be written down, and return what to raise."""
    alert = in_thread(thread_end.alert)(debate_id=debate_id, problem=problem, now=timezone.now())
    await try_to_write(alert, what="alert")
    return Stuck(problem)
