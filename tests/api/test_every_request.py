"""Everything that the schema allows, and much that it does not: as nobody, with a wrong key, as reader and moderator.

The seed is fixed, so that what is found once is found again.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import pytest
import schemathesis
from django.contrib.auth.models import User
from django.core.cache import caches
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, Phase, settings
from schemathesis import checks
from schemathesis.core import NotSet

from debates.models import Debate, Participant
from scoring.services import rubric_store
from tests import factories, playing, rows_in_every_table
from tests.api import path_rows
from tests.api.clients import ALL, key_for
from tests.examples import examples
from tests.module_fixtures import rolled_back

app = get_wsgi_application()
SCHEMA = schemathesis.openapi.from_wsgi("/api/v1/schema/", app)
CHECKS = (
    checks.not_a_server_error,
    *(checks.CHECKS.get_one(name) for name in (
        "status_code_conformance", "content_type_conformance", "response_schema_conformance",
        "response_headers_conformance", "unsupported_method",
    )),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Role:
    """Who asks: with which key, and as which user if the key is one."""

    key: str | None
    user: User | None = None

    @property
    def headers(self) -> Mapping[str, str]:
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}


def seated(user: User, *, scopes: Sequence[str], debate: Debate) -> Role:
    """Return the role of a user who has something of everything that belongs to somebody, and a seat."""
    key = key_for(user, scopes=scopes)
    rows_in_every_table.told_outside(debate, user)
    free = Participant.objects.filter(awaited__isnull=False, user=None)
    Participant.objects.filter(pk=free.earliest("pk").pk).update(user=user)
    return Role(key, user)


@pytest.fixture(scope="module")
def roles(django_db_setup, django_db_blocker) -> Iterator[Mapping[str, Role]]:
    """A few rows of everything, and a caller for each role; all of it is rolled back."""
    with rolled_back(django_db_blocker):
        first, second = (rows_in_every_table.one(name) for name in ("first", "second"))
        rubric_store.store(snapshot=playing.rubric("P1"), by=None)
        playing.debate(playing.script([[playing.ruling("1")]]))
        yield {
            "nobody": Role(None),
            "wrong": Role("moot_wrong"),
            "reader": seated(factories.person("reader"), scopes=["read"], debate=first),
            "moderator": seated(factories.moderator("moderator"), scopes=ALL, debate=second),
        }


def of_this_world(case: Any, *, who: str, role: Role, made_up: Mapping[str, Any]) -> dict[str, Any]:
    """Return what somebody names in an address: three times in four what is there, else what was made up."""
    known = path_rows.names(case.path, whose=role.user) if made_up else {}
    about = repr((who, dict(made_up), None if isinstance(case.body, NotSet) else case.body))

    def is_there(name: str) -> bool:
        return name in known and crc32(f"{name} {about}".encode("utf-8", "replace")) % 4 > 0

    return {name: known[name] if is_there(name) else made for name, made in made_up.items()}


def let_in(role: str, *, open_to_all: bool) -> Collection[int]:
    """What a role may be answered: a wrong key opens nothing; without one, only an address that is none is told so."""
    if role == "wrong":
        return {401}
    if role == "nobody" and not open_to_all:
        return {401, 404}
    return set(range(200, 500)) - {401}


@pytest.mark.django_db
@pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume asynchronous iterators")  # exports, over WSGI
@SCHEMA.parametrize()
@settings(
    max_examples=examples(8),
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_no_request_breaks_anything_and_every_answer_is_as_described(case, roles):
    caches["pace"].clear()
    open_to_all = {} in case.operation.definition.raw.get("security", [])
    made_up = dict(case.path_parameters or {})

    for name, role in roles.items():
        case.path_parameters = of_this_world(case, who=name, role=role, made_up=made_up)
        (case.headers or {}).pop("Authorization", None)
        answer = case.call(headers=role.headers)
        case.validate_response(answer, checks=CHECKS)
        assert answer.status_code in let_in(name, open_to_all=open_to_all), name
