"""Signing in: one door, failures counted, a second factor where it is required of staff."""

import time
from urllib.parse import quote

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from django.contrib.auth.models import Group, Permission, User
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from config.accounts import lacks_second_factor
from debates.api.authentication import asked_anew
from debates.services import seats
from tests import factories, playing
from tests.judging.formats.open.people import seat_of, waits
from tests.moderators import factor_code, factor_of, proved

pytestmark = pytest.mark.django_db
LOGIN = reverse("account_login")
PASSWORD = "a long enough secret"


@pytest.fixture
def alice(settings):
    cache.clear()
    user = factories.moderator()
    user.set_password(PASSWORD)
    user.save()
    return user


def sign_in(client, password=PASSWORD, name="alice"):
    return client.post(LOGIN, {"login": name, "password": password})


def with_factor(client, user):
    session = client.session
    session["account_authentication_methods"] = [factor_of(user)]
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()


def test_the_admin_sends_a_stranger_to_the_one_door(client):
    answer = client.get(reverse("admin:index"), follow=True)

    assert answer.redirect_chain[-1][0].startswith(LOGIN)


def test_a_moderator_signs_in_with_name_and_password(client, alice, settings):
    settings.STAFF_NEED_SECOND_FACTOR = False

    assert sign_in(client).url == reverse("admin:index")
    assert client.get(reverse("admin:index")).status_code == 200


@pytest.mark.parametrize("next_", ["", "/debates/"])
def test_whoever_has_no_desk_begins_with_the_debates_or_where_they_wanted_to_go(client, next_):
    cache.clear()
    User.objects.create_user("charlie", password=PASSWORD)

    answer = client.post(LOGIN, {"login": "charlie", "password": PASSWORD, "next": next_})

    assert answer.headers["Location"] == (next_ or reverse("index"))


def test_pages_of_the_site_offer_to_sign_out_to_whoever_is_signed_in(client, alice):
    client.force_login(alice)

    page = client.get(reverse("index")).content.decode()

    assert f'href="{reverse("account_logout")}"' in page
    assert f'href="{LOGIN}"' not in page


def test_after_some_wrong_passwords_the_right_one_must_wait(client, alice):
    for _ in range(6):
        sign_in(client, "wrong")

    answer = sign_in(client)

    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "300")
    assert b"Too many" in answer.content
    assert "_auth_user_id" not in client.session


def test_nobody_is_kept_from_signing_in_by_the_failures_of_one_network(alice):
    def fail(address: str) -> int:
        return Client(REMOTE_ADDR=address).post(LOGIN, {"login": "alice", "password": "wrong"}).status_code

    def right() -> int:
        return Client(REMOTE_ADDR="198.51.100.7").post(LOGIN, {"login": "alice", "password": PASSWORD}).status_code

    one = [fail("192.0.2.1") for _ in range(6)]
    after_one = right()
    for number in range(2, 11):
        for _ in range(5):
            fail(f"192.0.2.{number}")

    assert (one[-1], after_one, right()) == (429, 302, 429)


def test_failures_are_counted_together_by_whichever_name_the_site_was_asked_for(alice):
    for port in range(5):
        Client().post(LOGIN, {"login": "Alice", "password": "wrong"}, headers={"Host": f"localhost:{port}"})

    answer = Client().post(LOGIN, {"login": "alice", "password": PASSWORD}, headers={"Host": "LOCALHOST"})

    assert answer.status_code == 429


def test_failures_are_counted_together_by_whichever_letters_lead_to_an_account(client, alice):
    User.objects.create_user("susan", password=PASSWORD)
    for _ in range(5):
        sign_in(Client(), "wrong", "ſuſan")

    assert sign_in(client, name="susan").status_code == 429


