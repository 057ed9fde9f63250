"""What the page of a debate does with its line, which the test is the other end of, or blocks."""

import json
import re
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest
from django.core.cache import cache
from django.utils import timezone

from debates.event_schemas import SCHEMA_VERSION
from debates.models import Debate
from judging.engine import queue
from judging.engine.creation import create_draft
from judging.formats.criterion.spec import CriterionSpec
from judging.formats.open import transcripts
from judging.models import PlannedStart
from judging.pages import parts
from tests import playing
from tests.browser.live_watcher import connection
from tests.project.source_files import ROOT
from tests.texts import WITHOUT_COLLECTED_FILES, address

pytestmark = [pytest.mark.browser, WITHOUT_COLLECTED_FILES]
STATES = """() => {
  const place = document.querySelector("[data-connection]")
  window.states = []
  new MutationObserver(() => states.push(place.dataset.connection)).observe(place, { attributes: true }) }"""
STAND = "Object.assign({}, document.querySelector('main').dataset)"
HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true })
  document.dispatchEvent(new Event("visibilitychange")) }"""


class Followed:
    """A page whose clock the test moves, whose line it is the other end of, and whose parts it may refuse to draw."""

    def __init__(self, page, address):
        self.page, self.line, self.draws, self.asked = page, None, True, 0
        self.held, self.broken = None, {"status": 500, "body": "broken"}
        page.clock.install()
        page.route_web_socket("**/ws/**", lambda line: setattr(self, "line", line))
        page.route("**/stream/**", lambda route: None)
        page.route("**/parts/**", self.answer)
        page.goto(address)
        self.stand = page.evaluate(STAND)

    def answer(self, route):
        self.asked += 1
        if self.held is not None:
            self.held.append(route)
            return
        route.continue_() if self.draws else route.fulfill(**self.broken)

    def wait(self, seconds):
        for _ in range(2 * seconds):
            self.page.clock.run_for(500)
            self.page.wait_for_timeout(15)

    def greet(self, **other):
        seq, erasures = int(self.stand["seq"]), int(self.stand["erasures"])
        frame = {
            "schema": SCHEMA_VERSION,
            "after": seq,
            "epoch": self.stand["epoch"],
            "erasures": erasures,
            "now": self.stand["now"],
        }
        ack = {"bytes": 9_000, "seconds": 9}
        self.line.send(json.dumps({"type": "hello", "heartbeat": 1000, "ack": ack, **frame, **other}))

    def tell(self, *events):
        seq = int(self.stand["seq"])
        rows = [{"seq": seq + at, "type": kind, "data": data} for at, (kind, data) in enumerate(events, 1)]
        self.line.send(json.dumps({"type": "events", "through": seq + len(rows), "events": rows}))


@contextmanager
def following(room, debate):
    context = room.browser.new_context(base_url=room.url)
    yield Followed(context.new_page(), address(debate))
    context.close()


@pytest.fixture
def followed(room, played):
    with following(room, played) as page:
        yield page


def test_that_it_is_ones_turn_is_said_whatever_comes_in_the_same_moment(followed):
    followed.page.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<p data-seat=me></p>')")
    followed.greet()
    followed.tell(
        ("turn:awaited", {"participant": "me"}), ("criterion:score-updated", {"criterion": "P2", "after": "6.75"})
    )
    followed.wait(5)

    assert followed.page.inner_text("[data-announcer]") == "It is your turn. 2 updates. P2 now 6.75."


def test_parts_that_cannot_be_drawn_are_asked_for_more_and_more_seldom(followed):
    followed.draws = False
    followed.greet()
    followed.tell(("criterion:score-updated", {"criterion": "P2", "after": "6.75"}))
    followed.wait(60)

    assert 3 < followed.asked < 13


def test_a_page_that_only_asks_says_so_and_asks_as_often_while_it_tries_a_line_and_not_at_all_while_it_is_hidden(
    followed,
):
    followed.wait(70)
    page, states = followed.page, "window.states"
    assert connection(page) == "Asking for news every few seconds"
    page.evaluate(STATES)
    before = followed.asked
    followed.wait(90)
    page.evaluate(HIDE, True)
    hidden = followed.asked
    followed.wait(30)
    asked_hidden = followed.asked - hidden
    page.evaluate(HIDE, False)
    followed.wait(2)

    assert set(page.evaluate(states)) == {"asking"}
    assert hidden - before >= 11
    assert asked_hidden <= 1
    assert followed.asked > hidden


def test_the_page_of_a_draft_says_within_a_minute_that_its_start_was_moved_or_taken_back_and_asks_no_more_once_it_began(
    room, monkeypatch
):
    monkeypatch.setattr(parts, "STILL_SECONDS", 0)  # the page's clock goes faster than that of the site
    spec = CriterionSpec(title="Wells", subject=playing.SUBJECT, rubric=playing.rubric("P1"))
    draft = create_draft(spec=spec, by=None, now=timezone.now())
    planned = PlannedStart.objects.create(debate=draft, starts_at=datetime(2098, 12, 24, 18, tzinfo=UTC))
    with following(room, draft) as followed:
        facts = followed.page.locator(".heading .facts")
        followed.greet()
        said = [facts.inner_text()]
        PlannedStart.objects.filter(pk=planned.pk).update(starts_at=datetime(2099, 12, 24, 18, tzinfo=UTC))
        followed.wait(60)
        said.append(facts.inner_text())
        planned.delete()
        followed.wait(60)
        said.append(facts.inner_text())
        asked = followed.asked
        Debate.objects.filter(pk=draft.pk).update(status="running", started_at=timezone.now())
        followed.wait(60)
        said.append(facts.inner_text())
        began = followed.asked
        followed.wait(60)

    assert [re.search("Starts 24 Dec 20..|Created|Started", text)[0] for text in said] == [
        "Starts 24 Dec 2098", "Starts 24 Dec 2099", "Created", "Started",
    ]  # fmt: skip
    assert asked < 6
    assert followed.asked == began


def test_whoever_has_a_debate_open_that_is_played_only_while_somebody_looks_is_taken_to_look(room):
    cache.clear()
    spec = transcripts.read_sample((ROOT / "samples/open/night-work.json").read_text(encoding="utf-8"))
    sample = create_draft(spec=spec, by=None, now=timezone.now())
    Debate.objects.filter(pk=sample.pk).update(status="running", started_at=timezone.now())
    with following(room, sample) as followed:
        followed.greet()
        cache.clear()  # the look at the page was long ago, and nothing has happened since
        followed.wait(60)
        looks = queue.has_onlooker(debate_id=sample.pk)
        followed.page.evaluate(HIDE, True)
        cache.clear()
        followed.wait(60)

        assert (looks, queue.has_onlooker(debate_id=sample.pk)) == (True, False)


def test_a_drawing_that_was_under_way_when_words_were_erased_does_not_bring_them_back(followed):
    page, followed.held = followed.page, []
    followed.greet()
    followed.tell(("debate:concluded", {}))
    followed.wait(8)
    [late], followed.held = followed.held, None
    drawing = page.request.get(late.request.url).text()
    assert "<h1" in drawing
    followed.line.send(json.dumps({"type": "resync", "because": "erased", "epoch": followed.stand["epoch"]}))
    followed.wait(2)
    late.fulfill(body=drawing.replace(">Wells", ">The words that were erased"), content_type="text/html")
    followed.wait(2)

    assert page.inner_text("h1").startswith("Wells")


def test_an_event_that_cannot_be_read_hinders_no_other(followed):
    followed.greet()
    followed.tell(
        ("criterion:score-updated", {"criterion": "P1"}),
        ("criterion:score-updated", {"criterion": "P2", "after": "6.75"}),
    )
    followed.wait(2)

    assert followed.page.inner_text("tr[data-criterion=P2] [data-final] strong") == "6.75"
    assert followed.page.inner_text("[data-announcer]").endswith("P2 now 6.75.")


def test_a_page_that_a_new_release_tells_of_events_otherwise_says_that_it_is_to_be_reloaded(followed):
    followed.greet(schema=SCHEMA_VERSION + 1)
    followed.wait(1)

    page = followed.page
    assert connection(page) == "There is a new release of this site."
    assert page.get_by_role("link", name="Reload").is_visible()


def test_an_answer_of_a_proxy_in_front_of_the_site_is_no_drawing(followed):
    sign_in = {"body": "<title>Sign in</title><form></form>", "content_type": "text/html"}
    followed.draws, followed.broken = False, sign_in
    followed.wait(40)  # the line has greeted nobody, so the page asks
    asked, states = followed.asked, followed.page.get_attribute("[data-connection]", "data-connection")
    followed.draws = True
    followed.wait(40)

    assert (asked > 0, states) == (True, "lost")
    assert f"after={followed.stand['seq']}&epoch={followed.stand['epoch']}" in followed.line.url


def test_what_came_while_the_page_was_muted_is_not_told_of_once_it_is_heard_again(followed):
    mute, moved = (
        followed.page.locator("[data-mute]"),
        ("criterion:score-updated", {"criterion": "P2", "after": "6.75"}),
    )
    followed.greet()
    mute.click()
    followed.tell(moved, moved)
    followed.wait(5)
    mute.click()
    followed.tell(moved, moved, ("debate:paused", {}))
    followed.wait(5)

    assert followed.page.inner_text("[data-announcer]") == "1 update. The debate is paused."


def test_what_was_asked_for_before_a_page_was_left_moves_it_no_further_once_it_is_back(followed):
    page, followed.held = followed.page, []
    followed.wait(20)  # the line has greeted nobody, so the page asks
    [late], followed.held = followed.held, None
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    followed.wait(1)
    followed.greet()
    drawing, seq = page.request.get(late.request.url.replace("since=", "once=")).text(), int(followed.stand["seq"])
    late.fulfill(body=drawing.replace(f'data-seq="{seq}"', f'data-seq="{seq + 5}"'), content_type="text/html")
    followed.wait(2)
    followed.line.close(code=1000)
    followed.wait(8)

    assert f"after={seq}&" in followed.line.url
