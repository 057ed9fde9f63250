"""The page of a panel, in Chromium."""

import pytest

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


@pytest.mark.parametrize("eyes", EYES)
def test_axe_finds_nothing_serious_on_a_panel(address, browser, eyes):
    with opened(browser, address, eyes=eyes) as page:
        unfold(page)

        assert faults(page) == []


def test_the_matrix_of_a_panel_fits_a_phone(address, browser):
    with opened(browser, address, eyes="phone") as page:
        unfold(page)

        assert page.evaluate("document.documentElement.scrollWidth") <= 390
