"""Coming in: keys, sessions, pace, problems on every path, request ids, other origins."""

import hashlib
import logging
import re
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import path
from django.utils import timezone

from config import urls as real
from debates.errors import Invalid, NotAllowedNow, NotFound
from debates.models import ApiKey
from debates.printable import Formatter
from debates.services import keys
from tests import factories
from tests.api.clients import Api, code_of, key_for
from tests.moderators import client_of

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def broken(request):
    raise RuntimeError("on purpose")


urlpatterns = [path("api/v1/broken/", broken), path("broken/", broken), *real.urlpatterns]
handler400, handler403, handler404, handler500 = real.handler400, real.handler403, real.handler404, real.handler500


def bearer(text: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {text}"}


def test_of_a_key_only_a_digest_is_kept_and_the_text_opens_the_door():
    alice = factories.person("alice")

    key, text = keys.issue(owner=alice, by=None, name="Reports", scopes=["read"], now=timezone.now())

    assert key.digest == hashlib.sha256(text.encode()).hexdigest()
    assert text.startswith(key.prefix)
    assert text not in [str(value) for value in ApiKey.objects.filter(pk=key.pk).values()[0].values()]
    assert Client().get("/api/v1/subjects/", headers=bearer(text)).status_code == 200


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"revoked_at": timezone.now()}, id="revoked"),
        pytest.param({"owner__is_active": False}, id="its owner gone"),
        pytest.param({"expires": True}, id="expired"),
        pytest.param({"text": "moot_nonsense"}, id="unknown"),
        pytest.param({"text": "€"}, id="no key at all"),
    ],
)
def test_a_key_that_is_not_good_is_refused_even_where_everybody_may_read(change):
    alice = factories.person("alice")
    now = timezone.now()
    over = now - timedelta(hours=1)
    expires = over + timedelta(minutes=1) if "expires" in change else None
    key, text = keys.issue(owner=alice, by=None, name="Reports", scopes=["read"], now=over, expires_at=expires)
    if "revoked_at" in change:
        keys.revoke(key_id=key.pk, by=alice, now=now)
    if "owner__is_active" in change:
        alice.is_active = False
        alice.save()

    answer = Client().get("/api/v1/subjects/", headers={"Authorization": f"Bearer {change.get('text', text)}"})

    assert code_of(answer) == (401, "bad_key")
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="Moot"'


def test_the_use_of_a_key_is_written_down_at_most_once_a_minute():
    now = timezone.now()
    key, text = keys.issue(owner=factories.person(), by=None, name="Reports", scopes=["read"], now=now - HOUR)

    used = [keys.key_of(text=text, now=now + timedelta(seconds=seconds)) for seconds in (0, 59, 60)]
    key.refresh_from_db()

    assert [one.last_used_at for one in used] == [None, now, now]
    assert key.last_used_at == now + timedelta(seconds=60)


@pytest.mark.parametrize(
    "wrong",
    [{"name": " "}, {"name": "n" * 81}, {"scopes": []}, {"scopes": ["everything"]}, {"expires_at": timezone.now()}],
    ids=["no name", "a name that is too long", "no scope", "a scope that is none", "an end that is past"],
)
def test_a_key_that_makes_no_sense_is_refused(wrong):
    usual = {"owner": factories.person(), "by": None, "name": "Reports", "scopes": ["read"], "now": timezone.now()}

    with pytest.raises(Invalid):
        keys.issue(**{**usual, **wrong})

    assert not ApiKey.objects.exists()


def test_a_key_is_revoked_once_and_by_nobody_else():
    alice, bob = factories.person("alice"), factories.person("bob")
    key, _ = keys.issue(owner=alice, by=None, name="Reports", scopes=["read"], now=timezone.now())

    with pytest.raises(NotFound):
        keys.revoke(key_id=key.pk, by=bob, now=timezone.now())
    keys.revoke(key_id=key.pk, by=alice, now=timezone.now())

    with pytest.raises(NotAllowedNow):
        keys.revoke(key_id=key.pk, by=alice, now=timezone.now())


def test_a_key_manages_itself_alone_unless_it_has_the_scope_for_others():
    alice = factories.person("alice")
    thief, keeper = (Api(alice, scopes=["read", "write", *more]) for more in ((), ("keys",)))
    own, other = (ApiKey.objects.order_by("pk")[number] for number in (0, 1))

    assert [row["id"] for row in thief.get("/api-keys/").json()["results"]] == [str(own.public_id)]
    assert code_of(thief.post(f"/api-keys/{other.public_id}/revoke/")) == (404, "not_found")
    assert len(keeper.get("/api-keys/").json()["results"]) == 2
    assert thief.post(f"/api-keys/{own.public_id}/revoke/").status_code == 200
    third = keys.issue(owner=alice, by=None, name="Third", scopes=["read"], now=timezone.now())[0]
    assert keeper.post(f"/api-keys/{third.public_id}/revoke/").status_code == 200


