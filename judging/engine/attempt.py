"""One call to a provider: made unless its answer is known, read, and told as it went. No transaction is open."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import Any, TypeVar

import structlog
from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError, DataError, IntegrityError
from django.utils import timezone

from debates.errors import DomainError, Invalid
from judging.engine import budget, judgement_cache, leases
from judging.engine.calls import Answered, storable
from judging.engine.db_threads import in_thread
from judging.errors import AnswerRejected, ProviderError
from judging.formats.state import Voice
from judging.providers import Provider, provider
from judging.types import Completion, Outcome, Permit, Request
from scoring.constraint_errors import guard_of

T = TypeVar("T")
log = structlog.get_logger(__name__)
LONGEST_PAUSE = 60.0
LONGEST_TOLD = 900.0
"""Seconds that a provider may ask to be left alone; who asks for more is not asked again, sooner least of all."""
LONGEST_PROBLEM = 200
PERMIT_LASTS = 500
"""Milliseconds for which a permit to ask is taken to hold."""
Failure = AnswerRejected | ProviderError | None
Again = Callable[[], Awaitable[Permit]]
OURS = (ArithmeticError, AssertionError, AttributeError, LookupError, ObjectDoesNotExist, TypeError, ValueError)
"""Faults of our own: the same again, however often the same is tried."""
UNSTORABLE = (DataError, IntegrityError, DomainError, *OURS)
"""What the database or a rule says to what it will never take, and what breaks on the way there. Not among them is what
may be over soon, such as a database that does not answer."""


async def call(
    *,
    request: Request,
    voice: Voice,
    read: Callable[[str], Any],
    again: Again | None = None,
    under_way: int | None = None,
) -> tuple[Answered, Any, float | None]:
    """Make one call, for which there is a permit, and read its answer.

    Shape: how it went, the answer if it is usable, and how many seconds to wait before another attempt (nothing: none).
    ``again`` asks for another permit where so much time has passed since the first that it may not hold any more.
    ``under_way`` is what counts the call, in a debate with a limit, until it is written down.
    Raises: ``known.Withheld`` when that is refused, and whatever ``again`` raises; nothing was asked then.
    """
    async with counted(under_way):
        answered, answer, wait = await made(request=request, voice=voice, read=read, again=again)
    return replace(answered, under_way=under_way), answer, wait


@asynccontextmanager
async def counted(under_way: int | None) -> AsyncIterator[None]:
    """Keep a call counted while it is being made; one that is not made after all is counted no more."""
    if under_way is None:
        yield
        return
    try:
        async with leases.renewed(lambda: in_thread(budget.renew)(under_way=under_way, now=timezone.now())):
            yield
    except BaseException:
        await in_thread(budget.give_back)(under_way=under_way)
        raise


async def made(
    *, request: Request, voice: Voice, read: Callable[[str], Any], again: Again | None
) -> tuple[Answered, Any, float | None]:
    """Make one call as ``call`` does, whoever counts it."""
    began = Began()
    completion: Completion | None = None
    held: judgement_cache.Held | None = None
    answer: Any = None
    failure: Failure = None
    try:
        completion, held = await judgement_cache.complete(
            request=request,
            provider=voice.provider,
            source=lambda: asked_of(voice).source(request),
            ask=lambda: asked(request=request, voice=voice, began=began, again=again),
            again=again,
        )
        answer = understood(completion, read=read)
    except (AnswerRejected, ProviderError) as error:
        failure = error
    await judgement_cache.settle(held=held, completion=completion, usable=failure is None)
    outcome, problem, wait = went(failure, attempt=request.attempt)
    answered = Answered(request, voice.provider, voice.id, began.milliseconds, outcome, completion, problem)
    return answered, answer, wait


class Began:
    """When a call began. While it waits for room it has not, so that neither its deadline nor its time runs."""

    def __init__(self) -> None:
        self.now()

    def now(self) -> None:
        """Begin at this moment."""
        self._at = time.monotonic()

    @property
    def milliseconds(self) -> int:
        """Return how long it has taken since."""
        return round((time.monotonic() - self._at) * 1000)


async def asked(*, request: Request, voice: Voice, began: Began, again: Again | None) -> Completion:
    """Ask a provider once, as soon as it has room; after a long wait for it only with another permit.

    Raises: ``known.Withheld``, what ``again`` raises.
    """
    async with room(request=request, voice=voice):
        if again is not None and began.milliseconds > PERMIT_LASTS:
            judgement_cache.permitted(await again())
        began.now()
        return await answer_to(request=request, voice=voice)


def room(*, request: Request, voice: Voice) -> AbstractAsyncContextManager[object]:
    """Return what a call waits in until there is room for it.

    Raises: ``ProviderError``.
    """
    return asked_of(voice).room(request)


def asked_of(voice: Voice) -> Provider:
    """Return the provider of a voice.

    Raises: ``ProviderError`` where it is not there.
    """
    try:
        return provider(voice.provider)
    except Invalid as error:
        raise ProviderError(error.message, permanent=True) from error


async def answer_to(*, request: Request, voice: Voice) -> Completion:
    """Return what a provider answers.

    Raises: ``ProviderError``, whatever goes wrong inside the provider: a fault of its must not leave a debate stuck.
    """
    asked = asked_of(voice)
    seconds = asked.deadline(request)
    try:
        return await asyncio.wait_for(asked.complete(request), timeout=seconds)
    except ProviderError:
        raise
    except TimeoutError as error:
        raise ProviderError(f"No answer within {seconds:g} seconds.", permanent=False) from error
    except Exception as error:
        raise broken(error, request=request, voice=voice.provider) from error


def understood(completion: Completion, *, read: Callable[[str], Any]) -> Any:
    """Return an answer as values.

    Raises: ``AnswerRejected``; ``ProviderError`` where reading it breaks.
    """
    try:
        return read(completion.text)
    except AnswerRejected:
        raise
    except Exception as error:
        log.exception("answer not readable", model=completion.model)
        raise ProviderError(f"Reading the answer broke: {type(error).__name__}.", permanent=True) from error


def broken(error: Exception, *, request: Request, voice: str) -> ProviderError:
    """Return a fault inside a provider as what the conductor understands; its words stay in our log."""
    log.error("provider broke", provider=voice, purpose=request.purpose.value, exc_info=error)
    return ProviderError(f"The provider broke: {type(error).__name__}.", permanent=True)


def went(failure: Failure, *, attempt: int) -> tuple[Outcome, str, float | None]:
    """Return how a call went, what was wrong, and the pause before another attempt; nothing: another is no use.

    Units: seconds: as many as the provider asked for; else they grow with the attempts where it failed, and are none
    where its answer was of no use.
    Source: docs/reference/providers.md.
    """
    if failure is None:
        return Outcome.USED, "", 0.0
    if isinstance(failure, AnswerRejected):
        return Outcome.REJECTED, storable(failure.message), 0.0
    pause = failure.retry_after or min(0.25 * 2**attempt, LONGEST_PAUSE)
    again = not failure.permanent and pause <= LONGEST_TOLD
    return Outcome.FAILED, storable(str(failure))[:LONGEST_PROBLEM], pause if again else None


def unstorable(answered: Answered, error: Exception) -> Answered:
    """Return a call whose answer could be read, but not written down: asking again would end no differently."""
    return replace(answered, outcome=Outcome.FAILED, problem=unwritten("answer", error))


def unwritten(what: str, error: Exception) -> str:
    """Return, and log, that something could not be written down, and by which guard it was refused."""
    guard = guard_of(error) if isinstance(error, DatabaseError) else None
    name = getattr(error, "details", {}).get("guard") or guard or type(error).__name__
    log.error("not storable", what=what, by=name, exc_info=error if isinstance(error, OURS) else None)
    return f"The {what} could not be written down: {name}."


async def all_of(work: Iterable[Awaitable[T]]) -> list[T]:
    """Do things at once, and return what came of each.

    Where one fails, the others are still done to their end, so that no call that is paid for goes on unheard while the
    job is tried again.

    Raises: what the first of those that failed did.
    """
    outcomes = await asyncio.gather(*work, return_exceptions=True)
    done: list[T] = []
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
        done.append(outcome)
    return done
