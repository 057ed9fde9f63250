"""A new password by mail: never around the second factor, and without telling who has an account."""

import re
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event
from types import SimpleNamespace

import pytest
from allauth.account.models import EmailAddress
from allauth.core.internal import ratelimit
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.conf import settings
from django.contrib.auth.models import Group, Permission, User
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from config import accounts
from debates.models import Mail, Profile
from tests.mail.outbox import send_due
from tests.moderators import client_of

pytestmark = pytest.mark.django_db
SITE = settings.SITE_URL
PASSWORD, ANOTHER = "a long enough secret", "quite another long secret"
LOGIN, RESET, EMAIL = reverse("account_login"), reverse("account_reset_password"), reverse("account_email")
SENT = reverse("account_reset_password_done")
BEHIND_THE_PAGE = accounts.behind_the_page


@pytest.fixture(autouse=True)
def nothing_is_counted_yet():
    cache.clear()


@pytest.fixture
def mailoutbox(mailoutbox, monkeypatch):
    """Mail that was sent: a worker looks as soon as some is written."""
    monkeypatch.setattr(accounts, "behind_the_page", lambda work, *about: (work(*about), send_due()))
    return mailoutbox


def account(name: str, **more) -> User:
    user = User.objects.create_user(name, email=f"{name}@example.org", password=PASSWORD, **more)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def link_in(mail) -> str:
    [path] = re.findall(rf"{SITE}(/accounts/password/reset/key/\S+)", mail.body)
    return path


def ask_for_address(client: Client, name: str, address: str) -> None:
    client.post(LOGIN, {"login": name, "password": PASSWORD})
    client.post(f"{reverse('account_reauthenticate')}?next={EMAIL}", {"password": PASSWORD})
    client.post(EMAIL, {"email": address, "action_add": "1"})


def reset(client: Client, link: str, password: str = ANOTHER):
    form = client.get(link, follow=True)
    return client.post(form.wsgi_request.path, {"password1": password, "password2": password})


def test_a_new_password_by_mail_lets_nobody_guess_on_at_other_accounts(client, mailoutbox):
    bob = account("bob")
    client.post(RESET, {"email": bob.email})
    for number in range(9):
        Client().post(LOGIN, {"login": f"nobody-{number}", "password": "wrong"})

    reset(client, link_in(mailoutbox[0]))

    guesses = [Client().post(LOGIN, {"login": f"no-{n}", "password": "wrong"}).status_code for n in range(2)]
    assert guesses == [200, 429]


def test_a_link_that_came_by_mail_sets_a_password_once(client, mailoutbox):
    bob = account("bob")
    elsewhere = client_of(bob)

    sent = client.post(RESET, {"email": "bob@example.org"})
    [mail] = mailoutbox
    done = reset(client, link_in(mail))
    again = client.get(link_in(mail), follow=True)

    assert (sent.headers["Location"], mail.to) == (SENT, ["bob@example.org"])
    assert done.headers["Location"] == reverse("account_reset_password_from_key_done")
    bob.refresh_from_db()
    assert bob.check_password(ANOTHER)
    assert "_auth_user_id" not in client.session, "nobody is signed in by it"
    assert b"This link was used, or is over" in again.content
    assert elsewhere.get(EMAIL).headers["Location"].startswith(LOGIN), "sessions with the old password are over"


def test_a_new_password_by_mail_ends_the_wait_after_wrong_ones(client, mailoutbox):
    bob = account("bob")
    elsewhere, other = Client(REMOTE_ADDR="192.0.2.7"), Client(REMOTE_ADDR="192.0.2.8")
    other.post(LOGIN, {"login": "bob", "password": PASSWORD})
    for _ in range(5):
        elsewhere.post(LOGIN, {"login": "bob", "password": "wrong"})
        other.post(reverse("account_reauthenticate"), {"password": "wrong"})

    client.post(RESET, {"email": bob.email})
    before = elsewhere.post(LOGIN, {"login": "bob", "password": PASSWORD})
    reset(elsewhere, link_in(mailoutbox[0]))
    after = elsewhere.post(LOGIN, {"login": "bob", "password": ANOTHER})
    proof = other.post(reverse("account_reauthenticate"), {"password": ANOTHER})

    assert [row.status_code for row in (before, after, proof)] == [429, 302, 302]


