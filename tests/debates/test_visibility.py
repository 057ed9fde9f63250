"""Who may read a debate: one answer for pages, the API, the feed and live delivery, for every kind of caller."""

import asyncio
import json
from datetime import timedelta
from itertools import product

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group, Permission, User
from django.db import connection
from django.test import Client, RequestFactory
from django.utils import timezone
from psycopg import errors

from config import accounts
from debates import event_log, rules, selectors
from debates.live.authorization import NOTE_USE, AccessRequest, Authorization
from debates.live.frames import Close
from debates.live.reader import LogReader
from debates.models import ApiKey, Membership, Participant
from debates.services import keys
from debates.types import Audience, Visibility
from tests import factories
from tests.moderators import client_of, factor_of

pytestmark = pytest.mark.django_db
NOW = timezone.now()
EVERYBODY, THOSE_IN_IT, THE_DESK = {Audience.PUBLIC}, {Audience.PUBLIC, Audience.PARTICIPANTS}, set(Audience)
CALLERS = {
    "nobody": (EVERYBODY, set()),
    "a stranger": (EVERYBODY, set()),
    "its creator": (THOSE_IN_IT, THOSE_IN_IT),
    "a participant": (THOSE_IN_IT, THOSE_IN_IT),
    "an organiser": (THOSE_IN_IT, THOSE_IN_IT),
    "a judge": (THOSE_IN_IT, THOSE_IN_IT),
    "a guest": (EVERYBODY, EVERYBODY),
    "a guest who was turned out": (EVERYBODY, set()),
    "an organiser who was turned out": (EVERYBODY, set()),
    "a guest of another debate": (EVERYBODY, set()),
    "a desk that is a guest": (THE_DESK, THE_DESK),
    "who may view debates": (EVERYBODY, EVERYBODY),
    "a group that may view debates": (EVERYBODY, EVERYBODY),
    "a desk": (THE_DESK, set()),
    "a group that is a desk": (THE_DESK, set()),
    "a desk that takes part": (THE_DESK, THE_DESK),
    "a group that may do both": (THE_DESK, THE_DESK),
    "a superuser": (THE_DESK, THE_DESK),
    "an inactive superuser": (EVERYBODY, set()),
    "a superuser with another password": (EVERYBODY, set()),
    "a superuser without the second factor": (EVERYBODY, set()),
    "a superuser with the second factor": (THE_DESK, THE_DESK),
    "a creator without rights or a second factor": (THOSE_IN_IT, THOSE_IN_IT),
}
"""What each reads of a debate that has an address for everybody, and of a private one."""


class OneConnection:
    """Reads as the hub does, on the connection of the test."""

    select = LogReader.select

    def __init__(self):
        connection.ensure_connection()
        self.connection = connection.connection

    async def rows(self, query, parameters=None):
        return self.connection.execute(query, parameters).fetchall()


def log_one_event_for_each_audience(debate):
    """By the statement of the log itself: no event is for participants alone today, and one may be."""
    news = [{"type": "debate:paused", "audience": audience.value, "data": {}} for audience in Audience]
    told = {"debate": debate.pk, "many": len(news), "news": json.dumps(news), "now": timezone.now()}
    with connection.cursor() as cursor:
        cursor.execute(event_log.APPEND, told)


def made(caller, debate):
    """A person of this kind, or nobody."""
    if caller == "nobody":
        return None
    permissions = [rules.SEES_DEBATES] * ("view debates" in caller or "both" in caller)
    permissions += [rules.SEES_DESK] * ("desk" in caller or "both" in caller)
    person = factories.person(permissions=[] if "group" in caller else permissions, superuser="superuser" in caller)
    if "group" in caller:
        group = Group.objects.create(name="some")
        group.permissions.set(
            Permission.objects.get(content_type__app_label=app, codename=name)
            for app, name in (permission.split(".") for permission in permissions)
        )
        person.groups.add(group)
    person.is_staff = "superuser" in caller
    person.save()
    if "creator" in caller:
        debate.created_by = person
        debate.save()
    if "participant" in caller or "takes part" in caller:
        Participant.objects.create(debate=debate, role="chair", kind="human", name="Alice", user=person)
    for role in ("organiser", "judge", "guest"):
        if role in caller.split():
            place = factories.debate() if "another debate" in caller else debate
            revoked = timezone.now() if "turned out" in caller else None
            Membership.objects.create(debate=place, user=person, role=role, revoked_at=revoked)
    return person


