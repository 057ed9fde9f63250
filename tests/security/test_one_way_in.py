"""One way in: what a signed-in auditor tries against a superuser who has a second factor, over HTTP."""

import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config import accounts
from debates.errors import Invalid
from debates.models import ApiKey, Webhook
from debates.services import invitations, webhooks
from debates.services.invitations import Offer
from tests import factories
from tests.api.clients import Api, code_of
from tests.mail.outbox import send_due
from tests.moderators import client_of, factor_code

pytestmark = pytest.mark.django_db
PASSWORD = "a long enough secret"
ANOTHER = "quite another long secret"
AUDITOR = ("scoring.view_evaluation", "debates.view_webhook")
LOGIN = reverse("account_login")
REAUTHENTICATE, BY_CODE = reverse("account_reauthenticate"), reverse("mfa_reauthenticate")
CHANGE = reverse("account_change_password")
REMOVE = reverse("mfa_deactivate_totp")
CODES = ("mfa_view_recovery_codes", "mfa_generate_recovery_codes", "mfa_download_recovery_codes")


@pytest.fixture(autouse=True)
def nothing_is_counted_yet():
    cache.clear()


def account(name: str, *, superuser: bool = False, permissions=()) -> User:
    user = factories.person(name, superuser=superuser, permissions=permissions)
    user.set_password(PASSWORD)
    user.save()
    return user


def with_factor(user: User) -> str:
    secret = totp.generate_totp_secret()
    totp.TOTP.activate(user, secret)
    return secret


def code(secret: str) -> str:
    """The code of now, which may be given once more: a test does not wait for the next."""
    cache.clear()
    return factor_code(secret)


def signed_in(user: User, secret: str | None = None) -> Client:
    client = Client()
    client.post(LOGIN, {"login": user.username, "password": PASSWORD})
    if secret is not None:
        client.post(reverse("mfa_authenticate"), {"code": code(secret)})
    assert who(client) == user.pk
    return client


def who(client: Client) -> int | None:
    number = client.session.get("_auth_user_id")
    return None if number is None else int(number)


def asks_for_a_password(answer) -> bool:
    return b'type="password"' in answer.content


@pytest.fixture
def root() -> User:
    return account("root", superuser=True)


@pytest.fixture
def secret(root) -> str:
    return with_factor(root)


@pytest.fixture
def auditor() -> Client:
    user = account("alice", permissions=AUDITOR)
    return signed_in(user, with_factor(user))


@pytest.mark.parametrize("required", [True, False], ids=["a factor is required", "none is"])
def test_the_admins_own_form_is_neither_shown_nor_taken(auditor, root, secret, settings, required):
    settings.STAFF_NEED_SECOND_FACTOR = required
    before = who(auditor)
    form = {"username": "root", "password": PASSWORD, "next": "/admin/"}

    for client, user in (
        (auditor, before),
        (Client(), None),
        (signed_in(account("bob")), User.objects.get(username="bob").pk),
    ):
        for path in ("/admin/login/", "/admin/login/?next=/admin/auth/user/"):
            assert not asks_for_a_password(client.get(path))
            answers = [client.post(path, form) for _ in range(3)]
            assert {answer.status_code for answer in answers} <= {302, 403}
            assert not any(asks_for_a_password(answer) for answer in answers)
            assert who(client) == user


def test_the_site_has_no_view_of_djangos_that_takes_a_password():
    for view in (admin.site.login, admin.site.password_change):
        assert view.__func__.__qualname__.startswith("ModerationSite.")


def test_a_stranger_is_sent_to_the_one_door_and_from_there_to_where_they_wanted(root, settings):
    settings.STAFF_NEED_SECOND_FACTOR = False
    client = Client()
    wanted = "/admin/scoring/evaluation/?q=clarity&o=1"

    way = client.get(wanted, follow=True)
    answer = client.post(way.redirect_chain[-1][0], {"login": "root", "password": PASSWORD}, follow=True)

    assert way.redirect_chain[-1][0].startswith(LOGIN)
    assert answer.redirect_chain[-1][0] == wanted
    assert answer.status_code == 200


