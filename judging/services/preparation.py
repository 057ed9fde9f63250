"""Before play: the evaluator's initial assessment of every criterion, each kept as it comes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from debates import stream
from debates.models import Debate, Thread
from debates.types import News, Status
from judging.board import Brief
from judging.formats import play_of
from judging.models import Call
from judging.services import budget, control
from judging.services.calls import Answered, keep_call
from judging.services.locks import lock_debate, lock_thread, look_at
from judging.services.statuses import move
from judging.types import Outcome, Permit
from scoring.services import alerts
from scoring.types import AlertCode, Finding


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
    done = play_of(debate.format).assessed(debate_id=debate_id)
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
        stream.append(debate_id=debate.pk, news=budget.news(debate=debate, last=not wanted), now=now)
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
    initial = play_of(brief.format).assessed(debate_id=debate.pk)
    news: list[News] = []
    for one in problems:
        if one.because == control.NOT_ASSESSED:
            finding = Finding(AlertCode.JUDGE_FAILED, {"criterion": one.key, "why": one.why[:400]})
            told = alerts.raise_alerts(
                debate=debate, evaluation=None, found=[finding], facts=(), salt=f"assess.{one.key}"
            )
            news += told
    if initial:
        because = {one.key: one.because for one in problems}
        news = control.begin(debate=debate, initial=initial, unassessed=because) + news
    else:
        news += give_up(debate=debate, problems=problems)
    stream.append(debate_id=debate.pk, news=news, now=now)
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
    return [*news, News("debate:failed", {"because": budget.SPENT if spent else control.NOT_ASSESSED})]
