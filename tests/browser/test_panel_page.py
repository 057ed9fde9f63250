"""The page of a panel, in Chromium."""

import pytest

from judging.models import Review
from judging.rules.consensus import Policy
from tests.browser.looking import EYES, faults, opened, unfold
from tests.judging.panels.play import THERE, alone, moves, played, stays
from tests.reading import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), WITHOUT_COLLECTED_FILES]


@pytest.fixture
def address(live_server, settings):
    settings.PROVIDER_RETRIES = 0
    debate = played(
        [
            *alone(("5", "4"), ("3", "4"), None),
            moves(1, 1, THERE, design="4", accepts=True), stays(2, 1, design="3", accepts=True),
            stays(1, 2, design="4", accepts=True), moves(2, 2, THERE, design="4"),
        ]
    )  # fmt: skip
    return f"{live_server.url}/debates/{debate.public_id}/"


@pytest.fixture
def review(live_server, settings):
    """The review of a panel that did not agree on its design."""
    settings.PROVIDER_RETRIES = 0
    debate = played(alone(("5", "4"), ("2", "4"), ("4", "4")), policy=Policy(debate_rounds=0))
    return Review.objects.get(debate=debate).pk


@pytest.mark.parametrize("eyes", EYES)
def test_axe_finds_nothing_serious_on_a_panel(address, browser, eyes):
    with opened(browser, address, eyes=eyes) as page:
        unfold(page)

        assert faults(page) == []


def test_the_matrix_of_a_panel_fits_a_phone(address, browser):
    with opened(browser, address, eyes="phone") as page:
        unfold(page)

        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_panel_without_consensus_is_settled_at_the_desk(review, live_server, session, browser):
    at = f"{live_server.url}/admin/judging/review/{review}"
    with opened(browser, f"{at}/claim/", session=session) as page:
        page.click('input[name="_act"]')
        page.wait_for_load_state("networkidle")
        page.goto(f"{at}/settle/")
        assert "design so." in page.inner_text("#content")
        page.fill('[name="value:design"]', "4.5")
        page.fill('[name="reason:design"]', "Judge 2 missed the second page.")
        page.click('input[name="_act"]')
        page.wait_for_load_state("networkidle")

        assert "Settled: design." in page.inner_text(".messagelist")
        assert page.complaints == []
