"""The public pages in Chromium: light, dark, on a phone, by keyboard, and under their own policy."""

from __future__ import annotations

import pytest

from tests.browser.looking import EYES, faults, opened, unfold
from tests.reading import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), WITHOUT_COLLECTED_FILES]
PAGES = {"index": "/", "debate": "/debates/{}/", "result": "/debates/{}/result/", "missing": "/nothing/"}


@pytest.fixture
def address(debate, live_server):
    """The address of a page by its name."""
    return lambda name: live_server.url + PAGES[name].format(debate.public_id)


@pytest.mark.parametrize("eyes", EYES)
def test_axe_finds_nothing_serious(browser, address, eyes):
    for name in PAGES:
        with opened(browser, address(name), eyes=eyes) as page:
            unfold(page)

            assert (name, faults(page)) == (name, [])


def test_a_page_is_not_wider_than_a_phone_even_with_words_that_do_not_break(browser, address):
    for name in PAGES:
        with opened(browser, address(name), eyes="phone") as page:
            unfold(page)

            assert (name, page.evaluate("document.documentElement.scrollWidth")) == (name, 390)


def test_the_scoreboard_of_two_rounds_fits_a_phone(browser, address):
    with opened(browser, address("debate"), eyes="phone") as page:
        box = page.locator(".scroll").first

        assert box.evaluate("one => one.scrollWidth - one.clientWidth") == 0


def test_pages_break_nothing_of_their_policy_and_ask_no_other_host(browser, address, live_server):
    for name in ("index", "result"):
        with opened(browser, address(name)) as page:
            assert (name, page.complaints) == (name, [])
            assert [url for url in page.requested if not url.startswith(live_server.url)] == []
            assert page.evaluate("getComputedStyle(document.body).display") == "flex"


def test_the_first_key_stroke_offers_to_skip_to_the_content(browser, address):
    with opened(browser, address("debate")) as page:
        page.keyboard.press("Tab")
        focused = page.evaluate("document.activeElement.textContent")
        page.keyboard.press("Enter")

        assert focused == "Skip to the content"
        assert page.evaluate("document.activeElement.id") == "main"


def test_a_criterion_in_the_scoreboard_leads_to_its_open_transcript(browser, address):
    with opened(browser, address("debate")) as page:
        link = page.locator(".board a").first
        place = (link.get_attribute("href") or "").removeprefix("#")

        link.click()

        assert page.locator(f"details:has(#{place})").first.evaluate("one => one.open") is True
        assert page.locator(f"#{place} .exchange").first.is_visible()


def test_text_of_a_chart_is_at_least_eleven_pixels_high_on_a_phone(browser, address):
    with opened(browser, address("debate"), eyes="phone") as page:
        sizes = page.evaluate(
            """[...document.querySelectorAll('figure.chart svg[role=img] text, svg.scale text')].map(text => {
                 const scale = text.ownerSVGElement.getScreenCTM().a
                 return parseFloat(getComputedStyle(text).fontSize) * scale })"""
        )

        assert min(sizes) >= 11


def test_the_search_finds_without_any_script(browser, address):
    with opened(browser, address("index")) as page:
        page.get_by_label("Search by title").fill("wells")
        page.get_by_role("button", name="Search").click()

        assert page.locator(".card").count() == 1
        assert page.get_by_label("Search by title").input_value() == "wells"


def test_on_paper_everything_is_unfolded_and_what_is_pressed_is_gone(browser, address):
    with opened(browser, address("debate")) as page:
        page.emulate_media(media="print")

        assert page.locator(".exchange").first.is_visible()
        assert page.locator(".bar").is_hidden()
        assert page.locator(".contents").is_hidden()


def test_a_page_that_is_not_there_leads_on(browser, address):
    with opened(browser, address("missing")) as page:
        page.get_by_label("Search debates by title").fill("wells")
        page.get_by_role("button", name="Search").click()

        assert page.locator(".card").count() == 1
