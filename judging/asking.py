"""One call to a provider: made unless its answer is known, read, and told as it went. No transaction is open."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import structlog

from debates.errors import Invalid
from judging.board import Voice
from judging.errors import AnswerRejected, ProviderError
from judging.providers import provider
from judging.services import known
from judging.services.calls import Answered
from judging.types import Completion, Outcome, Permit, Request

log = structlog.get_logger(__name__)
LONGEST_PAUSE = 60.0
LONGEST_TOLD = 900.0
"""Seconds that a provider may ask to be left alone; who asks for more is not asked again, sooner least of all."""
LONGEST_PROBLEM = 200
PERMIT_LASTS = 500
"""Milliseconds for which a permit to ask is taken to hold."""
Failure = AnswerRejected | ProviderError | None
Again = Callable[[], Awaitable[Permit]]


async def call(
    *, request: Request, voice: Voice, read: Callable[[str], Any], again: Again | None = None
) -> tuple[Answered, Any, float | None]:
    """Make one call, for which there is a permit, and read its answer.

    Shape: how it went, the answer if it is usable, and how many seconds to wait before another attempt (nothing: none).
    ``again`` asks for another permit where so much time has passed since the first that it may not hold any more.
    Raises: ``known.Withheld`` when that is refused, and whatever ``again`` raises; nothing was asked then.
    """
    began = Began()
    completion: Completion | None = None
    held: known.Held | None = None
    answer: Any = None
    failure: Failure = None
    try:
        completion, held = await known.complete(
            request=request,
            provider=voice.provider,
            ask=lambda: asked(request=request, voice=voice, began=began, again=again),
            again=again,
        )
        answer = understood(completion, read=read)
    except (AnswerRejected, ProviderError) as error:
        failure = error
    await known.settle(held=held, completion=completion, usable=failure is None)
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
            known.permitted(await again())
        began.now()
        return await answer_to(request=request, voice=voice)


def room(*, request: Request, voice: Voice) -> AbstractAsyncContextManager[object]:
    """Return what a call waits in until there is room for it.

    Raises: ``ProviderError``.
    """
    try:
        return provider(voice.provider).room(request)
    except Invalid as error:
        raise ProviderError(error.message, permanent=True) from error


async def answer_to(*, request: Request, voice: Voice) -> Completion:
    """Return what a provider answers.

    Raises: ``ProviderError``, whatever goes wrong inside the provider: a fault of its must not leave a debate stuck.
    """
    try:
        return await asyncio.wait_for(provider(voice.provider).complete(request), timeout=request.deadline_seconds)
    except ProviderError:
        raise
    except TimeoutError as error:
        raise ProviderError(f"No answer within {request.deadline_seconds} seconds.", permanent=False) from error
    except Invalid as error:
        raise ProviderError(error.message, permanent=True) from error
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
        return Outcome.REJECTED, failure.message, 0.0
    pause = failure.retry_after or min(0.25 * 2**attempt, LONGEST_PAUSE)
    again = not failure.permanent and pause <= LONGEST_TOLD
    return Outcome.FAILED, str(failure)[:LONGEST_PROBLEM], pause if again else None
