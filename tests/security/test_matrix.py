"""Who may do what: every address of the site, by GET and POST, and by DELETE where something is deleted, tried by every
kind of caller.

``matrix.txt`` is what is expected: under the names of those who are let in stands what they are let in to. An address
that is not there fails, so that nobody adds one without saying who it is for. Let in means: not 401, 403, 404 or 405,
and not sent to sign in or to give the second factor; what a request would then be refused for is not told here. The
API is asked by people who have just proved to be here still.

It tries some ten thousand requests, which takes minutes: the one place where all of them stand together. The admin lets
in nobody who is no staff, so that one of those asks for each address of it, another for the next; so does one of those
without a second factor everywhere; where the API has nothing that would answer a method, and where everybody reads, one
caller asks beside a superuser, there also nobody. ``make soak`` has all of them ask. With
``WRITE_MATRIX=1`` in the environment it writes what it saw into the table, to be read before it is kept.
"""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache as kept
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import UUID
from zlib import crc32

import pytest
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.conf import settings as site_settings
from django.contrib.admin.models import ADDITION, LogEntry
from django.contrib.auth.models import Group, User
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.db import transaction
from django.http import HttpResponse
from django.template.base import Template
from django.test import RequestFactory
from django.test.client import ClientHandler
from django.urls import URLPattern, get_resolver
from django.utils import timezone

from config import site
from debates.models import Debate, Invitation, Membership, Participant, Profile
from debates.models.access import digest_of
from judging.formats.registry import format_of
from judging.models import NewDebate
from scoring import groups
from scoring.models import Appeal, Fact, Rubric
from scoring.services.entries import actor_of, reason_record
from tests import factories, playing, rows_in_every_table
from tests.api import path_rows
from tests.api.clients import key_for
from tests.judging.formats.panel.seats import PERSON, waits
from tests.moderators import client_of, factor_of, proved
from tests.module_fixtures import nested

pytestmark = pytest.mark.django_db
TABLE = Path(__file__).with_name("matrix.txt")
STAFF = {"auditor": groups.AUDITOR, "moderator": groups.MODERATOR, "senior": groups.SENIOR}
WITHOUT_FACTOR = ("senior-without-factor", "superuser-without-factor")
CALLERS = (
    "nobody", "person", "seated", "guest", "judge", "organiser", "creator", "maker", "staff", *STAFF, "superuser",
    *WITHOUT_FACTOR, "read-key", "write-key",
)  # fmt: skip
"""Staff without a group, and the three groups, have given their second factor, but for two; keys are a superuser's.

A guest, a judge and an organiser have that role in the private debates that the creator made, and no other rights. A
maker is of the group Organiser, has given a second factor, and fills in a new debate.
"""
ROLES = ("guest", "judge", "organiser")
NO_STAFF = ("person", "seated", *ROLES, "creator", "maker", "read-key", "write-key")
"""To the admin they are all the same, who is not let in: each address of it is asked by one of them, in turn."""
ASKED_ELSEWHERE = (
    "/accounts/login/", "/accounts/reauthenticate/", "/accounts/2fa/reauthenticate/", "/accounts/2fa/totp/activate/",
    "/admin/login/",
)  # fmt: skip
OWNED = tuple(f"/api/v1/{resource}/<uuid:id>/" for resource in path_rows.OWNED)
"""Where the API tells of what belongs to somebody."""
INVITATION = "an-invitation"
EVERYBODY, NONE = "everybody", "none of them"
OUTSIDERS = ("nobody", *NO_STAFF, "staff")
WHO_FIRST_OF_ALL = ("/admin/auth/user/<id>/password/", "/admin/mfa/authenticator/<path:object_id>/delete/")
"""Where even who may not is asked who they are."""
MANY = {"action": "freeze", "reason": factories.REASON, "evaluations": [{"evaluation": str(UUID(int=0))}]}
REFUSED = {401, 403, 404, 405}
SITE = ClientHandler(enforce_csrf_checks=False)
"""What a client of a test asks, without the copies of what each template was given."""
NAMED = re.compile(r"<(?:\w+:)?(\w+)>")


