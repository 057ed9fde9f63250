"""Signing up: by an invitation, once; or by anybody where the settings say so. A new account has no rights."""

from threading import Barrier, Thread
from urllib.parse import quote

import pytest
from allauth.account.internal.flows.email_verification import consume_email_verification_rate_limit
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group, User
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.accounts import SiteAccounts
from config.admin import People
from debates import selectors
from debates.models import Acceptance, Debate, Invitation, Participant
from debates.services import invitations, seats
from debates.services.invitations import Offer
from debates.types import MemberRole
from scoring import groups
from tests import factories
from tests.mail.outbox import send_due
from tests.moderators import proved

pytestmark = pytest.mark.django_db
SIGN_UP, LOGIN = reverse("account_signup"), reverse("account_login")
PASSWORD = "a long enough secret"
NOW = timezone.now()


@pytest.fixture(autouse=True)
def nothing_is_counted_yet():
    cache.clear()


@pytest.fixture
def debate() -> Debate:
    return factories.debate(visibility="private", created_by=User.objects.create_user("alice"))


def invite(**offer) -> str:
    """The address of an invitation by the operator."""
    text = invitations.invite(offer=Offer(**offer), by=None, now=NOW)[1]
    return reverse("invitation", args=[text])


def form(name: str, **more: str) -> dict[str, str]:
    return {"username": name, "password1": PASSWORD, "password2": PASSWORD, **more}


def sign_up(client: Client, name: str, **more: str):
    return client.post(SIGN_UP, form(name, **more))


def test_nobody_signs_up_without_an_invitation(client):
    for way in ({}, {"next": "/"}, {"next": "/invitations/nothing/"}, {"next": "/seats/nothing/"}):
        assert "Accounts are made by invitation" in client.get(SIGN_UP, way).content.decode()
        sign_up(client, "bob", **way)

    assert not User.objects.filter(username="bob").exists()


def test_whoever_comes_by_an_invitation_makes_an_account_and_reads_the_debate(client, debate):
    at = invite(debate=debate, role=MemberRole.GUEST, email="bob@example.org")

    page = client.get(at)
    offered = client.get(SIGN_UP, {"next": at})
    answer = sign_up(client, "bob", next=at, email="bob@example.org")
    after = client.get(answer.headers["Location"])

    assert f"{SIGN_UP}?next={quote(at, safe='')}" in page.content.decode()
    assert 'value="bob@example.org"' in offered.content.decode()
    assert answer.headers["Location"] == at
    assert after.headers["Location"] == reverse("debate", args=[debate.public_id])
    bob = User.objects.get(username="bob")
    assert Acceptance.objects.get().user == bob
    assert selectors.visible_debates(visitor=bob).filter(pk=debate.pk).exists()
    assert not selectors.has_rights(user=bob)
    assert (bob.is_staff, bob.is_superuser) == (False, False)


@pytest.mark.parametrize("page", ["account_signup", "account_email"])
def test_a_mail_address_that_is_too_long_to_be_stored_is_refused_next_to_it(client, debate, page):
    at = invite(debate=debate, role=MemberRole.GUEST)
    long = f"{'b' * 60}@{'.'.join(['example'] * 24)}.org"
    if page == "account_email":
        sign_up(client, "bob", next=at)
        client.post(f"{reverse('account_reauthenticate')}?next={reverse(page)}", {"password": PASSWORD})

    refused = client.post(reverse(page), form("carol", next=at, email=long, action_add="1"))

    assert list(refused.context["form"].errors) == ["email"]


def test_an_invitation_to_a_seat_makes_an_account_that_sits_there(client, debate):
    seat = Participant.objects.create(debate=debate, role="chair", kind="human", name="Konrad", position=3)
    at = reverse("take-seat", args=[seats.invite(participant_id=seat.pk, by=None)])

    offer = client.get(at)
    answer = sign_up(client, "bob", next=at)

    assert f'href="{reverse("account_signup")}?next=' in offer.content.decode()
    assert client.get(answer.headers["Location"]).headers["Location"].endswith("#seat-3")
    seat.refresh_from_db()
    assert seat.user.username == "bob"


def test_of_two_who_sign_up_by_one_invitation_one_has_no_account(debate):
    at = invite(debate=debate, role=MemberRole.GUEST)
    bob, carol = Client(), Client()

    sign_up(bob, "bob", next=at)
    sign_up(carol, "carol", next=at)

    assert not User.objects.filter(username="carol").exists()
    assert carol.get(at).status_code == 410
    assert "used" in carol.get(at).content.decode()


