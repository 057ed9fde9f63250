"""A debate of a live site whose page is followed while it is played, and what the page must come to show."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import Browser, Page

from tests.browser.live_site import LiveSite
from tests.browser.live_watcher import connection, shown, until
from tests.browser.page_checks import opened, unfold

LIVE = "Live updates on"
EARLY = "Connected, and not begun yet"


@dataclass
class Debate:
    """A debate of the site, which begins when a test says so."""

    site: LiveSite
    id: int
    address: str

    @property
    def url(self) -> str:
        return self.site.url + self.address

    def start(self) -> None:
        self.site.act("start", self.id)

    def play(self) -> None:
        self.start()
        self.site.stage.wait_for(self.id, "concluded")


def prepare(site: LiveSite, criteria: int, rounds: int, seconds: float) -> Debate:
    """Make a debate of so many criteria and rounds in which every call takes so many seconds."""
    made = site.act("prepare", criteria, rounds, seconds)
    return Debate(site=site, id=made["debate"], address=made["address"])


@contextmanager
def watched(chromium: Browser, debate: Debate, **eyes: str) -> Iterator[Page]:
    """Open the page of a debate that begins once the page follows it."""
    with opened(chromium, debate.url, **eyes) as page:
        assert until(page, lambda: connection(page) == EARLY)
        debate.start()
        yield page


def finals(debate: Debate) -> list[str]:
    """The final scores in the database, in the order of the scoreboard."""
    with debate.site.stage.server.connect(name="moot") as database:
        rows = database.execute(
            "SELECT to_char(final_score, 'FM990.00') FROM scoring_evaluation WHERE debate_id = %s ORDER BY position",
            [debate.id],
        ).fetchall()
    return [score for (score,) in rows]


def misses_no_words(page: Page, debate: Debate) -> bool:
    """Whether the latest words on the page come to be those of the log: none missing, none twice.

    The page may be drawn as of an event that its line has yet to bring: the words come a moment after the status.
    """
    with debate.site.stage.server.connect(name="moot") as database:
        rows = database.execute(
            "SELECT seq FROM debates_event WHERE debate_id = %s AND type IN ('turn:added', 'verdict:issued')"
            " AND data ->> 'kind' IS DISTINCT FROM 'synthesis' ORDER BY seq",
            [debate.id],
        ).fetchall()
    words = page.locator(".feed li")
    spoken = "all => all.map(one => Number(one.dataset.seq))"
    return until(page, lambda: words.evaluate_all(spoken) == [seq for (seq,) in rows])


def same_as_a_fresh_page(page: Page, chromium: Browser) -> bool:
    """Whether the page comes to show exactly what the server draws for somebody who comes now."""
    with opened(chromium, page.url) as fresh:
        unfold(fresh)
        unfold(page)
        until(page, lambda: shown(page) == shown(fresh))
        return shown(page) == shown(fresh)
