"""Ending a thread, complete or partial, and asking for the conclusion after the last."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from debates import event_log, prepared_statements
from debates.models import Debate, Thread
from debates.types import ENDED, Conduct, News, Status, ThreadStatus
from judging.engine import budget, queue
from judging.engine.locks import held_thread, lock_debate, move
from judging.formats.registry import format_of
from judging.formats.state import Brief, ThreadState
from judging.models import Review
from judging.models.formats import WAITING
from scoring.models import Evaluation
from scoring.services import alerts
from scoring.types import AlertCode, Finding

PLAYS = frozenset({Status.RUNNING, Status.PAUSED})
"""Where threads end; before and after, there is none to end."""
NOT_RECORDED = "not_recorded"


@transaction.atomic(durable=True)
def finish(*, brief: Brief, board: ThreadState, because: str, partial: bool, alert: str = "", now: datetime) -> None:
    """End a thread that has nothing left to play, or cannot go on; with an alert if a judge failed.

    Raises: ``Superseded``.
    """
    debate = lock_debate(brief.debate_id)
    thread = held_thread(board)
    if Status(debate.status) not in PLAYS:
        return
    news = end(debate=debate, thread=thread, brief=brief, because=because, partial=partial, now=now)
    if alert:
        concerned = format_of(brief.format).concerned(board=board)
        evaluation = Evaluation.objects.filter(pk=concerned).first() if concerned else None
        finding = Finding(AlertCode.JUDGE_FAILED, {"why": alert[:400], "round": str(board.number)})
        news += alerts.raise_alerts(
            debate_id=debate.pk, evaluation=evaluation, findings=[finding], facts=(), salt=f"{board.run}.{board.number}"
        )
    event_log.append(debate_id=brief.debate_id, news=news, now=now)


@transaction.atomic(durable=True)
def break_off(*, debate_id: int, board: ThreadState, problem: str, now: datetime) -> None:
    """End a thread whose proper end cannot be written down.

    Raises: ``Superseded``.
    """
    debate = lock_debate(debate_id)
    thread = held_thread(board)
    if Status(debate.status) in PLAYS:
        news = broken_off(debate=debate, thread=thread, problem=problem)
        event_log.append(debate_id=debate_id, news=news, now=now)


def broken_off(*, debate: Debate, thread: Thread, problem: str) -> list[News]:
    """End a locked thread of a locked debate and raise why; its accounts stay as they are: nobody can close them."""
    over(debate=debate, thread=thread, because=NOT_RECORDED, partial=True)
    return warning(debate=debate, problem=problem) + conclude_after_last(debate=debate)


@transaction.atomic(durable=True)
def alert(*, debate_id: int, problem: str, now: datetime) -> None:
    """Raise that a debate can neither go on nor end."""
    news = warning(debate=lock_debate(debate_id), problem=problem)
    event_log.append(debate_id=debate_id, news=news, now=now)


def warning(*, debate: Debate, problem: str) -> list[News]:
    """Raise that something that happened in a locked debate could not be written down, once for each problem."""
    finding = Finding(AlertCode.JUDGE_FAILED, {"why": problem[:400]})
    return alerts.raise_alerts(
        debate_id=debate.pk, evaluation=None, findings=[finding], facts=(), salt=f"{NOT_RECORDED}.{problem}"
    )


def end(
    *,
    debate: Debate,
    thread: Thread,
    brief: Brief,
    because: str,
    now: datetime,
    partial: bool = False,
    is_last: bool = True,
) -> list[News]:
    """End a locked thread of a locked debate, complete or partial, and conclude the debate after the last.

    Shape: ``is_last`` is false where the caller ends others as well, and sees to the conclusion after them.
    """
    news = format_of(brief.format).end(thread=thread, brief=brief, because=because, partial=partial)
    over(debate=debate, thread=thread, because=because, partial=partial)
    return news + conclude_after_last(debate=debate) if is_last else news


def over(*, debate: Debate, thread: Thread, because: str, partial: bool) -> None:
    """Write down that a locked thread is over, so that nothing that comes later counts in it.

    It is complete, partial with rounds that were played, or failed without any.
    """
    cut_short = ThreadStatus.PARTIAL if thread.rounds_played else ThreadStatus.FAILED
    thread.status = (cut_short if partial else ThreadStatus.COMPLETE).value
    thread.ended_because = because
    thread.fence += 1
    prepared_statements.update(thread, "status", "ended_because", "fence", "rounds_played")
    if debate.has_limit:
        budget.release(thread=thread)


def conclude_after_last(*, debate: Debate) -> list[News]:
    """Ask for the conclusion of a locked, running debate when no thread is left to play; a paused one waits."""
    unfinished = Thread.objects.filter(debate=debate).exclude(status__in=[status.value for status in ENDED])
    if debate.status != Status.RUNNING.value or unfinished.exists():
        return []
    news: list[News] = []
    if unsettled(debate=debate):
        move(debate=debate, to=Status.AWAITING_REVIEW, action="put before a person")
    else:
        news = concluding(debate=debate)
    return news + budget.last_word(debate=debate)


def concluding(*, debate: Debate) -> list[News]:
    """Have a locked debate concluded: by a worker, or by who conducts it elsewhere, who is told that it waits."""
    move(debate=debate, to=Status.CONCLUDING, action="concluded")
    queue.conclude(debate_id=debate.pk)
    return [News("debate:concluding", {})] if debate.conducted_by == Conduct.EXTERNAL.value else []


def unsettled(*, debate: Debate) -> bool:
    return Review.objects.filter(WAITING, debate=debate).exists()
