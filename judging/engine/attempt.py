"""Asking, and asking again where an answer cannot be read; and what can never be written down: told apart from what
may be over soon, named, and given up as visibly as may be.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar, Protocol, TypeVar

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.db import (
    DatabaseError,
    DataError,
    IntegrityError,
    InternalError,
    NotSupportedError,
    OperationalError,
    ProgrammingError,
)
from django.utils import timezone

from debates.errors import DomainError, Invalid
from debates.printable import Fields
from judging.engine import calls, judgement_cache, locks, play
from judging.engine.calls import CallResult, storable
from judging.engine.db_threads import NotConnected, in_thread, may_be_committed
from judging.engine.judgement_cache import Withheld, require_permit
from judging.errors import AnswerCutOff, AnswerRefused, AnswerRejected, ProviderError, Stuck, Superseded
from judging.formats import prompts
from judging.formats.parsing import excerpt
from judging.formats.state import Voice
from judging.providers import Provider, provider
from judging.types import MORE_ROOM, Completion, Ending, Outcome, Permit, Request
from scoring.constraint_errors import guard_of

log = logging.getLogger(__name__)
OURS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    ImportError,
    LookupError,
    ObjectDoesNotExist,
    RuntimeError,
    TypeError,
    ValueError,
)
"""Faults of our own: the same again, however often the same is tried."""
REFUSED = (DataError, IntegrityError, InternalError, NotSupportedError, ProgrammingError, DomainError)
"""What the database or a rule says to what it will never take. Not among them is what may be over soon, such as a
database that does not answer."""
UNSTORABLE = (*REFUSED, *OURS)
"""That, and what breaks on the way there."""


def unstorable(answered: CallResult, error: Exception) -> CallResult:
    """Return a call whose answer could be read, but not written down: asking again would end no differently."""
    return replace(answered, outcome=Outcome.FAILED, problem=log_unwritten("answer", error))


def log_unwritten(what: str, error: Exception) -> str:
    """Log that something could not be written down, and by which guard it was refused; return that as a sentence."""
    guard = guard_of(error) if isinstance(error, DatabaseError) else None
    name = getattr(error, "details", {}).get("guard") or guard or type(error).__name__
    refused = isinstance(error, DataError | IntegrityError | DomainError)
    log.error(Fields("not storable", what=what, by=name), exc_info=None if refused else error)
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
    alert = in_thread(play.alert_unrecorded)(debate_id=debate_id, problem=problem, now=timezone.now())
    await try_to_write(alert, what="alert")
    return Stuck(problem)


# The one loop that asks, retries and records, and a single call within it. No transaction is open while it asks.


STOPPING: ContextVar[asyncio.Event | None] = ContextVar("STOPPING", default=None)
"""Set once the worker that this is done for was asked to stop."""
T = TypeVar("T")
Recorded_co = TypeVar("Recorded_co", covariant=True)
LONGEST_PAUSE = 60.0
LONGEST_RETRY_AFTER = 900.0
"""Seconds that a provider may ask to be left alone; who asks for more is not asked again, sooner least of all."""
LONGEST_PROBLEM = 200
WRITE_AGAIN_AFTER = (0.5, 2.0, 5.0)
"""Seconds after which a call is written down again that surely was not, for a lock or because nothing was connected."""
PERMIT_LASTS = 500
"""Milliseconds for which a permit to ask is taken to hold."""
Failure = AnswerRejected | ProviderError | None


@dataclass(frozen=True, slots=True)
class Question:
    """What to ask, of whom, and how to read the answer.

    Shape: ``permit`` says whether it may still be put once it has waited for room, or for somebody else's answer;
    ``under_way`` counts the call, in a debate with a limit, until it is written down.
    """

    request: Request
    voice: Voice
    read: Callable[[str], Any]
    permit: Callable[[], Permit]
    under_way: int | None = None


class Asker(Protocol[Recorded_co]):
    """What threads, assessments and syntheses do differently. Each method is one short transaction after another.

    Shape: ``lost`` names, in the log and in alerts, what is lost where a failure cannot be written down.
    Raises: ``Withheld`` where no (further) call is permitted; ``Outdated``; ``Superseded``.
    """

    lost: ClassVar[str]

    def begin(self, *, attempt: int, now: datetime) -> Question:
        """Return what to ask now, with the permit to ask it."""
        ...

    def record(self, *, answered: CallResult, answer: Any, now: datetime) -> Recorded_co:
        """Write down a usable answer and what follows from it."""
        ...

    def record_failure(self, *, answered: CallResult, last: bool, now: datetime) -> None:
        """Write down a call that gave nothing usable, and go on only with a permit for another."""
        ...


class NotBegun(Exception):
    """A question, or what it needs before it is asked, cannot be written down, as the message says."""


class Outdated(Exception):
    """What was asked about has changed meanwhile, and that was written down: ask about what is now."""


@dataclass(frozen=True, slots=True)
class Unanswered:
    """Why there is no answer.

    Shape: where no further call is permitted, ``permit`` says which; else the attempts are used up, and ``problem`` is
    that of the last. ``recorded`` is false where its failure could not be written down.
    """

    permit: Permit = Permit.ASK
    problem: str = ""
    recorded: bool = True


async def ask(asker: Asker[T], record: Callable[..., Awaitable[T]] | None = None) -> T | Unanswered:
    """Ask until there is a usable answer that is written down; return what that came to, or why there is none.

    Shape: ``record`` writes a usable answer down, where it is not written in a transaction of its own.

    An answer that cannot be written down is not asked for again, nor one whose failure cannot: each further one would
    be paid for as well, and seen by nobody. Neither is asked what cannot be put into words, or for which no permit can
    be written down: it would break again.

    Raises: ``Superseded``; ``CancelledError`` where the worker stops: what is asked next is for another.
    """
    rejected: CallResult | None = None
    try:
        for attempt in range(1, settings.PROVIDER_RETRIES + 2):
            leave_to_another_worker()
            with unless_unwritten():
                question = await in_thread(asker.begin)(attempt=attempt, now=timezone.now())
            answered, answer, pause = await call(after(rejected, question=question))
            rejected = answered if answered.outcome is Outcome.REJECTED else rejected
            pause = pause if attempt <= settings.PROVIDER_RETRIES or is_cancelled() else None
            with suppress(Outdated):
                try:
                    if answered.outcome is Outcome.USED:
                        recording = record or in_thread(asker.record)
                        return await to_the_end(write(recording, answered=answered, answer=answer))
                except UNSTORABLE as error:
                    answered, pause = unstorable(answered, error), None
                try:
                    await to_the_end(write(in_thread(asker.record_failure), answered=answered, last=pause is None))
                except UNSTORABLE as error:
                    return Unanswered(problem=log_unwritten(asker.lost, error), recorded=False)
                if pause is None:
                    return Unanswered(problem=answered.problem)
                leave_to_another_worker()
                await asyncio.sleep(pause)
    except Withheld as refused:
        return Unanswered(refused.permit)
    except NotBegun as error:
        return Unanswered(problem=str(error), recorded=False)
    return Unanswered(Permit.LEAVE)


@contextmanager
def unless_unwritten() -> Iterator[None]:
    """Ask only what could be begun.

    Raises: ``NotBegun``.
    """
    try:
        yield
    except UNSTORABLE as error:
        raise NotBegun(log_unwritten("question", error)) from error


def is_cancelled() -> bool:
    """Say whether the job that asks was cancelled: what it has asked for goes to nobody, and is no attempt."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def leave_to_another_worker() -> None:
    """Go on only while the worker does: nobody may be left to hear an answer.

    Raises: ``CancelledError``.
    """
    stopping = STOPPING.get()
    if is_cancelled() or (stopping is not None and stopping.is_set()):
        raise asyncio.CancelledError


