"""Before play: has every thread of a debate assessed, keeps each assessment as it comes, then lets it begin."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from debates import event_log
from debates.models import Debate, Thread
from debates.types import News, Status
from judging.engine import budget, failures, lifecycle, selectors
from judging.engine.attempt import UNSTORABLE, all_of, call, unstorable, unwritten
from judging.engine.calls import Answered, keep_call
from judging.engine.db_threads import in_thread
from judging.engine.judgement_cache import Withheld
from judging.engine.locks import lock_debate, lock_thread, look_at, move
from judging.formats.registry import format_of
from judging.formats.state import Brief
from judging.models import Call
from judging.types import Outcome, Permit
from scoring.services import alerts
from scoring.types import AlertCode, Finding

# Before play: the evaluator's initial assessment of every criterion, each kept as it comes.


@dataclass(frozen=True, slots=True)
class Waiting:
    """A thread that still has to be assessed."""

    thread_id: int
    key: str


@dataclass(frozen=True, slots=True)
class Unassessed:
    """A criterion that was not assessed: the code of why, and the words of why where a judge failed."""

    key: str
    because: str
    why: str = ""


def to_assess(*, debate_id: int) -> Sequence[Waiting] | None:
    """Return the threads of a scheduled debate that have no assessment yet; nothing if it is not scheduled."""
    debate = look_at(debate_id)
    if debate.status != Status.SCHEDULED.value:
        return None
    threads = Thread.objects.filter(debate=debate).order_by("position")
    done = format_of(debate.format).assessed(debate_id=debate_id)
    return [Waiting(thread.pk, thread.key) for thread in threads if thread.key not in done]


@transaction.atomic(durable=True)
def record(*, brief: Brief, waiting: Waiting, answered: Answered, now: datetime) -> bool:
    """Write down one assessment, usable or not, and say whether the debate still waits for assessments."""
    debate, thread = held(brief=brief, waiting=waiting)
    asked = answered.request.purpose.value
    used = Call.objects.filter(thread=thread, purpose=asked, outcome=Outcome.USED.value).exists()
    keep_call(brief=brief, board=None, answered=answered, now=now, thread_id=thread.pk, twice=used)
    wanted = debate.status == Status.SCHEDULED.value
    if brief.has_limit:
        event_log.append(debate_id=debate.pk, news=budget.news(debate=debate, last=not wanted), now=now)
    return wanted


@transaction.atomic(durable=True)
def permit(*, brief: Brief, waiting: Waiting, now: datetime) -> tuple[Permit, int | None]:
    """Say whether a criterion may be assessed now, and by what the call is counted where there is a budget."""
    debate, thread = held(brief=brief, waiting=waiting)
    if debate.status != Status.SCHEDULED.value:
        return Permit.LEAVE, None
    return budget.begin_alone(debate=debate, thread=thread, now=now) if brief.has_limit else (Permit.ASK, None)


def goes_on(*, brief: Brief) -> Permit:
    """Say whether an assessment that had to wait, and has been permitted, may still be asked for."""
    return Permit.ASK if look_at(brief.debate_id).status == Status.SCHEDULED.value else Permit.LEAVE


def held(*, brief: Brief, waiting: Waiting) -> tuple[Debate, Thread]:
    """Lock the thread of a criterion, and before it the debate where there is a budget to keep."""
    debate = lock_debate(brief.debate_id) if brief.has_limit else None
    thread = lock_thread(waiting.thread_id)
    return debate or thread.debate, thread


@transaction.atomic(durable=True)
def begin(*, brief: Brief, problems: Sequence[Unassessed], now: datetime) -> bool:
    """Open the accounts with what was assessed and start to play; say whether the debate was still waiting."""
    debate = lock_debate(brief.debate_id)
    if debate.status != Status.SCHEDULED.value:
        return False
    initial = format_of(brief.format).assessed(debate_id=debate.pk)
    news: list[News] = []
    for one in problems:
        if one.because == lifecycle.NOT_ASSESSED:
            finding = Finding(AlertCode.JUDGE_FAILED, {"criterion": one.key, "why": one.why[:400]})
            told = alerts.raise_alerts(
                debate=debate, evaluation=None, found=[finding], facts=(), salt=f"assess.{one.key}"
            )
            news += told
    if initial:
        because = {one.key: one.because for one in problems}
        news = lifecycle.begin(debate=debate, initial=initial, unassessed=because) + news
    else:
        news += give_up(debate=debate, problems=problems)
    event_log.append(debate_id=debate.pk, news=news, now=now)
    return True


def give_up(*, debate: Debate, problems: Sequence[Unassessed]) -> list[News]:
    """Let a locked debate fail of which nothing was assessed."""
    spent = any(one.because == budget.SPENT for one in problems)
    move(debate=debate, to=Status.FAILED, action="started")
    debate.problem = (
        "The budget was spent before any criterion was assessed." if spent else "No criterion could be assessed."
    )
    debate.save(update_fields=["problem"])
    news = budget.news(debate=debate, last=True) if debate.has_limit else []
    return [*news, News("debate:failed", {"because": budget.SPENT if spent else lifecycle.NOT_ASSESSED})]


# Before play: has every thread of a debate assessed, then lets it begin. It holds no transaction while it asks.


async def prepare(*, debate_id: int) -> None:
    """Have every thread of a scheduled debate assessed, then open the accounts and start to play."""
    waiting = await in_thread(to_assess)(debate_id=debate_id)
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
        await begin_play(brief=brief, problems=problems)


async def begin_play(*, brief: Brief, problems: Sequence[Unassessed]) -> None:
    """Open the accounts of what was assessed, and start to play.

    Raises: ``Stuck`` where that cannot be written down.
    """
    try:
        await in_thread(begin)(brief=brief, problems=problems, now=timezone.now())
    except UNSTORABLE as error:
        problem = unwritten("start", error)
    else:
        return
    raise await failures.stuck(debate_id=brief.debate_id, problem=problem)


async def assess_one(*, brief: Brief, waiting: Waiting) -> Unassessed | Permit | None:
    """Have one thread assessed; return what went wrong if it was not, or that it is not for us to say."""
    problem = ""
    for attempt in range(1, settings.PROVIDER_RETRIES + 2):
        allowed, under_way = await in_thread(permit)(brief=brief, waiting=waiting, now=timezone.now())
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
    return Unassessed(waiting.key, lifecycle.NOT_ASSESSED, problem)


async def unwritable(*, brief: Brief, waiting: Waiting, answered: Answered) -> Unassessed | Permit:
    """Write down that an assessment could not be written down, and go on without it; asking again is no use."""
    problem = answered.problem
    try:
        if not await assessed(brief=brief, waiting=waiting, answered=answered):
            return Permit.LEAVE
    except UNSTORABLE as error:
        problem = unwritten("call", error)
    return Unassessed(waiting.key, lifecycle.NOT_ASSESSED, problem)


async def assess_once(
    *, brief: Brief, waiting: Waiting, attempt: int, under_way: int | None
) -> tuple[Answered, float | None]:
    """Ask for one assessment, for which there is a permit; return how it went and the pause before another attempt.

    Raises: ``Withheld``: it had to wait, and is not wanted any more.
    """
    format_ = format_of(brief.format)
    ask, request = format_.assessment(brief=brief, key=waiting.key, attempt=attempt)
    answered, _, wait = await call(
        request=request,
        voice=brief.voice(ask),
        read=lambda text: format_.read_assessment(brief=brief, text=text),
        again=lambda: in_thread(goes_on)(brief=brief),
        under_way=under_way,
    )
    return answered, wait


async def assessed(*, brief: Brief, waiting: Waiting, answered: Answered) -> bool:
    """Write down one assessment, usable or not, and say whether the debate still waits for assessments."""
    return await in_thread(record)(brief=brief, waiting=waiting, answered=answered, now=timezone.now())