@dataclass(frozen=True)
class Caller:
    """Somebody who asks, with a cookie or a key, again and again as if for the first time."""

    cookies: Mapping[str, str]
    headers: Mapping[str, str]
    proved: Mapping[str, str] = field(default_factory=dict)

    def ask(self, method: str, path: str) -> HttpResponse:
        """What they are answered; what they did is taken back."""
        asks = RequestFactory(headers=self.headers)
        asks.cookies.load(self.proved if "/api/" in path else self.cookies)
        asked = asks.generic(method, path, body_of(path), content_type=kind_of(path))
        with nested():
            answer = SITE(asked.environ)
            transaction.set_rollback(True)  # what they did is taken back
        assert answer.status_code not in {429, 500}, (method, path)
        return answer


def kind_of(path: str) -> str:
    return "application/json" if "/api/" in path else "application/x-www-form-urlencoded"


def body_of(path: str) -> str:
    """What is sent: nothing but, where a turn is spoken or kept, the seat of the seated one, and words."""
    if path.endswith(("/turn/", "/draft/")):
        seat = Participant.objects.get(debate=Debate.objects.latest("pk"), user__username="seated")
        return urlencode({"seat": seat.public_id, "text": "Buses without tickets fill at once."})
    if path.endswith(("/evaluations/bulk/", "/rescore-sets/")):
        return json.dumps(MANY)
    return "{}" if "/api/" in path else ""


def sent_away(answer) -> bool:
    """Whether an answer only says where to sign in, or to prove who one is."""
    way = answer.headers.get("Location", "")
    return answer.status_code == 302 and way.startswith(ASKED_ELSEWHERE)


def refused_in_words(pattern: str, name: str, answer: HttpResponse) -> bool:
    """Whether a table of the admin sends whoever is no staff to sign in, and tells staff that they may not."""
    parts = pattern.split("/")
    if len(parts) < 5 or parts[2] not in apps.app_configs:
        return True  # it is about no table
    return sent_away(answer) if name != "staff" or pattern in WHO_FIRST_OF_ALL else answer.status_code == 403


def let_in(answer: HttpResponse) -> bool:
    return not (answer.status_code in REFUSED or sent_away(answer))


@pytest.fixture
def callers(settings, monkeypatch) -> Mapping[str, Caller]:
    """One of each, and everything that addresses are about: theirs where it belongs to somebody.

    Pages are not drawn, nor the admin's menu beside them: who is let in is decided before, and what they show is looked
    at elsewhere.
    """
    monkeypatch.setattr(Template, "render", lambda self, context: "")
    monkeypatch.setattr(site.ModerationSite, "each_context", lambda self, request: {})
    settings.STAFF_NEED_SECOND_FACTOR = True
    settings.API_PER_MINUTE = settings.API_PER_MINUTE_ANONYMOUS = 1_000_000
    cache.clear()
    people = {
        name: User.objects.create_user(name, password="x") for name in ("person", "seated", "creator", "maker", *ROLES)
    }
    people["maker"].groups.add(Group.objects.get(name=groups.ORGANISER))
    people |= {name: factories.person(name) for name in ("staff", *STAFF)}
    for name, group in STAFF.items():
        people[name].groups.add(Group.objects.get(name=group))
    people |= {"superuser": factories.moderator("superuser")}
    for user in people.values():
        user.set_password("x")
        user.save()
    world(people)
    sessions = {**people, "senior-without-factor": people["senior"], "superuser-without-factor": people["superuser"]}
    found = {}
    for name, user in sessions.items():
        factor = (user.is_staff or name == "maker") and "without" not in name
        proof = "without" not in name  # by which they would give the factor
        found[name] = Caller(session(user, factor=factor), {}, proved=session(user, factor=factor, proof=proof))
    for name, scopes in (("read-key", ["read"]), ("write-key", ["read", "write"])):
        found[name] = Caller({}, {"Authorization": f"Bearer {key_for(people['superuser'], scopes=scopes)}"})
    return {"nobody": Caller({}, {}), **found}