async def to_the_end(work: Coroutine[Any, Any, T]) -> T:
    """Write down what was answered although the job is cancelled meanwhile; it ends at ``leave_to_another_worker``.

    Raises: what the work raises.
    """
    task = asyncio.create_task(work)
    while not task.done():
        with suppress(asyncio.CancelledError):
            await asyncio.wait([task])
    return task.result()


async def write(recording: Callable[..., Awaitable[T]], **call: Any) -> T:
    """Write a call down, and again where the database surely has not: nobody else has what was answered and paid for.

    Raises: what the recording raises; an ``OperationalError`` where that may be committed all the same, or the database
    is not there; ``Stuck`` where it cannot be written down for now: another job would pay for the same answer at once.
    """
    pauses = iter(WRITE_AGAIN_AFTER)
    while True:
        try:
            return await recording(now=timezone.now(), **call)
        except (Outdated, Superseded, Withheld, *UNSTORABLE):
            raise
        except Exception as error:
            if may_be_committed(error):
                raise
            pause = next(pauses, None) if isinstance(error, OperationalError) else None
            if pause is None and isinstance(error, NotConnected):
                raise
            if pause is None:
                raise Stuck(log_unwritten("call", error)) from error
            log.warning(Fields("not written yet", by=type(error.__cause__).__name__))
        await asyncio.sleep(pause)


