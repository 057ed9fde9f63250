"""A moderator's work in Chromium: the main way through the actions, what is refused on the way, and who sees what."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from scoring.groups import AUDITOR, MODERATOR, SENIOR
from scoring.models import Evaluation
from tests import acts, factories, moderation_actions
from tests.browser.browser_site import ACT, choose, fill, offers, sent
from tests.browser.page_checks import faults_to_all_eyes
from tests.moderators import member
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, WITHOUT_COLLECTED_FILES]
REASON = "The judge misread the third paragraph."
SCORE, LIST = "/admin/scoring/evaluation/{}/{}/", "/admin/scoring/evaluation/"


@pytest.fixture(scope="module")
def people(site):
    return {group: member(group) for group in (AUDITOR, MODERATOR, SENIOR)}


@pytest.fixture(scope="module")
def ruth(people):
    return people[MODERATOR]


@pytest.fixture(scope="module")
def scores(played):
    """The scores of the debate: the first is overridden, the second frozen and holds +2, nobody touched the others."""
    found = list(Evaluation.objects.filter(debate=played).order_by("pk"))
    factories.count_after_the_end(found[1], "2")
    return found


def follow(page, link):
    page.locator(".object-tools .offer").get_by_role("link", name=link, exact=True).click()


def test_a_moderator_works_through_freeze_unfreeze_override_and_lift(room, ruth, scores):
    page = room.sit_down(ruth, at=SCORE.format(scores[2].pk, "change"))
    follow(page, "Freeze")
    fill(page, reason=REASON)
    assert "is frozen at 4.75" in sent(page)
    assert offers(page)[:1] == ["Unfreeze"]
    follow(page, "Unfreeze")
    assert page.locator(".preview").count() == 1
    assert page.get_by_label("Apply: it counts").count() == 0
    fill(page, reason=REASON)
    assert "is unfrozen, nothing was held: 4.75" in sent(page)
    follow(page, "Override")
    fill(page, value="8.25")
    page.locator("input[name=_preview]").click()
    assert "8.25" in page.locator(".preview").inner_text()
    assert page.get_by_label("Value").input_value() == "8.25"
    fill(page, reason=REASON)
    assert "is set to 8.25; it was 4.75" in sent(page)
    follow(page, "Lift override")
    fill(page, reason=REASON)
    assert "4.75; the override was 8.25" in sent(page)
    assert page.complaints == []


def test_a_senior_moderator_goes_back_and_takes_it_back(room, people, scores):
    page = room.sit_down(people[SENIOR], at=SCORE.format(scores[0].pk, "change"))
    for target, said in ((1, "where entry 1 had left it: 6.00; it was 8.50"), (5, "it: 8.50; it was 6.00")):
        page.locator(f"a[href$='?target={target}']").click()
        assert "Becomes void" in page.locator(".preview").inner_text()
        fill(page, reason=REASON)
        assert said in sent(page)
    assert page.complaints == []


def test_a_refusal_stands_at_the_top_and_the_form_keeps_what_was_written(room, ruth, scores):
    page = room.sit_down(ruth, at=SCORE.format(scores[3].pk, "override"))
    fill(page, value="11.5", reason=REASON)
    page.locator(ACT).click()

    assert "value must be" in page.get_by_role("alert").inner_text()
    assert page.get_by_label("Value").input_value() == "11.5"
    assert page.get_by_label("Reason").input_value() == REASON
    assert faults_to_all_eyes(page) == {}


def test_where_nothing_can_be_done_there_is_a_way_out_and_no_form(room, ruth, scores):
    url = SCORE.format(scores[4].pk, "{}")
    page = room.sit_down(ruth, at=url.format("lift"))
    assert "There is no override to lift." in page.get_by_role("status").inner_text()
    assert page.locator("#content-main form").count() == 0
    page.goto(url.format("freeze"))
    fill(page, reason=REASON)
    sent(page)
    page.goto(url.format("override"))
    assert "Unfreeze it first." in page.get_by_role("status").inner_text()
    page.get_by_role("link", name="Unfreeze and override").click()
    fill(page, value="7", reason=REASON)
    assert "is set to 7.00" in sent(page)


def test_a_moderator_looks_at_held_verdicts_and_decides(room, ruth, scores):
    page = room.sit_down(ruth, at=SCORE.format(scores[1].pk, "change"))
    assert page.locator("#held-heading").inner_text() == "Held while frozen (1)"
    assert "1 verdict held" in page.locator("dl.standing").inner_text()
    follow(page, "Unfreeze and strike")
    fill(page, choice="apply")
    page.get_by_label("+2.00").check()
    page.locator("input[name=_preview]").click()
    assert "the strike follows" in page.locator(".preview h2").inner_text()
    page.goto(SCORE.format(scores[1].pk, "unfreeze"))
    assert "+2.00" in page.locator("#held-heading ~ .scroll").inner_text()
    beside = page.locator(".looks .preview")
    assert [one.bounding_box()["y"] for one in beside.all()] == [beside.first.bounding_box()["y"]] * 2
    values = page.locator(".preview tbody tr:first-child strong").all_inner_texts()
    assert values == ["6.75", "4.75"]
    page.get_by_label("Discard: it does not").check()
    fill(page, reason=REASON)
    assert "what was held is discarded: 4.75; it was 4.75." in sent(page)
    assert page.locator("#held-heading").count() == 0
    assert page.complaints == []


def test_somebody_who_comes_late_is_told_who_was_first(room, people, ruth, scores):
    url = SCORE.format(scores[5].pk, "override")
    slow, quick = room.sit_down(ruth, at=url), room.sit_down(people[SENIOR], at=url)
    fill(quick, value="7", reason=REASON)
    fill(slow, value="3", reason=REASON)
    assert "is set to 7.00" in sent(quick)
    slow.locator(ACT).click()

    told = slow.get_by_role("alert").inner_text()
    assert "no longer as you saw it" in told
    assert "senior_moderator: override" in told
    assert slow.get_by_label("Value").input_value() == "3"


EVERYDAY, THAW = ["Freeze", "Override", "Strike"], ["Unfreeze", "Unfreeze and override", "Unfreeze and strike"]
SET = ["Freeze", "Override", "Lift override", "Strike"]
BULK = ["freeze_selected", "unfreeze_selected"]
OFFERED = {
    AUDITOR: {"plain": [], "overridden": [], "frozen": [], "bulk": []},
    MODERATOR: {"plain": EVERYDAY, "overridden": [*SET, "Undo"], "frozen": [*THAW, "Undo"], "bulk": BULK},
    SENIOR: {
        "plain": [*EVERYDAY, "Roll back"],
        "overridden": [*SET, "Roll back", "Undo"],
        "frozen": [*THAW, "Unfreeze and roll back", "Undo"],
        "bulk": [*BULK, "roll_back_selected"],
    },
}


def test_each_group_sees_every_page_and_is_offered_what_it_may_do(room, people):
    boss = moderation_actions.boss()
    made = {
        "plain": moderation_actions.score(),
        "overridden": moderation_actions.overridden(boss),
        "frozen": moderation_actions.frozen(boss),
    }
    for group, user in people.items():
        page = room.sit_down(user, at=LIST)
        options = page.locator("select[name=action] option").evaluate_all("all => all.map(one => one.value)")
        assert [one for one in options if one] == OFFERED[group]["bulk"]
        for name, row in made.items():
            page.goto(SCORE.format(row.pk, "change"))
            assert (group, name, offers(page)) == (group, name, OFFERED[group][name])
        page.goto(SCORE.format(made["plain"].pk, "change"))
        strikes = page.locator("#basis-heading ~ .scroll a", has_text="Strike").count()
        assert (strikes > 0) is (group != AUDITOR)
        assert page.complaints == []


def test_an_auditor_reads_the_ledger_and_both_logs(room, people):
    page = room.sit_down(people[AUDITOR])
    for path in ("/admin/scoring/scorechange/", "/admin/admin/logentry/", "/admin/debates/event/"):
        assert page.goto(path).status == 200
        assert page.locator("select[name=action]").count() == 0
        assert page.locator(".addlink").count() == 0


@pytest.mark.parametrize("group", [AUDITOR, MODERATOR, SENIOR])
def test_the_desk_of_each_group_can_be_read(room, people, group):
    page = room.sit_down(people[group])
    assert faults_to_all_eyes(page) == {}

    page = room.sit_down(people[group], at="/admin/records/")
    innards = page.locator("#content a[href='/admin/judging/claim/']").count()
    assert (innards > 0) == (group == AUDITOR)
    assert faults_to_all_eyes(page) == {}


def test_a_page_that_is_refused_can_be_read(room, people):
    assert faults_to_all_eyes(room.sit_down(people[AUDITOR], at="/admin/scoring/rubric/add/")) == {}


def test_a_review_is_settled_by_who_has_claimed_it_and_nobody_else(room, people, ruth):
    review = f"/admin/judging/review/{moderation_actions.claimed(ruth).pk}"
    page = room.sit_down(people[SENIOR], at=f"{review}/settle/")
    assert "moderator holds this review until" in page.get_by_role("status").inner_text()
    assert page.locator(ACT).count() == 0

    page = room.sit_down(ruth, at=f"{review}/change/")
    assert offers(page) == ["Renew", "Give back", "Settle"]
    follow(page, "Give back")
    sent(page)
    page.goto(f"{review}/settle/")
    assert "Claim this review first" in page.get_by_role("status").inner_text()
    assert page.get_by_role("link", name="Claim", exact=True).count() == 1


def test_a_bulk_action_that_would_be_refused_says_so_and_can_be_read(room, ruth):
    debate = factories.debate()
    rows = [factories.criterion(debate, key=key) for key in ("P1", "P2", "P3")]
    acts.freeze(order=factories.order(rows[0], moderation_actions.boss()), now=timezone.now())
    page = room.sit_down(ruth, at=f"{LIST}?of_debate={debate.pk}")
    choose(page, "freeze_selected")
    assert "1 of 3 would refuse" in page.locator("#content").inner_text()
    assert faults_to_all_eyes(page) == {}
    page.locator("input[name=_leave_out]").click()
    expect(page.locator("#content")).to_contain_text("2 chosen")