def test_failures_of_one_network_are_counted_together(alice):
    def statuses(addresses: list[str]) -> set[int]:
        cache.clear()
        forms = [{"login": f"nobody-{number}", "password": "wrong"} for number in range(11)]
        return {
            Client(REMOTE_ADDR=address).post(LOGIN, form).status_code
            for address, form in zip(addresses, forms, strict=True)
        }

    network = [f"2001:db8:1:2::{number:x}" for number in range(1, 12)]
    networks = [f"2001:db8:1:{number:x}::1" for number in range(1, 12)]
    mapped = [f"::ffff:192.0.2.{number}" for number in range(1, 12)]

    assert [statuses(network), statuses(networks), statuses(mapped)] == [{200, 429}, {200}, {200}]


def test_an_account_whose_password_was_taken_away_cannot_give_itself_another(client, alice):
    alice.set_unusable_password()
    alice.save()
    client.force_login(alice)

    answer = client.get(reverse("account_change_password"), follow=True)

    assert answer.status_code == 403
    assert not alice.has_usable_password()


def test_staff_that_owes_a_second_factor_is_sent_to_set_one_up(client, alice, settings):
    settings.STAFF_NEED_SECOND_FACTOR = True
    sign_in(client)

    wanted = reverse("admin:scoring_evaluation_changelist")
    set_up = f"{reverse('mfa_activate_totp')}?next={quote(wanted, safe='')}"
    way = client.get(wanted, follow=True).redirect_chain

    assert set_up in [address for address, _ in way]
    assert way[-1][0].startswith(reverse("account_reauthenticate"))


def test_staff_with_a_code_generator_signs_in_with_a_code(client, alice, settings):
    settings.STAFF_NEED_SECOND_FACTOR = True
    secret = totp.generate_totp_secret()
    totp.TOTP.activate(alice, secret)

    answer = sign_in(client)
    assert answer.url == reverse("mfa_authenticate")
    assert client.get(reverse("admin:index")).status_code == 302

    answer = client.post(reverse("mfa_authenticate"), {"code": factor_code(secret)})

    assert client.get(reverse("admin:index")).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_a_password_alone_opens_no_page_and_no_figures_that_take_a_permission(client, alice, settings):
    settings.STAFF_NEED_SECOND_FACTOR = True
    client.force_login(alice)
    rubric = {"rubric": playing.rubric("P1")}
    private, own = (factories.debate(visibility="private", created_by=one, parameters=rubric) for one in (None, alice))

    def opened() -> list[int]:
        pages = [f"/debates/{one.public_id}/{page}" for one in (private, own) for page in ("", "result.json")]
        return [client.get(page).status_code for page in (*pages, "/metrics")]

    before = opened()
    way = client.get(f"/debates/{private.public_id}/")
    with_factor(client, alice)

    assert [before, opened()] == [[404, 404, 404, 404, 403], [200] * 5]
    assert "Give your second factor" in way.content.decode()


@pytest.mark.parametrize("rights", ["a permission", "a group", "none"])
def test_whoever_has_rights_owes_the_second_factor_of_the_staff_or_not(client, settings, rights):
    settings.STAFF_NEED_SECOND_FACTOR = True
    cache.clear()
    bob = User.objects.create_user("bob", password=PASSWORD)
    if rights == "a permission":
        bob.user_permissions.add(Permission.objects.get(codename="view_debate"))
    if rights == "a group":
        bob.groups.add(Group.objects.get(name="Auditor"))
    parameters = {"rubric": playing.rubric("P1")}
    private, own = (
        factories.debate(visibility="private", created_by=one, parameters=parameters) for one in (None, bob)
    )
    pages = [f"/debates/{one.public_id}/" for one in (private, own)]
    sign_in(client, name="bob")

    before = [client.get(page).status_code for page in pages]
    asked = client.get("/api/v1/debates/").status_code
    page = client.get(pages[1], follow=True).content.decode()
    offered = "Give your second factor" in page
    with_factor(client, bob)

    owes = rights != "none"
    assert before == ([404, 404] if owes else [404, 200])
    assert (asked, offered) == ((403, True) if owes else (200, False))
    assert [client.get(page).status_code for page in pages] == ([200, 200] if owes else [404, 200])