def after(rejected: CallResult | None, *, question: Question) -> Question:
    """Return a question that tells what was wrong with the last answer to it, and has more room where it was cut off.

    It is told by whoever has asked before; another worker that goes on after a crash asks as for the first time.
    """
    if rejected is None:
        return question
    cut_off = rejected.completion is not None and rejected.completion.ending is Ending.CUT_OFF
    longer = rejected.request.longer * (MORE_ROOM if cut_off else 1)
    return replace(question, request=replace(question.request, again=prompts.again(rejected.rejected), longer=longer))


async def gather_all(work: Iterable[Awaitable[T]]) -> list[T]:
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


# One call: made unless its answer is known, read, and classified.


class Stopwatch:
    """How long a call takes. While it waits for room it has not begun: neither its deadline nor its time runs."""

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        self._at = time.monotonic()

    @property
    def milliseconds(self) -> int:
        return round((time.monotonic() - self._at) * 1000)


async def call(question: Question) -> tuple[CallResult, Any, float | None]:
    """Make one call, for which there is a permit, and read its answer.

    Shape: how it went, the answer if it is usable, and how many seconds to wait before another attempt (nothing: none).
    Raises: ``Withheld`` where it has waited too long for its permit to hold, and gets no other; ``NotBegun`` where that
    cannot be written down. Nothing was asked then.
    """
    request, voice, watch = question.request, question.voice, Stopwatch()
    completion: Completion | None = None
    held: judgement_cache.Held | None = None
    answer: Any = None
    failure: Failure = None
    async with counted(question.under_way):
        try:
            with unless_unwritten():
                completion, held = await judgement_cache.complete(
                    request=request,
                    provider=voice.provider,
                    source=lambda: provider_of(voice).source(request),
                    ask=lambda: ask_when_there_is_room(question, watch=watch),
                    again=in_thread(question.permit),
                )
            answer = read_answer(completion, read=question.read)
        except (AnswerRejected, ProviderError) as error:
            failure = error
            if isinstance(error, ProviderError) and (error.tokens_in or error.tokens_out):
                completion = Completion("", request.model, error.tokens_in, error.tokens_out, error.cost)
        await to_the_end(judgement_cache.settle(held=held, completion=completion, usable=failure is None))
    outcome, problem, pause = outcome_of(failure, attempt=request.attempt)
    answered = CallResult(
        request=request,
        provider=voice.provider,
        participant_id=voice.id,
        milliseconds=watch.milliseconds,
        outcome=outcome,
        completion=completion,
        problem=f"{problem} {advice_of(failure, voice)}".strip() if failure else problem,
        under_way=question.under_way,
        rejected=problem if outcome is Outcome.REJECTED else "",
    )
    return answered, answer, pause


