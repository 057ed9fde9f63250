"""A moderator's work in Chromium: the main way through the actions, and pages that everybody can read."""

from __future__ import annotations

import pytest

from judging.models import Review
from scoring.models import Alert, Approval, Evaluation, RescoreSet, ScoreChange
from scoring.services.entries import text
from tests import factories
from tests.browser.looking import faults, faults_to_all_eyes, opened, with_all_eyes
from tests.reading import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), WITHOUT_COLLECTED_FILES]
REASON = "The judge misread the third paragraph."


@pytest.fixture
def paths(debate):
    """Every page of the desk, about rows in every state, in three parts."""
    overridden, frozen, plain = Evaluation.objects.filter(debate=debate).order_by("pk")[:3]
    freeze = ScoreChange.objects.get(evaluation=frozen, kind="freeze")
    alert = Alert.objects.create(
        debate=debate, evaluation=plain, code="net_capped", severity="critical", evidence={"raw": "6"}, facts_digest="x"
    )
    who = {"because": freeze.reason}
    asked = Approval.objects.create(
        evaluation=plain, value=9, value_seen=plain.value, seen=1, door="moderator", requested_by=freeze.actor, **who
    )
    line = {"id": plain.pk, "name": str(plain), "seen": plain.moderation_version, "value_after": "6"}
    line |= {"value_before": text(plain.value)}
    staged = RescoreSet.objects.create(action="rollback", lines=[line], staged_by=freeze.actor, **who)
    panel = factories.debate(status="awaiting_review")
    factories.panel(panel, key="feasibility", scores=("2", "4.5"))
    about = {"debate": panel, "round_number": 0, "reason_code": "criterion_spread", "policy": {}}
    review = Review.objects.create(disputed=["feasibility"], **about)
    score, list_ = "/admin/scoring/evaluation/{}/{}/", "/admin/scoring/evaluation/"
    entry = ScoreChange.objects.get(evaluation=overridden, kind="override")
    return {
        "lists": [
            "/admin/",
            list_,
            list_ + "?is_frozen=yes",
            "/admin/scoring/alert/",
            "/admin/scoring/scorechange/",
            "/admin/admin/logentry/",
            f"/admin/debates/debate/{debate.pk}/change/",
            f"/admin/debates/debate/{debate.pk}/rerun/",
            f"/admin/debates/debate/{debate.pk}/roll_back/",
            "/admin/judging/verdict/",
            "/admin/scoring/rubric/add/",
        ],
        "scores": [
            *(score.format(one.pk, "change") for one in (overridden, frozen, plain)),
            score.format(frozen.pk, "unfreeze"),
            score.format(frozen.pk, "unfreeze_override"),
            score.format(frozen.pk, "unfreeze_strike") + f"?facts={frozen.basis[0]}",
            score.format(frozen.pk, "unfreeze_roll_back") + "?target=1",
            score.format(frozen.pk, "override"),
            score.format(plain.pk, "freeze"),
            score.format(plain.pk, "override"),
            score.format(overridden.pk, "lift"),
        ],
        "queues": [
            score.format(plain.pk, "strike") + f"?facts={plain.basis[0]}",
            score.format(plain.pk, "roll_back") + "?target=1",
            score.format(plain.pk, "as_of") + "?sequence=2",
            f"/admin/scoring/scorechange/{entry.pk}/change/",
            f"/admin/scoring/alert/{alert.pk}/change/",
            f"/admin/scoring/alert/{alert.pk}/dismiss/",
            f"/admin/scoring/approval/{asked.pk}/approve/",
            f"/admin/scoring/rescoreset/{staged.pk}/change/",
            f"/admin/scoring/rescoreset/{staged.pk}/apply/",
            f"/admin/judging/review/{review.pk}/change/",
            f"/admin/judging/review/{review.pk}/claim/",
            f"/admin/judging/review/{review.pk}/settle/",
        ],
    }


