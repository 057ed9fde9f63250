"""The pages of an open debate and of a panel move while they are played, and end as a late reader sees them."""

import os

import pytest

from tests.browser.live_site import live_site
from tests.browser.live_watcher import connection, shown, status, until
from tests.browser.page_checks import opened, unfold
from tests.project.source_files import ROOT

pytestmark = pytest.mark.browser
EARLY = "Connected, and not begun yet"
STANDINGS = """SELECT string_agg(to_char(final_score, 'FM990.00'), ' ' ORDER BY final_score DESC)
    FROM scoring_evaluation WHERE debate_id = {} AND instrument = 'standing'"""
PARTS = "document.querySelectorAll('main [data-part]:not([data-part=latest])')"
"""What tells of the debate; the latest words are for those who saw them fall."""
WORDS = f"() => [...{PARTS}].map(one => [one.dataset.part, one.textContent.replace(/\\s+/g, ' ').trim()])"


BEFORE, AFTER = (
    """<table>{}</table>
    <div id="c"><p class="small">Moved by</p>{}<section data-round="1"><a id="r1" href="#turn-1">1</a></section>
    <section data-round="2"><a id="r2" href="#turn-2">2</a></section>
    <article>{}<details data-twin="did" {}><summary>What it did</summary></details></article></div>""".format(*parts)
    for parts in (
        ("".join(f"<tr data-participant={who}><td><a href=#{who}>{who}</a></td></tr>" for who in ("Ada", "Ben")),
         "", "", "open"),
        ("".join(f"<tr data-participant={who}><td><a href=#{who}>{who}</a></td></tr>" for who in ("Ben", "Ada")),
         '<p class="note">Frozen.</p>', "<details data-twin='fair'><summary>Adherence</summary></details>", ""),
    )
)  # fmt: skip
MORPH = """([morph, after, focused]) => {
  const fresh = document.createElement("body")
  fresh.innerHTML = after
  document.querySelector(focused).focus()
  new Function(`${morph}; return morph`)()(document.body, fresh)
  const open = [...document.querySelectorAll("details[open]")].map((one) => one.innerText)
  return [document.activeElement.getAttribute("href"), open, document.body.innerHTML.replace(/ open=""/, "")]
}"""


@pytest.mark.parametrize("href", ["#Ada", "#Ben", "#turn-1", "#turn-2"])
def test_focus_and_what_is_open_stay_with_whom_they_are_about_when_rows_change_places(chromium, href):
    script = (ROOT / "static" / "live.js").read_text()
    morph = script[script.index("const LEFT = ") : script.index("/* -- what moves at once")]
    page = chromium.new_page()
    page.set_content(BEFORE)

    focused, opened_ones, html = page.evaluate(MORPH, [morph, AFTER, f"[href='{href}']"])

    assert (focused, opened_ones) == (href, ["What it did"])
    page.set_content(AFTER)
    assert page.evaluate("document.body.innerHTML") == html
    page.close()


def picture(page, name):
    """Keep a picture, where somebody asks for one."""
    if "PICTURES" in os.environ:
        page.screenshot(path=f"{os.environ['PICTURES']}/live-{name}.png", full_page=True)


def playing(page, true):
    """Whether something comes to be seen while the debate is still played."""
    return until(page, lambda: true() and status(page) == "live")


def drawn_anew_is_the_same(chromium, page):
    """Whether a page that was watched comes to show what the server draws for somebody who comes now."""
    with opened(chromium, page.url) as fresh:
        unfold(fresh)
        unfold(page)
        return until(page, lambda: page.evaluate(WORDS) == fresh.evaluate(WORDS)) and shown(page) == shown(fresh)


def follow_the_table(chromium, site):
    made = site.act("moving_table", 0.5)
    with opened(chromium, site.url + made["address"]) as page:
        assert until(page, lambda: connection(page) == EARLY)
        before = shown(page)["curves"]
        site.act("start", made["debate"])
        konrad = page.locator(".courses tbody tr").nth(1)
        adherence = page.locator("[data-part=adherence] tbody tr").nth(1)

        assert playing(page, lambda: konrad.locator("[data-round='1'] [data-slot=conviction]").count() == 1)
        assert playing(page, lambda: page.locator("[data-part=exchange-1] .mark").count() >= 8)
        assert playing(page, lambda: "20.00" in adherence.inner_text())
        assert playing(page, lambda: page.locator(".spoken-interjection").count() == 1)
        assert playing(page, lambda: "Konrad gives up." in " ".join(page.locator(".gives-up").all_inner_texts()))
        assert playing(page, lambda: page.locator("[data-part=standings] td.final strong").count() == 3)
        picture(page, "table")

        assert until(page, lambda: status(page) == "concluded")
        assert drawn_anew_is_the_same(chromium, page)
        assert shown(page)["curves"] != before
        stood = page.locator("[data-part=standings] td.final strong").all_inner_texts()
        assert " ".join(stood) == site.stage.ask(STANDINGS.format(made["debate"]))
        assert page.complaints == []


def follow_the_panel(chromium, site):
    made = site.act("moving_panel", 4)
    with opened(chromium, f"{site.url}{made['address']}?speaker=Judge+2") as page:
        assert until(page, lambda: connection(page) == EARLY)
        site.act("start", made["debate"])
        design = page.locator(".matrix tbody tr").first

        assert playing(page, lambda: "5.00" in design.inner_text() and "apart" in (design.get_attribute("class") or ""))
        picture(page, "panel")

        assert until(page, lambda: status(page) == "concluded")
        assert drawn_anew_is_the_same(chromium, page)
        assert "Consensus after 2 debate rounds." in page.locator("[data-part=panel_outcome]").inner_text()
        assert design.get_attribute("class") is None
        assert page.locator("#filter-speaker").input_value() == "Judge 2"
        said = "all => [...new Set(all.filter(one => !one.hidden).map(one => one.dataset.speaker))]"
        assert page.locator("[data-said]").evaluate_all(said) == ["Judge 2"]
        assert page.complaints == []


def test_an_open_debate_and_a_panel_move_while_they_are_watched(chromium):
    with live_site() as site:
        follow_the_table(chromium, site)
        follow_the_panel(chromium, site)
