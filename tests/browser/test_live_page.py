"""A debate's page in Chromium while it is played: nothing is missed, nothing breaks out, everybody can follow."""

import functools
import itertools
import re
import time
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.browser.in_database import ATTACK, OPERATOR
from tests.browser.live_debate import (
    EARLY,
    LIVE,
    Debate,
    finals,
    misses_no_words,
    prepare,
    same_as_a_fresh_page,
    watched,
)
from tests.browser.live_site import live_site
from tests.browser.live_watcher import NOTE_MOVES, connection, status, until
from tests.browser.page_checks import EYES, faults, opened, unfold

pytestmark = pytest.mark.browser
LEFT = """(({ scrollHeight, clientHeight, scrollTop }) => scrollHeight - clientHeight - scrollTop)(
  document.querySelector(".feed"))"""
ABOVE = """(() => {
  const list = document.querySelector(".feed"), last = list.querySelector("li:last-child")
  return last.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientTop })()"""
SHIFT = """() => {
  window.shift = 0
  window.shifted = []
  const at = ({ left, top, width }) => `${left} ${top}, ${width} wide`
  const who = ({ node, previousRect, currentRect }) => `${node?.id || node?.className || node?.nodeName}: `
    + `${at(previousRect)} to ${at(currentRect)}`
  const over = () => document.querySelector(".heading .status-concluded") !== null
  window.live = 0
  const add = (list) => list.getEntries().filter((one) => !one.hadRecentInput).forEach((one) => {
    window.shift += one.value
    window.live += over() ? 0 : one.value
    window.shifted.push([one.value.toFixed(4), ...one.sources.map(who)])
  })
  new PerformanceObserver(add).observe({ type: "layout-shift" }) }"""
MOVED = """() => {
  const moved = document.querySelector(".moved"), { animationName, outlineStyle } = moved ? getComputedStyle(moved) : {}
  return moved && [animationName, outlineStyle]
}"""
"""How what has just changed is shown, looked at while it is: it is shown so for two seconds only."""
REMEMBER = """() => {
  const place = document.querySelector("tr[data-criterion=K1] [data-final]")
  window.scores = []
  const remember = () => window.scores.push(...[...place.querySelectorAll("strong")].map((one) => one.textContent))
  new MutationObserver(remember).observe(place, { childList: true, characterData: true, subtree: true }) }"""
HEIGHTS = """(texts) => texts.map((text) => {
  document.querySelector(".progress-now").textContent = text
  return document.querySelector(".bar").offsetHeight })"""
SYNTHESIS = "document.querySelector('#synthesis').closest('section').offsetHeight"
MANY_PARTS = """() => {
  const page = document.querySelector("main"), first = page.querySelector("[data-part]")
  for (let number = 0; number < 250; number++) {
    const part = document.createElement("div")
    Object.assign(part.dataset, { part: `more-${number}`, stirredBy: "score:" })
    first.before(part)
  }
  document.dispatchEvent(new Event("visibilitychange")) }"""
LISTEN = """() => {
  const voice = document.querySelector("[data-announcer]")
  window.heard = []
  new MutationObserver(() => window.heard.push([Date.now(), voice.textContent]))
    .observe(voice, { childList: true, characterData: true, subtree: true }) }"""


@pytest.fixture(scope="module")
def site(chromium):
    with live_site() as found:
        yield found


@pytest.fixture
def prepared(site):
    """Makes a debate of so many criteria and rounds in which every call takes so many seconds."""
    return functools.partial(prepare, site)


def test_a_whole_debate_watched_live_ends_as_the_database_has_it(prepared, chromium):
    debate = prepared(10, 3, 0.2)
    with watched(chromium, debate) as page:
        page.locator("details.chapter").first.evaluate("one => { one.open = true }")
        assert until(page, lambda: status(page) == "concluded")

        assert same_as_a_fresh_page(page, chromium)
        assert page.locator("td [data-final] strong").all_inner_texts() == finals(debate)
        assert misses_no_words(page, debate)
        assert page.complaints == []