def test_a_key_without_the_scope_does_not_read():
    api = Api(factories.moderator(), scopes=["metrics"])

    assert code_of(api.get("/subjects/")) == (403, "missing_scope")


@pytest.mark.parametrize("method", ["get", "post", "put", "delete", "options"])
def test_an_address_that_is_none_is_a_problem_and_never_a_redirect(method):
    assert code_of(getattr(Client(), method)("/api/v1/nothing")) == (404, "not_found")
    assert code_of(getattr(Client(), method)("/api/v1/nothing/")) == (404, "not_found")


@pytest.mark.parametrize("address", ["/api/v1/subjects/not-a-uuid/", "/api/v2/subjects/", "/api/"])
def test_an_address_that_does_not_fit_is_a_problem_too(address):
    assert code_of(Client().get(address)) == (404, "not_found")


def test_elsewhere_a_page_that_is_not_there_is_a_page():
    answer = Client().get("/nothing/")

    assert (answer.status_code, answer.headers["Content-Type"]) == (404, "text/html; charset=utf-8")


@pytest.mark.urls("tests.api.test_permissions")
def test_what_breaks_is_a_problem_under_the_api_and_a_page_elsewhere(caplog):
    caplog.set_level(logging.CRITICAL, logger="django.request")
    client = Client(raise_request_exception=False)

    assert code_of(client.get("/api/v1/broken/")) == (500, "broken")
    assert client.get("/broken/").headers["Content-Type"].startswith("text/html")


def test_the_framework_refuses_with_problems():
    client = Client()

    assert code_of(client.post("/api/v1/subjects/", "{}", content_type="application/json")) == (
        405,
        "method_not_allowed",
    )
    assert code_of(client.get("/api/v1/subjects/", headers={"Accept": "text/html"})) == (406, "not_acceptable")
    assert client.post("/api/v1/subjects/").headers["Allow"] == "GET, HEAD"


@pytest.fixture
def minute(monkeypatch):
    """One minute that does not end while requests are counted."""
    monkeypatch.setattr("debates.api.permissions.time", SimpleNamespace(time=lambda: 1_000_000.0))


def test_too_many_requests_are_told_when_to_come_again(settings, minute):
    settings.API_PER_MINUTE_ANONYMOUS = 2
    client = Client()

    answers = [client.get("/api/v1/subjects/") for _ in range(3)]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert code_of(answers[2]) == (429, "throttled")
    assert 1 <= int(answers[2].headers["Retry-After"]) <= 60
    assert Api(factories.person()).get("/subjects/").status_code == 200


def test_every_answer_says_how_many_requests_are_left_and_for_how_long(settings, minute):
    settings.API_PER_MINUTE, settings.API_PER_MINUTE_ANONYMOUS = 3, 2
    alice = Api(factories.person())

    answers = [alice.get("/subjects/"), alice.get("/alerts/"), alice.get("/subjects/"), alice.get("/subjects/")]
    stranger = Client().get("/api/v1/subjects/")

    assert [answer.status_code for answer in answers] == [200, 403, 200, 429]
    assert [answer.headers["RateLimit"] for answer in answers] == [
        '"key";r=2;t=20', '"key";r=1;t=20', '"key";r=0;t=20', '"key";r=0;t=20'
    ]  # fmt: skip
    assert {answer.headers["RateLimit-Policy"] for answer in answers} == {'"key";q=3;w=60'}
    assert answers[-1].headers["Retry-After"] == "20"
    assert (stranger.headers["RateLimit-Policy"], stranger.headers["RateLimit"]) == ('"at";q=2;w=60', '"at";r=1;t=20')


def test_the_schema_its_page_and_a_refused_type_say_how_many_requests_are_left_too(settings, minute):
    settings.API_PER_MINUTE, settings.API_PER_MINUTE_ANONYMOUS = 1, 4
    alice, html = Api(factories.person()), {"Accept": "text/html"}

    answers = [Client().get("/api/v1/schema/"), Client().get("/api/v1/docs/"), Client().get("/api/v1/", headers=html)]
    unknown = Client().get("/api/v1/subjects/", headers={**html, **bearer("moot_x")})
    known = [alice.get("/subjects/", headers=html) for _ in range(2)]

    assert [answer.status_code for answer in (*answers, unknown, *known)] == [200, 200, 406, 406, 406, 429]
    assert [answer.headers["RateLimit"] for answer in (*answers, unknown)] == [
        '"at";r=3;t=20', '"at";r=2;t=20', '"at";r=1;t=20', '"at";r=0;t=20'
    ]  # fmt: skip
    assert [answer.headers["RateLimit"] for answer in known] == ['"key";r=0;t=20'] * 2


