"""The transcript in Chromium: searched in place and without any script, pointed to, read in the reader's own time."""

import re
from contextlib import closing
from typing import Any
from urllib.parse import urlencode

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from debates.models import Profile
from judging.engine import lifecycle
from judging.engine.creation import create_draft
from judging.formats.criterion.spec import CriterionSpec
from tests import factories, playing
from tests.browser.page_checks import EYES, faults_to_all_eyes, unfold
from tests.playing import ruling, script
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, WITHOUT_COLLECTED_FILES]
SUBJECT = (
    "# Wells\n\nThe town needs **three** wells:\n\n1. north\n2. south\n\n| pump | cost |\n|---|---|\n| hand | 40 |\n"
)


@pytest.fixture(scope="module")
def played(site: str) -> Any:
    """A debate of two criteria with Markdown in everything, and words in another script."""
    answers = [
        *script([[ruling("1", reasoning="It is **so**, see [there](https://example.org).")]], thread="P1"),
        *script([[ruling("-1", reasoning="هذا **ليس** كذلك.")]], thread="P2"),
    ]
    spec = CriterionSpec(
        title="Wells", subject=SUBJECT, rubric=playing.rubric("P1", "P2"), rounds=1, provider="scripted",
        script=[*answers, playing.SYNTHESIS], initial=dict.fromkeys(("P1", "P2"), ("6", "0.5")),
    )  # fmt: skip
    debate = create_draft(spec=spec, by=None, now=timezone.now())
    lifecycle.start(debate_id=debate.pk, by=None, now=timezone.now())
    playing.work()
    return debate


@pytest.fixture
def at(played):
    return f"/debates/{played.public_id}/"


def shown(page):
    return page.locator("[data-said]:visible")


def test_words_are_searched_while_they_are_typed_and_the_address_keeps_them(room, at):
    page = room.sit_down(at=at)
    page.get_by_role("searchbox", name="Words").fill("it is so")

    expect(shown(page)).to_have_count(1)
    expect(page.locator("[data-filtered]")).to_contain_text("1 of 6 are shown.")
    expect(page.locator("[data-filtered]")).to_have_attribute("aria-live", "polite")
    page.evaluate("document.dispatchEvent(new Event('moot:drawn'))")
    expect(page.locator("[data-filtered]")).to_have_attribute("aria-live", "off")
    expect(page).to_have_url(re.compile(r"\?q=it\+is\+so$"))
    page.get_by_role("link", name="Show everything").click()
    expect(shown(page)).to_have_count(6)
    expect(page).to_have_url(re.compile(rf"{at}$"))
    assert page.complaints == []


@pytest.mark.parametrize("words", ["So,  SEE there", "ليس كذلك", "**", "example.org", "Arbiter", "score"])
def test_the_script_finds_what_the_server_finds(room, at, words):
    page = room.sit_down(at=at)
    page.get_by_role("searchbox", name="Words").fill(words)
    with closing(room.browser.new_context(java_script_enabled=False)) as context:
        plain = context.new_page()
        plain.goto(f"{room.url}{at}?{urlencode({'q': words})}")
        found = shown(plain).count()

    expect(shown(page)).to_have_count(found)
    assert found == (1 if " " in words else 0)


def test_speaker_criterion_and_kind_are_chosen_by_keyboard(room, at):
    page = room.sit_down(at=at)
    page.get_by_label("Speaker").focus()
    page.keyboard.type("Arb")
    page.keyboard.press("Tab")
    page.keyboard.type("P2")

    expect(shown(page)).to_have_count(1)
    assert shown(page).get_attribute("data-said") == "verdict"


def test_everything_opens_and_closes(room, at):
    page = room.sit_down(at=at)
    page.get_by_role("button", name="Open all").click()
    expect(page.locator("details.chapter[open]")).to_have_count(2)
    page.get_by_role("button", name="Close all").click()

    expect(page.locator("details.chapter[open]")).to_have_count(0)


def test_a_permanent_link_opens_what_it_points_to_below_the_bar(room, at):
    page = room.sit_down(at=at)
    unfold(page)
    place = page.locator("[data-said=verdict] .permalink").last.get_attribute("href")
    page.goto("about:blank")
    page.goto(f"{room.url}{at}?kind=challenge{place}")

    target = page.locator(place)
    expect(target).to_be_in_viewport()
    top, bar = (page.locator(one).evaluate("one => one.getBoundingClientRect()") for one in (place, ".bar"))
    assert top["top"] >= bar["bottom"]


def test_without_any_script_the_transcript_is_searched_and_opened(room, at):
    context = room.browser.new_context(java_script_enabled=False, **EYES["phone"])
    page = context.new_page()
    page.goto(f"{room.url}{at}")
    page.get_by_role("searchbox", name="Words").fill("because")
    page.get_by_label("Criterion", exact=True).select_option("P1")
    page.get_by_role("button", name="Search").click()

    expect(shown(page)).to_have_count(1)
    expect(page.get_by_text("Only what you asked for is shown.")).to_be_visible()
    page.get_by_role("link", name="Show everything").click()
    page.get_by_role("button", name="Open all").click()
    expect(shown(page)).to_have_count(6)
    context.close()


def test_times_are_of_the_readers_zone(room, at):
    context = room.browser.new_context(timezone_id="America/New_York", locale="en-GB")
    page = context.new_page()
    page.goto(f"{room.url}{at}")

    expect(page.locator(".heading time")).to_have_text(re.compile(r"^\d+ \w{3} \d{4}, \d\d:\d\d (GMT-[45]|E[SD]T)$"))
    context.close()


def test_times_are_in_utc_for_whoever_chose_that_wherever_their_browser_is(room, at):
    person = factories.person("uta")
    Profile.objects.create(user=person, time_zone="UTC")
    context = room.browser.new_context(timezone_id="America/New_York", locale="en-GB")
    context.add_cookies([room.cookie(person)])
    page = context.new_page()
    page.goto(f"{room.url}{at}")

    expect(page.locator(".heading time")).to_have_text(re.compile(r"^\d+ \w{3} \d{4}, \d\d:\d\d UTC$"))
    context.close()


def test_times_are_of_this_browsers_zone_where_it_does_not_know_that_of_the_profile(room, at):
    person = factories.person("zora")
    Profile.objects.create(user=person, time_zone="localtime")

    page = room.sit_down(person, at=at)

    expect(page.locator(".heading time")).to_have_text(re.compile(r"^\d+ \w{3} \d{4}, \d\d:\d\d UTC$"))
    assert page.complaints == []


def test_what_is_written_from_right_to_left_begins_at_the_right(room, at):
    page = room.sit_down(at=at)
    unfold(page)
    words = page.locator(".said-verdict .rendered p")

    starts = words.evaluate_all("all => all.map(one => getComputedStyle(one.parentElement).direction)")
    assert starts == ["ltr", "rtl"]
    assert page.locator(".subject h3").all_inner_texts() == ["Wells"]
    assert page.locator(".said-verdict a[href='https://example.org']").get_attribute("rel") == (
        "nofollow noopener noreferrer"
    )


@pytest.mark.parametrize("query", ["?open=all", "?q=because&criterion=P2"])
def test_the_transcript_can_be_read_by_everybody(room, at, query):
    page = room.sit_down(at=f"{at}{query}")

    assert faults_to_all_eyes(page, whole=True) == {}
    assert page.complaints == []
