"""Who somebody is: by the session of a browser or the key of a program, read for many at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from allauth.account.authentication import get_authentication_records
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.utils.crypto import constant_time_compare

from debates.live.reader import LogReader
from debates.selectors import HAS_RIGHTS
from debates.types import Scope

SEES_DEBATES, SEES_DESK = "debates.view_debate", "scoring.view_alert"
SESSIONS = (
    "SELECT session_key, session_data FROM django_session WHERE session_key = ANY(%(keys)s) AND expire_date > now()"
)
# That a key was used is written down at most once a minute, as it is where the API is asked.
KEYS = """
    WITH good AS (
        SELECT id, digest, owner_id, last_used_at FROM debates_apikey
        WHERE digest = ANY(%(digests)s) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
        AND %(scope)s = ANY(scopes)
    ), noted AS (
        UPDATE debates_apikey key SET last_used_at = now() FROM good
        WHERE key.id = good.id AND (good.last_used_at IS NULL OR good.last_used_at <= now() - interval '1 minute')
    )
    SELECT digest, owner_id FROM good
"""
PEOPLE = f"""
    SELECT person.id, person.password, person.is_superuser, {HAS_RIGHTS}, ARRAY(
        SELECT type.app_label || '.' || permission.codename
        FROM auth_permission permission JOIN django_content_type type ON type.id = permission.content_type_id
        WHERE type.app_label || '.' || permission.codename = ANY(%(permissions)s)
        AND (permission.id IN (SELECT permission_id FROM auth_user_user_permissions WHERE user_id = person.id)
            OR permission.id IN (SELECT held.permission_id FROM auth_user_groups member
                JOIN auth_group_permissions held USING (group_id) WHERE member.user_id = person.id)))
    FROM auth_user person WHERE person.id = ANY(%(people)s) AND person.is_active
"""  # noqa: S608 -- our own words


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who is known, and what they may do of what matters here."""

    id: int
    permissions: frozenset[str]


@dataclass(frozen=True, slots=True)
class Row:
    """Somebody as the database has them."""

    id: int
    password: str
    is_superuser: bool
    has_rights: bool
    held: list[str]

    @property
    def permissions(self) -> frozenset[str]:
        return frozenset([SEES_DEBATES, SEES_DESK] if self.is_superuser else self.held)


@dataclass(frozen=True, slots=True)
class SignedIn:
    """What a session holds: whose it is, the fingerprint of their password, and whether they gave a second factor."""

    person: int
    fingerprint: str
    second_factor: bool


class People:
    """Looks people up: a few queries, however many there are."""

    def __init__(self, reader: LogReader) -> None:
        self._reader = reader

    async def by(self, *, sessions: set[str], keys: set[str]) -> tuple[Mapping[str, Person], Mapping[str, Person]]:
        """Return who these sessions and these keys (their digests) belong to; what is not good now is left out."""
        signed, owners = await self._sessions(sessions), await self._owners(keys)
        rows = await self._rows({one.person for one in signed.values()} | set(owners.values()))
        of_sessions = {key: rows[one.person] for key, one in signed.items() if one.person in rows}
        return (
            {
                key: Person(row.id, row.permissions)
                for key, row in of_sessions.items()
                if unchanged(password=row.password, fingerprint=signed[key].fingerprint)
                and not owes_second_factor(row, signed[key])
            },
            {key: Person(owner, rows[owner].permissions) for key, owner in owners.items() if owner in rows},
        )

    async def _sessions(self, keys: set[str]) -> dict[str, SignedIn]:
        rows = await self._reader.rows(SESSIONS, {"keys": sorted(keys)}) if keys else []
        found = {key: signed_in(data) for key, data in rows}
        return {key: one for key, one in found.items() if one is not None}

    async def _owners(self, digests: set[str]) -> dict[str, int]:
        asked = {"digests": sorted(digests), "scope": Scope.READ.value}
        return dict(await self._reader.rows(KEYS, asked)) if digests else {}

    async def _rows(self, people: set[int]) -> dict[int, Row]:
        asked = {"people": sorted(people), "permissions": [SEES_DEBATES, SEES_DESK]}
        rows = await self._reader.rows(PEOPLE, asked) if people else []
        return {row[0]: Row(*row) for row in rows}


def owes_second_factor(row: Row, session: SignedIn) -> bool:
    """Say whether somebody with rights is in a session that lacks the second factor which the settings require."""
    required: bool = settings.STAFF_NEED_SECOND_FACTOR
    return required and row.has_rights and not session.second_factor


@lru_cache(maxsize=10_000)
def signed_in(data: str) -> SignedIn | None:
    """Return what a session holds, or nothing where nobody is signed in with it."""
    session = import_module(settings.SESSION_ENGINE).SessionStore().decode(data)
    if session.get(BACKEND_SESSION_KEY) not in settings.AUTHENTICATION_BACKENDS:
        return None
    try:
        person = int(session[SESSION_KEY])
    except (KeyError, ValueError):
        return None
    records: list[dict[str, Any]] = get_authentication_records(
        SimpleNamespace(session=session), get_user_model()(pk=person)
    )
    given = any(record.get("method") == "mfa" for record in records)
    return SignedIn(person, str(session.get(HASH_SESSION_KEY, "")), second_factor=given)


@lru_cache(maxsize=10_000)
def fingerprints(password: str) -> tuple[str, ...]:
    """Return what a session holds of a hashed password, under the secret key and those before it."""
    somebody = get_user_model()(password=password)
    return (somebody.get_session_auth_hash(), *somebody.get_session_auth_fallback_hash())


def unchanged(*, password: str, fingerprint: str) -> bool:
    """Say whether a session was begun with the password that somebody has now."""
    return any(constant_time_compare(one, fingerprint) for one in fingerprints(password))