def test_a_page_left_open_across_a_restart_of_the_server_catches_up(prepared, site, chromium):
    debate = prepared(4, 3, 0.6)
    with watched(chromium, debate) as page:
        assert until(page, lambda: page.locator(".feed li").count() > 0)
        site.close()
        assert until(page, lambda: connection(page) == "Connection lost, trying again")
        site.stage.wait_for(debate.id, "concluded")
        assert status(page) == "live"
        site.open()

        assert until(page, lambda: connection(page) == LIVE)
        assert until(page, lambda: status(page) == "concluded")
        assert misses_no_words(page, debate)
        assert same_as_a_fresh_page(page, chromium)


def test_a_page_that_heard_nothing_while_words_were_erased_shows_them_no_more_once_it_is_back(prepared, site, chromium):
    debate = prepared(2, 1, 0.1)
    with watched(chromium, debate) as page:
        assert until(page, lambda: status(page) == "concluded")
        said, main = page.locator(".feed li .words").first.inner_text(), page.locator("main")
        words, speakers = ["Ten farmers", "Wells"], page.locator("#filter-speaker option:not([value])")
        page.select_option("#filter-speaker", label="Arbiter")
        assert page.url.endswith("?speaker=Arbiter")
        site.act("operator")
        site.close()
        public_id = debate.address.strip("/").split("/")[-1]
        why = ("--as", OPERATOR, "--reason", "Bob has asked for it.")
        site.stage.manage("erase", "--debate", public_id, "--yes", *why)
        assert said in main.inner_text()
        assert [word for word in words if word not in main.text_content()] == []
        site.open()

        assert until(page, lambda: said not in main.inner_text())
        assert until(page, lambda: connection(page) == LIVE)
        assert [word for word in words if word in page.content()] == []
        assert page.title() == "[erased] · Moot"
        assert sorted(speakers.all_text_contents()) == ["[erased 1]", "[erased 2]", "[erased 3]"]
        assert "Arbiter" not in page.url
        assert "?speaker=%5Berased+" in page.url


def test_a_page_of_more_parts_than_the_server_takes_at_a_time_is_followed_all_the_same(prepared, chromium):
    debate = prepared(2, 2, 0.3)
    with watched(chromium, debate) as page:
        page.evaluate(MANY_PARTS)
        assert until(page, lambda: status(page) == "concluded")

        assert connection(page) == LIVE
        assert misses_no_words(page, debate)
        assert page.complaints == []


def test_a_drawing_that_comes_late_takes_nothing_back(prepared, chromium):
    debate = prepared(2, 4, 0.3)

    def late(route):
        response = route.fetch()
        time.sleep(0.8)
        route.fulfill(response=response)

    with opened(chromium, debate.url) as page:
        page.route("**/parts/**", late)
        page.evaluate(REMEMBER)
        assert until(page, lambda: connection(page) == EARLY)
        debate.start()
        assert until(page, lambda: status(page) == "concluded")

        assert misses_no_words(page, debate)
        assert same_as_a_fresh_page(page, chromium)
        scores = page.evaluate("window.scores")  # of every drawing, the last to come among them
        assert scores == sorted(scores)
        assert scores[-1] == "9.00"
        assert page.complaints == []


def test_what_participants_write_stays_text_while_it_arrives(prepared, chromium):
    with watched(chromium, prepared(1, 1, 0.2)) as page:
        unfold(page)
        assert until(page, lambda: status(page) == "concluded")
        assert until(page, lambda: ATTACK in page.locator(".chapter-body").first.inner_text())

        assert ATTACK in page.locator(".feed").inner_text()
        assert "<img src=x onerror=alert(1)>" in page.locator(".feed").inner_text()
        assert page.locator("main img, main script").count() == 0
        assert page.title() == "Wells · Moot"
        assert page.complaints == []


def test_a_moderators_decision_shows_at_once_and_says_what_it_is(prepared, site, chromium):
    debate = prepared(2, 1, 0.0)
    debate.play()
    with opened(chromium, debate.url) as page:
        assert until(page, lambda: connection(page) == LIVE)
        site.act("moderate", debate.id)

        row = page.locator("tr[data-criterion=K1]")
        assert until(page, lambda: "overridden" in row.inner_text())
        assert "9.25" in row.inner_text()
        assert until(page, lambda: "frozen" in page.locator("tr[data-criterion=K2]").inner_text())
        assert same_as_a_fresh_page(page, chromium)


