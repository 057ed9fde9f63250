"""The second net: what should be in play and has no job is asked for again.

An extra job changes no score, but may repeat a call that is under way, which costs money: so only what no job is about,
and what a job has just failed for only after a rest.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from debates.models import Debate, Thread
from debates.types import ENDED, Conduct, Status, ThreadStatus
from judging import queue


@transaction.atomic(durable=True)
def ask_again(*, now: datetime) -> int:
    """Ask for every running thread, scheduled and concluding debate that no job is about; return how many."""
    asked = 0
    waiting = left_alone(task=queue.PLAY_THREAD, key="thread_id", now=now)
    threads = Thread.objects.filter(
        debate__status=Status.RUNNING.value, debate__conducted_by=Conduct.ENGINE.value
    ).exclude(status__in=[one.value for one in (*ENDED, ThreadStatus.AWAITING_TURN)])
    for thread in threads.exclude(pk__in=waiting):
        queue.play(thread_ids=[thread.pk], debate_id=thread.debate_id)
        asked += 1
    for status, task, ask in (
        (Status.SCHEDULED, queue.PREPARE, queue.prepare),
        (Status.CONCLUDING, queue.CONCLUDE, queue.conclude),
    ):
        debates = Debate.objects.filter(status=status.value, conducted_by=Conduct.ENGINE.value)
        for debate in debates.exclude(pk__in=left_alone(task=task, key="debate_id", now=now)):
            ask(debate_id=debate.pk)
            asked += 1
    return asked


def left_alone(*, task: str, key: str, now: datetime) -> set[int]:
    """Return the ids that are asked for already, or that a job has just failed for."""
    return queue.asked_for(task=task, key=key) | queue.resting(task=task, key=key, now=now)
