"""The public pages in Chromium: light, dark, on a phone, by keyboard, and under their own policy."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import concluded
from tests.browser.page_checks import faults_to_all_eyes, unfold
from tests.judging.formats.responses.batches import judged, row
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, WITHOUT_COLLECTED_FILES]
PAGES = {"index": "/", "debate": "/debates/{}/", "result": "/debates/{}/result/", "missing": "/nothing/"}


@pytest.fixture(scope="module")
def batch(site):
    rows = [row(number, id=f"an-agreement-{number}", framework="communitarian") for number in range(1, 4)]
    return judged(json.dumps(rows), accountability="strict")


@pytest.fixture(scope="module")
def played(batch):
    """As elsewhere, and a batch beside it: nothing is played any more once the browser has started."""
    return concluded()


@pytest.fixture
def look(room, played):
    """Look at a page of the site by its name."""
    return lambda name, **how: room.sit_down(at=PAGES[name].format(played.public_id), **how)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_keeps_the_policy_asks_no_other_host_fits_a_phone_and_can_be_read(room, look, name):
    page = look(name)
    assert name == "missing" or page.complaints == []
    assert [url for url in page.requested if not url.startswith(room.url)] == []
    assert page.evaluate("getComputedStyle(document.body).display") == "flex"

    unfold(page)

    assert faults_to_all_eyes(page, whole=True) == {}


def test_the_scoreboard_of_two_rounds_fits_a_phone(look):
    box = look("debate", eyes="phone").locator(".scroll").first

    assert box.evaluate("one => one.scrollWidth - one.clientWidth") == 0


def test_the_tables_of_a_batch_fit_a_desk_and_break_no_word_on_a_phone(room, batch):
    wide = "tables => tables.map(table => table.scrollWidth - table.clientWidth)"
    high = """rows => rows.filter(row => row.querySelector("th").innerText.split(" ").length < 2
      && row.offsetHeight > 48).map(row => row.innerText)"""

    desk = room.sit_down(at=f"/debates/{batch.public_id}/result/").locator(".scroll").evaluate_all(wide)
    phone = room.sit_down(at=f"/debates/{batch.public_id}/", eyes="phone")

    assert (desk, phone.locator(".scroll").evaluate_all(wide)) == ([0, 0], [0])
    assert phone.locator(".board tbody tr").evaluate_all(high) == []


def test_the_first_key_stroke_offers_to_skip_to_the_content(look):
    page = look("debate")
    page.keyboard.press("Tab")
    focused = page.evaluate("document.activeElement.textContent")
    page.keyboard.press("Enter")

    assert focused == "Skip to the content"
    assert page.evaluate("document.activeElement.id") == "main"


def test_a_criterion_in_the_scoreboard_leads_to_its_open_transcript(look):
    page = look("debate")
    link = page.locator(".board a").first
    place = (link.get_attribute("href") or "").removeprefix("#")

    link.click()

    assert page.locator(f"details:has(#{place})").first.evaluate("one => one.open") is True
    assert page.locator(f"#{place} .exchange").first.is_visible()


def test_text_of_a_chart_is_at_least_eleven_pixels_high_on_a_phone(look):
    page = look("debate", eyes="phone")
    sizes = page.evaluate(
        """[...document.querySelectorAll('figure.chart svg[role=img] text, svg.scale text')].map(text => {
             const scale = text.ownerSVGElement.getScreenCTM().a
             return parseFloat(getComputedStyle(text).fontSize) * scale })"""
    )

    assert min(sizes) >= 11


def test_the_search_finds_without_any_script(look):
    page = look("index")
    page.get_by_label("Search by title").fill("wells")
    page.get_by_role("button", name="Search").click()

    expect(page).to_have_url(re.compile("=wells"))
    assert page.locator(".card").count() == 1
    assert page.get_by_label("Search by title").input_value() == "wells"


def test_on_paper_everything_is_unfolded_and_what_is_pressed_is_gone(look):
    page = look("debate")
    page.emulate_media(media="print")

    assert page.locator(".exchange").first.is_visible()
    assert page.locator(".bar").is_hidden()
    assert page.locator(".contents").is_hidden()


def test_a_page_that_is_not_there_leads_on(look):
    page = look("missing")
    page.get_by_label("Search debates by title").fill("wells")
    page.get_by_role("button", name="Search").click()

    expect(page).to_have_url(re.compile("=wells"))
    assert page.locator(".card").count() == 1