def advice_of(failure: AnswerRejected | ProviderError, voice: Voice) -> str:
    """Return what an operator can do about a call that came to nothing: offline, there is nothing to be done."""
    if failure.advice or isinstance(failure, ProviderError):
        return failure.advice
    return provider_of(voice).advice


@asynccontextmanager
async def counted(under_way: int | None) -> AsyncIterator[None]:
    """Keep a call counted while it is being made; one that is not made after all is counted no more."""
    if under_way is None:
        yield
        return
    try:
        async with locks.renewed(lambda: in_thread(calls.renew_call)(under_way=under_way, now=timezone.now())):
            yield
    except BaseException:
        await in_thread(calls.give_call_back)(under_way=under_way)
        raise


async def ask_when_there_is_room(question: Question, *, watch: Stopwatch) -> Completion:
    """Ask a provider once, as soon as it has room; after a long wait for it only with another permit.

    Raises: ``ProviderError``, ``Withheld``, what ``question.permit`` raises.
    """
    async with provider_of(question.voice).room(question.request):
        if watch.milliseconds > PERMIT_LASTS:
            require_permit(await in_thread(question.permit)())
        leave_to_another_worker()
        watch.restart()
        return await ask_provider(question)


def provider_of(voice: Voice) -> Provider:
    """Return the provider of a voice.

    Raises: ``ProviderError`` where it is not there.
    """
    try:
        return provider(voice.provider)
    except Invalid as error:
        raise ProviderError(error.message, permanent=True) from error


async def ask_provider(question: Question) -> Completion:
    """Return what a provider answers.

    Raises: ``ProviderError``, whatever goes wrong inside the provider: a fault of its must not leave a debate stuck. Of
    such a fault the words stay in our log. So where the job is cancelled: the call has to be paid, and is written down.
    """
    request, provider = question.request, provider_of(question.voice)
    seconds = provider.deadline(request)
    try:
        return await asyncio.wait_for(provider.complete(request), timeout=seconds)
    except ProviderError:
        raise
    except asyncio.CancelledError as error:
        raise ProviderError("The worker was stopped before the answer came.", permanent=False) from error
    except TimeoutError as error:
        raise ProviderError(
            f"No answer within {seconds:g} seconds.", permanent=False, advice=provider.advice
        ) from error
    except Exception as error:
        log.error(  # noqa: TRY400 -- the traceback is that of the provider
            Fields("provider broke", provider=question.voice.provider, purpose=request.purpose.value), exc_info=error
        )
        raise ProviderError(
            f"The provider broke: {type(error).__name__}.", permanent=True, advice="The log has its traceback."
        ) from error


def read_answer(completion: Completion, *, read: Callable[[str], Any]) -> Any:
    """Return an answer as values.

    Raises: ``AnswerRejected``; ``ProviderError`` where reading it breaks.
    """
    try:
        return read(completion.text)
    except AnswerRejected as error:
        raise by_ending(error, completion) from error
    except Exception as error:
        log.exception(Fields("answer not readable", model=completion.model))
        raise ProviderError(f"Reading the answer broke: {type(error).__name__}.", permanent=True) from error


def by_ending(error: AnswerRejected, completion: Completion) -> AnswerRejected:
    """Return why an answer cannot be read: how it ended, where that says more than what the parser found."""
    match completion.ending:
        case Ending.CUT_OFF:
            return AnswerCutOff(f"The answer was cut off after {completion.tokens_out} tokens, before it was whole.")
        case Ending.REFUSED:
            return AnswerRefused(f"The model refused to answer: {excerpt(completion.text)}.")
        case Ending.FILTERED:
            return AnswerRefused("A filter of the endpoint stopped the answer.")
        case Ending.WHOLE:
            return error


def outcome_of(failure: Failure, *, attempt: int) -> tuple[Outcome, str, float | None]:
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
    again = not failure.permanent and pause <= LONGEST_RETRY_AFTER
    return Outcome.FAILED, storable(str(failure))[:LONGEST_PROBLEM], pause if again else None