def session(user: User, *, factor: bool, proof: bool = False) -> dict[str, str]:
    """The cookie of somebody who is signed in, and may have proved it just now."""
    client = client_of(user)
    if factor:
        made = client.session
        made["account_authentication_methods_user"] = str(user.pk)
        made["account_authentication_methods"] = [factor_of(user)]
        made.save()
    if proof:
        proved(client, lasting=3600)
    return {site_settings.SESSION_COOKIE_NAME: client.cookies[site_settings.SESSION_COOKIE_NAME].value}


def world(people: Mapping[str, User]) -> None:
    """Something of everything, in private debates that the creator made and the seated one takes part in."""
    waits([], sits=[PERSON])
    debate = rows_in_every_table.one("first")
    playing.debate(playing.script([[playing.ruling("1")]]))  # the newest, which addresses are about, is a whole one
    rows_in_every_table.told_outside(debate, people["creator"])
    Debate.objects.update(visibility="private", created_by=people["creator"])
    for number, row in enumerate(Debate.objects.exclude(format="panel")):
        about = {"role": "chair", "kind": "human", "name": "A seat", "position": 90 + number}
        Participant.objects.create(debate=row, user=people["seated"], **about)
    Participant.objects.filter(awaited__isnull=False).update(user=people["seated"])
    Membership.objects.update(revoked_at=timezone.now())
    for row in Debate.objects.all():
        for role in ROLES:
            Membership.objects.create(debate=row, user=people[role], role=role)
    newest = Debate.objects.order_by("pk").last()
    Participant.objects.create(debate=newest, role="judge", kind="human", name="A judge", position=99)
    factories.count(newest.evaluations.earliest("pk"), "1")
    appellant = {"person": people["creator"], "appellant": actor_of(people["creator"])}
    Appeal.objects.create(
        debate=newest, ground="other", evidence={}, because=reason_record(factories.REASON), **appellant
    )
    invitation = {"created_by": people["creator"], "expires_at": timezone.now() + timedelta(days=1), "places": 99}
    Invitation.objects.create(debate=newest, role="guest", digest=digest_of(INVITATION), **invitation)
    NewDebate.objects.create(owner=people["maker"], format="open", body={})
    kind = ContentType.objects.get_for_model(User)
    LogEntry.objects.create(user=people["creator"], content_type=kind, object_id="1", action_flag=ADDITION)
    Authenticator.objects.create(user=people["person"], type="totp", data={})


def patterns() -> Iterator[str]:
    """Every address of the site as it is written down, without those of the streams, which no view serves."""
    yield from views()


@kept
def views() -> Mapping[str, Callable[..., Any]]:
    """The first view of every address."""

    def within(rows, before: str = "/") -> Iterator[tuple[str, Callable[..., Any]]]:
        for row in rows:
            whole = before + str(row.pattern).removeprefix("^").removesuffix("$").removesuffix(r"\Z")
            yield from [(whole, row.callback)] if isinstance(row, URLPattern) else within(row.url_patterns, whole)

    found: dict[str, Callable[..., Any]] = {}
    for pattern, view in within(get_resolver().url_patterns):
        found.setdefault(pattern, view)
    return found


def methods(pattern: str) -> list[str]:
    return ["GET", "POST", *(["DELETE"] if answers(f"DELETE {pattern}", of_all=False) else [])]


