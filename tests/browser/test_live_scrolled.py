"""Whoever has scrolled to a table of a debate that is played sees its rows and what follows stay."""

import functools

import pytest

from tests.browser.live_debate import prepare, watched
from tests.browser.live_site import live_site
from tests.browser.live_watcher import NOTE_MOVES, status, until
from tests.browser.test_live_page import moving

pytestmark = pytest.mark.browser
TABLES = {"criterion": "#scoreboard", "open": "#standings", "panel": "#matrix"}


@pytest.fixture(scope="module")
def site(chromium):
    with live_site() as found:
        yield found


@pytest.mark.parametrize("eyes", ["light", "phone"])
@pytest.mark.parametrize("of", TABLES)
def test_a_table_that_somebody_has_scrolled_to_stays_where_it_is(site, chromium, of, eyes):
    with watched(chromium, moving(site, functools.partial(prepare, site), of), eyes=eyes) as page:
        page.locator(TABLES[of]).evaluate("one => one.scrollIntoView({ behavior: 'instant' })")
        page.wait_for_timeout(300)
        page.evaluate(NOTE_MOVES)
        assert page.evaluate("window.watchedRows") > 2
        assert until(page, lambda: status(page) == "concluded")
        page.wait_for_timeout(1000)  # what is drawn last is drawn by then

        assert page.evaluate("window.moves") == []