@pytest.mark.parametrize("next_", ["https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)"])
def test_no_way_through_the_admin_leads_elsewhere(auditor, next_):
    for client in (Client(), auditor):
        answer = client.get("/admin/login/", {"next": next_})

        assert answer.status_code == 302
        assert "elsewhere" not in answer.headers["Location"]
        assert "javascript" not in answer.headers["Location"]


def test_whoever_is_signed_in_and_may_not_enter_is_told_so_and_how_to_sign_in_as_another():
    user = User.objects.create_user("charlie", password=PASSWORD)
    client = signed_in(user)

    answer = client.get("/admin/", follow=True)
    page = answer.content.decode()

    assert answer.status_code == 403
    assert "charlie" in page
    [leave] = re.findall(rf'href="({reverse("account_logout")}[^"]*)"', page)[-1:]
    asked = client.get(leave.replace("&amp;", "&"))
    form = dict(re.findall(r'name="(next)" value="([^"]*)"', asked.content.decode()))
    assert client.post(reverse("account_logout"), form).headers["Location"].startswith(LOGIN)
    assert who(client) is None


def test_wrong_passwords_count_wherever_a_password_is_taken(root, settings):
    settings.STAFF_NEED_SECOND_FACTOR = False
    client = signed_in(root)
    proofs = {
        REAUTHENTICATE: lambda password: {"password": password},
        CHANGE: lambda password: {"oldpassword": password, "password1": ANOTHER, "password2": ANOTHER},
    }
    sign_in = {LOGIN: lambda password: {"login": "root", "password": password}}

    for doors in (proofs, sign_in):
        for door, form in doors.items():
            cache.clear()
            for _ in range(5):
                (Client() if door == LOGIN else client).post(door, form("wrong"))

            for other, right in doors.items():
                answer = (Client() if other == LOGIN else client).post(other, right(PASSWORD))

                assert answer.status_code == 429, (door, other)
                assert int(answer.headers["Retry-After"]) > 0
                assert b"Too many" in answer.content
    root.refresh_from_db()
    assert root.check_password(PASSWORD)


@pytest.mark.parametrize("name", ["root", "proof:root", "proof:ROOT"])
def test_who_fails_to_sign_in_by_somebodys_name_keeps_nobody_from_proving_it(root, settings, name):
    settings.STAFF_NEED_SECOND_FACTOR = False
    client = signed_in(root)
    for _ in range(6):
        Client(REMOTE_ADDR="192.0.2.7").post(LOGIN, {"login": name, "password": "wrong"})

    proof = client.post(REAUTHENTICATE, {"password": PASSWORD})
    change = client.post(CHANGE, {"oldpassword": PASSWORD, "password1": ANOTHER, "password2": ANOTHER})

    assert [proof.status_code, change.status_code] == [302, 302]
    root.refresh_from_db()
    assert root.check_password(ANOTHER)


def test_wrong_codes_count_too(root, secret):
    client = Client()
    client.post(LOGIN, {"login": "root", "password": PASSWORD})
    for _ in range(5):
        client.post(reverse("mfa_authenticate"), {"code": "000000"})

    answer = client.post(reverse("mfa_authenticate"), {"code": "000000"})

    assert (answer.status_code, who(client)) == (429, None)


def test_who_knows_a_password_alone_keeps_its_owner_from_no_proof_by_wrong_codes(root, secret):
    owner, thief = signed_in(root, secret), Client(REMOTE_ADDR="192.0.2.7")
    thief.post(LOGIN, {"login": "root", "password": PASSWORD})
    right = code(secret)
    wrong = [thief.post(reverse("mfa_authenticate"), {"code": "000000"}).status_code for _ in range(6)]

    proof = owner.post(BY_CODE, {"code": right})

    assert (wrong[-1], proof.status_code) == (429, 302)


