"""Pages for what went wrong: in the site's own words, with the number under which the log has the request."""

from uuid import uuid4

import pytest
from django.db import OperationalError
from django.test import Client

from config import accounts
from judging.views import index, seat
from tests import factories
from tests.moderators import client_of

NUMBER = {"X-Request-ID": "moot-4711"}


def failing(monkeypatch, error: Exception) -> None:
    def fail(**_):
        raise error

    monkeypatch.setattr(index, "listing", fail)


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        pytest.param(ZeroDivisionError("secret"), 500, "Something went wrong on our side", id="a bug"),
        pytest.param(OperationalError("secret"), 503, "Back in a moment", id="no database"),
    ],
)
def test_a_page_that_breaks_names_the_request_and_tells_nothing_else(monkeypatch, error, status, words):
    failing(monkeypatch, error)

    answer = Client(raise_request_exception=False).get("/", headers=NUMBER)

    page = answer.content.decode()
    assert (answer.status_code, answer.headers["X-Request-ID"]) == (status, "moot-4711")
    assert words in page
    assert '<span class="code long">moot-4711</span>' in page
    assert "secret" not in page


@pytest.mark.parametrize(
    ("where", "name"),
    [
        pytest.param(seat, "known", id="in the view"),
        pytest.param(accounts.NobodyWithoutSecondFactor, "__call__", id="before the view is known"),
    ],
)
@pytest.mark.parametrize(
    ("origin", "shown"),
    [
        pytest.param("http://testserver", True, id="a page of this site"),
        pytest.param("http://evil.example", False, id="a page of another site"),
    ],
)
def test_what_was_typed_is_shown_again_where_the_database_is_away_to_who_typed_it_here(
    monkeypatch, where, name, origin, shown
):
    def away(*_):
        raise OperationalError

    monkeypatch.setattr(where, name, away)
    form, headers = {"text": "Wells are deep."}, {"Origin": origin}

    answer = Client(raise_request_exception=False).post(f"/debates/{uuid4()}/turn/", form, headers=headers)

    assert answer.status_code == 503
    assert (">\nWells are deep.</textarea>" in answer.content.decode()) == shown


def test_without_a_number_of_its_own_a_request_is_given_one(monkeypatch):
    failing(monkeypatch, ZeroDivisionError())

    answer = Client(raise_request_exception=False).get("/")

    assert answer.headers["X-Request-ID"] in answer.content.decode()


@pytest.mark.parametrize("path", ["/", "/nowhere/"])
def test_a_request_that_cannot_be_read_is_told_so_in_our_words_with_the_number(path):
    answer = Client().get(path, headers={**NUMBER, "Host": "elsewhere.example"})

    page = answer.content.decode()
    assert answer.status_code == 400
    assert "This request cannot be read" in page
    assert '<span class="code long">moot-4711</span>' in page
    assert "elsewhere" not in page


@pytest.mark.django_db
def test_a_form_without_its_token_is_refused_in_our_words_with_the_number():
    client = client_of(factories.moderator())
    client.handler.enforce_csrf_checks = True

    answer = client.post("/rubrics/new/", {"name": "Wells"}, headers=NUMBER)

    page = answer.content.decode()
    assert answer.status_code == 403
    assert "This form was not accepted" in page
    assert "moot-4711" in page
    assert "DEBUG" not in page


@pytest.mark.parametrize(
    ("kind", "ask"),
    [
        pytest.param("DisallowedHost", {"headers": {"host": "evil.example"}}, id="another host"),
        pytest.param("TooManyFieldsSent", {"data": {f"field{n}": "" for n in range(1001)}}, id="too many fields"),
    ],
)
@pytest.mark.django_db
def test_what_whoever_asks_got_wrong_is_one_line_in_the_log_and_no_error(caplog, kind, ask):
    answer = Client().post("/accounts/login/", **ask)

    [record] = (record for record in caplog.records if record.name.startswith("django.security."))
    assert (answer.status_code, record.name) == (400, f"django.security.{kind}")
    assert (record.levelname, record.exc_info) == ("WARNING", None)