def test_an_address_of_nobody_is_answered_in_the_same_way(client, mailoutbox):
    account("bob")

    answers = [client.post(RESET, {"email": address}) for address in ("bob@example.org", "nobody@example.org")]

    assert [(row.status_code, row.headers["Location"]) for row in answers] == [(302, SENT)] * 2
    assert len(mailoutbox) == 1


def test_an_address_that_was_typed_and_not_confirmed_gets_no_link(client, mailoutbox):
    account("bob")
    ask_for_address(client, "bob", "typo@elsewhere.example")
    mailoutbox.clear()

    for address in ("typo@elsewhere.example", "bob@example.org"):
        Client().post(RESET, {"email": address})

    assert [mail.to for mail in mailoutbox] == [["bob@example.org"]]


@pytest.mark.parametrize("asked", ["Eve@Example.org", "eve@example.org"])
def test_a_link_goes_to_an_address_however_it_is_written(client, mailoutbox, asked):
    User.objects.create_user("eve", email="Eve@example.org", password=PASSWORD)

    client.post(RESET, {"email": asked})

    assert [mail.to for mail in mailoutbox] == [["eve@example.org"]]


def test_whoever_confirmed_an_address_gets_the_link_and_nobody_else_who_gave_it(client, mailoutbox):
    User.objects.create_user("squatter", email="bob@example.org", password=PASSWORD)
    account("bob")

    client.post(RESET, {"email": "bob@example.org"})

    [mail] = mailoutbox
    assert "the account bob." in mail.body


def test_a_page_does_no_more_for_an_address_of_somebody_than_for_one_of_nobody(client, monkeypatch):
    account("bob", is_superuser=True)
    monkeypatch.setattr(accounts, "behind_the_page", lambda *_about: None)
    monkeypatch.setattr(accounts.SiteAccounts, "render_mail", lambda *_about: pytest.fail("a mail was written"))

    asked = []
    for address in ("nobody@example.org", "bob@example.org"):
        with CaptureQueriesContext(connection) as queries:
            client.post(RESET, {"email": address})
        asked.append(len(queries))

    assert asked[0] == asked[1]


def test_what_a_mail_says_is_sealed_until_it_is_sent_and_then_forgotten(client, caplog):
    account("bob")

    client.post(RESET, {"email": "bob@example.org"})
    waits = Mail.objects.get()
    with connection.cursor() as cursor:
        cursor.execute("SELECT secret FROM debates_mail")
        [(stored,)] = cursor.fetchall()
    send_due()

    assert "/reset/key/" in waits.secret
    assert "reset" not in stored
    sent = Mail.objects.get()
    assert (sent.kind, sent.state, sent.address, sent.secret) == ("account", "sent", "", "")
    assert "bob@example.org" not in caplog.text


def test_a_link_that_is_over_is_not_sent(client, settings):
    account("bob")

    client.post(RESET, {"email": "bob@example.org"})
    send_due(now=timezone.now() + timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT + 60))

    assert Mail.objects.get().state == "withdrawn"


def test_no_link_stops_mail_that_one_asked_for(client):
    bob = account("bob")
    token = Profile.objects.get_or_create(user=bob)[0].unsubscribe_token.hex

    assert client.get(reverse("stop-mail", args=[token, "account"])).status_code == 404


def test_a_page_does_not_wait_for_its_mail_to_be_written(client, monkeypatch):
    account("bob")
    answered, tried = Event(), Event()

    def slow(*_about):
        assert answered.wait(30)
        tried.set()

    monkeypatch.setattr(accounts, "behind_the_page", BEHIND_THE_PAGE)
    monkeypatch.setattr(accounts, "send_reset_links", slow)
    answer = client.post(RESET, {"email": "bob@example.org"})
    answered.set()

    assert answer.headers["Location"] == SENT
    assert tried.wait(30)


