"""Before play: has every thread of a debate assessed, keeps each assessment as it comes, then lets it begin."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from debates import event_log
from debates.models import Debate, Thread
from debates.types import News, Status
from judging.engine import attempt, calls, lifecycle, selectors
from judging.engine.attempt import Question, Unanswered, gather_all
from judging.engine.calls import CallResult, keep_call
from judging.engine.db_threads import in_thread
from judging.engine.judgement_cache import Withheld, require_permit
from judging.engine.locks import lock_debate, lock_thread, look_at, move
from judging.formats import turns
from judging.formats.registry import format_of
from judging.formats.state import Brief
from judging.models import Call
from judging.types import Outcome, Permit, Purpose
from scoring.services import alerts
from scoring.types import AlertCode, Finding


@dataclass(frozen=True, slots=True)
class Waiting:
    """A thread that still has to be assessed.

    Shape: ``asked_about`` says that it was asked about together with others, and that the answer lacks it.
    """

    thread_id: int
    key: str
    asked_about: bool = False


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
    format_ = format_of(debate.format)
    done = {**format_.assessed(debate_id=debate_id), **format_.declined(debate_id=debate_id)}
    together = Call.objects.filter(
        debate=debate, purpose=Purpose.ASSESS_SEVERAL.value, outcome=Outcome.USED.value
    ).values_list("parameters__criteria", flat=True)
    asked = {key for keys in together for key in keys}
    return [Waiting(thread.pk, thread.key, thread.key in asked) for thread in threads if thread.key not in done]


@transaction.atomic(durable=True)
def record(*, brief: Brief, waiting: Waiting, answered: CallResult, now: datetime) -> bool:
    """Write down one assessment, usable or not, and say whether the debate still waits for assessments."""
    debate, thread = lock_debate(brief.debate_id), lock_thread(waiting.thread_id)
    is_waiting = debate.status == Status.SCHEDULED.value
    late = not is_waiting
    paused = debate.status == Status.PAUSED.value and lifecycle.waits_for_assessments(debate=debate)
    twice = is_answered(thread_id=thread.pk, purpose=answered.request.purpose) or not (is_waiting or paused)
    keep_call(brief=brief, board=None, answered=answered, now=now, thread_id=thread.pk, twice=twice, late=late)
    if brief.has_limit:
        event_log.append(debate_id=debate.pk, news=calls.budget_news(debate=debate, last=not is_waiting), now=now)
    return is_waiting


@transaction.atomic(durable=True)
def permit(*, brief: Brief, waiting: Waiting, purpose: Purpose, now: datetime) -> tuple[Permit, int | None]:
    """Say whether a criterion may be assessed now, and by what the call is counted where there is a budget."""
    debate, thread = lock_for(brief=brief, waiting=waiting)
    if debate.status != Status.SCHEDULED.value or is_answered(thread_id=thread.pk, purpose=purpose):
        return Permit.LEAVE, None
    return calls.begin_call_alone(debate=debate, thread=thread, now=now) if brief.has_limit else (Permit.ASK, None)


def goes_on(*, brief: Brief, waiting: Waiting, purpose: Purpose) -> Permit:
    """Say whether an assessment that had to wait, and has been permitted, may still be asked for."""
    is_waiting = look_at(brief.debate_id).status == Status.SCHEDULED.value
    return Permit.ASK if is_waiting and not is_answered(thread_id=waiting.thread_id, purpose=purpose) else Permit.LEAVE


def is_answered(*, thread_id: int, purpose: Purpose) -> bool:
    """Say whether an assessment is there already: a job that was handed on may be done by two at once."""
    return Call.objects.filter(thread=thread_id, purpose=purpose.value, outcome=Outcome.USED.value).exists()


def lock_for(*, brief: Brief, waiting: Waiting) -> tuple[Debate, Thread]:
    """Lock the thread of a criterion, and before it the debate where there is a budget to keep."""
    debate = lock_debate(brief.debate_id) if brief.has_limit else None
    thread = lock_thread(waiting.thread_id)
    return debate or thread.debate, thread


@transaction.atomic(durable=True)
def begin(*, brief: Brief, problems: Sequence[Unassessed], now: datetime) -> bool:
    """Open the accounts with what was assessed and start to play; say whether the debate was still waiting.

    Where the judge said of everything that it cannot assess it, that is the answer, and the debate is concluded.
    """
    debate = lock_debate(brief.debate_id)
    if debate.status != Status.SCHEDULED.value:
        return False
    initial = format_of(brief.format).assessed(debate_id=debate.pk)
    declined = format_of(brief.format).declined(debate_id=debate.pk)
    news = turns.raise_not_assessed(debate_id=debate.pk, about="criteria", answers=declined)
    for problem in problems:
        if problem.because == lifecycle.NOT_ASSESSED:
            finding = Finding(AlertCode.JUDGE_FAILED, {"criterion": problem.key, "why": problem.why[:400]})
            news += alerts.raise_alerts(debate_id=debate.pk, findings=[finding], salt=f"assess.{problem.key}")
    because = {problem.key: problem.because for problem in problems}
    for thread in debate.threads.filter(key__in=declined):
        lifecycle.fail_thread(thread, because=declined[thread.key].reason.value)
    if initial:
        news = lifecycle.begin(debate=debate, initial=initial, unassessed=because) + news
    elif declined and not problems:
        news = lifecycle.conclude_unassessed(debate=debate, now=now) + news
    else:
        news += give_up(debate=debate, problems=problems)
    event_log.append(debate_id=debate.pk, news=news, now=now)
    return True


def give_up(*, debate: Debate, problems: Sequence[Unassessed]) -> list[News]:
    """Let a locked debate fail of which nothing was assessed."""
    spent = any(problem.because == calls.BUDGET_SPENT for problem in problems)
    move(debate=debate, to=Status.FAILED, action="started")
    debate.problem = (
        "The budget was spent before any criterion was assessed." if spent else "No criterion could be assessed."
    )
    debate.save(update_fields=["problem"])
    failed = News("debate:failed", {"because": calls.BUDGET_SPENT if spent else lifecycle.NOT_ASSESSED})
    return [*calls.last_budget_news(debate=debate), failed]


# Before play: has every thread of a debate assessed, then lets it begin. It holds no transaction while it asks.


async def prepare(*, debate_id: int) -> None:
    """Have every thread of a scheduled debate assessed, then open the accounts and start to play.

    Where several may be asked about at once, what such an answer lacks is asked for alone.

    Raises: ``Stuck`` where the start cannot be written down.
    """
    waiting = await in_thread(to_assess)(debate_id=debate_id)
    if waiting is None:
        return
    brief = await in_thread(selectors.brief)(debate_id)
    room = asyncio.Semaphore(settings.ROUNDS_AT_ONCE)

    async def ask_about(*threads: Waiting) -> Unassessed | Permit | None:
        async with room:
            return await assess_threads(brief=brief, waiting=threads)

    size = format_of(brief.format).assessed_together(brief=brief)
    together = [thread for thread in waiting if size > 1 and not thread.asked_about]
    if together:
        groups = (together[at : at + size] for at in range(0, len(together), size))
        if Permit.LEAVE in await gather_all(ask_about(*group) for group in groups):
            return
        waiting = await in_thread(to_assess)(debate_id=debate_id)
        if waiting is None:
            return
    outcomes = await gather_all(ask_about(thread) for thread in waiting)
    if Permit.LEAVE not in outcomes:
        problems = [outcome for outcome in outcomes if isinstance(outcome, Unassessed)]
        beginning = in_thread(begin)(brief=brief, problems=problems, now=timezone.now())
        if problem := await attempt.try_to_write(beginning, what="start"):
            raise await attempt.stuck(debate_id=brief.debate_id, problem=problem)


async def assess_threads(*, brief: Brief, waiting: Sequence[Waiting]) -> Unassessed | Permit | None:
    """Have threads assessed by one question; return what went wrong if none was, or that it is not for us to say."""
    outcome = await attempt.ask(AssessmentAsker(brief=brief, waiting=waiting))
    if not isinstance(outcome, Unanswered):
        return None
    match outcome.permit:
        case Permit.LEAVE:
            return Permit.LEAVE
        case Permit.SPENT:
            return Unassessed(waiting[0].key, calls.BUDGET_SPENT)
        case Permit.ASK:
            return Unassessed(waiting[0].key, lifecycle.NOT_ASSESSED, outcome.problem)


@dataclass(frozen=True, slots=True)
class AssessmentAsker:
    """Asks for the initial assessment of a thread, or of several at once: that call counts at the first of them."""

    brief: Brief
    waiting: Sequence[Waiting]
    lost: ClassVar[str] = "call"

    def begin(self, *, attempt: int, now: datetime) -> Question:
        brief, format_, keys = self.brief, format_of(self.brief.format), [thread.key for thread in self.waiting]
        step, request = format_.assessment(brief=brief, keys=keys, attempt=attempt)
        first, purpose = self.waiting[0], request.purpose
        allowed, under_way = permit(brief=brief, waiting=first, purpose=purpose, now=now)
        require_permit(allowed)
        return Question(
            request=request,
            voice=brief.voice(step),
            read=lambda text: format_.read_assessment(brief=brief, keys=keys, text=text),
            permit=lambda: goes_on(brief=brief, waiting=first, purpose=purpose),
            under_way=under_way,
        )

    def record(self, *, answered: CallResult, answer: Any, now: datetime) -> None:
        record(brief=self.brief, waiting=self.waiting[0], answered=answered, now=now)

    def record_failure(self, *, answered: CallResult, last: bool, now: datetime) -> None:
        if not record(brief=self.brief, waiting=self.waiting[0], answered=answered, now=now):
            raise Withheld(Permit.LEAVE)