@pytest.mark.parametrize("part", ["lists", "scores", "queues"])
def test_every_page_keeps_the_policy_fits_a_phone_and_can_be_read(paths, browser, live_server, session, part):
    with opened(browser, f"{live_server.url}/admin/", session=session) as page:
        for path in paths[part]:
            assert page.goto(live_server.url + path).status == 200
            widths = {eyes: page.evaluate("document.documentElement.scrollWidth") for eyes in with_all_eyes(page)}
            assert (path, widths["phone"], widths["dark phone"]) == (path, 390, 390)
            assert (path, page.complaints) == (path, [])
            assert page.title().endswith("Moot")
            assert (path, faults_to_all_eyes(page)) == (path, {})
            page.complaints.clear()


@pytest.fixture
def score(debate):
    """A score that nobody has moderated, with the address of its page."""
    return Evaluation.objects.filter(debate=debate).order_by("pk")[2]


def follow(page, link):
    page.locator(".object-tools .offer").get_by_role("link", name=link, exact=True).click()


def send(page, **given):
    for label, value in given.items():
        page.get_by_label(label.replace("_", " ")).fill(value)
    page.locator("input[name=_act]").click()
    return page.locator(".messagelist").inner_text()


def test_a_moderator_works_through_freeze_unfreeze_override_lift_and_rollback(score, browser, live_server, session):
    url = f"{live_server.url}/admin/scoring/evaluation/{score.pk}/change/"
    with opened(browser, url, session=session) as page:
        follow(page, "Freeze")
        assert "is frozen at 4.75" in send(page, Reason=REASON)
        assert page.locator(".object-tools .offer").all_inner_texts()[:1] == ["Unfreeze"]
        follow(page, "Unfreeze")
        assert page.locator(".preview").count() == 1
        assert page.get_by_label("Apply: it counts").count() == 0
        assert "is unfrozen, nothing was held: 4.75" in send(page, Reason=REASON)
        follow(page, "Override")
        page.get_by_label("Value").fill("8.25")
        page.locator("input[name=_preview]").click()
        assert "8.25" in page.locator(".preview").inner_text()
        assert page.get_by_label("Value").input_value() == "8.25"
        assert "is set to 8.25; it was 4.75" in send(page, Reason=REASON)
        follow(page, "Lift override")
        assert "4.75; the override was 8.25" in send(page, Reason=REASON)
        page.locator("a[href$='?target=1']").click()
        assert "Becomes void" in page.locator(".preview").inner_text()
        assert "is back where entry 1 had left it: 6.00" in send(page, Reason=REASON)
        assert page.complaints == []


def test_a_refusal_stands_at_the_top_and_the_form_keeps_what_was_written(score, browser, live_server, session):
    with opened(browser, f"{live_server.url}/admin/scoring/evaluation/{score.pk}/override/", session=session) as page:
        page.get_by_label("Value").fill("11.5")
        page.get_by_label("Reason").fill(REASON)
        page.locator("input[name=_act]").click()

        assert "value must be" in page.get_by_role("alert").inner_text()
        assert page.get_by_label("Value").input_value() == "11.5"
        assert page.get_by_label("Reason").input_value() == REASON
        assert faults(page) == []


def test_where_nothing_can_be_done_there_is_a_way_out_and_no_form(score, browser, live_server, session):
    url = f"{live_server.url}/admin/scoring/evaluation/{score.pk}"
    with opened(browser, f"{url}/lift/", session=session) as page:
        assert "There is no override to lift." in page.get_by_role("status").inner_text()
        assert page.locator("#content-main form").count() == 0
        page.goto(f"{url}/freeze/")
        send(page, Reason=REASON)
        page.goto(f"{url}/override/")
        assert "Unfreeze it first." in page.get_by_role("status").inner_text()
        page.get_by_role("link", name="Unfreeze and override").click()
        page.get_by_label("Value").fill("7")
        assert "is set to 7.00" in send(page, Reason=REASON)