def session_of(person, caller):
    """The key of a session that somebody began, and then perhaps lost."""
    visitor = client_of(person)
    session = visitor.session
    methods = [factor_of(person)] if "the second factor" in caller else []
    if "without the second" in caller:  # it was taken away since
        Authenticator.objects.filter(user=person).delete()
    session["account_authentication_methods"] = methods
    session["account_authentication_methods_user"] = str(person.pk)
    session.save()
    person.is_active = "inactive" not in caller
    if "another password" in caller:
        person.set_password("another one, and long")
    person.save()
    return session


def on_pages(person, session, debate):
    """What pages and the API show, and what the feed does."""
    request = RequestFactory().get("/debates/")
    request.session = session if session is not None else Client().session
    visitor = accounts.in_session(request)
    visible = selectors.visible_debates(visitor=visitor).filter(pk=debate.pk).exists()
    audiences = set(selectors.audiences(visitor=visitor, debate=debate)) if visible else set()
    feed = set(selectors.readable_events(visitor=visitor).values_list("audience", flat=True))
    return audiences, feed


def live(request):
    """What live delivery says, as audiences; nothing where there is no such debate for this caller."""
    answer = asyncio.run(Authorization(OneConnection()).look([request]))[request]
    return answer if isinstance(answer, Close) else {audience.value for audience in answer.audiences}


@pytest.mark.parametrize(("caller", "visibility"), list(product(CALLERS, Visibility)))
def test_a_caller_reads_the_same_everywhere(caller, visibility, settings):
    settings.STAFF_NEED_SECOND_FACTOR = "second factor" in caller
    debate = factories.debate(visibility=visibility.value)
    log_one_event_for_each_audience(debate)
    person = made(caller, debate)
    session = session_of(person, caller) if person else None
    with_address, private = CALLERS[caller]
    expected = {audience.value for audience in (private if visibility is Visibility.PRIVATE else with_address)}

    pages = on_pages(person, session, debate)
    followed = live(AccessRequest(debate.public_id, session=session.session_key if session else None))

    assert pages == (expected, expected)
    assert followed == (expected or Close.NOT_FOUND)


@pytest.mark.parametrize(
    ("about", "api", "follows"),
    [
        pytest.param({}, True, True, id="good"),
        pytest.param({"scopes": ["write"]}, True, False, id="without the scope that each address asks for"),
        pytest.param({"expires_at": NOW + timedelta(hours=1)}, True, True, id="not over yet"),
        pytest.param({"expires_at": NOW - timedelta(minutes=1)}, False, False, id="over"),
        pytest.param({"revoked_at": NOW}, False, False, id="revoked"),
        pytest.param({"active": False}, False, False, id="its owner inactive"),
    ],
)
def test_a_key_is_good_for_the_api_and_for_live_delivery_or_for_neither(about, api, follows):
    debate, owner = factories.debate(visibility="private"), factories.moderator()
    key, text = keys.issue.__wrapped__(
        owner=owner, by=None, name="a key", now=NOW - timedelta(hours=1),
        scopes=about.get("scopes", ["read"]), expires_at=about.get("expires_at"),
    )  # fmt: skip
    ApiKey.objects.filter(pk=key.pk).update(revoked_at=about.get("revoked_at"))
    User.objects.filter(pk=owner.pk).update(is_active=about.get("active", True))

    followed = live(AccessRequest(debate.public_id, key=key.digest))

    assert (keys.key_of(text=text, now=timezone.now()) is not None) == api
    assert followed == ({audience.value for audience in Audience} if follows else Close.BAD_KEY)


@pytest.mark.parametrize("hindered", ["refused", "held up"])
def test_a_key_whose_use_is_not_written_down_holds_up_the_rights_of_nobody(hindered, caplog):
    debate, owner = factories.debate(), factories.moderator()
    key, _ = keys.issue.__wrapped__(
        owner=owner, by=None, name="a key", now=NOW - timedelta(hours=1), scopes=["read"], expires_at=None
    )
    written = []

    class Hindered(OneConnection):
        async def rows(self, query, parameters=None):
            if query is not NOTE_USE:
                return await super().rows(query, parameters)
            written.append(parameters["keys"])
            if hindered == "held up":
                await asyncio.sleep(3600)
            raise errors.ReadOnlySqlTransaction("cannot execute UPDATE in a read-only transaction")

    async def come(reader):
        rights, answers = Authorization(reader), []
        for request in (AccessRequest(debate.public_id, key=key.digest), AccessRequest(debate.public_id)):
            async with asyncio.timeout(60):  # far less than what is held up
                answers.append(await rights.of(request))
        await asyncio.sleep(0)
        return [{audience.value for audience in answer.audiences} for answer in answers]

    assert asyncio.run(come(Hindered())) == [{audience.value for audience in Audience}, {"public"}]

    assert written == [[key.pk]]
    assert ("was not written down" in caplog.text) == (hindered == "refused")
