"""Who may follow what, read for many at once: a thousand who come back at the same moment cost a few queries."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from debates import rules
from debates.live.frames import Close
from debates.live.people import SEES_DEBATES, SEES_DESK, People, Person
from debates.live.reader import LogReader
from debates.types import Audience, Visibility

DEBATES = """
    SELECT debate.public_id, debate.id, debate.visibility, debate.created_by_id,
        ARRAY(SELECT user_id FROM debates_participant WHERE debate_id = debate.id AND user_id IS NOT NULL)
    FROM debates_debate debate WHERE debate.public_id = ANY(%(debates)s)
"""


@dataclass(frozen=True, slots=True)
class AccessRequest:
    """Somebody wants to follow a debate: its address, and the session or the digest of the key they come with."""

    debate: UUID
    session: str | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Access:
    """What somebody may follow, and as whom."""

    debate_id: int
    person: int | None
    audiences: frozenset[Audience]


Answer = Access | Close
"""What somebody may follow, or with which code they are sent away."""


class Rights:
    """Looks rights up in batches: whoever asks while a look-up is under way waits for the next, with all others."""

    def __init__(self, reader: LogReader) -> None:
        self._reader, self._people = reader, People(reader)
        self._waiting: dict[AccessRequest, asyncio.Future[Answer]] = {}
        self._running: asyncio.Task[None] | None = None

    async def of(self, asked: AccessRequest) -> Answer:
        answer = self._waiting.get(asked)
        if answer is None:
            answer = self._waiting[asked] = asyncio.get_running_loop().create_future()
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._run())
        return await asyncio.shield(answer)

    async def _run(self) -> None:
        while self._waiting:
            await asyncio.sleep(0.005)  # those who come at the same moment come together
            batch, self._waiting = self._waiting, {}
            try:
                found = await self.look(batch)
            except Exception as error:  # noqa: BLE001 -- everybody who waits is told
                tell(batch.values(), error=error)
                continue
            for asked, answer in batch.items():
                if not answer.done():
                    answer.set_result(found[asked])

    async def look(self, batch: Iterable[AccessRequest]) -> dict[AccessRequest, Answer]:
        """Return what each may follow: four queries, however many ask."""
        asked = list(batch)
        sessions, keys = await self._people.by(
            sessions={one.session for one in asked if one.session}, keys={one.key for one in asked if one.key}
        )
        debates = {
            row[0]: row for row in await self._reader.rows(DEBATES, {"debates": list({one.debate for one in asked})})
        }
        return {
            one: Close.BAD_KEY
            if one.key and one.key not in keys
            else access(debates.get(one.debate), keys.get(one.key or "") or sessions.get(one.session or ""))
            for one in asked
        }


def tell(answers: Iterable[asyncio.Future[Answer]], *, error: Exception) -> None:
    for answer in answers:
        if not answer.done():
            answer.set_exception(error)


def access(debate: Sequence[Any] | None, person: Person | None) -> Answer:
    if debate is None:
        return Close.NOT_FOUND
    _address, id, visibility, creator, participants = debate
    audiences = rules.audiences(
        visibility=Visibility(visibility),
        created=person is not None and person.id == creator,
        takes_part=person is not None and person.id in participants,
        sees_all_debates=person is not None and SEES_DEBATES in person.permissions,
        sees_the_desk=person is not None and SEES_DESK in person.permissions,
    )
    return Access(id, person.id if person else None, audiences) if audiences else Close.NOT_FOUND
