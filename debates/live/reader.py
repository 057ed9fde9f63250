"""Reading logs for the hub: a few connections of its own, plain SQL, no ORM."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import psycopg
from django.db import connections
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from debates.live import text_joins

CONNECTIONS = 4
POOL_SECONDS = 3
NAME = "moot reader"
ATTEMPTS = 3
PAGE = 500
TURNS_AWAY = "debate:visibility"
NOT_OF_LIBPQ = {"cursor_factory", "context", "prepare_threshold", "autocommit", "row_factory"}

EPOCH = "SELECT value FROM debates_epoch"
NAMED = "INSERT INTO debates_epoch (id, value) VALUES (1, gen_random_uuid()) ON CONFLICT DO NOTHING RETURNING value"
# Each line comes as the text that is streamed; only words are put in here.
LINES = """
    SELECT seq, audience, type, '{"seq":' || seq::text || ',"type":"' || type || '","at":"'
        || to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '","data":' || data::text || '}'
    FROM debates_event WHERE debate_id = %(debate)s AND seq > %(after)s ORDER BY seq LIMIT %(limit)s
"""
HEADS = """
    SELECT head.debate_id, head.seq, head.erasures, debate.status, (SELECT value FROM debates_epoch)
    FROM debates_eventhead head JOIN debates_debate debate ON debate.id = head.debate_id
    WHERE head.debate_id = ANY(%(debates)s)
"""


@dataclass(frozen=True, slots=True)
class Line:
    """One event as it is streamed; ``turns_away`` says that with it somebody may have lost the right to read on."""

    seq: int
    audience: str
    text: str
    turns_away: bool = False


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


def address() -> dict[str, Any]:
    """Return how Django reaches the database, in the words of libpq."""
    parameters = connections["default"].get_connection_params()
    return {name: value for name, value in parameters.items() if name not in NOT_OF_LIBPQ}


class Reader:
    """Short queries, each on a connection of the hub's own pool, repeated where a connection turns out to be dead."""

    def __init__(self) -> None:
        self.queries = 0
        self._pool: AsyncConnectionPool[psycopg.AsyncConnection[Any]] = AsyncConnectionPool(
            kwargs=address() | {"autocommit": True, "application_name": NAME},
            min_size=1,
            max_size=CONNECTIONS,
            timeout=POOL_SECONDS,
            open=False,
        )

    async def open(self) -> None:
        """Open the pool in the running loop; connections come when they are needed."""
        await self._pool.open()

    async def close(self) -> None:
        await self._pool.close(timeout=2)

    async def rows(self, query: str, parameters: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """Return the rows of a query.

        Raises: one of ``Unreadable`` after three attempts.
        """
        for attempt in range(1, ATTEMPTS + 1):
            try:
                async with self._pool.connection() as connection:
                    self.queries += 1
                    return await (await connection.execute(query, parameters)).fetchall()
            except Unreadable as error:
                if attempt == ATTEMPTS or isinstance(error, PoolTimeout):  # that one has waited long enough
                    raise
                await asyncio.sleep(0.05 * attempt)
        raise AssertionError  # never reached

    async def epoch(self) -> UUID:
        """Return the epoch of the database; one that lost its name is given one."""
        found = await self.rows(EPOCH) or await self.rows(NAMED) or await self.rows(EPOCH)
        return UUID(str(found[0][0]))

    async def heads(self, *, debates: Sequence[int]) -> list[Head]:
        return [Head(*row) for row in await self.rows(HEADS, {"debates": list(debates)})]

    async def lines(self, *, debate: int, after: int, limit: int = PAGE) -> list[Line]:
        rows = await self.rows(LINES, {"debate": debate, "after": after, "limit": limit})
        said = await self._words(debate=debate, rows=rows)
        return [
            Line(seq, audience, joined(text, said.get(seq)), turns_away=type == TURNS_AWAY)
            for seq, audience, type, text in rows
        ]

    async def _words(self, *, debate: int, rows: Sequence[tuple[Any, ...]]) -> dict[int, str]:
        found: dict[int, str] = {}
        for type in {row[2] for row in rows} & text_joins.QUERIES.keys():
            seqs = [row[0] for row in rows if row[2] == type]
            found |= dict(await self.rows(text_joins.QUERIES[type], {"debate": debate, "seqs": seqs}))
        return found


def joined(text: str, said: str | None) -> str:
    """Put words, a JSON object, at the end of a line's data."""
    if not said:
        return text
    return f"{text[:-2]}, {said[1:]}}}"


def epoch_of(text: str) -> UUID | None:
    """Return an epoch as readers write it, or nothing where it is none."""
    return UUID(text) if re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", text) else None
