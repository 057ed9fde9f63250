"""People in Chromium: invited with a link, they make an account, use the menu, and are turned out."""

import os

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from debates.models import Debate, Membership, Participant
from debates.types import Visibility
from tests.browser.page_checks import EYES, faults_to_all_eyes, unfold, watched
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, WITHOUT_COLLECTED_FILES]
PASSWORD = "a long enough secret"


@pytest.fixture(scope="module")
def played(site):
    """A private debate of somebody, with a seat that is free."""
    from tests.judging.formats.open.people import waits

    alice = User.objects.create_user("alice", email="alice@example.org", password=PASSWORD)
    debate = waits(visibility=Visibility.PRIVATE)
    Debate.objects.filter(pk=debate.pk).update(created_by=alice)
    return Debate.objects.get(pk=debate.pk)


def looked_at(page, name: str) -> None:
    """Find nothing wrong with a page, for any eyes; keep pictures where somebody asks for them."""
    unfold(page)
    assert page.complaints == []
    assert faults_to_all_eyes(page, whole=True) == {}
    for eyes in ("light", "dark", "phone") if "PICTURES" in os.environ else ():
        page.set_viewport_size(EYES[eyes]["viewport"])
        page.emulate_media(color_scheme=EYES[eyes]["color_scheme"])
        page.screenshot(path=f"{os.environ['PICTURES']}/people-{name}-{eyes}.png", full_page=True)
    page.set_viewport_size(EYES["light"]["viewport"])
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = false })")


@pytest.mark.parametrize("script", [True, False], ids=["with a script", "without"])
def test_somebody_comes_by_a_link_uses_the_menu_and_is_turned_out(room, played, script):
    name = "bob" if script else "carol"
    alice = room.sit_down(User.objects.get(username="alice"), at="/debates/mine/")
    looked_at(alice, "my-debates")
    alice.get_by_role("link", name="People of").click()
    alice.get_by_label("As what").select_option("guest")
    alice.get_by_label("Mail address").fill(f"{name}@example.org")
    alice.get_by_role("button", name="Make the invitation").click()
    link = alice.get_by_label("Address of the invitation").input_value()
    looked_at(alice, "debate")

    context = room.browser.new_context(base_url=room.url, java_script_enabled=script, **EYES["light"])
    guest = watched(context)
    guest.route_web_socket("**", lambda line: None)  # this site has no sockets
    look = looked_at if script else lambda page, name: None
    guest.goto(link)
    look(guest, "invitation")
    guest.get_by_role("link", name="Make an account").click()
    look(guest, "signup")
    guest.get_by_label("Username").fill(name)
    for label in ("Password", "Password (again)"):
        guest.get_by_label(label, exact=True).fill(PASSWORD)
    assert guest.get_by_label("Email").input_value() == f"{name}@example.org"
    guest.get_by_role("button", name="Make the account, and come").click()
    assert guest.url.endswith(reverse("debate", args=[played.public_id]))
    assert User.objects.get(username=name).email == f"{name}@example.org"

    for entry, title in (("My debates", "My debates"), ("My seats", "My seats"), ("Profile", name)):
        guest.locator(".menu summary").click()
        guest.locator(".menu").get_by_role("link", name=entry).click()
        assert guest.locator("h1").inner_text() == title
        look(guest, entry.lower().replace(" ", "-") + "-of-a-guest")
    guest.get_by_label("Time zone").select_option("Europe/Vienna")
    guest.get_by_label("it is your turn").uncheck()
    guest.get_by_role("button", name="Save").click()
    assert "Your profile is saved." in guest.inner_text("main")
    assert guest.get_by_label("Time zone").input_value() == "Europe/Vienna"
    assert not guest.get_by_label("it is your turn").is_checked()

    alice.reload()
    assert "1 of 1 came" in alice.inner_text("main")
    looked_at(alice, "debate-with-guest")
    alice.get_by_role("button", name=f"End the role guest of {name}").click()
    assert Membership.objects.filter(user__username=name, revoked_at=None).count() == 0
    guest.goto(reverse("debate", args=[played.public_id]))
    assert "There is nothing at this address" in guest.inner_text("main")

    guest.locator(".menu summary").click()
    guest.locator(".menu").get_by_role("link", name="Sign out").click()
    guest.get_by_role("button", name="Sign out").click()
    assert guest.get_by_role("link", name="Sign in").is_visible()
    guest.goto(link)
    assert "This invitation was used" in guest.inner_text("main")
    guest.complaints.clear()  # that pages were refused
    look(guest, "no-invitation")
    context.close()


def test_the_menu_opens_and_closes_with_the_keyboard(room, played):
    alice = room.sit_down(User.objects.get(username="alice"), at="/")

    summary = alice.locator(".menu summary")
    summary.focus()
    alice.keyboard.press("Enter")
    shown = alice.locator(".menu ul").is_visible()
    alice.keyboard.press("Tab")
    focused = alice.evaluate("document.activeElement.textContent")
    summary.focus()
    alice.keyboard.press("Enter")

    assert (shown, focused, alice.locator(".menu ul").is_visible()) == (True, "My debates", False)


def test_what_cannot_be_stays_in_the_form_beside_why(room, played):
    alice = room.sit_down(User.objects.get(username="alice"), at=reverse("people", args=[played.public_id]))

    alice.get_by_label("For how many people").fill("3")
    alice.get_by_label("Mail address").fill("bob@example.org")
    alice.get_by_role("button", name="Make the invitation").click()

    assert "An invitation to a mail address is for one person." in alice.inner_text("main")
    assert alice.get_by_label("Mail address").input_value() == "bob@example.org"
    alice.complaints.clear()  # that the form was refused
    looked_at(alice, "refused")


@pytest.mark.parametrize("name", ["account_login", "account_reset_password", "account_reset_password_done"])
def test_a_page_of_accounts_can_be_read(room, played, name):
    looked_at(room.sit_down(at=reverse(name)), name)


@pytest.mark.parametrize("name", ["account_logout", "account_change_password", "my-seats"])
def test_a_page_of_ones_own_can_be_read(room, played, name):
    alice = User.objects.get(username="alice")
    Participant.objects.filter(debate=played, name="Konrad", user=None).update(user=alice)

    looked_at(room.sit_down(alice, at=reverse(name)), name)