@pytest.mark.parametrize("right", ["a code to sign in", "a proof", "the first code"])
def test_what_is_right_lets_nobody_guess_on_at_other_accounts(root, settings, right):
    settings.STAFF_NEED_SECOND_FACTOR = False
    pages = {"a code to sign in": "mfa_authenticate", "a proof": "mfa_reauthenticate"}
    first, page = right == "the first code", reverse(pages.get(right, "mfa_activate_totp"))
    secret = "" if first else with_factor(root)
    client = Client() if right == "a code to sign in" else signed_in(root, secret or None)
    cache.clear()
    if first:
        client.post(REAUTHENTICATE, {"password": PASSWORD})
        client.get(page)
        secret = client.session["mfa.totp.secret"]
    elif right == "a code to sign in":
        client.post(LOGIN, {"login": "root", "password": PASSWORD})
    for number in range(9):
        Client().post(LOGIN, {"login": f"nobody-{number}", "password": "wrong"})

    answer = client.post(page, {"code": factor_code(secret)})
    guesses = [Client().post(LOGIN, {"login": f"no-{n}", "password": "wrong"}).status_code for n in range(2)]

    assert (answer.status_code, guesses) == (302, [200, 429])


@pytest.mark.parametrize("required", [True, False], ids=["a factor is required", "none is"])
def test_the_password_alone_removes_no_factor_and_shows_no_recovery_code(root, secret, settings, required):
    settings.STAFF_NEED_SECOND_FACTOR = required
    client = signed_in(root, secret)
    cache.clear()

    assert client.post(REMOVE).headers["Location"].startswith(BY_CODE)
    proof = client.post(f"{REAUTHENTICATE}?next={REMOVE}", {"password": PASSWORD}, follow=True)
    assert proof.redirect_chain[-1][0].startswith(BY_CODE)
    assert b'name="code"' in proof.content

    client.post(REMOVE)
    for name in CODES:
        assert client.get(reverse(name)).headers["Location"].startswith(BY_CODE)
    client.post(reverse("mfa_generate_recovery_codes"))
    assert [row.type for row in Authenticator.objects.filter(user=root)] == ["totp"]


def test_the_factor_itself_removes_the_factor(root, secret):
    client = signed_in(root, secret)

    client.post(f"{BY_CODE}?next={REMOVE}", {"code": code(secret)})
    client.post(REMOVE)

    assert not Authenticator.objects.filter(user=root).exists()


def test_a_proof_by_password_from_before_there_was_a_factor_does_not_remove_it(root):
    client = signed_in(root)
    client.post(f"{REAUTHENTICATE}?next=/", {"password": PASSWORD})
    with_factor(root)

    answer = client.post(REMOVE)

    assert answer.headers["Location"].startswith(BY_CODE)
    assert Authenticator.objects.filter(user=root).exists()


def test_a_first_factor_is_set_up_with_the_password_and_opens_the_admin(root, settings):
    settings.STAFF_NEED_SECOND_FACTOR = True
    client = signed_in(root)
    set_up = reverse("mfa_activate_totp")

    assert client.get(set_up).headers["Location"].startswith(REAUTHENTICATE)
    assert client.post(f"{REAUTHENTICATE}?next={set_up}", {"password": PASSWORD}).headers["Location"] == set_up
    client.get(set_up)
    answer = client.post(set_up, {"code": code(client.session["mfa.totp.secret"])}, follow=True)

    assert answer.redirect_chain[-1][0] == reverse("mfa_view_recovery_codes")
    assert answer.status_code == 200
    assert client.get("/admin/").status_code == 200


def test_whoever_is_led_to_set_up_a_factor_is_led_on_from_there(root, settings):
    settings.STAFF_NEED_SECOND_FACTOR = True
    client, wanted = Client(), "/admin/scoring/evaluation/"

    way = client.post(LOGIN, {"login": "root", "password": PASSWORD, "next": wanted}, follow=True).redirect_chain
    page = client.post(way[-1][0], {"password": PASSWORD}, follow=True)
    [kept] = re.findall(r'name="next" value="([^"]*)"', page.content.decode())
    form = {"code": code(client.session["mfa.totp.secret"]), "next": kept}
    answer = client.post(reverse("mfa_activate_totp"), form, follow=True)

    assert answer.redirect_chain[-1][0].startswith(reverse("mfa_view_recovery_codes"))
    assert f'href="{wanted}"' in answer.content.decode()
    assert client.get(wanted).status_code == 200


