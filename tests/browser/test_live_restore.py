"""The page of a debate that stays open while the database is lost and an older one is put in its place."""

import pytest

from tests.browser.live_debate import LIVE, prepare, same_as_a_fresh_page, watched
from tests.browser.live_site import live_site
from tests.browser.live_watcher import connection, until

pytestmark = pytest.mark.browser
SELDOM = 8000
"""Milliseconds: longer than a page ever waits before it asks again for what it holds to be out of date."""


def parts_asked(page):
    """How often the page has asked for parts of itself."""
    return sum("/parts/" in url for url in page.requested)


def test_a_page_left_open_across_a_restore_begins_anew_and_asks_for_nothing_that_it_shows(chromium, tmp_path):
    dumped, told = tmp_path / "moot.dump", []

    def hear(frame):
        told.append(frame)

    with live_site() as site:
        debate = prepare(site, 3, 5, 4)
        with watched(chromium, debate) as page:
            page.on("websocket", lambda socket: socket.on("framereceived", hear))
            assert until(page, lambda: page.locator(".feed li").count() > 0)
            site.stage.manage("db", "dump", str(dumped))
            said = page.locator(".feed li").count()
            assert until(page, lambda: page.locator(".feed li").count() > said + 3)
            site.restore(dumped)
            assert until(page, lambda: any('"because":"epoch"' in frame for frame in told))
            assert until(page, lambda: connection(page) == LIVE)

            assert same_as_a_fresh_page(page, chromium)
            asked = parts_asked(page)
            page.wait_for_timeout(SELDOM)
            assert parts_asked(page) == asked