def test_an_invitation_that_is_used_between_the_page_and_the_form_is_said_in_the_form(debate, monkeypatch):
    at = invite(debate=debate, role=MemberRole.GUEST)
    monkeypatch.setattr("config.accounts.SiteAccounts.is_open_for_signup", lambda self, request: True)
    sign_up(Client(), "bob", next=at)

    answer = sign_up(Client(), "carol", next=at, email="carol@example.org")

    assert answer.status_code == 200
    page = answer.content.decode()
    assert "This invitation was used" in page
    assert 'value="carol"' in page
    assert 'value="carol@example.org"' in page
    assert not User.objects.filter(username="carol").exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_at_the_same_moment_one_has_no_account(monkeypatch):
    debate = factories.debate()
    text = invitations.invite(offer=Offer(debate=debate, role=MemberRole.GUEST), by=None, now=NOW)[1]
    at = reverse("invitation", args=[text])
    both, usual = Barrier(2, timeout=20), invitations.let_in

    def together(**order):
        both.wait()
        return usual(**order)

    monkeypatch.setattr(invitations, "let_in", together)

    def come(name: str) -> None:
        sign_up(Client(), name, next=at)
        connection.close()

    threads = [Thread(target=come, args=[name]) for name in ("bob", "carol")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert User.objects.filter(username__in=["bob", "carol"]).count() == Acceptance.objects.count() == 1


def by_a_moderator(client: Client, name: str):
    client.force_login(User.objects.get(username="root"))
    return proved(client).post(reverse("admin:auth_user_add"), form(name, usable_password="true"))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("names", [("bob", "bob"), ("bob", "Bob")], ids=["one_name", "in_other_letters"])
@pytest.mark.parametrize(
    ("make", "writer"), [(sign_up, (SiteAccounts, "save_user")), (by_a_moderator, (People, "save_model"))]
)
def test_of_two_of_one_name_at_the_same_moment_one_is_told_so_in_the_form(monkeypatch, settings, make, writer, names):
    settings.SIGN_UP, settings.STAFF_NEED_SECOND_FACTOR = "open", False
    factories.moderator("root")
    both, usual, answers = Barrier(2, timeout=20), getattr(*writer), []

    def together(*order):
        both.wait()
        return usual(*order)

    monkeypatch.setattr(*writer, together)

    def come(name: str) -> None:
        answers.append(make(Client(raise_request_exception=False), name))
        connection.close()

    threads = [Thread(target=come, args=[name]) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    made, refused = sorted(answers, key=lambda answer: -answer.status_code)
    assert (made.status_code, refused.status_code) == (302, 200)
    assert "already exists" in refused.content.decode()
    assert User.objects.filter(username__iexact="bob").count() == 1


@pytest.mark.parametrize("spoil", ["revoked", "over"])
def test_an_invitation_that_is_no_good_makes_no_account(client, debate, spoil):
    made_at = NOW - invitations.GOOD_FOR if spoil == "over" else NOW
    row, text = invitations.invite(offer=Offer(debate=debate, role=MemberRole.GUEST), by=None, now=made_at)
    if spoil == "revoked":
        invitations.revoke(invitation_id=row.pk, by=None, now=NOW)
    at = reverse("invitation", args=[text])

    page = client.get(at)
    sign_up(client, "bob", next=at)

    assert page.status_code == 410
    assert {"revoked": "revoked", "over": "good until"}[spoil] in page.content.decode()
    assert not User.objects.filter(username="bob").exists()


def test_somebody_who_is_signed_in_as_another_is_told_so_and_says_that_it_is_meant_for_them(client, debate):
    at = invite(debate=debate, role=MemberRole.GUEST, email="bob@example.org")
    carol = User.objects.create_user("carol", email="carol@example.org")
    EmailAddress.objects.create(user=carol, email="bob@example.org")  # asked for, and not confirmed
    client.force_login(carol)

    page = client.get(at).content.decode()
    refused = client.post(at)
    before = Acceptance.objects.count()
    answer = client.post(at, {"as_me": "on"})

    assert "not one of yours" in page
    assert "bob@example.org" not in page, "whose it is, is nobody else's business"
    assert (refused.status_code, before) == (422, 0)
    assert answer.headers["Location"] == reverse("debate", args=[debate.public_id])
    assert Acceptance.objects.get().user == carol


def test_whoever_signed_in_already_comes_with_the_account_they_have(client, debate):
    at = invite(debate=debate, role=MemberRole.JUDGE)
    client.force_login(User.objects.create_user("bob"))

    assert "As a judge without a seat you read" in client.get(at).content.decode()
    first, second = client.post(at), client.post(at)

    assert first.headers["Location"] == second.headers["Location"] == reverse("debate", args=[debate.public_id])
    assert Acceptance.objects.count() == 1


def test_a_group_comes_with_an_invitation_of_a_superuser(client):
    text = invitations.invite(
        offer=Offer(group=Group.objects.get(name=groups.SENIOR)), by=factories.moderator("root"), now=NOW
    )[1]

    sign_up(client, "bob", next=reverse("invitation", args=[text]))

    bob = User.objects.get(username="bob")
    assert [group.name for group in bob.groups.all()] == [groups.SENIOR]
    assert (bob.is_staff, bob.is_superuser) == (True, False)


@pytest.mark.parametrize("more", [{"is_superuser": "on", "is_staff": "on", "groups": "1", "group": "1"}])
def test_no_field_of_the_form_gives_rights(client, debate, more):
    sign_up(client, "bob", next=invite(debate=debate, role=MemberRole.ORGANISER), **more)

    bob = User.objects.get(username="bob")
    assert not selectors.has_rights(user=bob)
    assert not bob.groups.exists()


def test_anybody_signs_up_where_the_settings_say_so(client, settings):
    settings.SIGN_UP = "open"

    answer = sign_up(client, "bob")

    assert answer.headers["Location"] == reverse("index")
    assert not selectors.has_rights(user=User.objects.get(username="bob"))


ELSEWHERE = (
    *("https://evil.example/", "//evil.example/", "/\\evil.example/", "javascript:alert(1)"),
    *("https://lab.example/", "http://evil.example.org/", "//[", "https://[::1", "http://a]b/", "//℀.example/"),
)


@pytest.mark.parametrize("way", ELSEWHERE)
def test_signing_up_and_in_leads_to_no_other_site(client, settings, way):
    settings.SIGN_UP = "open"
    settings.CSRF_TRUSTED_ORIGINS, settings.ALLOWED_HOSTS = ["https://lab.example"], [".example.org", "testserver"]

    first = sign_up(client, "bob", next=way)
    client.logout()
    second = client.post(LOGIN, {"login": "bob", "password": PASSWORD, "next": way})

    assert first.headers["Location"] == second.headers["Location"] == reverse("index")
    for page in (SIGN_UP, LOGIN, reverse("account_logout"), reverse("account_reset_password"), reverse("admin:login")):
        assert client.get(page, {"next": way}).status_code in {200, 302, 403}


def test_an_address_that_somebody_has_is_answered_like_a_new_one(settings, mailoutbox):
    settings.SIGN_UP = "open"
    User.objects.create_user("alice", email="alice@example.org", password=PASSWORD)

    answers = [
        sign_up(Client(), name, email=address)
        for name, address in (("bob", "alice@example.org"), ("carol", "carol@example.org"))
    ]

    assert [(row.status_code, row.headers["Location"]) for row in answers] == [(302, reverse("index"))] * 2
    send_due()
    assert [mail.subject for mail in mailoutbox] == ["[Moot] Confirm your mail address"] * 2


@pytest.mark.parametrize("name", ["alice", "nobody"])
def test_whoever_signs_up_and_gets_no_link_is_told_so_and_goes_on(client, settings, mailoutbox, rf, name):
    """Also where several accounts asked for links to that address together; and whoever has it, or nobody."""
    settings.SIGN_UP = "open"
    User.objects.create_user("alice", email="alice@example.org", password=PASSWORD)
    while consume_email_verification_rate_limit(rf.get("/"), f"{name}@example.org"):
        pass

    answer = sign_up(client, "bob", email=f"{name}@example.org", next="/about/")

    page = client.get(answer.headers["Location"]).content.decode()
    send_due()
    assert (answer.status_code, mailoutbox) == (302, [])
    assert answer.headers["Location"] == f"{reverse('profile')}?next=%2Fabout%2F"
    assert "No link was sent: several went to this address lately." in page
    assert '<a href="/about/">Go on</a>' in page
    kept = client.post(answer.headers["Location"], {"time_zone": "Europe/Rome"}, follow=True)
    assert '<a href="/about/">Go on</a>' in kept.content.decode()


def test_who_signs_up_too_often_must_wait(settings):
    settings.SIGN_UP = "open"

    answers = [sign_up(Client(), f"bob{number}").status_code for number in range(22)]

    assert answers[-1] == 429


def test_people_of_one_network_make_accounts_by_an_invitation_for_all_its_places(debate):
    way = invite(debate=debate, role=MemberRole.GUEST, places=22)

    answers = [sign_up(Client(), f"pupil{number}x", next=way).status_code for number in range(22)]

    assert answers == [302] * 22


def test_forms_that_are_refused_count_by_an_invitation_too_and_the_wait_is_said(debate):
    way = invite(debate=debate, role=MemberRole.GUEST, places=2)
    for number in range(20):
        sign_up(Client(), f"pupil{number}x", next=way, password1="short", password2="short")

    answer = sign_up(Client(), "pupil", email="pupil@example.org", next=way)

    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "60")
    page = answer.content.decode()
    assert "Wait a minute" in page
    assert "wrong password" not in page
    assert [text in page for text in ('value="pupil"', 'value="pupil@example.org"', f'value="{way}"')] == [True] * 3
    assert PASSWORD not in page
    assert not User.objects.filter(username="pupil").exists()


def test_a_weak_password_makes_no_account_and_leaves_the_invitation_good(client, debate):
    at = invite(debate=debate, role=MemberRole.GUEST)

    answer = client.post(SIGN_UP, {"username": "bob", "password1": "short", "password2": "short", "next": at})

    assert "too short" in answer.content.decode()
    assert Invitation.objects.get().acceptances.count() == 0
    assert sign_up(client, "bob", next=at).headers["Location"] == at
