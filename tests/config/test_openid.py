"""Signing in through a provider of OpenID Connect: whom it lets in, as whom, and what nobody gets by it."""

import json
import re
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
from allauth.account.internal.flows.email_verification import consume_email_verification_rate_limit
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal import auth as totp
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.contrib.auth.models import Permission, User
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from config.accounts import SiteAccounts
from debates import selectors
from debates.models import Membership
from debates.services import invitations
from debates.services.invitations import Offer
from debates.types import MemberRole
from tests import factories

pytestmark = pytest.mark.django_db
LOGIN = reverse("openid_connect_login", args=["openid"])
CALLBACK = reverse("openid_connect_callback", args=["openid"])
SECRET = "the secret between the two of us"


class Provider(ThreadingHTTPServer):
    """A provider on loopback, at which one person is signed in, and what it was asked with."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.person = {"sub": "42", "preferred_username": "bob", "email": "bob@example.org", "email_verified": True}
        self.audience = "moot"
        self.issuer = self.url
        self.authenticated_ago: int | None = 0
        self.asked: list[dict[str, list[str]]] = []


class Answers(BaseHTTPRequestHandler):
    server: Provider

    def log_message(self, *_about: object) -> None:
        pass

    def say(self, body: dict[str, object]) -> None:
        text = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self) -> None:
        url = self.server.url
        if self.path.endswith("/openid-configuration"):
            names = ("authorization", "token", "userinfo")
            known = {"issuer": self.server.issuer, "jwks_uri": f"{url}/keys"}
            return self.say({**{f"{name}_endpoint": f"{url}/{name}" for name in names}, **known})
        return self.say(self.server.person)

    def do_POST(self) -> None:
        self.server.asked.append(parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        claims = {**self.server.person, "iss": self.server.issuer, "aud": self.server.audience, "exp": 2_000_000_000}
        claims["iat"] = 1_600_000_000
        if self.server.authenticated_ago is not None:
            claims["auth_time"] = int(time.time()) - self.server.authenticated_ago
        token = jwt.encode(claims, "a key of the provider that nobody else has", algorithm="HS256")
        self.say({"access_token": "x", "token_type": "Bearer", "id_token": token})


@pytest.fixture
def provider(settings) -> Iterator[Provider]:
    cache.clear()
    with Provider() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        app = {**settings.OPENID_APP, "name": "Our house", "client_id": "moot", "secret": SECRET}
        app["settings"] = {"server_url": server.url}
        settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [app], "OAUTH_PKCE_ENABLED": True}}
        settings.OPENID_NAME = "Our house"
        yield server
        server.shutdown()
        thread.join()


def leads_to(page: HttpResponse) -> str:
    """Where a page goes on to by itself."""
    assert page.status_code == 200
    return page.headers["Refresh"].removeprefix("0; url=")


def asked_there(page: HttpResponse) -> dict[str, list[str]]:
    return parse_qs(urlsplit(leads_to(page)).query)


def come(client: Client, **form: str):
    """Go to the provider, and come back from it with a code."""
    asked = asked_there(client.post(LOGIN, form))
    return client.get(CALLBACK, {"code": "a code", "state": asked["state"][0]})


def who(client: Client) -> User | None:
    return User.objects.filter(pk=client.session.get("_auth_user_id")).first()


def test_the_page_offers_the_provider_and_asks_it_with_state_and_proof(client, provider):
    page = client.get(reverse("account_login")).content.decode()
    away = client.post(LOGIN, {"next": "/rubrics/"})
    asked = asked_there(away)

    assert "Go on with Our house" in page
    assert leads_to(away).startswith(f"{provider.url}/authorization?")
    assert f'href="{escape(leads_to(away))}"' in away.content.decode()
    assert "form-action 'self';" in away.headers["Content-Security-Policy"]
    assert asked["redirect_uri"] == [f"http://testserver{CALLBACK}"]
    assert asked["code_challenge_method"] == ["S256"]
    assert len(asked["state"][0]) >= 16
    assert SECRET not in away.content.decode()


def test_nobody_gets_an_account_without_an_invitation(client, provider):
    answer = come(client)

    assert "Accounts are made by invitation" in answer.content.decode()
    assert not User.objects.exists()


def test_whoever_comes_through_the_provider_gets_an_account_where_the_settings_say_so(client, provider, settings):
    settings.SIGN_UP = "provider"

    answer = come(client, next="/rubrics/")
    bob = who(client)
    again = Client()
    come(again)

    assert answer.headers["Location"] == "/rubrics/"
    assert (bob.username, bob.email, bob.has_usable_password()) == ("bob", "bob@example.org", False)
    assert not selectors.has_rights(user=bob)
    assert who(again) == bob
    assert User.objects.count() == 1
    assert not SocialToken.objects.exists()
    assert "code_verifier" in provider.asked[0]


@pytest.mark.parametrize(("knows", "is_told"), [(False, True), (True, False)], ids=["not confirmed", "confirmed there"])
def test_whoever_gets_no_link_to_confirm_their_address_is_told_so_and_goes_on(
    client, provider, settings, rf, knows, is_told
):
    settings.SIGN_UP, provider.person["email_verified"] = "provider", knows
    while consume_email_verification_rate_limit(rf.get("/"), "bob@example.org"):
        pass

    answer = come(client, next="/about/")

    page = client.get(answer.headers["Location"]).content.decode()
    told = [
        words in page for words in ("No link was sent: several went to this address", '<a href="/about/">Go on</a>')
    ]
    assert told == [is_told, is_told]
    assert who(client).username == "bob"


@pytest.mark.parametrize("name", ["bob", "BOB"])
def test_whose_name_somebody_took_meanwhile_gets_one_with_an_ending(client, provider, settings, monkeypatch, name):
    settings.SIGN_UP = "provider"
    User.objects.create_user(name)
    monkeypatch.setattr(SiteAccounts, "generate_unique_username", lambda *_about: "bob")

    come(client)

    assert re.fullmatch(r"bob\d{4}", who(client).username)
    assert User.objects.count() == 2


def test_the_same_name_at_another_issuer_is_somebody_else(client, provider, settings):
    settings.SIGN_UP = "provider"
    come(client)
    bob = who(client)
    provider.issuer = "https://another.example.org"
    provider.person = {**provider.person, "preferred_username": "robert", "email": "robert@example.org"}
    other = Client()

    come(other)

    assert (bob.username, who(other).username) == ("bob", "robert")
    assert len(set(SocialAccount.objects.values_list("uid", flat=True))) == 2


def test_an_invitation_makes_the_account_and_lets_it_in(client, provider):
    debate = factories.debate(visibility="private")
    text = invitations.invite(offer=Offer(debate=debate, role=MemberRole.GUEST), by=None, now=timezone.now())[1]
    way = reverse("invitation", args=[text])

    come(client, next=way)
    provider.person = {**provider.person, "sub": "43", "preferred_username": "carol", "email": "carol@example.org"}
    second = come(Client(), next=way)

    assert Membership.objects.get().user == who(client)
    assert "Accounts are made by invitation" in second.content.decode()
    assert not User.objects.filter(username="carol").exists()


def test_a_mail_address_that_the_provider_says_leads_into_no_account_that_was_there(client, provider, settings):
    settings.SIGN_UP = "provider"
    alice = User.objects.create_user("bob", email="bob@example.org", password="a long enough secret")
    EmailAddress.objects.create(user=alice, email="bob@example.org", verified=True, primary=True)

    come(client)

    assert who(client) != alice
    assert SocialAccount.objects.get().user != alice
    assert EmailAddress.objects.get(email="bob@example.org", verified=True).user == alice


def test_the_provider_does_not_stand_for_the_second_factor(client, provider, settings):
    settings.SIGN_UP, settings.STAFF_NEED_SECOND_FACTOR = "provider", True
    come(client)
    bob = who(client)
    bob.is_superuser = bob.is_staff = True
    bob.save()
    first = Client()
    come(first)
    owing = first.get("/admin/")
    totp.TOTP.activate(bob, totp.generate_totp_secret())
    second = Client()
    asked = come(second)

    assert owing.status_code == 302
    assert asked.headers["Location"].startswith(reverse("mfa_authenticate"))
    assert who(second) is None


def test_whoever_has_no_password_proves_by_the_provider_and_sets_up_a_first_second_factor(
    client, provider, settings, monkeypatch
):
    settings.SIGN_UP, settings.STAFF_NEED_SECOND_FACTOR = "provider", True
    come(client)
    bob = who(client)
    bob.user_permissions.add(Permission.objects.get(codename="add_rubric"))
    set_up = reverse("mfa_activate_totp")
    fresh = client.get(set_up)
    with monkeypatch.context() as patch:
        patch.setattr(time, "time", lambda now=time.time: now() + 3600)
        later = client.get(set_up)
        asking = client.get(later.headers["Location"]).content.decode()
        asked = asked_there(client.post(LOGIN, {"next": set_up}))
        back = client.get(CALLBACK, {"code": "a code", "state": asked["state"][0]})
        proved = client.get(set_up)

    assert (fresh.status_code, proved.status_code) == (200, 200)
    assert later.headers["Location"].startswith(reverse("account_reauthenticate"))
    assert "Go on with Our house" in asking
    assert 'type="password"' not in asking
    assert (asked["prompt"], asked["max_age"]) == (["login"], ["0"])
    assert (back.headers["Location"], who(client)) == (set_up, bob)


@pytest.mark.parametrize("ago", [3600, None], ids=["an hour ago", "never, as far as it says"])
def test_coming_back_from_a_provider_that_only_remembers_somebody_proves_nothing(client, provider, settings, ago):
    settings.SIGN_UP = "provider"
    come(client)
    client.post(reverse("account_logout"))
    provider.authenticated_ago = ago

    come(client)
    set_up = client.get(reverse("mfa_activate_totp"))

    assert who(client).username == "bob"
    assert set_up.headers["Location"].startswith(reverse("account_reauthenticate"))


def test_whoever_comes_back_from_the_provider_as_another_is_that_other(client, provider, settings):
    settings.SIGN_UP = "provider"
    come(client)
    provider.person = {**provider.person, "sub": "43", "preferred_username": "carol", "email": "carol@example.org"}

    come(client, next=reverse("mfa_activate_totp"))

    assert who(client).username == "carol"
    accounts = SocialAccount.objects.all()
    assert {account.user.username: account.extra_data["userinfo"]["sub"] for account in accounts} == {
        "bob": "42",
        "carol": "43",
    }


def test_no_identity_is_bound_to_a_session_that_was_left_open(client, provider, settings):
    settings.SIGN_UP = "provider"
    alice = User.objects.create_user("alice", password="a long enough secret")
    client.force_login(alice)

    for more in ({"process": "connect"}, {"action": "reauthenticate"}, {"auth_params": "x"}, {"scope": "admin"}):
        assert client.post(LOGIN, more).status_code == 404
        assert Client().post(f"{LOGIN}?{next(iter(more))}=x").status_code == 404
    assert client.post(LOGIN).headers["Location"] == reverse("index")
    assert client.get(LOGIN).status_code == 405
    assert not SocialAccount.objects.exists()


@pytest.mark.parametrize("spoil", ["no state", "another's state", "a token for another site"])
def test_what_was_not_asked_for_signs_nobody_in(client, provider, settings, spoil):
    settings.SIGN_UP = "provider"
    if spoil == "a token for another site":
        provider.audience = "elsewhere"
        answer = come(client)
    else:
        other = Client().post(LOGIN)
        state = asked_there(other)["state"][0] if spoil != "no state" else ""
        answer = client.get(CALLBACK, {"code": "a code", "state": state})

    assert "You are not signed in" in answer.content.decode()
    assert who(client) is None
    assert not User.objects.exists()


def test_a_provider_that_does_not_answer_is_said_to_be_so_and_not_a_fault_of_ours(client, provider, caplog):
    provider.shutdown()
    provider.server_close()

    answer = client.post(LOGIN)

    assert answer.status_code == 401
    assert "You are not signed in" in answer.content.decode()
    assert [record.getMessage() for record in caplog.records if record.name == "config.openid"] == [
        "provider of sign-ins does not answer problem='ConnectionError'"
    ]


def test_no_other_site_is_gone_on_to(client, provider, settings):
    settings.SIGN_UP = "provider"

    assert come(client, next="https://evil.example/").headers["Location"] == reverse("index")


def test_without_settings_there_is_no_provider(client):
    cache.clear()

    assert "Go on with" not in client.get(reverse("account_login")).content.decode()
    assert client.post(LOGIN).status_code == client.get(CALLBACK).status_code == 404
