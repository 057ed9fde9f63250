"""Playing one debate to its end in this process, as a worker among others, for commands that wait for the result."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from django.conf import settings

from debates import selectors as debates_selectors
from debates.models import Debate, Event
from debates.types import Status
from judging import queue
from judging.database import in_thread

ENDS = {Status.CONCLUDED.value, Status.FAILED.value, Status.CANCELLED.value, Status.AWAITING_REVIEW.value}


async def play_to_the_end(*, debate_id: int, tell: Callable[[Event], None]) -> None:
    """Work on the common queue until a debate has ended, and pass each of its events on as it is committed.

    Other workers may share the work, and take it over if this process dies.
    """
    fetching = queue.fetching()
    async with fetching.open_async():
        working = asyncio.create_task(_work(fetching))
        try:
            await _watch(debate_id=debate_id, tell=tell, working=working)
        finally:
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)


async def _work(fetching: Any) -> None:
    await fetching.run_worker_async(
        name="foreground",
        queues=[queue.ROUNDS],
        concurrency=settings.ROUNDS_AT_ONCE,
        fetch_job_polling_interval=0.5,
        update_heartbeat_interval=settings.HEARTBEAT_SECONDS,
        stalled_worker_timeout=settings.STALLED_SECONDS,
        install_signal_handlers=False,
        shutdown_graceful_timeout=5,
        delete_jobs="successful",
    )


async def _watch(*, debate_id: int, tell: Callable[[Event], None], working: asyncio.Task[None]) -> None:
    seq = 0
    while True:
        ended = await in_thread(_has_ended)(debate_id=debate_id)
        for event in await in_thread(_news)(debate_id=debate_id, seq=seq):
            tell(event)
            seq = event.seq
        if ended:
            return
        if working.done():
            working.result()
        await asyncio.sleep(0.1)


def _has_ended(*, debate_id: int) -> bool:
    return Debate.objects.filter(pk=debate_id, status__in=ENDS).exists()


def _news(*, debate_id: int, seq: int) -> list[Event]:
    return list(debates_selectors.events_after(debate_id=debate_id, seq=seq)[:500])
