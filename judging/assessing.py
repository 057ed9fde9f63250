"""Before play: has every thread of a debate assessed, then lets it begin. It holds no transaction while it asks."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from django.conf import settings
from django.utils import timezone

from judging import giving_up, selectors
from judging.asking import UNSTORABLE, all_of, call, unstorable, unwritten
from judging.board import Brief
from judging.database import in_thread
from judging.formats import play_of
from judging.services import budget, control, preparation
from judging.services.calls import Answered
from judging.services.known import Withheld
from judging.services.preparation import Unassessed, Waiting
from judging.types import Outcome, Permit


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
        await begin(brief=brief, problems=problems)


async def begin(*, brief: Brief, problems: Sequence[Unassessed]) -> None:
    """Open the accounts of what was assessed, and start to play.

    Raises: ``Stuck`` where that cannot be written down.
    """
    try:
        await in_thread(preparation.begin)(brief=brief, problems=problems, now=timezone.now())
    except UNSTORABLE as error:
        problem = unwritten("start", error)
    else:
        return
    raise await giving_up.stuck(debate_id=brief.debate_id, problem=problem)


async def assess_one(*, brief: Brief, waiting: Waiting) -> Unassessed | Permit | None:
    """Have one thread assessed; return what went wrong if it was not, or that it is not for us to say."""
    problem = ""
    for attempt in range(1, settings.PROVIDER_RETRIES + 2):
        allowed, under_way = await in_thread(preparation.permit)(brief=brief, waiting=waiting, now=timezone.now())
        if allowed is not Permit.ASK:
            return Unassessed(waiting.key, budget.SPENT) if allowed is Permit.SPENT else allowed
        try:
            answered, wait = await assess_once(brief=brief, waiting=waiting, attempt=attempt, under_way=under_way)
        except Withheld:
            return Permit.LEAVE
        try:
            wanted = await assessed(brief=brief, waiting=waiting, answered=answered)
        except UNSTORABLE as error:
            return await unwritable(brief=brief, waiting=waiting, answered=unstorable(answered, error))
        if answered.outcome is Outcome.USED:
            return None
        if not wanted:
            return Permit.LEAVE
        problem = answered.problem
        if wait is None or attempt > settings.PROVIDER_RETRIES:
            break
        await asyncio.sleep(wait)
    return Unassessed(waiting.key, control.NOT_ASSESSED, problem)


async def unwritable(*, brief: Brief, waiting: Waiting, answered: Answered) -> Unassessed | Permit:
    """Write down that an assessment could not be written down, and go on without it; asking again is no use."""
    problem = answered.problem
    try:
        if not await assessed(brief=brief, waiting=waiting, answered=answered):
            return Permit.LEAVE
    except UNSTORABLE as error:
        problem = unwritten("call", error)
    return Unassessed(waiting.key, control.NOT_ASSESSED, problem)


async def assess_once(
    *, brief: Brief, waiting: Waiting, attempt: int, under_way: int | None
) -> tuple[Answered, float | None]:
    """Ask for one assessment, for which there is a permit; return how it went and the pause before another attempt.

    Raises: ``Withheld``: it had to wait, and is not wanted any more.
    """
    format_ = play_of(brief.format)
    ask, request = format_.assessment(brief=brief, key=waiting.key, attempt=attempt)
    answered, _, wait = await call(
        request=request,
        voice=brief.voice(ask),
        read=lambda text: format_.read_assessment(brief=brief, text=text),
        again=lambda: in_thread(preparation.goes_on)(brief=brief),
        under_way=under_way,
    )
    return answered, wait


async def assessed(*, brief: Brief, waiting: Waiting, answered: Answered) -> bool:
    """Write down one assessment, usable or not, and say whether the debate still waits for assessments."""
    return await in_thread(preparation.record)(brief=brief, waiting=waiting, answered=answered, now=timezone.now())
