"""The page of a panel, in Chromium."""

from dataclasses import dataclass

import pytest
from django.test import override_settings

from debates.models import Debate
from judging.models import Review
from judging.rules.consensus import Policy
from scoring.models import Evaluation
from tests import factories
from tests.browser.browser_site import fill, sent
from tests.browser.page_checks import faults_to_all_eyes, unfold
from tests.judging.formats.panel import play
from tests.judging.formats.panel.play import THERE, alone, moves, stays
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, WITHOUT_COLLECTED_FILES]


@dataclass
class Panels:
    """A panel that talked until it agreed, and one that did not agree on its design."""

    agreed: Debate
    apart: Debate


@pytest.fixture(scope="module")
def played(site):
    talk = [
        *alone(("5", "4"), ("3", "4"), None),
        moves(1, 1, THERE, design="4", accepts=True), stays(2, 1, design="3", accepts=True),
        stays(1, 2, design="4", accepts=True), moves(2, 2, THERE, design="4"),
    ]  # fmt: skip
    with override_settings(PROVIDER_RETRIES=0):
        apart = play.played(alone(("5", "4"), ("2", "4"), ("4", "4")), policy=Policy(debate_rounds=0))
        return Panels(agreed=play.played(talk), apart=apart)


@pytest.mark.parametrize("of", ["", "result/"], ids=["debate", "result"])
def test_the_page_of_a_panel_can_be_read_and_fits_a_phone(room, played, of):
    page = room.sit_down(at=f"/debates/{played.agreed.public_id}/{of}")
    unfold(page)

    assert faults_to_all_eyes(page, whole=True) == {}


@pytest.mark.parametrize("of", ["", "result/"], ids=["debate", "result"])
def test_the_page_of_a_panel_fits_a_window_of_320_pixels(room, played, of):
    page = room.sit_down(at=f"/debates/{played.agreed.public_id}/{of}")
    unfold(page)
    page.set_viewport_size({"width": 320, "height": 640})

    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_links_of_staff_are_large_enough_to_be_hit_and_nothing_turns_for_who_wants_no_motion(room, played):
    page = room.sit_down(factories.moderator("tess"), at=f"/debates/{played.agreed.public_id}/")
    page.emulate_media(reduced_motion="reduce")
    heights = page.locator(".account-link").evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")

    assert len(heights) > 1
    assert min(heights) >= 24
    turns = "getComputedStyle(document.querySelector('.chapter > summary'), '::before').transitionDuration"
    assert page.evaluate(turns) == "0s"


def test_a_panel_without_consensus_is_settled_rolled_back_and_settled_again_by_another(room, played):
    ruth, sena = factories.moderator("ruth"), factories.moderator("sena")
    at = f"/admin/judging/review/{Review.objects.get(debate=played.apart).pk}"
    page = room.sit_down(ruth, at=f"{at}/claim/")
    sent(page)
    page.goto(f"{at}/settle/")
    assert "design so." in page.inner_text("#content")
    fill(page, **{"value:design": "4.5", "reason:design": "Judge 2 missed the second page."})
    assert "Settled: design." in sent(page)
    assert page.complaints == []

    score = Evaluation.objects.get(debate=played.apart, key="design").pk
    page = room.sit_down(sena, at=f"/admin/scoring/evaluation/{score}/change/")
    page.locator("a[href$='?target=1']").click()
    fill(page, reason="The second page was withdrawn since.")
    assert "3.67" in sent(page)
    page.locator(".object-tools .offer").get_by_role("link", name="Override", exact=True).click()
    fill(page, value="3.5", reason="Without the second page it is no better than this.")
    assert "is set to 3.50" in sent(page)
    history = page.inner_text("#content")
    assert [history.count(word) > 0 for word in ("ruth", "sena", "Judge 2 missed the second page.")] == [True] * 3
    page.goto(f"{at}/change/")
    assert "settled" in page.inner_text("#content").lower()
    assert page.complaints == []
