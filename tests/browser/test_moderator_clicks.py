"""How many clicks the usual jobs of a moderator take: counted in Chromium, written down in docs/how-to/moderate.md.

``WRITE_CLICKS=1`` writes the table anew.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from django.urls import reverse
from django.utils import timezone

from scoring.groups import MODERATOR, SENIOR
from scoring.models import Alert
from tests import acts, factories, moderation_actions
from tests.browser.page_checks import faults_to_all_eyes
from tests.moderators import member
from tests.project.source_files import ROOT
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, WITHOUT_COLLECTED_FILES]
PAGE = ROOT / "docs" / "how-to" / "moderate.md"
BEGIN, END = "<!-- made by tests/browser/test_moderator_clicks.py -->\n", "<!-- end of clicks -->"
REASON = "The judge misread the third paragraph."
DESK = "/admin/"
ROLES = ("link", "button", "radio")


@dataclass
class Hand:
    """Somebody at a page, whose clicks are counted; what is typed is not."""

    page: object
    clicks: int = 0

    def click(self, where, *, exact=True, within="main"):
        place = self.page.locator(within)
        if where.startswith(("#", "input")):
            found = place.locator(where)
        else:
            link, button, radio = (place.get_by_role(role, name=where, exact=exact) for role in ROLES)
            found = link.or_(button).or_(radio)
        found.first.click()
        self.clicks += 1

    def open(self, name, *, within="main"):
        """Open the form of an action."""
        self.page.locator(within).locator("summary", has_text=name).first.click()
        self.clicks += 1

    def why(self, form):
        self.page.locator(f"{form} textarea[name=reason]").fill(REASON)

    def said(self):
        return self.page.locator(".messagelist").inner_text()


@dataclass(frozen=True)
class Job:
    """One job: from which page, what is done, what the desk says then, and how many clicks it took before and takes."""

    name: str
    begins: str
    do: Callable
    says: str
    before: int
    clicks: int
    row: Callable


def public(row):
    return reverse("score-account", args=[row.debate.public_id, row.public_id])


def act(title):
    def do(hand):
        hand.click("its case at the desk")
        hand.open(title)
        hand.why("details[open]")
        hand.click(title, within="details[open]")

    return do


def unfreeze(hand):
    hand.click("its case at the desk")
    hand.click("Apply: it counts", within="details[open]")
    hand.why("details[open]")
    hand.click("Unfreeze", within="details[open]")


def previewed(hand, text):
    """What the action would change stands on the page before the last click."""
    hand.page.locator(".preview", has_text=text).first.wait_for()


def override(hand):
    hand.click("its case at the desk")
    hand.open("Override")
    hand.page.locator("details[open] input[name=value]").fill("7.5")
    previewed(hand, "7.50")
    hand.why("details[open]")
    hand.click("Override", within="details[open]")


def strike(hand):
    hand.click("its case at the desk")
    hand.click("strike", exact=False, within=".exchange-of-case")
    previewed(hand, "Ceases to count")
    hand.why("form")
    hand.click("Strike", within=".submit-row")


def roll_back(hand):
    hand.click("its case at the desk")
    hand.click("Back to here", exact=False, within="[aria-labelledby=course-heading] tr:last-child")
    previewed(hand, "Becomes void")
    hand.why("form")
    hand.click("Roll back", within=".submit-row")


def undo(hand):
    hand.click("its case at the desk")
    hand.click("Undo")
    previewed(hand, "What undoing it changes")
    hand.why("form")
    hand.click("Undo", within=".submit-row")


def approve(hand):
    hand.click("Approvals", exact=False, within=".tiles")
    hand.click("#result_list tbody tr:first-child th a")
    previewed(hand, "9.00")
    hand.why("details[open]")
    hand.click("Approve", within="details[open]")


def freeze_many(hand):
    hand.click("Evaluations")
    hand.click("Freeze all", exact=False, within=".object-tools")
    assert hand.page.get_by_role("region", name="The chosen scores").is_visible()
    hand.why("form")
    hand.click("input[name=_act]")


def settle(hand):
    hand.click("Claim the oldest", within=".tiles")
    for name, value in (("value:feasibility", "3.5"), ("reason:feasibility", REASON)):
        hand.page.locator(f"[name='{name}']").fill(value)
    hand.click("Settle", within=".submit-row")


def frozen():
    row = moderation_actions.score()
    acts.freeze(order=factories.order(row, factories.moderator(f"cold {row.pk}"), seen=None), now=timezone.now())
    factories.count(row, "1")
    return row


def overridden():
    row = moderation_actions.score()
    order = factories.order(row, factories.moderator(f"other {row.pk}"))
    acts.override(order=order, value="8", now=timezone.now())
    return row


def thirty():
    """A list of thirty scores; before other jobs freeze some."""
    rows = [factories.criterion(key=f"K{number}") for number in range(30)]
    return rows[0]


def alarmed():
    row = moderation_actions.score()
    Alert.objects.create(
        debate=row.debate, evaluation=row, code="net_capped", severity="info", evidence={}, facts_digest="d"
    )
    return row


JOBS = (
    Job("Freeze every score of a list", "desk", freeze_many, "Freeze scores: done", 6, 3, thirty),
    Job("Freeze a score", "public", act("Freeze"), "is frozen", 5, 3, moderation_actions.score),
    Job("Unfreeze it and apply what was held", "public", unfreeze, "is unfrozen", 3, 3, frozen),
    Job("Override with a preview", "public", override, "is set to 7.50", 4, 3, moderation_actions.score),
    Job("Strike a verdict", "public", strike, "what was struck", 3, 3, moderation_actions.score),
    Job("Roll back", "public", roll_back, "where entry 1 had left it", 4, 3, moderation_actions.score),
    Job("Undo the last act", "public", undo, "Undone.", 3, 3, overridden),
    Job("Dismiss an alert", "public", act("Dismiss"), "is dismissed", 4, 3, alarmed),
    Job(
        "Approve an override",
        "desk",
        approve,
        "is set to 9.00",
        4,
        3,
        lambda: moderation_actions.asked(moderation_actions.boss()),
    ),
    Job(
        "Claim a review and settle it",
        "desk",
        settle,
        "Settled: feasibility.",
        6,
        2,
        lambda: moderation_actions.review(moderation_actions.boss()),
    ),
)


@pytest.fixture(scope="module")
def played(site):
    """Each job makes its own row."""
    return member(SENIOR)


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
def test_a_job_takes_no_more_clicks_than_the_better_of_three_and_before(room, played, job):
    row = job.row()
    hand = Hand(room.sit_down(played, at=public(row) if job.begins == "public" else DESK))
    hand.page.set_default_timeout(30_000)

    job.do(hand)

    assert job.says in hand.said()
    assert hand.clicks == job.clicks <= min(3, job.before)
    assert hand.page.complaints == []


def test_the_page_has_the_clicks():
    places = {"public": "the public account", "desk": "the desk"}
    lines = ["| Job | From | Clicks | Before |", "|---|---|---|---|"]
    lines += [f"| {job.name} | {places[job.begins]} | {job.clicks} | {job.before} |" for job in JOBS]
    table = "\n".join(lines) + "\n"
    text = PAGE.read_text(encoding="utf-8")
    head = text.index(BEGIN) + len(BEGIN)
    if os.environ.get("WRITE_CLICKS"):
        PAGE.write_text(text[:head] + table + text[text.index(END) :], encoding="utf-8")

    assert PAGE.read_text(encoding="utf-8")[head:].split(END)[0] == table


def test_a_key_does_not_leave_a_case_whose_reason_is_half_written(room):
    row, other = moderation_actions.score(), moderation_actions.alert(None)
    at = reverse("admin:scoring_evaluation_case", args=[row.pk])
    page = room.sit_down(member(MODERATOR, "mona"), at=at)
    reason = page.locator("details[data-key=o] textarea[name=reason]")
    page.keyboard.press("o")
    reason.fill(REASON)
    page.locator("h1").click()

    page.keyboard.press("n")
    page.wait_for_timeout(300)

    assert (page.url.endswith(at), reason.input_value()) == (True, REASON)
    reason.evaluate("words => { words.defaultValue = words.value }")  # as it comes back with a refusal
    page.keyboard.press("n")
    page.wait_for_timeout(300)
    assert page.url.endswith(at)
    reason.fill("")
    box = page.locator("#content details input[type=checkbox]").first
    page.locator("h1").click()
    box.evaluate("box => { box.checked = !box.checked }")
    page.keyboard.press("n")
    page.wait_for_timeout(300)
    assert page.url.endswith(at)
    box.evaluate("box => { box.checked = !box.checked }")
    value = page.locator("details[data-key=o] input[name=value]")
    value.fill("7")
    page.locator("h1").click()
    page.keyboard.press("n")
    page.wait_for_timeout(300)
    assert page.url.endswith(at)
    value.fill("")
    page.locator("h1").click()
    page.keyboard.press("n")
    page.wait_for_url(f"**{reverse('admin:scoring_evaluation_case', args=[other.evaluation_id])}")


def test_keys_open_forms_and_not_while_somebody_types(room, played):
    row = moderation_actions.score()
    page = room.sit_down(member(MODERATOR), at=reverse("admin:scoring_evaluation_case", args=[row.pk]))

    page.keyboard.press("o")
    assert page.locator("details[data-key=o]").get_attribute("open") is not None
    page.keyboard.type("f7")
    assert page.locator("details[data-key=o] input[name=value]").input_value() == "f7"
    assert page.locator("details[data-key=f]").get_attribute("open") is None
    page.locator("h1").click()
    page.keyboard.press("r")
    assert page.evaluate("document.activeElement.id") == "id_text"
    page.get_by_role("button", name="Switch them off").click()
    page.reload()
    page.keyboard.press("f")
    assert page.locator("details[data-key=f]").get_attribute("open") is None
    page.get_by_role("button", name="Switch them on").click()
    page.keyboard.press("f")
    assert page.locator("details[data-key=f]").get_attribute("open") is not None
    said = page.locator("details[data-key=f] [data-said]", has_text="Frozen: yes, now no.")
    said.wait_for(state="attached")
    assert page.complaints == []
    assert faults_to_all_eyes(page) == {}
