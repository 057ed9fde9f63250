"""Playing one debate to its end in this process, as a worker among others, for commands that wait for the result."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from django.conf import settings

from debates import selectors as debates_selectors
from debates.models import Debate, Event
from debates.types import Status
from judging.engine import queue
from judging.engine import tasks as engine_tasks
from judging.engine.db_threads import in_thread

ENDS = {Status.CONCLUDED.value, Status.FAILED.value, Status.CANCELLED.value, Status.AWAITING_REVIEW.value}
MOST_NEWS = 500
"""So many events are read at once."""


class WorkEnded(Exception):
    """The work in this process has ended by itself, and the debate has not."""


async def play_to_the_end(*, debate_id: int, tell: Callable[[Event], None]) -> None:
    """Work on the common queue until a debate has ended, and pass each of its events on as it is committed.

    Other workers may share the work, and take it over if this process dies; it takes over what they leave.

    Raises: ``WorkEnded``, or what the work ended with, when it ended before the debate.
    """
    fetching = queue.fetching()
    async with fetching.open_async():
        work = (_work(fetching), engine_tasks.keep_house(fetching=fetching), engine_tasks.mind_deadlines())
        tasks = [asyncio.create_task(job) for job in work]
        try:
            await _watch(debate_id=debate_id, tell=tell, tasks=tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def _work(fetching: Any) -> None:
    await fetching.run_worker_async(
        name="foreground",
        queues=[queue.ROUNDS],
        concurrency=settings.ROUNDS_AT_ONCE,
        fetch_job_polling_interval=0.5,
        update_heartbeat_interval=settings.HEARTBEAT_SECONDS,
        stalled_worker_timeout=settings.STALLED_SECONDS * queue.FORGOTTEN_AFTER,
        install_signal_handlers=False,
        shutdown_graceful_timeout=5,
        delete_jobs="successful",
    )


async def _watch(*, debate_id: int, tell: Callable[[Event], None], tasks: Sequence[asyncio.Task[None]]) -> None:
    seq = 0
    while True:
        ended = await in_thread(_has_ended)(debate_id=debate_id)
        news = await in_thread(_news)(debate_id=debate_id, seq=seq)
        for event in news:
            tell(event)
            seq = event.seq
        if len(news) == MOST_NEWS:
            continue
        if ended:
            return
        for task in tasks:
            _still_works(task)
        await asyncio.sleep(0.1)


def _still_works(task: asyncio.Task[None]) -> None:
    """Fail where nobody works any more: what is waited for would never come."""
    if task.done():
        task.result()
        raise WorkEnded("The worker ended before the debate did. Run `manage.py worker` to play it to its end.")


def _has_ended(*, debate_id: int) -> bool:
    return Debate.objects.filter(pk=debate_id, status__in=ENDS).exists()


def _news(*, debate_id: int, seq: int) -> list[Event]:
    return list(debates_selectors.events_after(debate_id=debate_id, seq=seq)[:MOST_NEWS])