@pytest.mark.parametrize(
    ("blocked", "says"),
    [
        pytest.param(["socket"], EARLY, id="a blocked socket: server-sent events"),
        pytest.param(["socket", "stream"], "Asking for news every few seconds", id="both blocked: asking"),
    ],
)
def test_what_is_blocked_on_the_way_is_gone_round(prepared, chromium, blocked, says):
    debate, context = prepared(1, 1, 0.5), chromium.new_context()
    page = context.new_page()
    if "socket" in blocked:
        page.route_web_socket("**/ws/**", lambda socket: socket.close(code=1000))
    if "stream" in blocked:
        page.route("**/stream/**", lambda route: route.abort())
    page.goto(debate.url)

    assert until(page, lambda: connection(page) == says)
    debate.start()
    assert until(page, lambda: status(page) == "concluded")
    assert until(page, lambda: page.text_content("[data-announcer]"))
    assert same_as_a_fresh_page(page, chromium)
    context.close()


def test_what_happens_while_a_line_says_nothing_is_shown_when_it_is_given_up(prepared, chromium):
    debate, context = prepared(1, 1, 0.1), chromium.new_context()
    page = context.new_page()
    page.clock.install()
    page.route_web_socket("**/ws/**", lambda socket: None)
    page.goto(debate.url)
    with watched(chromium, debate) as other:
        assert until(other, lambda: status(other) == "concluded")
    assert status(page) != "concluded"
    page.clock.run_for(16_000)

    assert until(page, lambda: status(page) == "concluded")
    context.close()


def test_a_page_that_only_asks_tries_what_is_blocked_more_and_more_seldom(prepared, chromium):
    context, tried = chromium.new_context(), []
    page = context.new_page()
    page.clock.install()
    page.route_web_socket("**/ws/**", lambda socket: (tried.append(socket), socket.close(code=1000)))
    page.route("**/stream/**", lambda route: route.abort())

    def tries(minutes):
        """Let minutes pass on the page and return how often it has tried a socket in them."""
        before = len(tried)
        for _ in range(minutes * 12):
            page.clock.run_for(5000)
            page.wait_for_timeout(60)
        return len(tried) - before

    page.goto(prepared(1, 1, 0.5).url)

    assert until(page, lambda: connection(page) == "Asking for news every few seconds")
    assert [tries(2) > 0, tries(1) > 0, tries(2) > 0] == [True, False, True]
    context.close()


def test_whoever_listens_hears_a_few_sentences_and_nothing_once_muted(prepared, chromium):
    with watched(chromium, prepared(4, 3, 0.6)) as page:
        page.evaluate(LISTEN)
        mute = page.get_by_role("button", name="Mute")
        assert page.locator("[role=status]:not([hidden])").count() == 1
        assert until(page, lambda: len([words for _, words in page.evaluate("window.heard") if words]) > 1)
        mute.click()
        page.evaluate("window.before = window.heard.length")
        assert until(page, lambda: status(page) == "concluded")

        heard = page.evaluate("window.heard")
        spoken = [at for at, words in heard if words]
        assert len(spoken) > 1
        assert all(later - sooner >= 2900 for sooner, later in itertools.pairwise(spoken))
        assert "update" in heard[0][1]
        assert [words for _, words in heard[page.evaluate("window.before") :] if words] == []
        assert mute.get_attribute("aria-pressed") == "true"


def test_by_keyboard_one_can_follow_stop_following_and_read_back(prepared, chromium):
    with watched(chromium, prepared(4, 3, 0.6)) as page:
        follow = page.get_by_role("button", name="Follow")
        assert until(page, lambda: page.locator(".feed li").count() > 6)
        assert follow.get_attribute("aria-pressed") == "true"
        assert until(page, lambda: page.evaluate(LEFT) < 2)
        page.locator(".feed").focus()
        page.keyboard.press("Home")
        assert until(page, lambda: follow.get_attribute("aria-pressed") == "false")
        assert until(page, lambda: page.evaluate("document.querySelector('.feed').scrollTop") == 0)
        count = page.locator(".feed li").count()
        assert until(page, lambda: page.locator(".feed li").count() > count)
        assert page.evaluate("document.querySelector('.feed').scrollTop") == 0
        follow.focus()
        page.keyboard.press("Space")

        assert follow.get_attribute("aria-pressed") == "true"
        assert until(page, lambda: page.evaluate(LEFT) < 2)


