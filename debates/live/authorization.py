"""Who may follow what, read for many at once: a thousand who come back at the same moment cost a few queries.

Sessions, people, keys and debates are asked for by the querysets that pages and the API ask by, only on the hub's own
connections: Django's ``get_user`` and ``has_perm`` would be five queries for each reader, again every few seconds.
``tests/debates/test_visibility.py`` holds both to the same answers, for every kind of caller.
"""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from types import SimpleNamespace
from typing import NamedTuple
from uuid import UUID

import psycopg
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.postgres.expressions import ArraySubquery
from django.contrib.sessions.models import Session
from django.db.models import OuterRef
from django.db.models.functions import Now
from django.utils.crypto import constant_time_compare

from debates import reauthentication, rules, selectors
from debates.live.frames import Close
from debates.live.reader import LogReader
from debates.models import Debate, Membership, Participant
from debates.types import Audience, MemberRole, Scope, Visibility

log = logging.getLogger(__name__)
# That a key was used is written down at most once a minute, as it is where the API is asked.
NOTE_USE = """
    UPDATE debates_apikey SET last_used_at = now() WHERE id = ANY(%(keys)s)
    AND (last_used_at IS NULL OR last_used_at <= now() - interval '1 minute') RETURNING id
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


class SignIn(NamedTuple):
    """What a session holds: whose it is, the hash of their password, and the ids of second factors that were given."""

    person: int
    password_hash: str
    factors: frozenset[int]


class Person(NamedTuple):
    id: int
    password: str
    has_rights: bool
    sees_debates: bool
    sees_desk: bool
    factors: list[int]

    @property
    def permissions(self) -> set[str]:
        held = {rules.SEES_DEBATES: self.sees_debates, rules.SEES_DESK: self.sees_desk}
        return {name for name, holds in held.items() if holds}


class DebateRow(NamedTuple):
    address: UUID
    id: int
    visibility: str
    created_by: int | None
    seated: list[int]
    with_a_role: list[int]
    guests: list[int]


class Authorization:
    """Answers in batches: whoever asks while a look-up is under way waits for the next, with all others."""

    def __init__(self, reader: LogReader) -> None:
        self._reader = reader
        self._waiting: dict[AccessRequest, asyncio.Future[Answer]] = {}
        self._running: asyncio.Task[None] | None = None
        self._used: set[int] = set()
        self._noting: asyncio.Task[None] | None = None

    async def of(self, request: AccessRequest) -> Answer:
        answer = self._waiting.get(request)
        if answer is None:
            answer = self._waiting[request] = asyncio.get_running_loop().create_future()
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._run())
        return await asyncio.shield(answer)

    async def _run(self) -> None:
        while self._waiting:
            await asyncio.sleep(0.005)  # those who come at the same moment come together
            batch, self._waiting = self._waiting, {}
            try:
                answers = await self.look(batch)
            except Exception as error:  # noqa: BLE001 -- everybody who waits is told
                for waiting in batch.values():
                    if not waiting.done():
                        waiting.set_exception(error)
                continue
            for request, waiting in batch.items():
                if not waiting.done():
                    waiting.set_result(answers[request])

    async def look(self, requests: Iterable[AccessRequest]) -> dict[AccessRequest, Answer]:
        """Return what each may follow: a few queries, however many ask."""
        requests = list(requests)
        sign_ins = await self._sign_ins({request.session for request in requests if request.session})
        owners = await self._owners({request.key for request in requests if request.key})
        people = await self._people({*owners.values(), *(sign_in.person for sign_in in sign_ins.values())})
        debates = await self._debates({request.debate for request in requests})

        def answer(request: AccessRequest) -> Answer:
            debate = debates.get(request.debate)
            if request.key is None:
                return access(debate, in_session(sign_ins.get(request.session), people))
            owner = owners.get(request.key)
            return Close.BAD_KEY if owner is None else access(debate, people.get(owner))

        return {request: answer(request) for request in requests}

    async def _sign_ins(self, keys: set[str]) -> dict[str | None, SignIn]:
        if not keys:
            return {}
        sessions = Session.objects.filter(session_key__in=keys, expire_date__gt=Now())
        rows = await self._reader.select(sessions.values_list("session_key", "session_data"))
        decoded = {key: sign_in(data) for key, data in rows}
        return {key: row for key, row in decoded.items() if row is not None}

    async def _owners(self, digests: set[str]) -> dict[str, int]:
        if not digests:
            return {}
        keys = selectors.valid_keys(now=Now()).filter(digest__in=digests, scopes__contains=[Scope.READ.value])
        rows = await self._reader.select(keys.values_list("digest", "owner", "pk"))
        self._used.update(key for _, _, key in rows)
        if self._used and (self._noting is None or self._noting.done()):
            self._noting = asyncio.create_task(self._note_use())
        return {digest: owner for digest, owner, _ in rows}

    async def _note_use(self) -> None:
        """Write down which keys were used, while nobody waits for it: rights are only read."""
        while self._used:
            keys, self._used = sorted(self._used), set()
            try:
                await self._reader.rows(NOTE_USE, {"keys": keys})
            except psycopg.Error as error:
                log.warning("the use of %d keys was not written down: %s", len(keys), error)

    async def _people(self, ids: set[int]) -> dict[int, Person]:
        if not ids:
            return {}
        people = User.objects.filter(pk__in=ids, is_active=True).annotate(
            has_rights=selectors.among(selectors.people_with_rights()),
            sees_debates=selectors.among(User.objects.with_perm(rules.SEES_DEBATES)),
            sees_desk=selectors.among(User.objects.with_perm(rules.SEES_DESK)),
            factors=ArraySubquery(Authenticator.objects.filter(user=OuterRef("pk")).order_by().values("pk")),
        )
        rows = await self._reader.select(people.values_list(*Person._fields))
        return {row[0]: Person(*row) for row in rows}

    async def _debates(self, addresses: set[UUID]) -> dict[UUID, DebateRow]:
        seats = Participant.objects.filter(debate=OuterRef("pk"), user__isnull=False).order_by()
        debates = Debate.objects.filter(public_id__in=addresses).order_by()
        seated = ArraySubquery(seats.values("user"))
        roles = Membership.objects.filter(debate=OuterRef("pk"), revoked_at=None).order_by()
        with_a_role = ArraySubquery(roles.exclude(role=MemberRole.GUEST.value).values("user"))
        guests = ArraySubquery(roles.filter(role=MemberRole.GUEST.value).values("user"))
        rows = await self._reader.select(
            debates.values_list("public_id", "pk", "visibility", "created_by", seated, with_a_role, guests)
        )
        return {row[0]: DebateRow(*row) for row in rows}


def in_session(sign_in: SignIn | None, people: Mapping[int, Person]) -> Person | None:
    """Return who is signed in, if their password is still the one they signed in with, and no second factor is owed."""
    person = people.get(sign_in.person) if sign_in else None
    if sign_in is None or person is None:
        return None
    if not any(constant_time_compare(known, sign_in.password_hash) for known in password_hashes(person.password)):
        return None
    given = not sign_in.factors.isdisjoint(person.factors)
    owes_second_factor = settings.STAFF_NEED_SECOND_FACTOR and person.has_rights and not given
    return None if owes_second_factor else person


@lru_cache(maxsize=10_000)
def sign_in(data: str) -> SignIn | None:
    """Return what a session holds, or nothing where nobody is signed in with it."""
    session = import_module(settings.SESSION_ENGINE).SessionStore().decode(data)
    if session.get(BACKEND_SESSION_KEY) not in settings.AUTHENTICATION_BACKENDS:
        return None
    try:
        person = int(session[SESSION_KEY])
    except (KeyError, ValueError):
        return None
    factors = reauthentication.factors_given(SimpleNamespace(session=session), User(pk=person))
    return SignIn(person, str(session.get(HASH_SESSION_KEY, "")), factors)


@lru_cache(maxsize=10_000)
def password_hashes(password: str) -> tuple[str, ...]:
    """Return what a session holds of a hashed password, under the secret key and those before it."""
    user = User(password=password)
    return (user.get_session_auth_hash(), *user.get_session_auth_fallback_hash())


def access(debate: DebateRow | None, person: Person | None) -> Answer:
    if debate is None:
        return Close.NOT_FOUND
    audiences = rules.audiences(
        visibility=Visibility(debate.visibility),
        concerned=person is not None and person.id in {debate.created_by, *debate.seated, *debate.with_a_role},
        guest=person is not None and person.id in debate.guests,
        permissions=person.permissions if person else frozenset(),
    )
    return Access(debate.id, person.id if person else None, audiences) if audiences else Close.NOT_FOUND