def test_ones_own_password_is_not_changed_in_the_admin_without_it(root, secret):
    client = signed_in(root, secret)
    form = {"password1": ANOTHER, "password2": ANOTHER, "usable_password": "true"}

    own = [reverse("admin:auth_user_password_change", args=[name]) for name in (root.pk, f"0{root.pk}")]
    for path in (*own, "/admin/password_change/"):
        answers = [client.get(path), client.post(path, form)]
        assert {answer.headers["Location"] for answer in answers} == {CHANGE}

    root.refresh_from_db()
    assert root.check_password(PASSWORD)


def test_anothers_password_is_changed_only_after_ones_own_factor(root, secret):
    bob = account("bob")
    client = signed_in(root, secret)
    path = reverse("admin:auth_user_password_change", args=[bob.pk])
    form = {"password1": ANOTHER, "password2": ANOTHER, "usable_password": "true"}

    refused = client.post(path, form)
    kept = client.session.items()
    assert ANOTHER not in str(list(kept))
    client.post(f"{BY_CODE}?next={path}", {"code": code(secret)})
    client.post(path, form)

    assert refused.headers["Location"].startswith(BY_CODE)
    bob.refresh_from_db()
    assert bob.check_password(ANOTHER)


SECRET_PAGES = ("/admin/debates/apikey/make/", "/admin/debates/webhook/make/", "/admin/debates/webhook/{hook}/rotate/")
EDIT_PAGE = "/admin/debates/webhook/{hook}/edit/"


def test_no_secret_is_made_or_shown_in_a_session_that_was_left_open(root, settings):
    settings.STAFF_NEED_SECOND_FACTOR = False
    hook, _ = webhooks.register(owner=root, url="https://example.org/hook", now=timezone.now())
    pages = [page.format(hook=hook.pk) for page in (*SECRET_PAGES, EDIT_PAGE)]
    form = {"name": "Mine", "scopes": ["read"], "url": "https://example.org/mine"}
    client = client_of(root)

    asked = [client.get(page) for page in pages] + [client.post(page, form) for page in pages]
    assert {answer.headers.get("Location", "").partition("?")[0] for answer in asked} == {REAUTHENTICATE}
    assert (ApiKey.objects.count(), Webhook.objects.get().secret, Webhook.objects.get().url) == (
        0,
        hook.secret,
        hook.url,
    )

    client.post(f"{REAUTHENTICATE}?next=/", {"password": PASSWORD})
    for page in pages:
        client.post(page, form)
    assert (ApiKey.objects.count(), Webhook.objects.count()) == (1, 2)
    assert Webhook.objects.get(pk=hook.pk).secret != hook.secret
    assert Webhook.objects.get(pk=hook.pk).url == form["url"]


def test_with_a_second_factor_it_is_the_factor_that_opens_a_page_with_a_secret(root, secret):
    client = signed_in(root, secret)
    cache.clear()

    client.post(f"{REAUTHENTICATE}?next=/", {"password": PASSWORD})
    assert client.get(SECRET_PAGES[0]).headers["Location"].startswith(BY_CODE)
    client.post(f"{BY_CODE}?next=/", {"code": code(secret)})
    assert client.get(SECRET_PAGES[0]).status_code == 200


def test_the_api_asks_a_session_and_no_key_for_the_same_proof(root, settings):
    settings.STAFF_NEED_SECOND_FACTOR = False
    client, api, hook = client_of(root), Api(root), {"url": "https://example.org/hook"}
    made = api.post("/webhooks/", hook).json()
    own = f"/api/v1/webhooks/{made['id']}"
    asked = [("/api/v1/webhooks/", hook), (f"{own}/rotate/", {}), (f"{own}/change/", {"url": "https://example.org/b"})]

    before = [code_of(client.post(path, data, "application/json")) for path, data in asked]
    client.post(f"{REAUTHENTICATE}?next=/", {"password": PASSWORD})
    after = [client.post(path, data, "application/json").status_code for path, data in asked]

    assert before == [(403, "proof_needed")] * 3
    assert after == [201, 200, 200]
    assert api.post(f"{own.removeprefix('/api/v1')}/change/", hook).status_code == 200


