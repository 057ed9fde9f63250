"""Bodies that are too large, too deep or no JSON are refused as problems and break nothing."""

import gzip
import json

import pytest

from tests import factories
from tests.api.clients import V1, Api, code_of

pytestmark = pytest.mark.django_db


def sent(body):
    """Send a body as a moderator who creates a debate."""
    api = Api(factories.moderator())
    return api.client.post(f"{V1}/debates/", data=body, content_type="application/json", headers=api.headers)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        pytest.param("[" * 200_000, "parse_error", id="lists without an end"),
        pytest.param('{"a":' * 100_000, "parse_error", id="objects without an end"),
        pytest.param("[" * 60 + "]" * 60, "parse_error", id="sixty levels"),
        pytest.param('{"title": NaN}', "parse_error", id="no number"),
        pytest.param('{"rounds": ' + "9" * 5000 + "}", "parse_error", id="a number of 5,000 digits"),
        pytest.param('{"title": "a\\u0000b"}', "invalid", id="a NUL"),
        pytest.param('{"title": "\\ud800"}', "invalid", id="half a character"),
        pytest.param("title=A+debate", "parse_error", id="a form"),
        pytest.param("[]", "invalid", id="a list"),
    ],
)
def test_a_body_that_cannot_be_read_is_a_problem_of_whoever_sent_it(body, code):
    answer = sent(body)

    assert (answer.status_code, answer.json()["code"]) == (400, code)


@pytest.mark.parametrize("path", ["/accounts/login/", "/admin/login/", "/debates/", f"{V1}/debates/", f"{V1}/nowhere/"])
def test_a_body_that_is_too_large_is_said_to_be_so_on_pages_and_by_the_api(path):
    api = Api(factories.moderator())
    kind, body = (
        ("application/json", "{") if path.startswith("/api") else ("application/x-www-form-urlencoded", "login=")
    )

    answer = api.client.post(path, body + "x" * 30_000_000, content_type=kind, headers=api.headers)

    known = {f"{V1}/nowhere/": 404, "/debates/": 404, "/admin/login/": 302}
    assert answer.status_code in {413, known.get(path)}
    if path == f"{V1}/debates/":
        assert code_of(answer) == (413, "too_large")
    if path == "/accounts/login/":
        page = answer.content.decode()
        assert answer.status_code == 413
        assert [
            part for part in ("too much at once", "more than 6.0\xa0MB", "upload the text") if part not in page
        ] == []


@pytest.mark.parametrize(
    "body",
    [
        pytest.param('{"\\ud800": 1}', id="a field"),
        pytest.param('{"visibility": "\\ud800"}', id="a choice"),
        pytest.param('{"initial": {"\\ud800": {}}}', id="a field within"),
    ],
)
def test_half_a_character_that_a_refusal_quotes_breaks_nothing(body):
    answer = sent(body)

    assert answer.status_code == 400
    assert "?" in answer.content.decode()


@pytest.mark.parametrize("path", ["/", f"{V1}/debates/"])
def test_a_cookie_that_no_database_takes_is_no_session(path):
    client = Api().client
    client.cookies.load('sessionid="' + "\\000" * 32 + '"')

    assert client.get(path).status_code == 200


def test_a_packed_body_is_not_unpacked():
    api = Api(factories.moderator())
    small, huge = (gzip.compress(json.dumps({"title": "x" * size}).encode()) for size in (10, 20_000_000))

    answers = [
        api.client.post(
            f"{V1}/debates/",
            data=body,
            content_type="application/json",
            headers={**api.headers, "content-encoding": "gzip"},
        )
        for body in (small, huge)
    ]

    assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [(400, "parse_error")] * 2
