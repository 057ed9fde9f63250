"""The conductor: plays one thread until it waits or ends. It holds no transaction while it asks, and keeps no state."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import structlog
from django.conf import settings
from django.utils import timezone

from judging.engine import budget, calls, failures, human_turns, play, selectors, thread_end
from judging.engine.attempt import UNSTORABLE, all_of, call, unstorable, unwritten
from judging.engine.calls import Answered
from judging.engine.db_threads import in_thread
from judging.engine.judgement_cache import Withheld
from judging.errors import Superseded
from judging.formats.registry import format_of
from judging.formats.state import Ask, Await, Board, Brief, Close, Finish, Together
from judging.types import Outcome, Permit

log = structlog.get_logger(__name__)


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
    step = format_of(brief.format).next_step(brief=brief, board=board)
    match step:
        case Finish(because):
            await finish(brief=brief, board=board, because=because, partial=False)
            return None
        case Await():
            await wait_for(brief=brief, board=board, awaited=step)
            return None
        case Close():
            return await shut(brief=brief, board=board)
        case Together(asks):
            return await ask_together(brief=brief, board=board, asks=asks)
        case Ask():
            return await ask(brief=brief, board=board, step=step)


async def wait_for(*, brief: Brief, board: Board, awaited: Await) -> None:
    """Let a thread wait for somebody; break it off where that cannot be written down."""
    try:
        await in_thread(human_turns.begin)(brief=brief, board=board, awaited=awaited, now=timezone.now())
    except UNSTORABLE as error:
        problem = unwritten("wait for a turn", error)
    else:
        return
    await break_off(brief=brief, board=board, problem=problem)


async def shut(*, brief: Brief, board: Board) -> Board | None:
    """Close a round that no single answer closes; give the thread up where what it comes to cannot be written down."""
    try:
        return await in_thread(play.shut)(brief=brief, board=board, now=timezone.now())
    except UNSTORABLE as error:
        problem = unwritten("round", error)
    await give_up(brief=brief, board=board, because="judge_failed", alert=problem)
    return None


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

    Raises: ``Withheld``, ``Superseded``: it may not be put any more, perhaps after it waited for another's answer.
    """
    format_ = format_of(brief.format)
    counting = in_thread(play.begin_call)
    under_way = await counting(brief=brief, board=board, now=timezone.now()) if brief.has_limit else None
    return await call(
        request=format_.request(brief=brief, board=board, ask=step, attempt=attempt),
        voice=brief.voice(step),
        read=lambda text: format_.read(brief=brief, board=board, ask=step, text=text),
        again=lambda: in_thread(play.permit)(brief=brief, board=board, now=timezone.now()),
        under_way=under_way,
    )


async def unanswered(*, brief: Brief, board: Board, step: Ask, problem: str) -> Board | None:
    """Go on without an answer that could not be had, where the format can; otherwise give the thread up.

    It is given up as well where what follows from the missing answer cannot be written down: to ask again would cost
    the same calls, and come to the same.
    """
    now = timezone.now()
    try:
        if await in_thread(play.go_without)(brief=brief, board=board, ask=step, problem=problem, now=now):
            return await in_thread(play.look_again)(brief=brief, board=board)
    except UNSTORABLE as error:
        problem = unwritten("lack of an answer", error)
    await give_up(brief=brief, board=board, because="judge_failed", alert=problem)
    return None


async def ask_together(*, brief: Brief, board: Board, asks: Sequence[Ask]) -> Board | None:
    """Ask several at once, each from the same board, and return the board with what they answered."""
    outcomes = await all_of(ask(brief=brief, board=board, step=one) for one in asks)
    if any(outcome is None for outcome in outcomes):
        return None
    return await in_thread(play.look_again)(brief=brief, board=board)


async def failed(*, brief: Brief, board: Board, answered: Answered, wait: float | None) -> Permit:
    """Write down a call that gave nothing usable, and say whether, after a pause, another may be made.

    A thread that the budget allows no further call has been ended, and so has one in which the call cannot be written
    down: each further one would be paid for as well, and seen by nobody.
    Raises: ``Superseded``, having written the call down as late.
    """
    try:
        allowed = await in_thread(play.record_failure)(brief=brief, board=board, answered=answered, now=timezone.now())
    except Superseded:
        await late(brief=brief, board=board, answered=answered)
        raise
    except UNSTORABLE as error:
        await give_up(brief=brief, board=board, because="judge_failed", alert=unwritten("call", error))
        return Permit.LEAVE
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
    """Write down a call whose thread was claimed by another meanwhile; whoever has claimed it plays on in any case."""
    try:
        await in_thread(calls.record_late)(brief=brief, board=board, answered=answered, now=timezone.now())
    except UNSTORABLE as error:
        unwritten("late call", error)


async def give_up(*, brief: Brief, board: Board, because: str, alert: str = "") -> None:
    """End a thread that cannot go on."""
    await finish(brief=brief, board=board, because=because, partial=True, alert=alert)


async def finish(*, brief: Brief, board: Board, because: str, partial: bool, alert: str = "") -> None:
    """End a thread; break it off where what its end comes to cannot be written down."""
    try:
        await in_thread(thread_end.finish)(
            brief=brief, board=board, because=because, partial=partial, alert=alert, now=timezone.now()
        )
    except UNSTORABLE as error:
        problem = unwritten("end", error)
    else:
        return
    await break_off(brief=brief, board=board, problem=alert or problem)


async def break_off(*, brief: Brief, board: Board, problem: str) -> None:
    """End a thread without what its end comes to.

    Raises: ``Stuck`` where not even that can be written down, ``Superseded``.
    """
    ending = in_thread(thread_end.break_off)(
        debate_id=brief.debate_id, board=board, problem=problem, now=timezone.now()
    )
    await failures.thread(ending, debate_id=brief.debate_id, problem=problem)