def answers(line: str, *, of_all: bool = True) -> bool:
    """Whether a view has something to answer a method with; of what is no class nobody can say that it has not."""
    method, pattern = line.lower().partition(" ")[0], line.partition(" ")[2]
    view: Any = views().get(pattern)
    of = getattr(view, "cls", None)
    return of_all if of is None else method in (getattr(view, "actions", None) or dir(of))


def of_debate(parts: Sequence[str], debate: Debate) -> dict[str, str]:
    """What stands in an address for something in a debate."""
    if "people" in parts:
        return {
            "number": str(Membership.objects.get(debate=debate, role="judge", revoked_at=None).public_id),
            "seat": str(Participant.objects.get(debate=debate, name="A judge").public_id),
        }
    if "scores" in parts:
        return {"score": str(debate.evaluations.earliest("pk").public_id), "entry": "1"}
    if "rulings" in parts:
        return {"fact": str(Fact.objects.filter(evaluation__debate=debate).earliest("pk").public_id)}
    return {"number": str(Appeal.objects.get(debate=debate).public_id)} if "appeals" in parts else {}


def address(pattern: str) -> str:
    """An address that a pattern stands for, about something that is there."""
    if pattern.startswith("/api/"):
        return (
            NAMED.sub(r"{\1}", pattern)
            .replace(".*", "nothing/")
            .format(**path_rows.names(NAMED.sub(r"{\1}", pattern), whose=User.objects.get(username="creator")))
        )
    debate = Debate.objects.order_by("pk").last()
    named = {"address": str(debate.public_id), "invitation": INVITATION, "part": "report", "content_type_id": "1"}
    named["action"] = "pause"
    parts = pattern.split("/")
    named |= of_debate(parts, debate)
    if pattern.startswith("/invitations/"):
        named["number"] = str(Invitation.objects.get(digest=digest_of(INVITATION)).public_id)
    named |= own(pattern)
    if pattern.startswith("/rubrics/"):
        named |= {"id": str(Rubric.objects.earliest("pk").public_id), "kind": "json"}
    if pattern.startswith("/admin/") and len(parts) > 4 and parts[2] in {row.label for row in apps.get_app_configs()}:
        model = apps.get_model(parts[2], parts[3])
        rows = User.objects.filter(username="person") if model is User else model._default_manager.order_by("pk")
        row = rows.last()
        named |= dict.fromkeys(("object_id", "id"), str(row.pk if row else 0))
    pattern = re.sub(r"\(\?P<(?:uidb36|key)>[^)]*\)", "x", pattern)
    plain = NAMED.sub(lambda found: named.get(found[1], "1"), pattern)
    plain = re.sub(r"\(\?P<app_label>[^)]*\)", "auth", plain)
    return re.sub(r"\(\?P<url>[^)]*\)", "nothing/", plain)


def own(pattern: str) -> dict[str, str]:
    """What names something of one person: the new debate of the maker, the switch of the creator's mail."""
    if "<uuid:new>" in pattern:
        new = NewDebate.objects.get(owner__username="maker")
        return {"new": str(new.public_id), "step": format_of(new.format).steps[0].name}
    if pattern.startswith("/mail/stop/"):
        profile, _ = Profile.objects.get_or_create(user=User.objects.get(username="creator"))
        return {"token": profile.unsubscribe_token.hex, "kind": "concluded"}
    return {}


def area(pattern: str) -> str:
    """Which of the tests tries a pattern."""
    first, second = [*pattern.split("/"), ""][1:3]
    if first == "admin":
        return f"admin/{second}" if second in {"debates", "scoring", "judging"} else "admin"
    return first if first in {"api", "accounts"} else "pages"


AREAS = sorted({area(pattern) for pattern in patterns()})


@kept
def expected() -> Mapping[str, str]:
    """The table: who is let in, for each method and pattern."""
    found, who = {}, ""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            who = line.removeprefix("== ")
        elif line and not line.startswith("#"):
            assert line not in found, f"{line} stands there twice"
            found[line] = who
    return found


