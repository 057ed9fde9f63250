"""Everything that the schema allows, and much that it does not: as nobody, with a wrong key, as reader and moderator.

The seed is fixed, so that what is found once is found again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any
from zlib import crc32

import pytest
import schemathesis
from django.core.cache import caches
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, settings
from schemathesis import checks

from debates.models import AwaitedTurn, Debate, Subject
from judging.models import JudgeReport, ResponseEvaluation, Review
from scoring.models import Alert, Approval, Evaluation, RescoreSet, Rubric
from scoring.services import rubric_store
from tests import everything, factories, playing
from tests.api.asking import ALL, key_for

app = get_wsgi_application()
SCHEMA = schemathesis.openapi.from_wsgi("/api/v1/schema/", app)
CHECKS = (
    checks.not_a_server_error,
    *(checks.CHECKS.get_one(name) for name in (
        "status_code_conformance", "content_type_conformance", "response_schema_conformance",
        "response_headers_conformance", "unsupported_method",
    )),
)  # fmt: skip
KINDS: Mapping[str, Any] = {
    "debates": Debate, "subjects": Subject, "evaluations": Evaluation, "alerts": Alert, "reviews": Review,
    "approvals": Approval, "rescore-sets": RescoreSet, "rubrics": Rubric, "awaited-turns": AwaitedTurn,
    "reports": JudgeReport,
    "response-evaluations": ResponseEvaluation,
}  # fmt: skip


@pytest.fixture(scope="module")
def keys(django_db_setup, django_db_blocker) -> Iterator[Mapping[str, str | None]]:
    """A few rows of everything, and a key for each role; all of it is rolled back."""
    for signal in (request_started, request_finished):  # as Django's own client does: it would end the transaction
        signal.disconnect(close_old_connections)
    outer = transaction.atomic()
    outer._from_testcase = True
    with django_db_blocker.unblock(), outer:
        for name in ("first", "second"):
            everything.one(name)
        rubric_store.store(snapshot=playing.rubric("P1"), by=None)
        playing.debate(playing.script([[playing.ruling("1")]]))
        reader, moderator = factories.person("reader"), factories.moderator("moderator")
        yield {
            "nobody": None,
            "wrong": "moot_wrong",
            "reader": key_for(reader, scopes=["read"]),
            "moderator": key_for(moderator, scopes=ALL),
        }
        transaction.set_rollback(True)
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def of_this_world(case: Any) -> None:
    """Let every other request be about something that is there."""
    names = case.path_parameters or {}
    kind = KINDS.get(case.path.split("/")[3])
    if "id" in names and kind is not None and crc32(repr(case.body).encode("utf-8", "replace")) % 2 == 0:
        row = kind.objects.order_by("pk").last()
        names["id"] = str(row.public_id) if row else names["id"]


def let_in(role: str, *, open_to_all: bool) -> Collection[int]:
    """What a role may be answered: a wrong key opens nothing; without one, only an address that is none is told so."""
    if role == "wrong":
        return {401}
    if role == "nobody" and not open_to_all:
        return {401, 404}
    return set(range(200, 500)) - {401}


@pytest.mark.django_db
@SCHEMA.parametrize()
@settings(
    max_examples=8,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_no_request_breaks_anything_and_every_answer_is_as_described(case, keys):
    caches["pace"].clear()
    of_this_world(case)
    open_to_all = {} in case.operation.definition.raw.get("security", [])

    for role, key in keys.items():
        (case.headers or {}).pop("Authorization", None)
        answer = case.call(headers={"Authorization": f"Bearer {key}"} if key else {})
        case.validate_response(answer, checks=CHECKS)
        assert answer.status_code in let_in(role, open_to_all=open_to_all), role