def test_a_mail_whose_reader_is_looked_up_while_the_server_ends_is_written_all_the_same(monkeypatch):
    pool = ThreadPoolExecutor()
    monkeypatch.setattr(accounts, "writers", pool)
    ends, written = Event(), Event()

    def look_up():
        assert ends.wait(30)
        BEHIND_THE_PAGE(written.set)

    BEHIND_THE_PAGE(look_up)
    pool.shutdown(wait=False)
    ends.set()
    pool.shutdown()

    assert written.is_set()


def test_a_new_password_leaves_the_second_factor_where_it_was(client, mailoutbox, settings):
    settings.STAFF_NEED_SECOND_FACTOR = True
    root = account("root", is_superuser=True, is_staff=True)
    secret = totp.generate_totp_secret()
    totp.TOTP.activate(root, secret)

    client.post(RESET, {"email": "root@example.org"})
    reset(client, link_in(mailoutbox[0]))
    signed_in = client.post(LOGIN, {"login": "root", "password": ANOTHER})

    assert signed_in.headers["Location"].startswith(reverse("mfa_authenticate"))
    assert "_auth_user_id" not in client.session
    assert client.get("/admin/").status_code == 302
    assert Authenticator.objects.filter(user=root).count() == 1


@pytest.mark.parametrize("who", ["a superuser", "who is in a group", "who has a permission"])
def test_who_has_rights_and_no_factor_yet_gets_no_link(client, mailoutbox, settings, who):
    settings.STAFF_NEED_SECOND_FACTOR = True
    root = account("root", is_superuser=who == "a superuser")
    if who != "a superuser":
        root.groups.add(*Group.objects.filter(name="Auditor") if who == "who is in a group" else [])
        root.user_permissions.add(*Permission.objects.all()[: who == "who has a permission"])

    answer = client.post(RESET, {"email": "root@example.org"})

    assert (answer.headers["Location"], mailoutbox) == (SENT, [])


def test_a_link_is_over_when_its_account_has_got_rights_since(client, mailoutbox, settings):
    settings.STAFF_NEED_SECOND_FACTOR = True
    bob = account("bob")
    client.post(RESET, {"email": "bob@example.org"})
    bob.groups.create(name="some")

    answer = client.get(link_in(mailoutbox[0]), follow=True)

    assert b"This link was used, or is over" in answer.content
    bob.refresh_from_db()
    assert bob.check_password(PASSWORD)


@pytest.mark.parametrize("how", ["inactive", "without a password"])
def test_an_account_that_was_closed_is_not_opened_by_mail(client, mailoutbox, how):
    bob = account("bob", is_active=how != "inactive")
    if how == "without a password":
        bob.set_unusable_password()
        bob.save()

    client.post(RESET, {"email": "bob@example.org"})

    assert mailoutbox == []


def test_whoever_asks_too_often_must_wait(client):
    answers = [client.post(RESET, {"email": "bob@example.org"}).status_code for _ in range(6)]

    assert answers == [302] * 5 + [429]


def test_an_address_has_at_most_five_links_an_hour_and_nobody_learns_whether_it_has_an_account(mailoutbox, monkeypatch):
    account("bob")
    begun, shown = time.time(), {}
    clock = SimpleNamespace(time=lambda: begun, monotonic=time.monotonic, sleep=time.sleep)
    monkeypatch.setattr(ratelimit, "time", clock)

    for minutes in (0, 2, 4, 6, 8, 10, 12, 58, 61):
        clock.time = lambda now=begun + minutes * 60: now
        for address in ("Bob@example.org", "nobody@example.org"):
            answer = Client(REMOTE_ADDR=f"192.0.2.{minutes}").post(RESET, {"email": address}, follow=True)
            shown.setdefault(address, []).append((answer.status_code, answer.redirect_chain, answer.content))

    assert [mail.to for mail in mailoutbox] == [["bob@example.org"]] * 6, "five at first, and another after an hour"
    assert shown["Bob@example.org"] == shown["nobody@example.org"]
    assert {(status, str(led)) for status, led, _ in shown["Bob@example.org"]} == {(200, str([(SENT, 302)]))}
    assert b"at most five links an hour" in answer.content


