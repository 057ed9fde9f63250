"""The page of an open debate in Chromium: whoever looks, on whatever, and whatever participants call themselves."""

import pytest

from judging.formats.open.spec import ChairSpec
from tests.browser.page_checks import faults_to_all_eyes, unfold
from tests.judging.formats.open import playing
from tests.judging.formats.open.playing import MIRA
from tests.judging.formats.open.scripts import UNFAIR, script
from tests.texts import WITHOUT_COLLECTED_FILES

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
