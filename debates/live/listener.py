"""The one connection of a process that hears the doorbell."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable

import psycopg

from debates.event_log import CHANNEL
from debates.live import reader

LIVENESS = 10.0
NAME = "moot listener"
LONGEST_PAUSE = 5.0
log = logging.getLogger(__name__)


async def listen(*, heard: Callable[[str], None], began: Callable[[], None]) -> None:
    """Hear the bell for ever, connecting again whenever the connection is lost.

    ``began`` is called after each LISTEN: only then is it sure that whatever is committed from now on rings, so that
    catching up from there on misses nothing.
    """
    pause = 0.1
    while True:
        try:
            own = reader.address() | {"application_name": NAME}
            async with await psycopg.AsyncConnection.connect(**own, autocommit=True) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                began()
                pause = 0.1
                while True:
                    async for bell in connection.notifies(timeout=LIVENESS):
                        heard(bell.payload)
                    await connection.execute("SELECT 1")  # a half-open connection looks idle
        except (psycopg.Error, OSError) as error:
            log.warning("the doorbell is not heard, connecting again: %s", str(error).strip())
        await asyncio.sleep(random.uniform(0, pause))  # noqa: S311 -- spreads load, keeps no secret
        pause = min(LONGEST_PAUSE, pause * 2)
