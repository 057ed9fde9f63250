"""After play: has the synthesis of a debate written and concludes it. It holds no transaction while it asks."""

from __future__ import annotations

import asyncio
from typing import Any

from django.conf import settings
from django.utils import timezone

from judging.engine import conclusion, failures, selectors
from judging.engine.attempt import UNSTORABLE, call, unstorable, unwritten
from judging.engine.calls import Answered
from judging.engine.conclusion import Ended
from judging.engine.db_threads import in_thread
from judging.engine.judgement_cache import Withheld
from judging.formats.registry import format_of
from judging.formats.state import Ask, Brief
from judging.types import Outcome, Permit, Request

Told = tuple[Answered, Any, float | None]
"""How a call went, what it gave, and how many seconds to wait before another attempt; nothing: another is no use."""


async def conclude(*, debate_id: int) -> None:
    """Have the synthesis of a concluding debate written, where its format has one, and conclude it.

    A synthesis about what has changed meanwhile is asked for again, as it is now.
    """
    brief = await in_thread(selectors.brief)(debate_id)
    for attempt in range(1, settings.PROVIDER_RETRIES + 2):
        ended = await in_thread(conclusion.to_conclude)(debate_id=debate_id)
        if ended is None:
            return
        question = format_of(brief.format).synthesis(
            brief=brief, numbers=ended.numbers, said=ended.said, attempt=attempt
        )
        if question is None:
            await in_thread(conclusion.without_words)(brief=brief, now=timezone.now())
            return
        told = await sum_up(brief=brief, question=question)
        if told is None or not await written(
            brief=brief, ended=ended, told=told, last=attempt > settings.PROVIDER_RETRIES
        ):
            return


async def sum_up(*, brief: Brief, question: tuple[Ask, Request]) -> Told | None:
    """Ask for the synthesis once; nothing where it may not be asked for."""
    step, request = question
    allowed, under_way = await in_thread(conclusion.permit)(brief=brief, now=timezone.now())
    if allowed is not Permit.ASK:
        return None
    try:
        return await call(
            request=request,
            voice=brief.voice(step),
            read=lambda text: format_of(brief.format).read_synthesis(brief=brief, text=text),
            again=lambda: in_thread(conclusion.goes_on)(brief=brief),
            under_way=under_way,
        )
    except Withheld:  # it had to wait for room, and is not wanted any more
        return None


async def written(*, brief: Brief, ended: Ended, told: Told, last: bool) -> bool:
    """Write down a synthesis, usable or not, and say, after a pause where one is due, whether to ask again."""
    answered, answer, wait = told
    now = timezone.now()
    try:
        if answered.outcome is Outcome.USED:
            return await in_thread(conclusion.conclude)(
                brief=brief, answer=answer, answered=answered, ended=ended, now=now
            )
    except UNSTORABLE as error:
        answered, wait = unstorable(answered, error), None
    again = await failed(brief=brief, ended=ended, answered=answered, last=last or wait is None)
    if again:
        await asyncio.sleep(wait or 0)
    return again


async def failed(*, brief: Brief, ended: Ended, answered: Answered, last: bool) -> bool:
    """Write down a synthesis that did not come, and say whether to ask again.

    Raises: ``Stuck`` where that cannot be written down: each further one would be paid for as well, and kept nowhere.
    """
    now = timezone.now()
    try:
        return await in_thread(conclusion.fail)(brief=brief, answered=answered, ended=ended, now=now, last=last)
    except UNSTORABLE as error:
        problem = unwritten("lack of a synthesis", error)
    raise await failures.stuck(debate_id=brief.debate_id, problem=problem)
