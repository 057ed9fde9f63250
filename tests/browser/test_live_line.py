"""What the page of a debate does with its line, which the test is the other end of, or blocks."""

import json

import pytest

from tests.browser.live_watcher import connection
from tests.texts import WITHOUT_COLLECTED_FILES

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
        page.clock.install()
        page.route_web_socket("**/ws/**", lambda line: setattr(self, "line", line))
        page.route("**/stream/**", lambda route: None)
        page.route("**/parts/**", self.answer)
        page.goto(address)
        self.stand = page.evaluate(STAND)

    def answer(self, route):
        self.asked += 1
        route.continue_() if self.draws else route.fulfill(status=500, body="broken")

    def wait(self, seconds):
        for _ in range(2 * seconds):
            self.page.clock.run_for(500)
            self.page.wait_for_timeout(15)

    def greet(self):
        seq, erasures = int(self.stand["seq"]), int(self.stand["erasures"])
        frame = {"after": seq, "epoch": self.stand["epoch"], "erasures": erasures, "now": self.stand["now"]}
        ack = {"bytes": 9_000, "seconds": 9}
        self.line.send(json.dumps({"type": "hello", "heartbeat": 1000, "ack": ack, **frame}))

    def tell(self, *events):
        seq = int(self.stand["seq"])
        rows = [{"seq": seq + at, "type": kind, "data": data} for at, (kind, data) in enumerate(events, 1)]
        self.line.send(json.dumps({"type": "events", "through": seq + len(rows), "events": rows}))


@pytest.fixture
def followed(room, played):
    context = room.browser.new_context(base_url=room.url)
    yield Followed(context.new_page(), f"/debates/{played.public_id}/")
    context.close()


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
