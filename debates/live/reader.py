"""Reading logs for the hub, and listening for news of them: connections of its own, plain SQL, no ORM."""

import asyncio
import logging
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import psycopg
from django.db import connections
from django.db.models import QuerySet
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from debates.event_log import CHANNEL

CONNECTIONS = 4
POOL_SECONDS = 3
READER, LISTENER = "moot reader", "moot listener"
ATTEMPTS = CONNECTIONS + 1  # after a restart of the database each of the others may be dead
LIVENESS_SECONDS = 10.0
LONGEST_PAUSE = 5.0
PAGE = 500
TURNS_AWAY = "debate:visibility"
"""With an event of this type somebody may have lost the right to read on."""
NOT_OF_LIBPQ = {"cursor_factory", "context", "prepare_threshold", "autocommit", "row_factory"}

EPOCH = "SELECT value FROM debates_epoch"
CREATE_EPOCH = (
    "INSERT INTO debates_epoch (id, value) VALUES (1, gen_random_uuid()) ON CONFLICT DO NOTHING RETURNING value"
)
# Each line comes as the text that is streamed; only words are put in here.
LINES = """
    SELECT seq, audience, type, '{"seq":' || seq::text || ',"type":"' || type || '","at":"'
        || to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '","data":' || data::text || '}',
        data ->> 'criterion', data ->> 'round', (SELECT status FROM debates_debate WHERE id = %(debate)s)
    FROM debates_event WHERE debate_id = %(debate)s AND seq > %(after)s ORDER BY seq LIMIT %(limit)s
"""
HEADS = """
    SELECT head.debate_id, head.seq, head.erasures, debate.status, (SELECT value FROM debates_epoch)
    FROM debates_eventhead head JOIN debates_debate debate ON debate.id = head.debate_id
    WHERE head.debate_id = ANY(%(debates)s)
"""

TEXT_QUERIES: dict[str, str] = {}
log = logging.getLogger(__name__)


def join_texts(*, type: str, query: str) -> None:
    """Have texts joined to the events of one type when they are read; each app registers its own.

    Shape: ``query`` selects (seq, texts as one JSON object) for the events of ``%(debate)s`` whose seq is among
    ``%(seqs)s``; the object's keys are those that ``debates.event_schemas`` has for the type's texts.
    Source: docs/explanation/stream.md.
    """
    TEXT_QUERIES[type] = query


@dataclass(frozen=True, slots=True)
class Line:
    """One event as it is streamed; what it is about, where it is about a criterion or a round; and where its debate
    stood as it was read.
    """

    seq: int
    audience: str
    text: str
    type: str = ""
    criterion: str | None = None
    round: str | None = None
    status: str = ""

    @property
    def size(self) -> int:
        """How many bytes it is on the network."""
        return len(self.text.encode())


@dataclass(frozen=True, slots=True)
class Head:
    """How far a log reaches, how often words were erased from it, and where its debate stands."""

    debate_id: int
    seq: int
    erasures: int
    status: str
    epoch: UUID | None


Unreadable = (psycopg.OperationalError, psycopg.InterfaceError)
"""What reading raises while the database cannot be reached."""


def connection_parameters() -> dict[str, Any]:
    """Return how Django reaches the database, in the words of libpq."""
    parameters = connections["default"].get_connection_params()
    return {name: value for name, value in parameters.items() if name not in NOT_OF_LIBPQ}


class LogReader:
    """Short queries, each on a connection of the hub's own pool, repeated where a connection turns out to be dead."""

    def __init__(self) -> None:
        self._pool: AsyncConnectionPool[psycopg.AsyncConnection[Any]] = AsyncConnectionPool(
            kwargs=connection_parameters() | {"autocommit": True, "application_name": READER},
            min_size=1,
            max_size=CONNECTIONS,
            timeout=POOL_SECONDS,
            reconnect_timeout=POOL_SECONDS,  # the next question begins anew; the pool's own pauses double up to minutes
            open=False,
        )

    async def open(self) -> None:
        """Open the pool in the running loop; connections come when they are needed."""
        await self._pool.open()

    async def close(self) -> None:
        await self._pool.close(timeout=2)

    async def rows(
        self, query: str, parameters: Mapping[str, Any] | Sequence[Any] | None = None
    ) -> list[tuple[Any, ...]]:
        """Return the rows of a query.

        Raises: one of ``Unreadable`` after the last attempt.
        """
        for attempt in range(1, ATTEMPTS + 1):
            try:
                async with self._pool.connection() as connection:
                    return await (await connection.execute(query, parameters)).fetchall()
            except Unreadable as error:
                if attempt == ATTEMPTS or isinstance(error, PoolTimeout):  # that one has waited long enough
                    raise
                await asyncio.sleep(0.05 * attempt)
        raise AssertionError  # never reached

    async def select(self, rows: QuerySet[Any, tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        """Return what a query of ``values_list`` selects. For async code the ORM itself has only threads.

        Raises: as ``rows``.
        """
        statement, parameters = rows.query.sql_with_params()
        return await self.rows(statement, parameters)

    async def epoch(self) -> UUID:
        """Return the epoch of the database; one that lost it is given one."""
        rows = await self.rows(EPOCH) or await self.rows(CREATE_EPOCH) or await self.rows(EPOCH)
        return UUID(str(rows[0][0]))

    async def heads(self, *, debates: Sequence[int]) -> list[Head]:
        return [Head(*row) for row in await self.rows(HEADS, {"debates": list(debates)})]

    async def lines(self, *, debate: int, after: int) -> list[Line]:
        rows = await self.rows(LINES, {"debate": debate, "after": after, "limit": PAGE})
        texts = await self._texts(debate=debate, rows=rows)
        return [
            Line(seq, audience, with_texts(line, texts.get(seq)), type, *about)
            for seq, audience, type, line, *about in rows
        ]

    async def _texts(self, *, debate: int, rows: Sequence[tuple[Any, ...]]) -> dict[int, str]:
        texts: dict[int, str] = {}
        for type in {row[2] for row in rows} & TEXT_QUERIES.keys():
            seqs = [row[0] for row in rows if row[2] == type]
            texts |= dict(await self.rows(TEXT_QUERIES[type], {"debate": debate, "seqs": seqs}))
        return texts


def with_texts(line: str, texts: str | None) -> str:
    """Put texts, a JSON object, at the end of a line's data."""
    return f"{line[:-2]}, {texts[1:]}}}" if texts else line


def epoch_of(text: str) -> UUID | None:
    """Return an epoch as readers write it, or nothing where it is none."""
    return UUID(text) if re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", text) else None


async def listen(*, on_notify: Callable[[str], None], on_listen: Callable[[], None]) -> None:
    """Hand on every notification, for ever, connecting again whenever the connection is lost.

    ``on_listen`` is called after each LISTEN: only then is it sure that whatever is committed from now on
    notifies, so that catching up from there on misses nothing.
    """
    pause = 0.1
    while True:
        try:
            own = connection_parameters() | {"application_name": LISTENER}
            async with await psycopg.AsyncConnection.connect(**own, autocommit=True) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                on_listen()
                pause = 0.1
                while True:
                    async for notification in connection.notifies(timeout=LIVENESS_SECONDS):
                        on_notify(notification.payload)
                    await connection.execute("SELECT 1")  # a half-open connection looks idle
        except (psycopg.Error, OSError) as error:
            log.warning("notifications are not received, connecting again: %s", str(error).strip())
        await asyncio.sleep(random.uniform(0, pause))  # noqa: S311 -- spreads load, keeps no secret
        pause = min(LONGEST_PAUSE, pause * 2)
