"""Pages of accounts, invitations and own debates that no other test looks at: read by all eyes, and by keyboard."""

import os
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, User
from django.urls import reverse
from django.utils import timezone

from debates.mail import preferences
from debates.models import Debate, Mail
from debates.services import invitations, seats
from debates.services.invitations import Offer
from debates.types import MailKind, MemberRole
from judging.models import NewDebate
from tests.browser.page_checks import ENLARGED, EYES, faults_to_all_eyes, unfold
from tests.judging.formats.open.people import seat_of, waits
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, WITHOUT_COLLECTED_FILES]
CONTROLS = """() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary")].filter((one) =>
  one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ visibilityProperty: true }) && one.type !== "hidden"
  && (one.type !== "radio" || one.checked || !document.querySelector(`[name="${one.name}"]:checked`)))"""
FOCUSED = """() => { const one = document.activeElement
  if (one === document.body || one.dataset.reached) return null
  one.dataset.reached = "yes"
  const { outlineStyle, outlineWidth } = getComputedStyle(one), called = one.textContent.trim().slice(0, 40)
  return [`${one.tagName} ${called}`, outlineStyle !== "none" && outlineWidth !== "0px"] }"""
VISITOR = ("signup", "no-reset", "no-confirmation", "password-set", "stop-mail", "invitation", "seat", "no-invitation")
OWN = ("my-debates", "people", "prepare", "site-invitations", "email", "second-factor", "set-up-factor", "new-debate")


@pytest.fixture(scope="module")
def played(site):
    """An open debate that waits for a person, made by an organiser who has a draft, and invites."""
    olga = User.objects.create_user("olga", email="olga@example.org", password="a long enough secret")
    olga.groups.add(Group.objects.get(name="Organiser"))
    debate = waits()
    Debate.objects.filter(pk=debate.pk).update(created_by=olga)
    NewDebate.objects.create(owner=olga, format="open")
    return Debate.objects.get(pk=debate.pk)


@pytest.fixture
def look(room, played):
    """Open a page by its name, as a visitor or as the organiser."""
    olga, now = played.created_by, timezone.now()

    def address(name):
        if name == "stop-mail":
            mail = Mail(kind=MailKind.CONCLUDED.value, person=olga, about="1")
            return reverse("stop-mail", args=[preferences.token(mail), mail.kind])
        if name == "seat":
            return reverse("take-seat", args=[seats.invite(participant_id=seat_of(played).pk, by=None)])
        if name == "invitation":
            offer = Offer(debate=played, role=MemberRole.ORGANISER, good_for=timedelta(days=2))
            return reverse("invitation", args=[invitations.invite(offer=offer, by=olga, now=now)[1]])
        return {
            "signup": "/accounts/signup/",
            "no-reset": "/accounts/password/reset/key/1-set-password/",
            "no-confirmation": "/accounts/confirm-email/nonsense/",
            "password-set": "/accounts/password/reset/key/done/",
            "no-invitation": "/invitations/nonsense/",
            "my-debates": "/debates/mine/",
            "people": f"/debates/{played.public_id}/people/",
            "prepare": f"/debates/{played.public_id}/prepare/",
            "site-invitations": "/invitations/",
            "email": "/accounts/email/",
            "second-factor": "/accounts/2fa/",
            "set-up-factor": "/accounts/2fa/totp/activate/",
            "new-debate": "/debates/new/",
        }[name]

    return lambda name: room.sit_down(olga if name in OWN else None, at=address(name))


def picture(page, name):
    """Keep a picture for each kind of eyes, where somebody asks for one."""
    for eyes in ("light", "dark", "phone", "enlarged") if "PICTURES" in os.environ else ():
        page.set_viewport_size(ENLARGED if eyes == "enlarged" else EYES[eyes]["viewport"])
        page.emulate_media(color_scheme="dark" if eyes == "dark" else "light")
        page.screenshot(path=f"{os.environ['PICTURES']}/event-{name}-{eyes}.png", full_page=True)


@pytest.mark.parametrize("name", [*VISITOR, *OWN])
def test_a_page_can_be_read_by_all_eyes_and_walked_through_with_the_keyboard(look, name):
    page = look(name)
    unfold(page)
    picture(page, name)
    page.set_viewport_size(EYES["light"]["viewport"])

    controls = page.evaluate(f"({CONTROLS})().length")
    reached = []
    while len(reached) <= controls + 10:
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused is None:
            break
        reached.append(focused)

    assert [called for called, has_ring in reached if not has_ring] == []
    assert page.evaluate(f"({CONTROLS})().filter((one) => !one.dataset.reached).map((one) => one.outerHTML)") == []
    assert faults_to_all_eyes(page, whole=True) == {}


def test_a_camera_reads_the_code_for_an_authenticator_in_the_dark(look):
    page = look("set-up-factor")
    page.emulate_media(color_scheme="dark")

    code = page.locator("main img").first

    assert code.evaluate("one => getComputedStyle(one).backgroundColor") == "rgb(255, 255, 255)"
    assert code.evaluate("one => one.naturalWidth") > 0
