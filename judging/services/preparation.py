"""Before play: the evaluator's initial assessment of every criterion, each kept as it comes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction

from debates import stream
from debates.models import Thread
from debates.types import Audience, News, Status
from judging import parsing
from judging.board import Brief
from judging.models import Call
from judging.services import control
from judging.services.calls import Answered, keep_call
from judging.services.locks import lock_debate, lock_thread
from judging.types import Outcome, Purpose
from scoring.services import alerts
from scoring.types import AlertCode, Finding


@dataclass(frozen=True, slots=True)
class Waiting:
    """A thread that still has to be assessed."""

    thread_id: int
    key: str


def to_assess(*, debate_id: int) -> Sequence[Waiting] | None:
    """Return the threads of a scheduled debate that have no assessment yet; nothing if it is not scheduled."""
    threads = Thread.objects.filter(debate_id=debate_id).order_by("position")
    if not threads.filter(debate__status=Status.SCHEDULED.value).exists():
        return None
    done = assessments(debate_id=debate_id)
    return [Waiting(thread.pk, thread.key) for thread in threads if thread.key not in done]


def assessments(*, debate_id: int) -> dict[str, tuple[Decimal, Decimal]]:
    """Return the assessments that were given so far: {criterion: (score, confidence)}."""
    calls = Call.objects.filter(
        debate_id=debate_id, purpose=Purpose.ASSESS.value, outcome=Outcome.USED.value
    ).select_related("thread")
    found = {}
    for call in calls:
        given = parsing.assessment(call.raw_answer)
        if call.thread is not None:
            found[call.thread.key] = (given.score, given.confidence)
    return found


@transaction.atomic(durable=True)
def record(*, brief: Brief, waiting: Waiting, answered: Answered, now: datetime) -> bool:
    """Write down one assessment, usable or not, and say whether the debate still waits for assessments."""
    thread = lock_thread(waiting.thread_id)
    used = Call.objects.filter(thread=thread, purpose=Purpose.ASSESS.value, outcome=Outcome.USED.value).exists()
    keep_call(brief=brief, board=None, answered=answered, now=now, thread_id=thread.pk, twice=used)
    return bool(Thread.objects.filter(pk=thread.pk, debate__status=Status.SCHEDULED.value).exists())


@transaction.atomic(durable=True)
def begin(*, brief: Brief, problems: Sequence[tuple[str, str]], now: datetime) -> bool:
    """Open the accounts with what was assessed and start to play; say whether the debate was still waiting.

    Shape: ``problems`` are (criterion, why) of those that could not be assessed.
    """
    debate = lock_debate(brief.debate_id)
    if debate.status != Status.SCHEDULED.value:
        return False
    initial = assessments(debate_id=debate.pk)
    news: list[News] = []
    for key, why in problems:
        finding = Finding(AlertCode.JUDGE_FAILED, {"criterion": key, "why": why[:400]})
        news += alerts.raise_alerts(debate=debate, evaluation=None, found=[finding], facts=(), salt=f"assess.{key}")
    if initial:
        news = control.begin(debate=debate, initial=initial) + news
    else:
        control.move(debate=debate, to=Status.FAILED, action="started")
        debate.problem = "No criterion could be assessed."
        debate.save(update_fields=["problem"])
        news.append(News("debate:failed", {"because": "not_assessed"}, Audience.PUBLIC))
    stream.append(debate_id=debate.pk, news=news, now=now)
    return True