def test_a_seat_waits_for_the_second_factor_and_is_then_where_one_is_led(client, alice, settings):
    settings.STAFF_NEED_SECOND_FACTOR = True
    client.force_login(alice)
    take = reverse("take-seat", args=[seats.invite(participant_id=seat_of(waits()).pk, by=None)])

    way = [address for address, _ in client.post(take, follow=True).redirect_chain]

    assert way[:2] == [f"{LOGIN}?next={take}", f"{reverse('mfa_activate_totp')}?next={quote(take, safe='')}"]


def test_a_factor_is_set_up_also_while_the_mail_address_is_not_confirmed(client, alice, settings):
    settings.STAFF_NEED_SECOND_FACTOR = True
    EmailAddress.objects.create(user=alice, email="alice@example.org", primary=True, verified=False)
    client.force_login(alice)
    proved(client)

    assert client.get(reverse("mfa_activate_totp")).status_code == 200


def test_who_is_asked_about_anew_after_they_got_rights_owes_the_second_factor_too(client, alice, settings):
    settings.STAFF_NEED_SECOND_FACTOR = True
    bob = User.objects.create_user("bob")
    client.force_login(bob)
    request = client.get("/api/v1/debates/").wsgi_request

    before = lacks_second_factor(asked_anew(request))
    bob.user_permissions.add(Permission.objects.get(codename="view_debate"))

    assert (before, lacks_second_factor(asked_anew(request))) == (False, True)


def test_a_factor_that_is_taken_away_is_owed_in_the_sessions_that_were_opened_with_it(client, alice, settings):
    settings.STAFF_NEED_SECOND_FACTOR = True
    client.force_login(alice)
    with_factor(client, alice)
    statuses = [client.get("/admin/").status_code]

    Authenticator.objects.filter(user=alice).delete()
    statuses.append(client.get("/admin/").status_code)
    totp.TOTP.activate(alice, totp.generate_totp_secret())
    statuses.append(client.get("/admin/").status_code)

    assert statuses == [200, 302, 302]


def test_who_signed_in_by_a_recovery_code_and_makes_new_ones_goes_on_with_the_factor(client, alice, settings):
    settings.STAFF_NEED_SECOND_FACTOR = True
    totp.TOTP.activate(alice, totp.generate_totp_secret())
    codes = RecoveryCodes.activate(alice).instance
    client.force_login(alice)
    session = client.session
    proof = {"method": "mfa", "id": codes.pk, "at": time.time(), "reauthenticated": True}
    session["account_authentication_methods"] = [proof]
    session["account_authentication_methods_user"] = str(alice.pk)
    session.save()
    statuses = [client.get("/admin/").status_code]

    client.post(reverse("mfa_generate_recovery_codes"))
    statuses.append(client.get("/admin/").status_code)

    newer = Authenticator.objects.get(type="recovery_codes")
    assert statuses == [200, 200]
    assert newer.pk != codes.pk
    assert client.session["account_authentication_methods"] == [{**proof, "id": newer.pk}]


def test_a_proof_by_a_factor_that_is_gone_is_none(client, alice):
    client.force_login(alice)
    totp.TOTP.activate(alice, totp.generate_totp_secret())
    proved(client)
    codes = reverse("mfa_view_recovery_codes")
    RecoveryCodes.activate(alice)
    statuses = [client.get(codes).status_code]

    Authenticator.objects.filter(user=alice, type="totp").delete()
    totp.TOTP.activate(alice, totp.generate_totp_secret())
    statuses.append(client.get(codes).status_code)

    assert statuses == [200, 302]


def test_a_password_alone_does_not_open_the_admin_where_a_code_is_required(client, alice, settings):
    settings.STAFF_NEED_SECOND_FACTOR = True
    client.force_login(alice)

    assert client.get(reverse("admin:index")).status_code == 302