@pytest.mark.parametrize("page", ["auth_user_change", "auth_user_add", "auth_group_change", "auth_group_add"])
def test_a_session_alone_gives_no_rights(page, root, secret):
    bob, group = account("bob"), Group.objects.get(name="Auditor")
    client = signed_in(root, secret)
    row = {"auth_user_change": [bob.pk], "auth_group_change": [group.pk]}.get(page, [])
    form = {"username": "bob", "name": "Keepers", "is_active": "on", "is_superuser": "on", "_save": "Save"}
    path = reverse(f"admin:{page}", args=row)

    answers = [client.get(path), client.post(path, form)]

    assert all(answer.headers["Location"].startswith(BY_CODE) for answer in answers)
    assert not User.objects.filter(is_superuser=True).exclude(pk=root.pk).exists()
    assert not Group.objects.filter(name="Keepers").exists()


def test_a_session_alone_takes_no_rights(root, secret):
    boss, group = account("boss", superuser=True), Group.objects.get(name="Moderator")
    client = signed_in(root, secret)
    lists = [("auth_user_changelist", boss), ("auth_group_changelist", group)]

    answers = [
        client.post(reverse("admin:auth_user_delete", args=[boss.pk]), {"post": "yes"}),
        client.post(reverse("admin:auth_group_delete", args=[group.pk]), {"post": "yes"}),
    ]
    for page, row in lists:
        form = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
        answers.append(client.post(reverse(f"admin:{page}"), form))

    assert all(answer.headers["Location"].startswith(BY_CODE) for answer in answers)
    assert User.objects.filter(pk=boss.pk).exists()
    assert Group.objects.filter(pk=group.pk).exists()
    assert [client.get(reverse(f"admin:{page}")).status_code for page, _ in lists] == [200, 200]


@pytest.mark.parametrize("by", ["its page", "the list"])
def test_an_invitation_to_a_group_is_over_when_the_group_is_gone(by, root, settings):
    settings.STAFF_NEED_SECOND_FACTOR = False
    group = Group.objects.create(name="Visitors")
    row, text = invitations.invite(offer=Offer(group=group), by=root, now=timezone.now())
    client = signed_in(root)
    client.post(f"{REAUTHENTICATE}?next=/", {"password": PASSWORD})

    if by == "its page":
        client.post(reverse("admin:auth_group_delete", args=[group.pk]), {"post": "yes"})
    else:
        form = {"action": "delete_selected", "_selected_action": [group.pk], "post": "yes"}
        client.post(reverse("admin:auth_group_changelist"), form)

    row.refresh_from_db()
    assert (row.group, row.revoked_by) == (None, root)
    with pytest.raises(Invalid):
        invitations.accept(text=text, by=account("bob"), now=timezone.now())


def test_rights_are_given_after_ones_own_factor(root, secret):
    bob = account("bob")
    client = signed_in(root, secret)
    path = reverse("admin:auth_user_change", args=[bob.pk])
    form = {"username": "bob", "is_active": "on", "is_staff": "on", "is_superuser": "on", "_save": "Save"}

    client.post(f"{BY_CODE}?next={path}", {"code": code(secret)})
    client.post(path, form)

    bob.refresh_from_db()
    assert bob.is_superuser


@pytest.mark.parametrize("page", ["account_logout", "admin:logout"])
def test_nobody_is_signed_out_by_looking_at_the_page(page, root):
    client = signed_in(root)

    client.get(reverse(page))
    assert who(client) == root.pk
    client.post(reverse(page))
    assert who(client) is None


KEEPER = ("auth.view_user", "auth.add_user", "auth.change_user", "auth.delete_user", "auth.view_group")
GROUPS = ("auth.add_group", "auth.change_group", "mfa.view_authenticator", "mfa.delete_authenticator")


