"""The ballot of a person in a browser: quotes by marking, a draft that comes back, and the panel's result."""

import os
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.urls import reverse

from debates.models import Ballot
from judging.models import Consensus
from tests import playing
from tests.browser.page_checks import ENLARGED, EYES, faults_to_all_eyes, unfold
from tests.judging.formats.panel.play import AGREEING, answer
from tests.judging.formats.panel.seats import PERSON, SCRIPT, seat_of, sit, waits
from tests.judging.formats.panel.small_panel import analysis
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, WITHOUT_COLLECTED_FILES]
QUOTED = "The tests run in CI"
MARK = """(words) => { const at = subject.value.indexOf(words)
  subject.focus(); subject.setSelectionRange(at, at + words.length) }"""


@pytest.fixture(scope="module")
def played(site):
    """Panels of a person and two scripts that wait for a ballot: one to look at, one to give it."""
    scripts = [answer(judge, 0, analysis(*AGREEING[judge - 1])) for judge in (2, 3)]
    return {
        name: (debate := waits(scripts, sits=(PERSON, SCRIPT, SCRIPT)), sit(debate, 1, name)) for name in ("ida", "jo")
    }


@pytest.fixture
def look(room, played):
    """Open the page of a ballot as the judge whose it is."""

    def opened(name):
        debate, judge = played[name]
        return room.sit_down(judge, at=reverse("ballot", args=[debate.public_id, seat_of(debate, 1).public_id]))

    return opened


def worked():
    try:
        playing.work()
    finally:
        connection.close()


def picture(page, name):
    """Keep a picture for each kind of eyes, where somebody asks for one."""
    for eyes in ("light", "dark", "phone", "enlarged") if "PICTURES" in os.environ else ():
        page.set_viewport_size(ENLARGED if eyes == "enlarged" else EYES[eyes]["viewport"])
        page.emulate_media(color_scheme="dark" if eyes == "dark" else "light")
        page.screenshot(path=f"{os.environ['PICTURES']}/{name}-{eyes}.png", full_page=True)


def test_a_ballot_is_filled_with_quotes_kept_over_a_reload_given_and_counted(look, played):
    [debate, _], page = played["ida"], look("ida")
    page.get_by_role("button", name="Quote what is marked, on Design").click()
    assert "Mark words in the subject first." in page.inner_text("[data-kept]")

    for code in ("c0", "c1"):
        page.evaluate(MARK, QUOTED)
        page.locator(f"[data-quote*='{code}-quotes']").press("Enter")
        page.fill(f"[name={code}-score]", "4")
        page.fill(f"[name={code}-reasoning]", f"{code} so.")
        page.fill(f"[name={code}-improvement]", "More.")
    page.get_by_text("Draft kept, on all your devices.").wait_for()
    page.reload()

    assert page.input_value("[name=c0-quotes]") == page.input_value("[name=c1-quotes]") == QUOTED
    assert not Ballot.objects.exists()
    page.get_by_role("button", name="Give the ballot").click()
    page.get_by_text("Your ballot was given").wait_for()
    assert "4" in page.inner_text("main ul")
    with ThreadPoolExecutor(1) as beside:  # the browser's loop is that of this thread
        beside.submit(worked).result()
    debate.refresh_from_db()
    assert (debate.status, Consensus.objects.get().agreed) == ("concluded", True)
    assert page.complaints == []


def test_a_ballot_can_be_read_by_all_eyes(look):
    page = look("jo")
    unfold(page)
    picture(page, "ballot")
    page.set_viewport_size(EYES["light"]["viewport"])

    assert faults_to_all_eyes(page, whole=True) == {}
