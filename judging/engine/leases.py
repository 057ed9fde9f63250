"""Leases: who does something slow says again and again that it is being done, so that silence means death."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime, timedelta

import structlog
from django.conf import settings

log = structlog.get_logger(__name__)


def lease() -> timedelta:
    """Return how long something stays under way without a word: as long as a silent worker is taken to live."""
    return timedelta(seconds=settings.STALLED_SECONDS)


def ends(now: datetime) -> datetime:
    return now + lease()


@contextlib.asynccontextmanager
async def renewed(say: Callable[[], Awaitable[object]]) -> AsyncIterator[None]:
    """Renew a lease as often as a worker's heart beats, as long as the block lasts."""
    saying = asyncio.create_task(_again_and_again(say))
    try:
        yield
    finally:
        saying.cancel()


async def _again_and_again(say: Callable[[], Awaitable[object]]) -> None:
    while True:
        await asyncio.sleep(settings.HEARTBEAT_SECONDS)
        try:
            await say()
        except Exception:  # a word that could not be said is said again; silence would have the work done twice
            log.exception("could not renew a lease")