def test_whoever_keeps_accounts_gains_and_takes_no_rights_by_it(root, secret, settings):
    settings.STAFF_NEED_SECOND_FACTOR = False
    keeper = account("keeper", permissions=(*KEEPER, *GROUPS, "mfa.change_authenticator", "mfa.add_authenticator"))
    client = signed_in(keeper)
    client.post(f"{REAUTHENTICATE}?next=/", {"password": PASSWORD})
    factor = Authenticator.objects.get(user=root)
    form = {"username": "keeper", "is_active": "on", "is_staff": "on", "is_superuser": "on", "_save": "Save"}

    for user in (keeper, root):
        client.post(reverse("admin:auth_user_change", args=[user.pk]), {**form, "username": user.username})
        client.post(reverse("admin:auth_user_delete", args=[user.pk]), {"post": "yes"})
    client.post(
        reverse("admin:auth_user_password_change", args=[root.pk]),
        {"password1": ANOTHER, "password2": ANOTHER, "usable_password": "true"},
    )
    client.post(
        reverse("admin:auth_user_changelist"),
        {"action": "delete_selected", "_selected_action": [root.pk], "post": "yes"},
    )
    client.post(reverse("admin:mfa_authenticator_delete", args=[factor.pk]), {"post": "yes"})

    keeper.refresh_from_db()
    root.refresh_from_db()
    assert (keeper.is_superuser, root.is_superuser, root.is_active) == (False, True, True)
    assert root.check_password(PASSWORD)
    assert Authenticator.objects.filter(pk=factor.pk).exists()
    assert client.get(reverse("admin:auth_group_add")).status_code == 403


@pytest.mark.parametrize("by", ["a group", "a permission"])
def test_whoever_keeps_accounts_takes_no_account_over_that_has_rights_and_is_not_of_the_staff(by, settings):
    settings.STAFF_NEED_SECOND_FACTOR = False
    client = signed_in(account("keeper", permissions=KEEPER))
    client.post(f"{REAUTHENTICATE}?next=/", {"password": PASSWORD})
    program = account("program", permissions=["scoring.override_evaluation"] if by == "a permission" else [])
    if by == "a group":
        program.groups.add(Group.objects.get(name="Moderator"))
    User.objects.filter(pk=program.pk).update(is_staff=False)

    answers = [
        client.post(reverse("admin:auth_user_change", args=[program.pk]), {"username": "mine", "_save": "Save"}),
        client.post(
            reverse("admin:auth_user_password_change", args=[program.pk]),
            {"password1": ANOTHER, "password2": ANOTHER, "usable_password": "true"},
        ),
        client.post(reverse("admin:auth_user_delete", args=[program.pk]), {"post": "yes"}),
    ]

    program.refresh_from_db()
    assert [answer.status_code for answer in answers] == [403, 403, 403]
    assert program.username == "program"
    assert program.check_password(PASSWORD)


def test_nobody_gives_or_confirms_an_address_of_somebody_else_by_which_to_set_their_password(root, settings):
    settings.STAFF_NEED_SECOND_FACTOR = False
    rights = [f"account.{act}_emailaddress" for act in ("view", "add", "change", "delete")]
    client = signed_in(account("keeper", permissions=(*KEEPER, *rights)))
    of_root = EmailAddress.objects.create(user=root, email="root@example.org")
    changelist = reverse("admin:account_emailaddress_changelist")
    form = {"user": root.pk, "email": "mine@example.org", "verified": "on", "primary": "on", "_save": "Save"}
    chosen = {"_selected_action": [of_root.pk], "post": "yes"}

    answers = [
        client.post(reverse("admin:account_emailaddress_add"), form),
        client.post(reverse("admin:account_emailaddress_change", args=[of_root.pk]), form),
        client.post(reverse("admin:account_emailaddress_delete", args=[of_root.pk]), {"post": "yes"}),
    ]
    for act in ("make_verified", "delete_selected"):
        client.post(changelist, {"action": act, **chosen})

    assert [answer.status_code for answer in answers] == [403, 403, 403]
    assert list(EmailAddress.objects.values_list("user", "email", "verified")) == [(root.pk, "root@example.org", False)]
    assert "root@example.org" in client.get(changelist).content.decode()


