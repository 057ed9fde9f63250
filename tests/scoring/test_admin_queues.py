"""The queues of alerts and approvals."""

from decimal import Decimal

import pytest
from django.utils import timezone

from scoring.enums import AlertState, ApprovalState
from scoring.groups import AUDITOR, MODERATOR, SENIOR
from scoring.models import Alert, Approval, Evaluation, Reason
from tests import acts, factories
from tests.moderators import address, client_of, member, send, words
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]


@pytest.fixture
def alert():
    """The alert that a single round raises which moves a score by 3."""
    factories.count(factories.criterion(), "3")
    return Alert.objects.get(code="extreme_verdict")


def answer(client, page, row, model="scoring_alert", reason=factories.REASON):
    return client.post(address(model, page, row.pk), {"reason": reason}, follow=True)


def offers(client, row, model="scoring_alert"):
    page = client.get(address(model, "change", row.pk)).content.decode()
    names = ("acknowledge", "dismiss", "approve", "refuse")
    return {name for name in names if f"/{row.pk}/{name}/" in page}


def test_the_page_of_an_alert_says_what_it_means_and_what_it_rests_on(alert):
    shown = words(client_of(member(MODERATOR)).get(address("scoring_alert", "change", alert.pk)))

    assert "A single round moved the score by 3 points or more." in shown
    assert "Here: one round moved it by 3." in shown


@pytest.mark.parametrize(("page", "state"), [("acknowledge", "acknowledged"), ("dismiss", "dismissed")])
def test_a_moderator_answers_an_alert_with_a_reason(alert, page, state):
    done = answer(client_of(member(MODERATOR)), page, alert)

    alert.refresh_from_db()
    assert f"The alert extreme verdict is {state}." in words(done)
    assert (alert.state, alert.handled_because.text) == (state, factories.REASON)


@pytest.mark.parametrize("reason", ["", "   ", "too short"])
def test_an_alert_is_not_answered_without_a_reason(alert, reason):
    done = answer(client_of(member(MODERATOR)), "dismiss", alert, reason=reason)

    alert.refresh_from_db()
    assert "Please correct the error below. Nothing was changed." in words(done)
    assert alert.state == AlertState.OPEN


def test_what_is_dismissed_offers_nothing_more_and_what_is_acknowledged_can_be_dismissed(alert):
    client = client_of(member(MODERATOR))

    assert offers(client, alert) == {"acknowledge", "dismiss"}
    answer(client, "acknowledge", alert)
    assert offers(client, alert) == {"dismiss"}
    again = client.get(address("scoring_alert", "acknowledge", alert.pk))
    assert "moderator has acknowledged this alert already" in words(again)
    assert f'<a href="{address("scoring_alert", "dismiss", alert.pk)}" class="button' in again.content.decode()
    answer(client, "dismiss", alert)
    assert offers(client, alert) == set()
    assert 'name="_act"' not in client.get(address("scoring_alert", "dismiss", alert.pk)).content.decode()


@pytest.mark.parametrize(("words_", "found"), [("extreme verdict", 1), ("clarity", 1), ("net capped", 0)])
def test_alerts_are_found_by_what_they_say_and_by_criterion(alert, words_, found):
    page = client_of(member(MODERATOR)).get(address("scoring_alert", "changelist"), {"q": words_})

    assert page.context["cl"].result_count == found


def test_an_auditor_reads_alerts_and_answers_none(alert):
    client = client_of(member(AUDITOR))

    assert offers(client, alert) == set()
    assert answer(client, "dismiss", alert).status_code == 403


# -- approvals -------------------------------------------------------------------------------------------------------


@pytest.fixture
def request_(settings):
    """Mo, a moderator, asks for a 9 where 2 points need a second person."""
    settings.SECOND_PERSON_FROM = Decimal(2)
    score = factories.criterion()
    send(client_of(member(MODERATOR, "mo")), "override", score, value="9")
    return Approval.objects.get()


def decide(client, page, row, **more):
    return words(answer(client, page, row, model="scoring_approval", **more))


def test_somebody_else_approves_and_only_then_the_score_moves(request_):
    sue = client_of(member(SENIOR))
    assert Evaluation.objects.get().value == Decimal(6)

    assert "What this changes now then Value 6.00 9.00" in words(
        sue.get(address("scoring_approval", "approve", request_.pk))
    )
    assert "is set to 9.00; it was 6.00" in decide(sue, "approve", request_)
    assert Evaluation.objects.get().value == Decimal(9)