def test_following_goes_to_the_beginning_of_each_speech_and_lets_whoever_reads_on_read(prepared, chromium):
    with watched(chromium, prepared(1, 2, 1.0)) as page:
        page.locator(".feed").evaluate(
            "one => Object.assign(one.style, { height: '40px', minHeight: 0, flex: 'none' })"
        )
        for count in (1, 3):
            assert until(page, lambda count=count: page.locator(".feed li").count() >= count)
            assert until(page, lambda: abs(page.evaluate(ABOVE)) < 2)
        page.locator(".feed").evaluate("one => { one.scrollTop += 20 }")
        page.wait_for_timeout(300)

        assert page.get_by_role("button", name="Follow").get_attribute("aria-pressed") == "true"
        assert until(page, lambda: status(page) == "concluded")
        assert until(page, lambda: abs(page.evaluate(ABOVE)) < 2)


@pytest.mark.parametrize("eyes", ["light", "phone"])
def test_the_bar_says_who_acts_and_what_comes_next_and_moves_nothing(prepared, chromium, eyes):
    with watched(chromium, prepared(1, 2, 1.0), eyes=eyes) as page:
        now = page.locator(".progress-now")
        assert until(page, lambda: re.search(r"Round 1 of 2 The .+ K1, then the .+", now.inner_text()) is not None)
        page.evaluate("scrollTo(0, 600)")
        page.wait_for_timeout(300)
        page.evaluate(NOTE_MOVES)
        assert until(page, lambda: "Everything has been said" in now.inner_text())
        page.wait_for_timeout(1000)  # what is drawn last is drawn by then
        assert page.locator(".bar").evaluate("one => one.getBoundingClientRect().top") == 0
        assert page.evaluate("window.moves") == []
        assert page.locator("progress").get_attribute("value") == "100"


@pytest.mark.parametrize("eyes", ["light", "phone"])
@pytest.mark.parametrize("of", ["criterion", "open", "panel"])
def test_from_the_first_step_to_the_conclusion_nothing_moves_under_the_eyes(prepared, site, chromium, of, eyes):
    debate = moving(site, prepared, of)
    with watched(chromium, debate, eyes=eyes) as page:
        page.evaluate(SHIFT)
        assert until(page, lambda: status(page) == "concluded")
        page.wait_for_timeout(1000)  # what is drawn last is drawn by then

        assert page.evaluate("window.shift") < 0.01, page.evaluate("window.shifted")


@pytest.mark.parametrize("eyes", ["light", "phone"])
def test_the_bar_is_as_high_with_two_lines_of_who_acts_as_with_one(prepared, chromium, eyes):
    with watched(chromium, prepared(2, 1, 0.1), eyes=eyes) as page:
        assert until(page, lambda: status(page) == "concluded")
        heights = page.evaluate(HEIGHTS, ["Red team", "Red team speaks and " * 12])

        assert heights[0] == heights[1]


@pytest.mark.parametrize("eyes", ["light", "phone"])
def test_nothing_moves_while_somebody_looks_at_what_the_judges_of_a_panel_give(prepared, site, chromium, eyes):
    with watched(chromium, moving(site, prepared, "panel"), eyes=eyes) as page:
        page.locator("#matrix").evaluate("one => one.scrollIntoView({ behavior: 'instant' })")
        page.wait_for_timeout(300)
        page.evaluate(SHIFT)
        assert until(page, lambda: status(page) == "concluded")
        page.wait_for_timeout(1000)  # as above

        assert page.evaluate("window.live") < 0.01, page.evaluate("window.shifted")


def test_what_whoever_has_scrolled_reads_stays_where_it_is_when_what_is_above_it_grows(prepared, chromium):
    with watched(chromium, prepared(3, 2, 0.3), eyes="phone") as page:
        transcript = page.locator("#transcript")
        transcript.evaluate("one => one.scrollIntoView()")
        before = transcript.evaluate("one => one.getBoundingClientRect().top")
        height = page.evaluate(SYNTHESIS)
        assert until(page, lambda: status(page) == "concluded")
        page.wait_for_timeout(1000)  # as above

        assert page.evaluate(SYNTHESIS) > height
        assert abs(transcript.evaluate("one => one.getBoundingClientRect().top") - before) < 2


