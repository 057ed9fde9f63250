"""What every answer carries, how cookies are set, and that words never become markup."""

import json
import re

import pytest

from debates.models import Debate
from tests import factories, playing
from tests.project.test_settings import PRODUCTION, ask

pytestmark = pytest.mark.django_db
HEADERS = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
PATHS = ["/", "/accounts/login/", "/admin/", "/api/v1/debates/", "/api/v1/nowhere/", "/nowhere/"]
ATTACK = "<script>alert(1)</script><img src=x onerror=alert(1)>"


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_tells_browsers_to_be_careful(client, path):
    answer = client.get(path)

    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS


@pytest.mark.parametrize("path", PATHS)
def test_no_page_allows_inline_scripts_or_other_origins(client, path):
    policy = client.get(path).headers["Content-Security-Policy"]

    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert (rules["script-src"], rules["form-action"], rules["frame-ancestors"]) == ("'self'", "'self'", "'none'")
    assert "unsafe" not in policy
    assert "http" not in policy


@pytest.mark.parametrize(("secure", "named"), [(False, "ws://testserver"), (True, "wss://testserver")])
def test_pages_may_open_sockets_of_their_own_host_in_browsers_that_want_it_named(client, secure, named):
    policy = client.get("/", secure=secure).headers["Content-Security-Policy"]

    assert f"connect-src 'self' {named};" in policy


def test_a_host_that_is_not_ours_is_not_named_in_a_policy(client):
    answer = client.get("/", headers={"host": "evil.example.com"})

    assert (answer.status_code, "evil" in answer.headers["Content-Security-Policy"]) == (400, False)


def test_cookies_are_unreadable_for_scripts_and_not_sent_from_elsewhere(client, settings):
    settings.STAFF_NEED_SECOND_FACTOR = False
    alice = factories.moderator()
    alice.set_password("a long enough secret")
    alice.save()

    client.post("/accounts/login/", {"login": "alice", "password": "a long enough secret"})

    session = client.cookies["sessionid"]
    assert (session["httponly"], session["samesite"], session["path"]) == (True, "Lax", "/")
    assert client.cookies["csrftoken"]["samesite"] == "Lax"


def test_production_sends_cookies_over_tls_alone_and_insists_on_it(tmp_path):
    names = [
        "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS",
        "STAFF_NEED_SECOND_FACTOR", "DEBUG",
    ]  # fmt: skip

    told = ask(f"[{', '.join(f'settings.{name}' for name in names)}]", data=tmp_path, **PRODUCTION)

    expected = {**dict.fromkeys(names, True), "SECURE_HSTS_SECONDS": 31_536_000, "DEBUG": False}
    assert dict(zip(names, json.loads(told.stdout), strict=True)) == expected


def test_production_keeps_salted_digests_of_passwords_that_take_long_to_try(tmp_path):
    hashers = "__import__('django.contrib.auth.hashers').contrib.auth.hashers"
    twice = f"[{hashers}.make_password('twelve marks') for _ in range(2)]"

    told = ask(twice, data=tmp_path, DJANGO_SETTINGS_MODULE="config.settings", **PRODUCTION)

    digests = json.loads(told.stdout)
    kind, rounds, *_ = digests[0].split("$")
    assert (kind, int(rounds) >= 600_000, digests[0] != digests[1]) == ("pbkdf2_sha256", True, True)


@pytest.mark.django_db
def test_words_do_not_become_markup_on_any_page_of_a_debate(client):
    debate = playing.debate(playing.script([[playing.ruling("1")]]))
    factories.rewrite(Debate.objects.filter(pk=debate.pk), title=ATTACK)
    client.force_login(factories.moderator())

    for path in ("/", f"/debates/{debate.public_id}/", f"/admin/debates/debate/{debate.pk}/change/"):
        page = client.get(path, follow=True).content.decode()
        assert ATTACK not in page
        assert re.search(r"&lt;script&gt;|\\u003[Cc]script", page), f"{path} does not show the title at all"


@pytest.mark.django_db(transaction=True)
def test_what_is_for_one_person_is_kept_by_no_cache(client):
    public = client.get("/")
    login = client.get("/accounts/login/")
    seat = client.get("/seats/none/")
    client.force_login(factories.moderator())
    pages = [
        client.get(path) for path in ("/", "/admin/", "/accounts/2fa/", "/accounts/logout/", "/nowhere/", "/metrics")
    ]

    assert "Cache-Control" not in public.headers
    assert [
        page.headers["Cache-Control"]
        for page in (login, seat, *pages)
        if "private" not in page.headers["Cache-Control"]
    ] == []
    assert [
        page.headers["Cache-Control"]
        for page in (login, seat, *pages)
        if "no-store" not in page.headers["Cache-Control"]
    ] == []
