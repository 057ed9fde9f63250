"""The conductor: plays one thread until it waits or ends. It holds no transaction while it asks, and keeps no state."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import structlog
from django.conf import settings
from django.db import DatabaseError, DataError, IntegrityError
from django.utils import timezone

from debates.errors import DomainError
from judging import leases, selectors
from judging.asking import call
from judging.board import Ask, Await, Board, Brief, Close, Finish, Together
from judging.database import in_thread
from judging.errors import Superseded
from judging.formats import play_of
from judging.services import budget, calls, conclusion, control, endings, play, preparation, waiting
from judging.services.calls import Answered
from judging.services.known import Withheld
from judging.services.preparation import Unassessed, Waiting
from judging.types import Outcome, Permit, Request
from scoring.guards import guard_of

T = TypeVar("T")
log = structlog.get_logger(__name__)
UNSTORABLE = (DataError, IntegrityError, DomainError)
"""What the database or a rule says to an answer that it will never take."""


async def play_thread(*, thread_id: int, debate_id: int) -> None:
    """Play a thread from its last commit on, until it ends, waits, or somebody else has claimed it."""
    board = await in_thread(play.claim)(thread_id=thread_id, now=timezone.now())
    brief = await in_thread(selectors.brief)(debate_id)
    try:
        while board is not None:
            board = await take_step(brief=brief, board=board)
    except Superseded:
        log.info("superseded", thread=thread_id)


async def take_step(*, brief: Brief, board: Board) -> Board | None:
    """Do the next thing of a thread and return the board after it, or nothing when it is over for this job."""
    step = play_of(brief.format).next_step(brief=brief, board=board)
    now = timezone.now()
    match step:
        case Finish(because):
            await in_thread(endings.finish)(brief=brief, board=board, because=because, partial=False, now=now)
            return None
        case Await():
            await in_thread(waiting.begin)(brief=brief, board=board, awaited=step, now=now)
            return None
        case Close():
            return await in_thread(play.shut)(brief=brief, board=board, now=now)
        case Together(asks):
            return await ask_together(brief=brief, board=board, asks=asks)
        case Ask():
            return await ask(brief=brief, board=board, step=step)


async def ask(*, brief: Brief, board: Board, step: Ask) -> Board | None:
    """Ask until there is a usable answer and write it down; give the thread up when the attempts are used up."""
    problem = ""
    for attempt in range(1, settings.PROVIDER_RETRIES + 2):
        try:
            answered, answer, wait = await put(brief=brief, board=board, step=step, attempt=attempt)
        except Withheld as refused:
            await left(brief=brief, board=board, permit=refused.permit)
            return None
        try:
            if answered.outcome is Outcome.USED:
                return await in_thread(play.record)(
                    brief=brief, board=board, ask=step, answer=answer, answered=answered, now=timezone.now()
                )
        except Superseded:
            await late(brief=brief, board=board, answered=answered)
            raise
        except UNSTORABLE as error:
            answered, wait = unstorable(answered, error), None
        problem = answered.problem
        wait = wait if attempt <= settings.PROVIDER_RETRIES else None
        if await failed(brief=brief, board=board, answered=answered, wait=wait) is not Permit.ASK:
            return None
        if wait is None:
            break
    return await unanswered(brief=brief, board=board, step=step, problem=problem)


async def put(*, brief: Brief, board: Board, step: Ask, attempt: int) -> tuple[Answered, Any, float | None]:
    """Put the question of a step once.

    Raises: ``Withheld``, ``Superseded``: it waited for another's answer, and may not be put any more.
    """
    format_ = play_of(brief.format)
    return await call(
        request=format_.request(brief=brief, board=board, ask=step, attempt=attempt),
        voice=brief.voice(step),
        read=lambda text: format_.read(brief=brief, board=board, ask=step, text=text),
        again=lambda: in_thread(play.permit)(brief=brief, board=board, now=timezone.now()),
    )


async def unanswered(*, brief: Brief, board: Board, step: Ask, problem: str) -> Board | None:
    """Go on without an answer that could not be had, where the format can; otherwise give the thread up."""
    goes_on = await in_thread(play.go_without)(brief=brief, board=board, ask=step, problem=problem, now=timezone.now())
    if goes_on:
        return await in_thread(play.look_again)(brief=brief, board=board)
    await give_up(brief=brief, board=board, because="judge_failed", alert=problem)
    return None


async def ask_together(*, brief: Brief, board: Board, asks: Sequence[Ask]) -> Board | None:
    """Ask several at once, each from the same board, and return the board with what they answered."""
    outcomes = await all_of(ask(brief=brief, board=board, step=one) for one in asks)
    if any(outcome is None for outcome in outcomes):
        return None
    return await in_thread(play.look_again)(brief=brief, board=board)


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


async def failed(*, brief: Brief, board: Board, answered: Answered, wait: float | None) -> Permit:
    """Write down a call that gave nothing usable, and say whether, after a pause, another may be made.

    A thread that the budget allows no further call has been ended.
    Raises: ``Superseded``, having written the call down as late.
    """
    try:
        allowed = await in_thread(play.record_failure)(brief=brief, board=board, answered=answered, now=timezone.now())
    except Superseded:
        await late(brief=brief, board=board, answered=answered)
        raise
    if allowed is Permit.ASK and wait is not None:
        await asyncio.sleep(wait)
        allowed = await in_thread(play.permit)(brief=brief, board=board, now=timezone.now())
    await left(brief=brief, board=board, permit=allowed)
    return allowed


async def left(*, brief: Brief, board: Board, permit: Permit) -> None:
    """End a thread that the budget allows no further call; one that may not ask for another reason goes on later."""
    if permit is Permit.SPENT:
        await give_up(brief=brief, board=board, because=budget.SPENT)


async def late(*, brief: Brief, board: Board, answered: Answered) -> None:
    """Write down a call whose thread was claimed by another meanwhile."""
    await in_thread(calls.record_late)(brief=brief, board=board, answered=answered, now=timezone.now())


async def give_up(*, brief: Brief, board: Board, because: str, alert: str = "") -> None:
    """End a thread that cannot go on."""
    await in_thread(endings.finish)(
        brief=brief, board=board, because=because, partial=True, alert=alert, now=timezone.now()
    )


def unstorable(answered: Answered, error: Exception) -> Answered:
    """Return a call whose answer could be read, but not written down: asking again would end no differently."""
    log.error("answer not storable", purpose=answered.request.purpose.value, error=type(error).__name__)
    name = getattr(error, "details", {}).get("guard") or (guard_of(error) if isinstance(error, DatabaseError) else None)
    problem = f"The answer could not be written down: {name or type(error).__name__}."
    return replace(answered, outcome=Outcome.FAILED, problem=problem)


# -- before and after play -------------------------------------------------------------------------------------------


async def prepare(*, debate_id: int) -> None:
    """Have every thread of a scheduled debate assessed, then open the accounts and start to play."""
    waiting = await in_thread(preparation.to_assess)(debate_id=debate_id)
    if waiting is None:
        return
    brief = await in_thread(selectors.brief)(debate_id)
    room = asyncio.Semaphore(settings.ROUNDS_AT_ONCE)

    async def assess(one: Waiting) -> Unassessed | Permit | None:
        async with room:
            return await assess_one(brief=brief, waiting=one)

    outcomes = await all_of(assess(one) for one in waiting)
    if Permit.LEAVE not in outcomes:
        problems = [outcome for outcome in outcomes if isinstance(outcome, Unassessed)]
        await in_thread(preparation.begin)(brief=brief, problems=problems, now=timezone.now())


async def assess_one(*, brief: Brief, waiting: Waiting) -> Unassessed | Permit | None:
    """Have one thread assessed; return what went wrong if it was not, or that it is not for us to say."""
    problem = ""
    for attempt in range(1, settings.PROVIDER_RETRIES + 2):
        allowed = await in_thread(preparation.permit)(brief=brief, waiting=waiting, now=timezone.now())
        if allowed is not Permit.ASK:
            return Unassessed(waiting.key, budget.SPENT) if allowed is Permit.SPENT else allowed
        try:
            answered, wait = await assess_once(brief=brief, waiting=waiting, attempt=attempt)
        except Withheld:
            await in_thread(preparation.give_back)(brief=brief, waiting=waiting)
            return Permit.LEAVE
        try:
            wanted = await assessed(brief=brief, waiting=waiting, answered=answered)
        except UNSTORABLE as error:
            answered, wait = unstorable(answered, error), None
            wanted = await assessed(brief=brief, waiting=waiting, answered=answered)
        if answered.outcome is Outcome.USED:
            return None
        if not wanted:
            return Permit.LEAVE
        problem = answered.problem
        if wait is None or attempt > settings.PROVIDER_RETRIES:
            break
        await asyncio.sleep(wait)
    return Unassessed(waiting.key, control.NOT_ASSESSED, problem)


async def assess_once(*, brief: Brief, waiting: Waiting, attempt: int) -> tuple[Answered, float | None]:
    """Ask for one assessment, for which there is a permit; return how it went and the pause before another attempt.

    Raises: ``Withheld``: it had to wait, and is not wanted any more.
    """
    format_ = play_of(brief.format)
    ask, request = format_.assessment(brief=brief, key=waiting.key, attempt=attempt)
    async with leases.renewed(lambda: in_thread(budget.renew)(thread_id=waiting.thread_id, now=timezone.now())):
        answered, _, wait = await call(
            request=request,
            voice=brief.voice(ask),
            read=lambda text: format_.read_assessment(brief=brief, text=text),
            again=lambda: in_thread(preparation.goes_on)(brief=brief),
        )
    return answered, wait


async def assessed(*, brief: Brief, waiting: Waiting, answered: Answered) -> bool:
    """Write down one assessment, usable or not, and say whether the debate still waits for assessments."""
    return await in_thread(preparation.record)(brief=brief, waiting=waiting, answered=answered, now=timezone.now())


async def conclude(*, debate_id: int) -> None:
    """Have the synthesis of a concluding debate written, where its format has one, and conclude it."""
    ended = await in_thread(conclusion.to_conclude)(debate_id=debate_id)
    if ended is None:
        return
    numbers, said = ended
    brief = await in_thread(selectors.brief)(debate_id)
    for attempt in range(1, settings.PROVIDER_RETRIES + 2):
        question = play_of(brief.format).synthesis(brief=brief, numbers=numbers, said=said, attempt=attempt)
        if question is None:
            await in_thread(conclusion.without_words)(brief=brief, now=timezone.now())
            return
        told = await sum_up(brief=brief, question=question)
        if told is None:
            return
        answered, answer, wait = told
        try:
            if answered.outcome is Outcome.USED:
                await in_thread(conclusion.conclude)(
                    brief=brief, answer=answer, answered=answered, numbers=numbers, now=timezone.now()
                )
                return
        except UNSTORABLE as error:
            answered, wait = unstorable(answered, error), None
        last = wait is None or attempt > settings.PROVIDER_RETRIES
        if not await in_thread(conclusion.fail)(brief=brief, answered=answered, now=timezone.now(), last=last):
            return
        await asyncio.sleep(wait or 0)


async def sum_up(*, brief: Brief, question: tuple[Ask, Request]) -> tuple[Answered, Any, float | None] | None:
    """Ask for the synthesis once and say meanwhile that somebody does; nothing where it may not be asked for."""
    step, request = question
    if await in_thread(conclusion.permit)(brief=brief, now=timezone.now()) is not Permit.ASK:
        return None
    try:
        async with leases.renewed(lambda: in_thread(conclusion.renew)(brief=brief, now=timezone.now())):
            return await call(
                request=request,
                voice=brief.voice(step),
                read=lambda text: play_of(brief.format).read_synthesis(brief=brief, text=text),
                again=lambda: in_thread(conclusion.goes_on)(brief=brief),
            )
    except Withheld:  # it had to wait for room, and is not wanted any more
        await in_thread(conclusion.give_back)(brief=brief)
        return None
