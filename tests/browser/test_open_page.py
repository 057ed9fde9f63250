"""The page of an open debate in Chromium: whoever looks, on whatever, and whatever participants call themselves."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from playwright.sync_api import expect

from judging.engine import human_turns
from judging.formats.open.spec import ChairSpec
from tests import playing as engine
from tests.browser.live_watcher import until
from tests.browser.page_checks import faults_to_all_eyes, unfold
from tests.judging.formats.open import people, playing
from tests.judging.formats.open.playing import MIRA
from tests.judging.formats.open.scripts import UNFAIR, script
from tests.texts import WITHOUT_COLLECTED_FILES, address

pytestmark = [pytest.mark.browser, WITHOUT_COLLECTED_FILES]
ATTACK = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def played(site):
    """An open debate with chairs whose names and words try to break out."""
    moving = {"text": f"However, consider {ATTACK}, understand it. {'Wort' * 60}", "quotes": []}
    answers = script(
        {"purpose": "respond", "thread": "Mira", "answer": moving},
        {"purpose": "respond", "round": 1, "thread": f"Eve {ATTACK}", "answer": {"text": "", "quotes": []}},
        {"purpose": "evaluate", "answer": UNFAIR},
    )
    weak = ChairSpec(f"Eve {ATTACK}", "", "-0.6", "0.45", "adaptive")
    firm = ChairSpec("Konrad", "deontological", "-0.4", "0.9", "defensive")
    return playing.played(provider="scripted", script=answers, chairs=(MIRA, weak, firm), exchanges=3)


@pytest.mark.parametrize("of", ["", "result/"], ids=["debate", "result"])
def test_axe_finds_nothing_serious_and_nothing_sticks_out(room, played, of):
    page = room.sit_down(at=f"/debates/{played.public_id}/{of}")
    unfold(page)

    assert faults_to_all_eyes(page, whole=True) == {}


def test_what_participants_write_and_are_called_stays_text(room, played):
    page = room.sit_down(at=f"/debates/{played.public_id}/")
    unfold(page)

    assert page.locator("main img").count() == 0


@pytest.mark.parametrize("is_lost_before", [False, True])
def test_who_listens_hears_that_the_page_is_no_longer_connected(room, played, is_lost_before):
    lines, page = [], room.sit_down(at="/")
    page.route_web_socket("**", lambda line: lines.insert(0, line))
    page.goto(address(played))
    assert until(page, lambda: len(lines) == 1)
    if is_lost_before:
        lines[0].close(code=1000)
        assert until(page, lambda: len(lines) > 1)

    lines[0].close(code=4404)

    expect(page.locator("[data-announcer]")).to_have_text("No longer connected.", timeout=10_000)


def beside(act):
    """Do something in another thread: the browser's loop is that of this one."""

    def done():
        try:
            return act()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(done).result()


def test_words_are_for_the_turn_that_the_page_says_though_it_said_another_when_it_was_opened(room):
    lines, debate = [], beside(people.waits)
    page = room.sit_down(people.konrad(debate), at="/")
    page.route_web_socket("**", lambda line: lines.insert(0, line))
    page.goto(address(debate))
    assert "It is your turn: your opening." in page.inner_text(".seat-state")
    page.fill("textarea", people.SAID)
    human_turns.forfeit(thread_id=debate.threads.get().pk, now=people.awaited(debate).deadline)
    beside(engine.work)

    lines[0].send('{"type": "resync"}')
    page.wait_for_selector("text=your response in exchange 1")
    page.click(".seat button:text-is('Speak')")

    page.wait_for_selector("text=Your response in exchange 1 was taken down")
    assert page.locator(".refusal").count() == 0