def askers(line: str) -> list[str]:
    """Who asks for an address by a method."""
    pattern = line.partition(" ")[2]
    drawn = crc32(pattern.encode())
    if {"WRITE_MATRIX", "MOOT_SOAK"} & os.environ.keys():
        return list(CALLERS)
    if pattern.startswith("/api/") and not answers(line):
        return sorted({CALLERS[drawn % len(CALLERS)], "superuser"}, key=CALLERS.index)
    if line.startswith("GET ") and expected().get(line) == EVERYBODY:
        return sorted({"nobody", CALLERS[drawn % len(CALLERS)], "superuser"}, key=CALLERS.index)
    left_out = {WITHOUT_FACTOR[drawn % 2]}
    if pattern.startswith("/admin/"):
        left_out |= {*NO_STAFF} - {NO_STAFF[drawn % len(NO_STAFF)]}
    return [name for name in CALLERS if name not in left_out]


def expected_of(part: str) -> dict[str, list[str]]:
    """Who of those that ask is let in to each address of a part."""
    lines = {line: (line.partition(" ")[2], who) for line, who in expected().items()}
    return {
        line: [name for name in askers(line) if who == EVERYBODY or name in who.split()]
        for line, (pattern, who) in lines.items()
        if area(pattern) == part
    }


def words(inside: list[str]) -> str:
    """How the table names those who are let in."""
    return EVERYBODY if inside == list(CALLERS) else " ".join(inside) or NONE


def write(table: Mapping[str, str]) -> None:
    """Write the table: who is let in to most first, then by address."""
    groups_of: dict[str, list[str]] = {}
    for line in sorted(table, key=lambda line: (line.partition(" ")[2], line)):
        groups_of.setdefault(table[line], []).append(line)
    order = sorted(groups_of, key=lambda who: (who == NONE, who != EVERYBODY, -len(who.split()), who))
    head = TABLE.read_text(encoding="utf-8").partition("\n")[0]
    parts = ["\n".join([f"== {who}", *groups_of[who]]) for who in order]
    TABLE.write_text("\n\n".join([head, *parts]) + "\n", encoding="utf-8")


@pytest.mark.parametrize("part", AREAS)
def test_everybody_is_let_in_to_what_the_table_says_and_to_nothing_else(callers, part):
    tried, silent = {}, set()
    for pattern in patterns():
        if area(pattern) != part:
            continue
        path = address(pattern)
        for method in methods(pattern):
            line = f"{method} {pattern}"
            asked = {name: callers[name].ask(method, path) for name in askers(line)}
            tried[line] = [name for name, answer in asked.items() if let_in(answer)]
            if pattern.startswith(OWNED) and answers(line):
                assert (line, asked["person"].status_code) == (line, 404), "to a stranger it is not there"
            outside = {name: answer for name, answer in asked.items() if name in OUTSIDERS and not let_in(answer)}
            silent |= {(line, name) for name, one in outside.items() if not refused_in_words(pattern, name, one)}

    if "WRITE_MATRIX" in os.environ:
        others = {line: who for line, who in expected().items() if area(line.partition(" ")[2]) != part}
        write(others | {line: words(inside) for line, inside in tried.items()})
    assert tried == expected_of(part)
    assert not part.startswith("admin") or silent == set()


def test_the_table_names_no_address_that_is_gone():
    known = {f"{method} {pattern}" for pattern in patterns() for method in methods(pattern)}

    assert set(expected()) - known == set()


def test_what_a_guest_reads_of_a_private_debate_everybody_reads_of_a_public_one(callers):
    Debate.objects.update(visibility="public")
    read = [
        line.partition(" ")[2]
        for line, who in expected().items()
        if line.startswith("GET /api/") and "guest" in who.split() and "person" not in who.split()
    ]

    assert [pattern for pattern in read if not let_in(callers["nobody"].ask("GET", address(pattern)))] == []
    assert len(read) > 10
