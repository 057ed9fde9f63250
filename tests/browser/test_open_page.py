"""The page of an open debate in Chromium: whoever looks, on whatever, and whatever participants call themselves."""

import pytest

from judging.tables.spec import Chair
from tests.browser.looking import EYES, faults, opened, unfold
from tests.judging.open.playing import MIRA, played
from tests.judging.open.scripts import UNFAIR, script
from tests.reading import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), WITHOUT_COLLECTED_FILES]
ATTACK = "<img src=x onerror=alert(1)>"


@pytest.fixture
def address(live_server):
    moving = {"text": f"However, consider {ATTACK}, understand it. {'Wort' * 60}", "quotes": []}
    answers = script(
        {"purpose": "respond", "thread": "Mira", "answer": moving},
        {"purpose": "respond", "round": 1, "thread": f"Eve {ATTACK}", "answer": {"text": "", "quotes": []}},
        {"purpose": "evaluate", "answer": UNFAIR},
    )
    weak = Chair(f"Eve {ATTACK}", "", "-0.6", "0.45", "adaptive")
    firm = Chair("Konrad", "deontological", "-0.4", "0.9", "defensive")
    debate = played(provider="scripted", script=answers, chairs=(MIRA, weak, firm), exchanges=3)
    return f"{live_server.url}/debates/{debate.public_id}/"


@pytest.mark.parametrize("eyes", EYES)
def test_axe_finds_nothing_serious_and_nothing_sticks_out(address, browser, eyes):
    for page_of in ("", "result/"):
        with opened(browser, address + page_of, eyes=eyes) as page:
            unfold(page)

            assert faults(page) == []
            assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def test_what_participants_write_and_are_called_stays_text(address, browser):
    with opened(browser, address) as page:
        unfold(page)

        assert page.locator("main img").count() == 0