def test_who_is_refused_is_counted_too(settings):
    settings.API_PER_MINUTE_ANONYMOUS, settings.API_PER_MINUTE = 2, 1
    bob, good = Api(factories.person("bob")), Api(factories.person("alice"))

    unknown = [code_of(Client().get("/api/v1/subjects/", headers=bearer("moot_x"))) for _ in range(3)]
    denied = [code_of(bob.get("/alerts/")) for _ in range(2)]

    assert unknown == [(401, "bad_key"), (401, "bad_key"), (429, "throttled")]
    assert denied == [(403, "not_permitted"), (429, "throttled")]
    assert good.get("/subjects/").status_code == 200


def test_a_proxy_that_is_not_trusted_cannot_choose_the_address_that_is_counted(settings, minute):
    settings.API_PER_MINUTE_ANONYMOUS = 1
    asked = [Client().get("/api/v1/subjects/", headers={"X-Forwarded-For": f"10.0.0.{one}"}) for one in range(2)]

    assert [answer.status_code for answer in asked] == [200, 429]


def test_the_addresses_of_one_network_are_counted_together(settings, minute):
    settings.API_PER_MINUTE_ANONYMOUS = 1
    visitors = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::7", "2001:db8:1:3::1", "192.0.2.1", "::ffff:192.0.2.1"]

    asked = [Client(REMOTE_ADDR=visitor).get("/api/v1/subjects/").status_code for visitor in visitors]

    assert asked == [200, 429, 200, 200, 429]


def test_every_answer_carries_the_name_of_its_request():
    given = Client().get("/api/v1/subjects/", headers={"X-Request-ID": "from-the-client-1"})
    strange = Client().get("/", headers={"X-Request-ID": "<script>"})

    assert given.headers["X-Request-ID"] == "from-the-client-1"
    assert len(strange.headers["X-Request-ID"]) == 32


def test_the_use_of_a_key_is_logged_with_the_request(caplog):
    alice = factories.person("alice")
    text = key_for(alice)
    caplog.set_level(logging.INFO, logger="config.middleware")

    Client().get("/api/v1/subjects/", headers={**bearer(text), "X-Request-ID": "request-1"})

    formatter = Formatter("{message}", style="{")
    [line] = [formatter.format(record) for record in caplog.records if record.name == "config.middleware"]
    expected = ["api method=", f"key='{text[:12]}'", f"user='{alice.pk}'", "request='request-1'", "status=200"]
    assert [part for part in expected if part not in line] == []
    assert text not in line


@pytest.mark.parametrize(("text", "said"), [("moot_1234567890", "key='moot_1234567'"), ("of another site", "")])
def test_a_key_that_is_refused_is_logged_with_the_request_and_what_is_none_is_not(caplog, text, said):
    caplog.set_level(logging.INFO, logger="config.middleware")

    Client().get("/api/v1/subjects/", headers=bearer(text))

    [line] = [record.getMessage() for record in caplog.records if record.name == "config.middleware"]
    assert re.sub(r"milliseconds=\d+", "", line).split("status=401")[1].strip() == said


def test_a_session_reads_and_does_not_write_without_the_token():
    alice = factories.moderator()
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)

    assert client.get("/api/v1/subjects/").status_code == 200
    assert code_of(client.post("/api/v1/subjects/", "{}", content_type="application/json")) == (403, "csrf_failed")


def test_staff_that_owes_the_second_factor_is_not_let_in(settings):
    settings.STAFF_NEED_SECOND_FACTOR = True
    client = client_of(factories.moderator())

    assert code_of(client.get("/api/v1/subjects/")) == (403, "second_factor_needed")


def test_pages_of_an_origin_that_is_named_may_ask_with_a_key(settings):
    settings.CORS_ORIGINS = ["https://app.example.org"]
    asked = {"Origin": "https://app.example.org", "Access-Control-Request-Method": "POST"}

    before = Client().options("/api/v1/subjects/", headers=asked)
    answer = Client().get("/api/v1/subjects/", headers={"Origin": "https://app.example.org"})
    other = Client().get("/api/v1/subjects/", headers={"Origin": "https://evil.example.org"})

    assert (before.status_code, before.headers["Access-Control-Allow-Origin"]) == (204, "https://app.example.org")
    assert answer.headers["Access-Control-Allow-Origin"] == "https://app.example.org"
    assert "Access-Control-Allow-Credentials" not in answer.headers
    assert "Access-Control-Allow-Origin" not in other.headers
    assert "Origin" in other.headers["Vary"]
