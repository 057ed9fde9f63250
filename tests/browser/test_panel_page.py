"""The page of a panel, in Chromium."""

from urllib.parse import urlsplit

import pytest
from django.test import Client

from judging.models import Review
from judging.rules.consensus import Policy
from scoring.models import Evaluation
from tests import factories
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


@pytest.fixture
def score(review):
    """The score of the design, which that panel could not agree on."""
    return Evaluation.objects.get(debate__reviews=review, key="design").pk


@pytest.fixture
def sena(live_server):
    """The cookie of another moderator."""
    client = Client()
    client.force_login(factories.moderator("sena"))
    host = urlsplit(live_server.url).hostname
    return {"name": "sessionid", "value": client.cookies["sessionid"].value, "domain": host, "path": "/"}


@pytest.mark.parametrize("eyes", EYES)
def test_axe_finds_nothing_serious_on_a_panel(address, browser, eyes):
    with opened(browser, address, eyes=eyes) as page:
        unfold(page)
        found = faults(page)
        page.get_by_role("link", name="Result", exact=True).click()

        assert (found, faults(page)) == ([], [])


def test_the_matrix_of_a_panel_fits_a_phone(address, browser):
    for path in ("", "result/"):
        with opened(browser, address + path, eyes="phone") as page:
            unfold(page)

            assert page.evaluate("document.documentElement.scrollWidth") <= 390


def send(page, **given):
    """Fill a form in, send it, and return what the desk says then."""
    for name, value in given.items():
        page.fill(f'[name="{name.replace("_", ":")}"]', value)
    page.click('input[name="_act"]')
    page.wait_for_load_state("networkidle")
    return page.inner_text(".messagelist")


def test_a_panel_without_consensus_is_settled_rolled_back_and_settled_again_by_another(
    review, score, sena, live_server, session, browser
):
    at = f"{live_server.url}/admin/judging/review/{review}"
    with opened(browser, f"{at}/claim/", session=session) as page:
        page.click('input[name="_act"]')
        page.wait_for_load_state("networkidle")
        page.goto(f"{at}/settle/")
        assert "design so." in page.inner_text("#content")
        said = send(page, value_design="4.5", reason_design="Judge 2 missed the second page.")
        assert "Settled: design." in said
        assert page.complaints == []
    with opened(browser, f"{live_server.url}/admin/scoring/evaluation/{score}/change/", session=sena) as page:
        page.locator("a[href$='?target=1']").click()
        assert "3.67" in send(page, reason="The second page was withdrawn since.")
        page.locator(".object-tools .offer").get_by_role("link", name="Override", exact=True).click()
        assert "is set to 3.50" in send(page, value="3.5", reason="Without the second page it is no better than this.")
        history = page.inner_text("#content")
        assert [history.count(word) > 0 for word in ("ruth", "sena", "Judge 2 missed the second page.")] == [True] * 3
        page.goto(f"{at}/change/")
        assert "settled" in page.inner_text("#content").lower()
        assert page.complaints == []