def test_nobody_approves_what_they_asked_for_themselves(settings):
    settings.SECOND_PERSON_FROM = Decimal(2)
    score, sue = factories.criterion(), client_of(member(SENIOR))
    form = {"seen": score.moderation_version, "reason": factories.REASON, "value": "9"}
    asked = sue.post(address("scoring_evaluation", "override", score.pk), form, follow=True).content.decode()
    row = Approval.objects.get()

    assert f'<a href="{address("scoring_approval", "change", row.pk)}">' in asked
    assert offers(sue, row, "scoring_approval") == {"refuse"}
    page = sue.get(address("scoring_approval", "approve", row.pk))
    shown = words(page)
    assert 'name="_act"' not in page.content.decode()
    assert "somebody else has to approve it. Score" in shown
    assert shown.endswith("Take back Go back")
    assert "somebody else has to approve it" in decide(sue, "approve", row)
    assert Evaluation.objects.get().value == Decimal(6)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        pytest.param(
            lambda row: row.requested_by.user.groups.clear(), "may not override any more", id="the asker lost the right"
        ),
        pytest.param(
            lambda row: factories.rewrite(Reason.objects.filter(pk=row.because_id), text="", salt=""),
            "The words of this request were erased",
            id="the words are gone",
        ),
    ],
)
def test_what_can_only_be_refused_says_why_and_is_not_offered_to_be_approved(request_, spoil, why):
    sue = client_of(member(SENIOR))
    spoil(request_)

    page = sue.get(address("scoring_approval", "approve", request_.pk))

    assert words(page).count(why) == 1
    assert 'name="_act"' not in page.content.decode()
    assert words(page).endswith("Refuse Go back")
    assert offers(sue, request_, "scoring_approval") == {"refuse"}
    assert why in words(sue.get(address("scoring_approval", "change", request_.pk)))
    assert why in decide(sue, "approve", request_)


def test_a_request_is_refused_with_a_reason(request_):
    sue = client_of(member(SENIOR))

    assert "Nothing was changed" in decide(sue, "refuse", request_, reason="no")
    assert "is refused; the score stays" in decide(sue, "refuse", request_)
    assert "This request was refused by senior_moderator" in decide(sue, "approve", request_)
    assert Evaluation.objects.get().value == Decimal(6)


def test_a_score_that_moved_meanwhile_makes_the_request_visibly_void(request_):
    bob = factories.moderator("bob")
    acts.override(order=factories.order(Evaluation.objects.get(), bob), value="7", now=timezone.now())
    sue = client_of(member(SENIOR))

    shown = words(sue.get(address("scoring_approval", "approve", request_.pk)))

    request_.refresh_from_db()
    assert request_.state == ApprovalState.VOID
    assert "This request is void: bob wrote entry 2" in shown
    assert offers(sue, request_, "scoring_approval") == set()
    assert "This request is void" in decide(sue, "approve", request_)


def test_a_moderator_takes_back_what_they_asked_for_and_decides_over_no_other(request_):
    other, mo = client_of(member(MODERATOR, "max")), request_.requested_by.user

    assert offers(other, request_, "scoring_approval") == set()
    assert answer(other, "approve", request_, model="scoring_approval").status_code == 403
    assert answer(other, "refuse", request_, model="scoring_approval").status_code == 403
    assert "is refused" in decide(client_of(mo), "refuse", request_)


def test_the_score_says_that_a_request_waits(request_):
    shown = words(client_of(member(AUDITOR)).get(address("scoring_evaluation", "change", request_.evaluation_id)))

    assert "mo asks for 9.00; that waits for a second person." in shown


def test_the_request_that_is_approved_is_not_said_to_become_void(request_):
    shown = words(client_of(member(SENIOR)).get(address("scoring_approval", "approve", request_.pk)))

    assert "What this changes now then Value 6.00 9.00" in shown
    assert "The request of mo" not in shown


def test_a_strike_says_that_a_waiting_request_becomes_void(settings):
    settings.SECOND_PERSON_FROM = Decimal(2)
    score = factories.criterion()
    factories.count(score, "1")
    client = client_of(member(MODERATOR, "mo"))
    send(client, "override", score, value="9.5")

    shown = words(client.get(address("scoring_evaluation", "strike", score.pk) + f"?facts={score.basis[0]}"))

    assert "The request of mo for 9.50 becomes void." in shown


def test_the_entry_of_an_approved_override_says_who_approved_it_and_which_request(request_):
    sue = client_of(member(SENIOR, "sue"))
    assert "the request names you as the second person" in words(
        sue.get(address("scoring_approval", "approve", request_.pk))
    )
    decide(sue, "approve", request_)
    request_.refresh_from_db()

    page = words(sue.get(address("scoring_evaluation", "change", request_.evaluation_id)))
    entry = words(sue.get(address("scoring_scorechange", "change", request_.entry_id)))

    assert f"(approved by sue, request {request_.pk} )" in page
    assert f"approved by sue, request {request_.pk}" in entry


def test_ones_own_request_is_taken_back_and_that_of_another_refused(request_):
    where = address("scoring_approval", "refuse", request_.pk)
    own, other = client_of(request_.requested_by.user).get(where), client_of(member(SENIOR)).get(where)

    assert (own.context["title"], other.context["title"]) == ("Take back", "Refuse")
    assert 'value="Take back"' in own.content.decode()
