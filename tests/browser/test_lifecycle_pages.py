"""Whoever conducts a debate pauses, resumes, shows and stops it in Chromium: with a script, without, by keyboard."""

import os

import pytest
from django.contrib.auth.models import User

from debates.models import Debate
from tests import playing
from tests.browser.page_checks import EYES, faults_to_all_eyes
from tests.playing import ruling, script
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, WITHOUT_COLLECTED_FILES]


@pytest.fixture(scope="module")
def played(site):
    """What is conducted is made for each test."""


@pytest.fixture
def debate(room):
    """A debate in play of somebody without any right of the site."""
    olga = User.objects.create_user(f"olga-{User.objects.count()}")
    debate = playing.debate(script([[ruling("1")]]))
    Debate.objects.filter(pk=debate.pk).update(created_by=olga)
    return Debate.objects.get(pk=debate.pk)


def looked_at(page, name):
    assert page.complaints == []
    assert faults_to_all_eyes(page, whole=True) == {}
    for eyes in ("light", "dark", "phone") if "PICTURES" in os.environ else ():
        page.set_viewport_size(EYES[eyes]["viewport"])
        page.emulate_media(color_scheme=EYES[eyes]["color_scheme"])
        page.screenshot(path=f"{os.environ['PICTURES']}/lifecycle-{name}-{eyes}.png", full_page=True)
    page.set_viewport_size(EYES["light"]["viewport"])


def status(debate):
    return Debate.objects.get(pk=debate.pk).status


def walk(page, debate, look):
    """Pause a debate, show it to fewer, let it go on, and stop it with a reason that is too short first."""
    look(page, "debate")
    conducting = page.get_by_role("navigation", name="Conduct this debate")
    conducting.get_by_role("link", name="Pause").click()
    look(page, "pause")
    page.get_by_role("button", name="Pause").click()
    assert status(debate) == "paused"

    conducting.get_by_role("link", name="Change who may read it").click()
    page.get_by_label("unlisted: everybody who has its address").check()
    look(page, "visibility")
    page.get_by_role("button", name="Change").click()
    assert "Unlisted" in page.inner_text(".heading")

    conducting.get_by_role("link", name="Resume").click()
    page.get_by_role("button", name="Resume").click()
    assert status(debate) == "running"
    page.goto(f"/debates/{debate.public_id}/conduct/resume/")
    assert "is for one that is paused" in page.inner_text("[role=alert]")
    look(page, "closed")

    page.get_by_role("link", name="Stop and conclude").click()
    page.get_by_label("Why").fill("Enough.")
    page.get_by_role("button", name="Stop and conclude").click()
    assert "at least 10 characters" in page.inner_text("#id_reason_error")
    assert page.get_by_label("Why").input_value() == "Enough."
    page.complaints.clear()  # that the form was refused
    look(page, "refused")
    page.get_by_label("Why").fill("The hall closes at ten.")
    page.get_by_role("button", name="Stop and conclude").click()
    assert status(debate) in {"concluding", "concluded"}


def test_a_debate_is_conducted_on_its_pages(room, debate):
    walk(room.sit_down(debate.created_by, at=f"/debates/{debate.public_id}/"), debate, looked_at)


def test_a_debate_is_conducted_without_a_script(room, debate):
    context = room.browser.new_context(base_url=room.url, java_script_enabled=False)
    context.add_cookies([room.cookie(debate.created_by)])
    page = context.new_page()
    page.complaints = []
    page.goto(f"/debates/{debate.public_id}/")

    walk(page, debate, lambda page, name: None)

    context.close()


def test_a_debate_is_paused_with_the_keyboard_alone(room, debate):
    page = room.sit_down(debate.created_by, at=f"/debates/{debate.public_id}/")

    reach(page, "Pause")
    page.keyboard.press("Enter")
    page.wait_for_url("**/conduct/pause/")
    reach(page, "Pause")
    page.keyboard.press("Enter")

    page.wait_for_url(f"**/debates/{debate.public_id}/")
    assert status(debate) == "paused"


def reach(page, name, most=40):
    """Press Tab until something of this name is focused, with a ring that can be seen."""
    for _ in range(most):
        page.keyboard.press("Tab")
        focused = page.evaluate("document.activeElement.textContent.trim()")
        if focused == name:
            assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
            return
    raise AssertionError(f"{name} is not reached")
