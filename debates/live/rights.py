"""Who may follow what, read for many at once: a thousand who come back at the same moment cost a few queries."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.utils.crypto import constant_time_compare

from debates import rules
from debates.live.reader import Reader
from debates.types import Audience, Visibility

SEES_DEBATES, SEES_DESK = "debates.view_debate", "scoring.view_alert"
SESSIONS = (
    "SELECT session_key, session_data FROM django_session WHERE session_key = ANY(%(keys)s) AND expire_date > now()"
)
PEOPLE = """
    SELECT person.id, person.password, person.is_superuser, ARRAY(
        SELECT type.app_label || '.' || permission.codename
        FROM auth_permission permission JOIN django_content_type type ON type.id = permission.content_type_id
        WHERE type.app_label || '.' || permission.codename = ANY(%(permissions)s)
        AND (permission.id IN (SELECT permission_id FROM auth_user_user_permissions WHERE user_id = person.id)
            OR permission.id IN (SELECT held.permission_id FROM auth_user_groups member
                JOIN auth_group_permissions held USING (group_id) WHERE member.user_id = person.id)))
    FROM auth_user person WHERE person.id = ANY(%(people)s) AND person.is_active
"""
DEBATES = """
    SELECT debate.public_id, debate.id, debate.visibility, debate.created_by_id,
        ARRAY(SELECT user_id FROM debates_participant WHERE debate_id = debate.id AND user_id IS NOT NULL)
    FROM debates_debate debate WHERE debate.public_id = ANY(%(debates)s)
"""


@dataclass(frozen=True, slots=True)
class Asked:
    """Somebody wants to follow a debate: its address, and the key of the session they come with, if any."""

    debate: UUID
    session: str | None


@dataclass(frozen=True, slots=True)
class Access:
    """What somebody may follow, and as whom."""

    debate_id: int
    person: int | None
    audiences: frozenset[Audience]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who is signed in."""

    id: int
    permissions: frozenset[str]


class Rights:
    """Looks rights up in batches: whoever asks while a look-up is under way waits for the next, with all others."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._waiting: dict[Asked, asyncio.Future[Access | None]] = {}
        self._running: asyncio.Task[None] | None = None

    async def of(self, asked: Asked) -> Access | None:
        """Return what somebody may follow, or nothing."""
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

    async def look(self, batch: Iterable[Asked]) -> dict[Asked, Access | None]:
        """Return what each may follow: three queries, however many ask."""
        asked = list(batch)
        people = await self._people({one.session for one in asked if one.session})
        debates = {
            row[0]: row for row in await self._reader.rows(DEBATES, {"debates": list({one.debate for one in asked})})
        }
        return {one: access(debates.get(one.debate), people.get(one.session or "")) for one in asked}

    async def _people(self, keys: set[str]) -> Mapping[str, Person]:
        if not keys:
            return {}
        rows = await self._reader.rows(SESSIONS, {"keys": sorted(keys)})
        sessions = {key: signed_in(data) for key, data in rows}
        wanted = sorted({one[0] for one in sessions.values() if one})
        permissions = [SEES_DEBATES, SEES_DESK]
        found = await self._reader.rows(PEOPLE, {"people": wanted, "permissions": permissions}) if wanted else []
        known = {row[0]: row for row in found}
        return {
            key: Person(session[0], frozenset(permissions if known[session[0]][2] else known[session[0]][3]))
            for key, session in sessions.items()
            if session and session[0] in known and unchanged(password=known[session[0]][1], fingerprint=session[1])
        }


def tell(answers: Iterable[asyncio.Future[Access | None]], *, error: Exception) -> None:
    """Give everybody who waits the error."""
    for answer in answers:
        if not answer.done():
            answer.set_exception(error)


def access(debate: Sequence[Any] | None, person: Person | None) -> Access | None:
    """Return what somebody may follow of a debate, or nothing."""
    if debate is None:
        return None
    _address, id, visibility, creator, participants = debate
    audiences = rules.audiences(
        visibility=Visibility(visibility),
        created=person is not None and person.id == creator,
        takes_part=person is not None and person.id in participants,
        sees_all_debates=person is not None and SEES_DEBATES in person.permissions,
        sees_the_desk=person is not None and SEES_DESK in person.permissions,
    )
    return Access(id, person.id if person else None, audiences) if audiences else None


@lru_cache(maxsize=10_000)
def signed_in(data: str) -> tuple[int, str] | None:
    """Return whose session this is and the fingerprint of their password in it, or nothing."""
    session = import_module(settings.SESSION_ENGINE).SessionStore().decode(data)
    if session.get(BACKEND_SESSION_KEY) not in settings.AUTHENTICATION_BACKENDS:
        return None
    try:
        return int(session[SESSION_KEY]), str(session.get(HASH_SESSION_KEY, ""))
    except (KeyError, ValueError):
        return None


@lru_cache(maxsize=10_000)
def fingerprints(password: str) -> tuple[str, ...]:
    """Return what a session holds of a hashed password, under the secret key and those before it."""
    somebody = get_user_model()(password=password)
    return (somebody.get_session_auth_hash(), *somebody.get_session_auth_fallback_hash())


def unchanged(*, password: str, fingerprint: str) -> bool:
    """Say whether a session was begun with the password that somebody has now."""
    return any(constant_time_compare(one, fingerprint) for one in fingerprints(password))
