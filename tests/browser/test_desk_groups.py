"""The desk in Chromium as a member of each group: what each is offered, what each may do, and what is refused."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from judging.models import Review
from scoring.access import AUDITOR, MODERATOR, SENIOR
from scoring.models import Evaluation
from tests import factories
from tests.browser.looking import faults, faults_to_all_eyes, opened
from tests.desk import client_of, member
from tests.reading import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), WITHOUT_COLLECTED_FILES]
REASON = "The judge misread the third paragraph."
SCORE, LIST = "/admin/scoring/evaluation/{}/{}/", "/admin/scoring/evaluation/"


@pytest.fixture
def people(debate, live_server):
    """The session of one member of each group."""
    host = urlsplit(live_server.url).hostname or ""
    found = {}
    for group in (AUDITOR, MODERATOR, SENIOR):
        value = client_of(member(group)).cookies["sessionid"].value
        found[group] = {"name": "sessionid", "value": value, "domain": host, "path": "/"}
    return found


@pytest.fixture
def scores(debate):
    """An overridden score, a frozen one that holds +2, and one that nobody has touched."""
    overridden, frozen, plain = Evaluation.objects.filter(debate=debate).order_by("pk")[:3]
    factories.count(frozen, "2")
    return {"overridden": overridden.pk, "frozen": frozen.pk, "plain": plain.pk}


def offers(page):
    return page.locator(".object-tools .offer a").all_inner_texts()


EVERYDAY = ["Freeze", "Override", "Strike"]
OFFERED = {
    AUDITOR: {"plain": [], "overridden": [], "frozen": [], "bulk": []},
    MODERATOR: {
        "plain": EVERYDAY,
        "overridden": ["Freeze", "Override", "Lift override", "Strike"],
        "frozen": ["Unfreeze", "Unfreeze and override", "Unfreeze and strike"],
        "bulk": ["freeze_selected", "unfreeze_selected"],
    },
    SENIOR: {
        "plain": [*EVERYDAY, "Roll back"],
        "overridden": ["Freeze", "Override", "Lift override", "Strike", "Roll back"],
        "frozen": ["Unfreeze", "Unfreeze and override", "Unfreeze and strike", "Unfreeze and roll back"],
        "bulk": ["freeze_selected", "unfreeze_selected", "roll_back_selected"],
    },
}


REFUSED = {AUDITOR: ["freeze", "override", "strike", "roll_back"], MODERATOR: ["roll_back"], SENIOR: []}


def test_each_group_sees_every_page_and_is_offered_what_it_may_do(people, scores, browser, live_server):
    for group, session in people.items():
        with opened(browser, live_server.url + LIST, session=session) as page:
            options = page.locator("select[name=action] option")
            bulk = [one.get_attribute("value") for one in options.all()]
            assert [one for one in bulk if one] == OFFERED[group]["bulk"]
            for name, pk in scores.items():
                page.goto(live_server.url + SCORE.format(pk, "change"))
                assert (group, name, offers(page)) == (group, name, OFFERED[group][name])
            strikes = page.locator("#basis-heading ~ .scroll a", has_text="Strike").count()
            assert (strikes > 0) is (group != AUDITOR)
            assert page.complaints == []


def test_a_page_that_is_not_offered_is_refused_in_words(people, scores, browser, live_server):
    for group, names in REFUSED.items():
        with opened(browser, live_server.url + LIST, session=people[group]) as page:
            for name in names:
                answer = page.goto(live_server.url + SCORE.format(scores["plain"], name))

                assert (group, name, answer.status) == (group, name, 403)
                assert page.locator("h1").inner_text() == "This is not open to you"
            assert faults(page) == []


def sent(page):
    page.locator("input[name=_act]").click()
    return page.locator(".messagelist").inner_text()


def test_a_moderator_looks_at_held_verdicts_and_decides(people, scores, browser, live_server):
    change = SCORE.format(scores["frozen"], "change")
    with opened(browser, live_server.url + change, session=people[MODERATOR]) as page:
        assert page.locator("#held-heading").inner_text() == "Held while frozen (1)"
        assert "1 verdict held" in page.locator("dl.standing").inner_text()
        page.locator(".object-tools .offer a", has_text="Unfreeze").first.click()
        assert "+2.00" in page.locator("#held-heading ~ .scroll").inner_text()
        beside = page.locator(".looks .preview")
        assert [one.bounding_box()["y"] for one in beside.all()] == [beside.first.bounding_box()["y"]] * 2
        values = page.locator(".preview tbody tr:first-child strong").all_inner_texts()
        assert values == ["6.75", "4.75"]
        page.get_by_label("Discard: it does not").check()
        page.get_by_label("Reason").fill(REASON)
        assert "what was held is discarded: 4.75; it was 4.75." in sent(page)
        assert page.locator("#held-heading").count() == 0
        assert page.complaints == []


def test_a_moderator_unfreezes_and_strikes_what_was_held_in_one_step(people, scores, browser, live_server):
    url = live_server.url + SCORE.format(scores["frozen"], "unfreeze_strike")
    with opened(browser, url, session=people[MODERATOR]) as page:
        page.get_by_label("Apply: it counts").check()
        page.get_by_label("+2.00").check()
        page.locator("input[name=_preview]").click()
        assert "the strike follows" in page.locator(".preview h2").inner_text()
        assert faults(page) == []
        page.get_by_label("Reason").fill(REASON)
        said = sent(page)
        assert "what was held counts: 6.75; it was 4.75." in said
        assert "no longer counts what was struck: 4.75; it was 6.75." in said


def test_a_senior_moderator_goes_back_and_takes_it_back(people, scores, browser, live_server):
    url = live_server.url + SCORE.format(scores["overridden"], "change")
    with opened(browser, url, session=people[SENIOR]) as page:
        for target, said in ((1, "where entry 1 had left it: 6.00; it was 8.50"), (5, "it: 8.50; it was 6.00")):
            page.locator(f"a[href$='?target={target}']").click()
            page.get_by_label("Reason").fill(REASON)
            assert said in sent(page)


def test_somebody_who_comes_late_is_told_who_was_first(people, scores, browser, live_server):
    url = live_server.url + SCORE.format(scores["plain"], "override")
    with (
        opened(browser, url, session=people[MODERATOR]) as slow,
        opened(browser, url, session=people[SENIOR]) as quick,
    ):
        for page, value in ((quick, "7"), (slow, "3")):
            page.get_by_label("Value").fill(value)
            page.get_by_label("Reason").fill(REASON)
        assert "is set to 7.00" in sent(quick)
        slow.locator("input[name=_act]").click()
        told = slow.get_by_role("alert").inner_text()
        assert "no longer as you saw it" in told
        assert "senior_moderator: override" in told
        assert slow.get_by_label("Value").input_value() == "3"


def test_nobody_approves_their_own_request_and_somebody_else_does(people, scores, browser, live_server, settings):
    settings.SECOND_PERSON_FROM = 2
    with opened(browser, live_server.url + SCORE.format(scores["plain"], "override"), session=people[SENIOR]) as page:
        page.get_by_label("Value").fill("9")
        page.get_by_label("Reason").fill(REASON)
        assert "has not moved: 9.00 waits for a second person" in sent(page)
        page.locator(".messagelist a").click()
        page.wait_for_url("**/approval/*/change/")
        assert offers(page) == ["Take back"]
        address = page.url
        page.goto(address.replace("change", "approve"))
        assert "somebody else has to approve it" in page.get_by_role("status").inner_text()
        assert page.locator("#content-main form").count() == 0
        assert page.get_by_role("link", name="Take back").count() == 1
    with opened(browser, address, session=people[MODERATOR]) as page:
        assert offers(page) == []


def test_an_auditor_reads_the_ledger_and_both_logs(people, browser, live_server):
    with opened(browser, live_server.url + "/admin/", session=people[AUDITOR]) as page:
        for path in ("/admin/scoring/scorechange/", "/admin/admin/logentry/", "/admin/debates/event/"):
            assert page.goto(live_server.url + path).status == 200
            assert page.locator("select[name=action]").count() == 0
            assert page.locator(".addlink").count() == 0


def test_the_desk_of_each_group_can_be_read(people, browser, live_server):
    for group, session in people.items():
        with opened(browser, live_server.url + "/admin/", session=session) as page:
            innards = page.locator("#content a[href='/admin/judging/claim/']").count()
            assert (group, innards > 0) == (group, group == AUDITOR)
            assert (group, faults_to_all_eyes(page)) == (group, {})


def test_reviews_are_claimed_and_settled(people, review, browser, live_server):
    with opened(browser, live_server.url + review.replace("change", "settle"), session=people[SENIOR]) as page:
        assert "Claim this review first" in page.get_by_role("status").inner_text()
        assert page.get_by_role("link", name="Claim", exact=True).count() == 1
    with opened(browser, live_server.url + review, session=people[MODERATOR]) as page:
        page.locator(".object-tools .offer a", has_text="Claim").click()
        assert "It is yours until" in sent(page)
        assert faults(page) == []
        page.locator(".object-tools .offer a", has_text="Settle").click()
        assert faults(page) == []
        page.get_by_label("feasibility: value").fill("3.5")
        page.get_by_label("feasibility: reason").fill(REASON)
        assert "Settled: feasibility." in sent(page)
        assert offers(page) == []


@pytest.fixture
def review(debate):
    """The address of a review that nobody has claimed."""
    other = factories.debate(status="awaiting_review")
    factories.panel(other, key="feasibility", scores=("2", "4.5"))
    made = Review.objects.create(
        debate=other, round_number=0, reason_code="criterion_spread", disputed=["feasibility"], policy={}
    )
    return f"/admin/judging/review/{made.pk}/change/"


def test_a_bulk_action_that_would_be_refused_says_so_and_can_be_read(people, scores, browser, live_server):
    with opened(browser, live_server.url + LIST, session=people[MODERATOR]) as page:
        page.locator("#action-toggle").check()
        page.get_by_label("Action:").select_option("freeze_selected")
        page.get_by_role("button", name="Go").click()
        assert "1 of 9 would refuse" in page.locator("#content").inner_text()
        assert faults_to_all_eyes(page) == {}
        assert page.evaluate("document.documentElement.scrollWidth") == page.viewport_size["width"] == 390
        page.locator("input[name=_leave_out]").click()
        assert "8 chosen" in page.locator("#content").inner_text()


def test_a_staged_set_is_looked_at_and_cancelled(people, scores, browser, live_server):
    with opened(browser, live_server.url + LIST + "?is_frozen=no", session=people[MODERATOR]) as page:
        page.locator("#action-toggle").check()
        page.get_by_label("Action:").select_option("freeze_selected")
        page.get_by_role("button", name="Go").click()
        page.get_by_label("Reason").fill(REASON)
        page.locator("input[name=_stage]").click()
        staged = page.url
        assert faults(page) == []
        page.locator(".object-tools .offer a", has_text="Cancel").click()
        assert faults(page) == []
        page.get_by_label("Reason").fill(REASON)
        assert "The set was cancelled; nothing has moved." in sent(page)
        assert page.url == staged