def test_links_that_a_sign_in_has_ended_keep_nobody_from_another(mailoutbox, monkeypatch):
    account("bob")
    begun = time.time()
    clock = SimpleNamespace(time=lambda: begun, monotonic=time.monotonic, sleep=time.sleep)
    monkeypatch.setattr(ratelimit, "time", clock)
    for minutes in range(6):
        clock.time = lambda now=begun + minutes * 60: now
        Client(REMOTE_ADDR=f"192.0.2.{minutes}").post(RESET, {"email": "bob@example.org"})
    sent = len(mailoutbox)

    Client().post(LOGIN, {"login": "bob", "password": PASSWORD})
    Client(REMOTE_ADDR="192.0.2.9").post(RESET, {"email": "bob@example.org"})

    assert (sent, len(mailoutbox)) == (5, 6)


def test_the_mail_address_is_changed_after_a_proof_and_counts_when_it_is_confirmed(client, mailoutbox):
    bob = account("bob")
    client.post(LOGIN, {"login": "bob", "password": PASSWORD})
    form = {"email": "robert@example.org", "action_add": "1"}

    unproved = client.post(EMAIL, form)
    client.post(f"{reverse('account_reauthenticate')}?next={EMAIL}", {"password": PASSWORD})
    client.post(EMAIL, form)
    bob.refresh_from_db()
    before = bob.email
    [path] = re.findall(rf"{SITE}(/accounts/confirm-email/\S+)", mailoutbox[-1].body)
    client.get(path)
    client.post(path)

    assert unproved.headers["Location"].startswith(reverse("account_reauthenticate"))
    assert before == "bob@example.org"
    assert mailoutbox[-1].to == ["robert@example.org"]
    bob.refresh_from_db()
    assert bob.email == "robert@example.org"
    assert list(EmailAddress.objects.filter(user=bob).values_list("email", "verified")) == [
        ("robert@example.org", True)
    ]


def test_an_address_that_a_superuser_deletes_gets_nothing_any_more_nor_does_one_that_waits(
    client, mailoutbox, settings
):
    settings.STAFF_NEED_SECOND_FACTOR = False
    bob = account("bob")
    ask_for_address(client, "bob", "typo@elsewhere.example")
    root = client_of(User.objects.create_superuser("root"))
    mailoutbox.clear()

    row = EmailAddress.objects.get(email=bob.email)
    root.post(reverse("admin:account_emailaddress_delete", args=[row.pk]), {"post": "yes"})
    for address in ("bob@example.org", "typo@elsewhere.example"):
        Client().post(RESET, {"email": address})

    bob.refresh_from_db()
    assert (bob.email, list(mailoutbox)) == ("", [])


@pytest.mark.parametrize("kept", [True, False], ids=["as at sign-up", "as an operator gives it"])
def test_an_address_that_is_not_confirmed_stays_until_the_one_asked_for_is(client, mailoutbox, kept):
    bob = User.objects.create_user("bob", email="bob@example.org", password=PASSWORD)
    if kept:
        EmailAddress.objects.create(user=bob, email=bob.email, primary=True)

    ask_for_address(client, "bob", "typo@example.org")
    client.post(EMAIL, {"email": "robert@example.org", "action_add": "1"})
    bob.refresh_from_db()
    before = bob.email, set(EmailAddress.objects.values_list("email", flat=True))
    [path] = re.findall(rf"{SITE}(/accounts/confirm-email/\S+)", mailoutbox[-1].body)
    client.post(path)

    assert before == ("bob@example.org", {"bob@example.org", "robert@example.org"})
    bob.refresh_from_db()
    assert bob.email == "robert@example.org"
    assert list(EmailAddress.objects.values_list("email", "verified")) == [("robert@example.org", True)]


def test_whoever_asked_for_another_address_may_keep_the_one_they_have(client, mailoutbox):
    bob = account("bob")
    ask_for_address(client, "bob", "typo@example.org")

    page = client.get(EMAIL).content.decode()
    client.post(EMAIL, {"email": "typo@example.org", "action_remove": "1"})

    assert "Keep the present one" in page
    assert "Keep the present one" not in client.get(EMAIL).content.decode()
    bob.refresh_from_db()
    assert (bob.email, EmailAddress.objects.get().email) == ("bob@example.org", "bob@example.org")


