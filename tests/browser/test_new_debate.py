"""A debate of each format is made in a browser, also where it runs no script, and the pages can be read."""

import os

import pytest
from django.contrib.auth.models import Group, User

from debates.models import Debate
from scoring.services import rubric_store
from tests import factories, playing
from tests.browser.conftest import LONG
from tests.browser.page_checks import EYES, faults_to_all_eyes, unfold
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, WITHOUT_COLLECTED_FILES]
FILLED = {
    "criterion": {"title": LONG[:200], "subject": playing.SUBJECT, "rubric": "small"},
    "open": {"motion": "Cities should make public transport free.", "chairs.0.name": "Alice", "chairs.1.name": "Bob"},
    "panel": {"title": LONG[:200], "task": "Keep answers for an hour.", "subject": playing.SUBJECT},
}


@pytest.fixture(scope="module")
def played(site):
    small, long = playing.rubric("P1", "P2"), {"slug": "long", "name": LONG[:120]}
    small["criteria"][0]["name"] = long["name"]
    for rubric in (small, {**small, **long}):
        rubric_store.store(snapshot=rubric, by=None)


@pytest.fixture
def olga(room):
    person = factories.person(f"olga-{User.objects.count()}")
    person.groups.add(Group.objects.get(name="Organiser"))
    return person


def picture(page, name):
    """Keep a picture for each kind of eyes, where somebody asks for one."""
    for eyes in ("light", "dark", "phone") if "PICTURES" in os.environ else ():
        page.set_viewport_size(EYES[eyes]["viewport"])
        page.emulate_media(color_scheme=EYES[eyes]["color_scheme"])
        page.screenshot(path=f"{os.environ['PICTURES']}/{name}-{eyes}.png", full_page=True)


def fill_in(page, texts):
    for name, value in texts.items():
        place = page.locator(f"[name='{name}']")
        if place.count() and place.first.get_attribute("type") == "radio":
            page.locator(f"[name='{name}'][value='{value}']").check()
        elif place.count():
            place.fill(value)


def walk(page, name, looked_at):
    """Make a debate of a format, page by page."""
    page.locator(f".format-card:has([value='{name}']) button").click()
    while "/check/" not in page.url:
        step = page.url.rstrip("/").rpartition("/")[2]
        looked_at(f"{name}-{step}")
        fill_in(page, FILLED[name])
        page.click(".onward button")
        page.wait_for_load_state()
        assert step not in page.url, page.inner_text("main")
    looked_at(f"{name}-check")
    page.click(".onward button")
    page.wait_for_load_state()


@pytest.mark.parametrize("name", FILLED)
def test_a_debate_is_made_page_by_page_and_every_page_can_be_read(room, olga, name):
    page = room.sit_down(olga, at="/debates/new/")

    def look(called):
        unfold(page)
        picture(page, called)
        assert faults_to_all_eyes(page) == {}, called
        assert page.complaints == []

    look("formats")
    walk(page, name, look)

    debate = Debate.objects.filter(format=name).latest("pk")
    assert page.url.endswith(f"/debates/{debate.public_id}/prepare/")
    look(f"{name}-prepare")


@pytest.mark.parametrize("name", FILLED)
def test_a_debate_is_made_without_a_script(room, olga, name):
    context = room.browser.new_context(base_url=room.url, java_script_enabled=False)
    context.add_cookies([room.cookie(olga)])
    page = context.new_page()
    page.goto("/debates/new/")

    walk(page, name, lambda called: None)

    debate = Debate.objects.filter(format=name).latest("pk")
    assert page.url.endswith(f"/debates/{debate.public_id}/prepare/")
    context.close()


def test_what_is_wrong_is_said_next_to_its_field_and_what_was_typed_is_kept(room, olga):
    page = room.sit_down(olga, at="/debates/new/")
    page.locator(".format-card:has([value='open']) button").click()
    page.fill("[name=motion]", "Too short")
    page.fill("[name=title]", LONG[:200])

    page.click(".onward button")

    assert "at least 10 characters" in page.inner_text("#id_motion_error")
    assert page.get_attribute("[name=motion]", "aria-invalid") == "true"
    assert "id_motion_error" in page.get_attribute("[name=motion]", "aria-describedby")
    assert page.input_value("[name=title]") == LONG[:200]
    picture(page, "refused")
    assert faults_to_all_eyes(page) == {}
    page.goto("/debates/new/")
    assert faults_to_all_eyes(page) == {}
    page.click(".begun a")
    assert page.input_value("[name=motion]") == "Too short"
