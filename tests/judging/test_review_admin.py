"""Settling reviews at the desk."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from config import dashboard
from debates.models import Debate
from debates.types import Status
from judging.engine import lifecycle, reviews
from judging.formats.panel.record import Dispute, open_review
from judging.models import Review
from judging.types import ReviewReason
from scoring.groups import AUDITOR, MODERATOR
from scoring.models import Evaluation
from tests import acts, factories, playing
from tests.api.clients import Api
from tests.moderators import address, client_of, member, of_score, words
from tests.scoring.commands import said
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
NOW = timezone.now()


@pytest.fixture
def review():
    """A panel of two judges who are apart about one criterion."""
    debate = factories.debate(status="awaiting_review")
    factories.panel(debate, key="correctness", scores=("1", "5"))
    dispute = Dispute(
        run_number=1, round_number=0, reason_code=ReviewReason.SPREAD, disputed=["correctness"], policy={}
    )
    return open_review(debate=debate, dispute=dispute, now=NOW)[0]


def of_review(client, page, review, **given):
    return words(client.post(address("judging_review", page, review.pk), given, follow=True))


def decision(value="3.5", reason=factories.REASON, seen=None):
    if seen is None:
        seen = Evaluation.objects.get(key="correctness").moderation_version
    return {"seen:correctness": seen, "value:correctness": value, "reason:correctness": reason}


@pytest.fixture
def mo():
    return client_of(member(MODERATOR, "mo"))


def links(client, review):
    page = client.get(address("judging_review", "change", review.pk)).content.decode()
    return {name for name in ("claim", "release", "settle") if f"/{review.pk}/{name}/" in page}


def test_a_review_is_claimed_and_settled(mo, review):
    assert links(mo, review) == {"claim"}
    assert "It is yours until" in of_review(mo, "claim", review)
    assert links(mo, review) == {"claim", "release", "settle"}

    said = of_review(mo, "settle", review, **decision())

    assert "Settled: correctness." in said
    assert Evaluation.objects.get(key="correctness").value == Decimal("3.5")
    assert Debate.objects.get().status == Status.CONCLUDING
    assert links(mo, review) == set()


def test_the_judges_are_shown_side_by_side(mo, review):
    shown = words(mo.get(address("judging_review", "change", review.pk)))

    assert "correctness: Correctness Stands at 3.00." in shown
    assert "a judge 1.00 - a judge 5.00 -" in shown
    assert "its public page , the subject ." in shown
    assert "its case" in shown


def test_only_who_holds_a_review_settles_it(mo, review):
    max_ = client_of(member(MODERATOR, "max"))
    settle = address("judging_review", "settle", review.pk)
    assert "Claim this review first" in words(mo.get(settle))
    of_review(max_, "claim", review)

    assert "max holds this review until" in words(mo.get(settle))
    assert 'name="_act"' not in mo.get(settle).content.decode()
    assert "max holds this review until" in of_review(mo, "claim", review)
    assert "max holds this review until" in of_review(mo, "settle", review, **decision())
    assert "Only who holds a review gives it back." in of_review(mo, "release", review)
    assert links(mo, review) == set()
    assert "Given back" in of_review(max_, "release", review)
    assert links(mo, review) == {"claim"}


def test_a_frozen_score_closes_the_settlement_by_name(mo, review):
    of_review(mo, "claim", review)
    frozen = Evaluation.objects.get(key="correctness")
    acts.freeze(order=factories.order(frozen, factories.moderator("ruth")), now=NOW)

    shown = words(mo.get(address("judging_review", "settle", review.pk)))

    assert "These scores are frozen: correctness Correctness. Unfreeze them first." in shown
    assert "correctness Correctness is frozen since" in of_review(mo, "settle", review, **decision())


def test_a_lease_that_has_ended_holds_nobody_off(mo, review):
    reviews.claim(review_id=review.pk, by=member(MODERATOR, "max"), now=NOW - timedelta(hours=2))

    assert "lease ended" in words(mo.get(address("judging_review", "changelist")))
    shown = words(mo.get(address("judging_review", "change", review.pk)))
    assert "Held by" not in shown
    assert "max held this until" in shown
    assert "the claim has ended, and anybody may take it on." in shown
    assert "It is yours until" in of_review(mo, "claim", review)


def lapsed(review):
    Review.objects.filter(pk=review.pk).update(lease_until=NOW - timedelta(minutes=1))


def test_a_claim_that_lapses_while_one_writes_is_made_again_by_what_is_sent(mo, review):
    of_review(mo, "claim", review)
    lapsed(review)

    assert "must be" in of_review(mo, "settle", review, **decision(value="6"))
    assert reviews.held_now_by(Review.objects.get(), by=User.objects.get(username="mo"), now=timezone.now())
    lapsed(review)
    assert "Settled: correctness." in of_review(mo, "settle", review, **decision())


def test_what_was_written_is_kept_where_somebody_else_took_the_review_on_meanwhile(mo, review):
    of_review(mo, "claim", review)
    lapsed(review)
    of_review(client_of(member(MODERATOR, "max")), "claim", review)

    page = mo.post(address("judging_review", "settle", review.pk), decision())

    assert "max holds this review until" in words(page)
    assert factories.REASON in page.content.decode()
    assert Review.objects.get().state == "claimed"


def test_a_cancelled_debate_takes_its_review_out_of_the_queue(mo, review):
    of_review(mo, "claim", review)
    waiting = {"is_waiting": "yes"}
    assert "1 review " in words(mo.get(address("judging_review", "changelist"), waiting))
    lifecycle.cancel(debate_id=review.debate_id, by=None, now=NOW)

    assert "debate cancelled" in words(mo.get(address("judging_review", "changelist")))
    assert "0 reviews " in words(mo.get(address("judging_review", "changelist"), waiting))
    assert "Reviews 0" in words(mo.get("/admin/"))
    assert dashboard.open_counts(User.objects.get(username="mo")).get("Review") is None
    assert links(mo, review) == set()
    assert reviews.CANCELLED in words(mo.get(address("judging_review", "change", review.pk)))
    assert "The debate was cancelled, and nothing waits for this" in of_review(mo, "settle", review, **decision())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"value": "6"}, "correctness: value must be"),
        ({"value": "3.125"}, "must be"),
        ({"value": ""}, "This field is required."),
        ({"reason": "short"}, "at least 10 characters"),
        ({"reason": "          "}, "This field is required."),
        ({"seen": 99}, "correctness: Nobody has seen version 99 of this score"),
        ({"seen": ""}, "say which moderation_version you saw"),
    ],
)
def test_a_bad_decision_is_refused_in_words_and_settles_nothing(mo, review, given, said):
    of_review(mo, "claim", review)

    assert said in of_review(mo, "settle", review, **decision(**given))
    assert Review.objects.get().state == "claimed"
    assert Evaluation.objects.get(key="correctness").value == Decimal(3)


@pytest.fixture
def unjudged(mo):
    """A review of a criterion that no readable judge has scored, held by whoever is at the desk."""
    debate = factories.debate(status="awaiting_review", parameters={"rubric": playing.rubric("clarity")})
    factories.thread(debate, key="main")
    dispute = Dispute(
        run_number=1, round_number=0, reason_code=ReviewReason.QUORUM_LOST, disputed=["clarity"], policy={}
    )
    review, _ = open_review(debate=debate, dispute=dispute, now=NOW)
    of_review(mo, "claim", review)
    return review


OPENED = {"seen:clarity": "", "value:clarity": "4", "reason:clarity": factories.REASON}


def test_a_criterion_that_nobody_could_judge_is_opened_with_the_decided_value(mo, unjudged):
    assert "no readable judge has scored it" in words(mo.get(address("judging_review", "settle", unjudged.pk)))
    assert "Settled: clarity." in of_review(mo, "settle", unjudged, **OPENED)
    assert Evaluation.objects.get().value == Decimal(4)


def test_undoing_what_a_review_opened_lifts_the_override_and_leaves_the_score_opened(mo, unjudged):
    of_review(mo, "settle", unjudged, **OPENED)
    score, undo = Evaluation.objects.get(), ("undo", "--as", "mo", "--reason", factories.REASON)

    assert mo.get(of_score("change", score)).status_code == 200
    assert "What undoing it changes" in words(mo.get(of_score("undo", score)))
    preview = Api(User.objects.get(username="mo")).post(f"/evaluations/{score.public_id}/preview/", {"action": "undo"})
    assert preview.json()["then"]["value"] == "4.00"
    assert "override lifted: 4.00 -> 4.00" in said("moderate", *undo, "--seen", score.moderation_version)

    assert list(score.entries.values_list("kind", flat=True)) == ["opened", "override", "override_lifted"]


@pytest.mark.parametrize("page", ["claim", "release", "settle"])
def test_an_auditor_reads_reviews_and_takes_none_on(review, page):
    client = client_of(member(AUDITOR))
    where = address("judging_review", page, review.pk)

    assert client.get(address("judging_review", "change", review.pk)).status_code == 200
    assert (client.get(where).status_code, client.post(where).status_code) == (403, 403)


def test_a_settled_review_says_by_whom_with_which_value_and_why(mo, review):
    of_review(mo, "claim", review)
    of_review(mo, "settle", review, **decision())

    page = mo.get(address("judging_review", "change", review.pk))

    assert "Settled by mo, " in words(page)
    assert f"Criterion Value Reason Entry correctness 3.50 {factories.REASON} 2 " in words(page)


def test_who_holds_a_review_renews_the_claim(mo, review):
    where = address("judging_review", "claim", review.pk)
    assert mo.get(where).context["title"] == "Claim"
    of_review(mo, "claim", review)

    assert mo.get(where).context["title"] == "Renew"
    assert 'value="Renew"' in mo.get(where).content.decode()
    assert f'<a href="{where}">Renew</a>' in mo.get(address("judging_review", "change", review.pk)).content.decode()


def test_the_desk_claims_the_review_that_has_waited_longest_of_those_that_one_may_take_on(mo, review):
    spoken_in = factories.debate(status="awaiting_review")
    User.objects.get(username="mo").seats.create(debate=spoken_in, role="judge", kind="human", name="Mo")
    own = Review.objects.create(
        debate=spoken_in,
        round_number=0,
        reason_code="spread",
        disputed=["a"],
        policy={},
        opened_at=NOW - timedelta(days=1),
    )
    claim_oldest = address("judging_review", "claim_oldest")

    done = mo.post(claim_oldest)
    again = client_of(member(MODERATOR, "ruth")).post(claim_oldest, follow=True)

    assert done.url == address("judging_review", "settle", review.pk)
    assert again.redirect_chain == [(address("judging_review", "settle", own.pk), 302)]
    assert "No review waits that you may take on." in words(
        client_of(member(MODERATOR, "rita")).post(claim_oldest, follow=True)
    )
    assert client_of(member(AUDITOR)).post(claim_oldest).status_code == 403
    assert mo.get(claim_oldest).url.endswith("/admin/judging/review/?is_waiting=yes")