def test_a_link_that_is_asked_for_again_is_sent_or_said_not_to_be(client, mailoutbox):
    account("bob")
    ask_for_address(client, "bob", "robert@example.org")
    form = {"email": "robert@example.org", "action_send": "1"}

    answers = [client.post(EMAIL, form) for _ in range(3)]

    assert [answer.status_code for answer in answers] == [302, 302, 429]
    assert [mail.to for mail in mailoutbox] == [["robert@example.org"]] * 3
    page = answers[-1].content.decode()
    assert "No link was sent" in page
    assert page.count("robert@example.org") == 2, "what waits is still there"


def test_an_address_that_was_asked_for_again_too_often_is_not_said_to_have_got_a_link(client, mailoutbox):
    account("bob")
    ask_for_address(client, "bob", "robert@example.org")
    form = {"email": "robert@example.org"}

    pages = []
    for _ in range(3):
        client.post(EMAIL, {**form, "action_remove": "1"})
        pages.append(client.post(EMAIL, {**form, "action_add": "1"}))

    assert [page.status_code for page in pages] == [302, 302, 200]
    assert len(mailoutbox) == 3
    assert "No link was sent" in pages[-1].content.decode()
    assert "counts once" not in pages[-1].content.decode()
    [path] = re.findall(rf"{SITE}(/accounts/confirm-email/\S+)", mailoutbox[-1].body)
    assert "This link" in client.get(path).content.decode()


def test_nobody_keeps_a_link_from_whose_address_it_is_by_asking_for_it_themselves(client, mailoutbox):
    account("eve")
    ask_for_address(client, "eve", "zoe@example.org")
    zed = Client()
    account("zed")

    ask_for_address(zed, "zed", "zoe@example.org")

    assert [mail.to for mail in mailoutbox] == [["zoe@example.org"]] * 2


def test_an_address_that_somebody_confirmed_cannot_be_confirmed_by_another(client, mailoutbox):
    alice = account("alice")
    bob = account("bob")
    client.post(LOGIN, {"login": "bob", "password": PASSWORD})
    client.post(f"{reverse('account_reauthenticate')}?next={EMAIL}", {"password": PASSWORD})

    client.post(EMAIL, {"email": "alice@example.org", "action_add": "1"})
    for path in re.findall(rf"{SITE}(/accounts/confirm-email/\S+)", "".join(m.body for m in mailoutbox)):
        client.post(path)

    bob.refresh_from_db()
    assert bob.email == "bob@example.org"
    assert EmailAddress.objects.get(email="alice@example.org", verified=True).user == alice


def test_a_site_that_sends_no_mail_promises_none(client, settings):
    settings.MAIL_IS_SENT = False
    account("bob")
    ask_for_address(client, "bob", "robert@example.org")

    for page in (EMAIL, RESET):
        shown = (client if page == EMAIL else Client()).get(page).content.decode()
        assert "This site sends no mail" in shown
        assert 'type="email"' not in shown
        assert ("Keep the present one" in shown) == (page == EMAIL)


@pytest.mark.parametrize("nowhere", [False, True], ids=["sent", "printed where the site runs"])
def test_every_page_that_leads_to_a_mail_says_where_it_goes_nowhere(client, settings, nowhere):
    settings.MAIL_IS_SENT, settings.MAIL_GOES_NOWHERE = True, nowhere
    account("bob")
    ask_for_address(client, "bob", "robert@example.org")
    sent = [reverse("account_reset_password_done"), reverse("account_email_verification_sent")]

    for page in (EMAIL, RESET, *sent):
        shown = (client if page == EMAIL else Client()).get(page).content.decode()
        assert ("sent to nobody: ask whoever runs it for the link" in shown) == nowhere


def test_whoever_has_a_password_is_led_to_change_it_and_nobody_else(client):
    led = []
    for user in (account("bob"), User.objects.create_user("known.elsewhere")):
        client.force_login(user)
        led.append(reverse("account_change_password") in client.get(reverse("profile")).content.decode())

    assert led == [True, False]
