"""Whoever has scrolled to a table of a debate that is played sees its rows and what follows stay."""

import functools

import pytest

from tests.browser.live_debate import prepare, watched
from tests.browser.live_site import live_site
from tests.browser.live_watcher import status, until
from tests.browser.test_live_page import moving

pytestmark = pytest.mark.browser
LOOK = """() => {
  const from = document.querySelector(".bar").getBoundingClientRect().bottom
  const top = (one) => one.getBoundingClientRect().top
  const all = [...document.querySelectorAll("main > section, .top > *, table tr, summary, h2")].filter(
    (one) => one.getBoundingClientRect().height && top(one) >= from && top(one) < innerHeight)
  const before = all.map(top)
  window.watchedRows = all.length
  window.moves = []
  const look = () => {
    all.forEach((one, index) => {
      const by = top(one) - before[index]
      if (one.isConnected && Math.abs(by) >= 8) { // half a line: rows of some faces grow by less
        window.moves.push([(one.id || one.className || one.nodeName), before[index], by])
        before[index] += by
      }
    })
    requestAnimationFrame(look)
  }
  look() }"""
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
        page.evaluate(LOOK)
        assert page.evaluate("window.watchedRows") > 2
        assert until(page, lambda: status(page) == "concluded", seconds=60)
        page.wait_for_timeout(1000)  # what is drawn last is drawn by then

        assert page.evaluate("window.moves") == []