def moving(site, prepared, of):
    """Make a debate of a format in which every call takes a moment."""
    if of == "criterion":
        return prepared(3, 2, 0.3)
    row = site.act({"open": "moving_table", "panel": "moving_panel"}[of], 0.3)
    return Debate(site, row["debate"], row["address"])


def test_a_heading_that_is_jumped_to_lies_below_the_bar(prepared, chromium):
    with watched(chromium, prepared(4, 1, 0.2)) as page:
        page.get_by_role("link", name="Scoreboard").click()
        top = page.locator("#scoreboard").evaluate("one => one.getBoundingClientRect().top")

        assert top >= page.locator(".bar").evaluate("one => one.getBoundingClientRect().bottom")


def test_focus_and_what_is_open_stay_while_the_page_is_drawn_anew(prepared, chromium):
    with watched(chromium, prepared(3, 2, 0.3)) as page:
        page.locator("details.chapter summary").nth(1).click()
        page.locator(".board a").first.focus()
        assert until(page, lambda: status(page) == "concluded")
        assert until(page, lambda: "Round 2" in page.locator(".chapter-body").nth(1).inner_text())

        assert page.evaluate("document.activeElement.getAttribute('href')") == "#criterion-1"
        assert page.locator("details.chapter").evaluate_all("all => all.map(one => one.open)") == [False, True, False]


def test_the_page_of_a_debate_breaks_nothing_of_its_policy_and_asks_no_other_host(prepared, site, chromium):
    with watched(chromium, prepared(2, 1, 0.2)) as page:
        unfold(page)
        assert until(page, lambda: status(page) == "concluded")

        assert page.complaints == []
        assert [url for url in page.requested if not url.startswith(site.url)] == []
        assert page.evaluate("getComputedStyle(document.body).display") == "flex"


@pytest.mark.parametrize("eyes", EYES)
def test_axe_finds_nothing_serious_in_a_debate_that_moves(prepared, chromium, eyes):
    with watched(chromium, prepared(2, 3, 0.8), eyes=eyes) as page:
        unfold(page)
        assert until(page, lambda: page.locator(".feed li").count() > 1)

        assert faults(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") == EYES[eyes]["viewport"]["width"]


def test_without_motion_what_changed_is_outlined_and_does_not_move(prepared, chromium):
    debate, context = prepared(1, 2, 1.0), chromium.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(debate.url)
    assert until(page, lambda: connection(page) == EARLY)
    debate.start()

    assert page.wait_for_function(MOVED).json_value() == ["none", "solid"]
    context.close()


def test_without_javascript_the_page_is_a_snapshot_that_says_so(prepared, chromium):
    debate = prepared(2, 1, 0.0)
    debate.play()
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(debate.url)

    assert page.locator(".connection").inner_text().startswith("As of ")
    assert page.locator(".connection").get_by_role("link", name="Reload").count() == 1
    assert page.locator(".controls").is_hidden()
    assert page.locator("td [data-final] strong").all_inner_texts() == finals(debate)
    page.locator("details.chapter summary").first.click()
    assert page.locator(".exchange").first.is_visible()
    context.close()


def test_the_time_left_is_the_servers_on_a_page_that_the_browser_has_kept_for_an_hour(prepared, chromium):
    debate, context = prepared(1, 1, 0.5), chromium.new_context()
    page, now = context.new_page(), timezone.now()
    kept = f'data-now="{(now - timedelta(hours=1)).isoformat()}"'
    page.route(debate.url, lambda route: route.fulfill(body=re.sub('data-now="[^"]*"', kept, route.fetch().text())))
    page.goto(debate.url)
    assert until(page, lambda: connection(page) == EARLY)
    timer = f'<span role="timer" data-until="{(now + timedelta(hours=9)).isoformat()}"></span>'
    page.evaluate("timer => document.querySelector('main').insertAdjacentHTML('beforeend', timer)", timer)

    assert until(page, lambda: page.locator("[data-until]").inner_text().startswith("8 h"))
    context.close()


def test_a_page_that_comes_back_from_the_browsers_cache_goes_on(prepared, chromium):
    debate = prepared(2, 3, 0.5)
    with watched(chromium, debate) as page:
        page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
        page.wait_for_timeout(1500)
        page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")

        assert until(page, lambda: status(page) == "concluded")
        assert misses_no_words(page, debate)