def test_nobody_gives_an_account_an_address_to_which_a_new_password_is_sent(settings, mailoutbox, monkeypatch):
    settings.STAFF_NEED_SECOND_FACTOR = False
    monkeypatch.setattr(accounts, "behind_the_page", lambda work, *about: (work(*about), send_due()))
    client = signed_in(account("keeper", permissions=KEEPER))
    dora = User.objects.create_user("dora", email="dora@example.org", password=PASSWORD)
    form = {"username": "dora", "first_name": "Dora", "is_active": "on", "email": "mine@example.org", "_save": "Save"}

    client.post(reverse("admin:auth_user_change", args=[dora.pk]), form)
    for address in ("mine@example.org", "dora@example.org"):
        Client().post(reverse("account_reset_password"), {"email": address})

    dora.refresh_from_db()
    assert (dora.first_name, dora.email) == ("Dora", "dora@example.org")
    assert [mail.to for mail in mailoutbox] == [["dora@example.org"]]


def test_a_plain_account_is_deleted_with_its_address(settings):
    settings.STAFF_NEED_SECOND_FACTOR = False
    client = signed_in(account("keeper", permissions=(*KEEPER, "account.delete_emailaddress")))
    dora = User.objects.create_user("dora")
    EmailAddress.objects.create(user=dora, email="dora@example.org")
    client.post(f"{REAUTHENTICATE}?next=/", {"password": PASSWORD})

    client.post(reverse("admin:auth_user_delete", args=[dora.pk]), {"post": "yes"})

    assert not User.objects.filter(pk=dora.pk).exists()


def test_whoever_keeps_accounts_still_makes_and_mends_plain_ones(settings):
    settings.STAFF_NEED_SECOND_FACTOR = False
    keeper = account("keeper", permissions=KEEPER)
    client = signed_in(keeper)
    form = {"username": "dora", "password1": ANOTHER, "password2": ANOTHER, "usable_password": "true"}

    client.post(reverse("admin:auth_user_add"), form)
    dora = User.objects.get(username="dora")
    client.post(
        reverse("admin:auth_user_change", args=[dora.pk]),
        {"username": "dora", "first_name": "Dora", "is_superuser": "on"},
    )

    dora.refresh_from_db()
    assert (dora.first_name, dora.is_superuser, dora.is_staff) == ("Dora", False, False)


def test_nobody_locks_another_out_by_a_name_that_differs_in_the_case_of_letters_alone(root, settings):
    settings.STAFF_NEED_SECOND_FACTOR = False
    client = signed_in(account("keeper", permissions=KEEPER))
    dora = User.objects.create_user("dora")
    new = {"username": "Root", "password1": ANOTHER, "password2": ANOTHER, "usable_password": "true"}
    path = reverse("admin:auth_user_change", args=[dora.pk])

    refused = client.post(path, {"username": "ROOT", "is_active": "on", "_save": "Save"})
    client.post(reverse("admin:auth_user_add"), new)
    signed_in(root)
    client.post(path, {"username": "DORA", "is_active": "on", "_save": "Save"})

    assert "already exists" in refused.content.decode()
    assert sorted(User.objects.values_list("username", flat=True)) == ["DORA", "keeper", "root"]


def test_a_lost_factor_is_taken_away_by_a_superuser_after_their_own_and_never_shown(root, secret):
    bob = account("bob")
    lost = with_factor(bob)
    factor = Authenticator.objects.get(user=bob)
    client = signed_in(root, secret)
    row = reverse("admin:mfa_authenticator_change", args=[factor.pk])
    remove = reverse("admin:mfa_authenticator_delete", args=[factor.pk])
    own = reverse("admin:mfa_authenticator_delete", args=[Authenticator.objects.get(user=root).pk])

    shown = client.get(row).content.decode()
    asked = client.post(remove, {"post": "yes"})
    client.post(f"{BY_CODE}?next={remove}", {"code": code(secret)})
    refused = client.post(own, {"post": "yes"})
    client.post(remove, {"post": "yes"})

    assert lost not in shown
    assert asked.headers["Location"].startswith(BY_CODE)
    assert refused.status_code == 403
    assert [row.user for row in Authenticator.objects.all()] == [root]
