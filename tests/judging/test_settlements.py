"""Settling a review: every criterion in dispute is decided by whoever holds it, each an override of its own."""

from datetime import timedelta
from decimal import Decimal

import pytest

from debates.errors import Invalid, NotAllowedNow
from debates.models import Debate, Event
from debates.types import News
from judging.engine import queue, reviews
from judging.engine.reviews import Decision
from scoring import verify
from scoring.errors import Frozen, NeedsSecondPerson, OutOfRange, Stale
from scoring.models import Evaluation, ScoreChange
from scoring.services import approvals
from tests import acts, factories
from tests.judging.test_reviews import NOW, RUBRIC, claimed, decided, opened, panel, value

pytestmark = pytest.mark.django_db


def test_settling_overrides_every_criterion_in_dispute_with_its_own_reason(monkeypatch):
    monkeypatch.setattr(verify, "_further", [])  # no judge gave the scores of these panels
    debate = panel()
    review, alice = claimed(debate, "correctness", "design")

    reviews.settle(review_id=review.pk, by=alice, decisions=decided(debate, correctness="2.5", design="4.5"), now=NOW)

    review.refresh_from_db()
    assert (value(debate, "correctness"), value(debate, "design")) == (Decimal("2.5"), Decimal("4.5"))
    entries = ScoreChange.objects.filter(kind="override").order_by("evaluation_id")
    assert [(one.actor.name, one.reason.text, one.reason_code) for one in entries] == [
        ("alice", "Judges erred on correctness.", "review"), ("alice", "Judges erred on design.", "review"),
    ]  # fmt: skip
    assert (review.state, review.settled_by.name, review.settled_at, review.claimed_by) == (
        "settled",
        "alice",
        NOW,
        None,
    )
    assert review.decisions == {
        "correctness": {"value": "2.50", "entry": 2}, "design": {"value": "4.50", "entry": 2},
    }  # fmt: skip
    assert list(Event.objects.order_by("seq").values_list("type", flat=True)) == [
        "review:opened", "score:overridden", "score:overridden", "review:resolved",
    ]  # fmt: skip
    assert verify.verify().faults == ()


def test_the_computed_mean_stays_visible_under_a_decision():
    debate = panel()
    review, alice = claimed(debate)

    reviews.settle(review_id=review.pk, by=alice, decisions=decided(debate, correctness="2.5"), now=NOW)

    assert Evaluation.objects.get(debate=debate, key="correctness").computed_score == 3


@pytest.mark.parametrize("codes", [["correctness"], ["correctness", "design", "testing"], []])
def test_every_criterion_in_dispute_is_decided_and_no_other(codes):
    debate = panel()
    review, alice = claimed(debate, "correctness", "design")

    with pytest.raises(Invalid, match="Decide each of correctness, design"):
        reviews.settle(
            review_id=review.pk,
            by=alice,
            decisions={code: Decision("3", factories.REASON, 0) for code in codes},
            now=NOW,
        )


@pytest.mark.parametrize(
    ("decision", "refusal"),
    [
        pytest.param(Decision("3", "no", 0), Invalid, id="no reason"),
        pytest.param(Decision("5.5", factories.REASON, 0), OutOfRange, id="off the scale"),
        pytest.param(Decision("3", factories.REASON), Invalid, id="no version"),
        pytest.param(Decision("3", factories.REASON, 7), Stale, id="another version"),
    ],
)
def test_a_decision_is_checked_like_an_override(decision, refusal):
    debate = panel()
    review, alice = claimed(debate, "design", "correctness")
    decisions = {**decided(debate, correctness="3"), "design": decision}

    with pytest.raises(refusal):
        reviews.settle(review_id=review.pk, by=alice, decisions=decisions, now=NOW)

    assert (value(debate, "correctness"), value(debate, "design")) == (3, 4)
    assert not ScoreChange.objects.filter(kind="override").exists()


def test_a_frozen_criterion_refuses_the_whole_settlement():
    debate = panel()
    review, alice = claimed(debate, "correctness", "design")
    design = Evaluation.objects.get(debate=debate, key="design")
    acts.freeze(order=factories.order(design, alice, seen=None), now=NOW)

    with pytest.raises(Frozen, match="design"):
        reviews.settle(review_id=review.pk, by=alice, decisions=decided(debate, correctness="2", design="2"), now=NOW)

    assert not ScoreChange.objects.filter(kind="override").exists()


@pytest.mark.parametrize("late", [timedelta(minutes=30), timedelta(days=1)])
def test_a_lease_that_has_ended_settles_nothing(late):
    debate = panel()
    review, alice = claimed(debate)

    with pytest.raises(NotAllowedNow, match="Claim this review first"):
        reviews.settle(review_id=review.pk, by=alice, decisions=decided(debate, correctness="3"), now=NOW + late)


def test_only_who_holds_a_review_settles_it():
    debate = panel()
    review, _ = claimed(debate)

    with pytest.raises(NotAllowedNow, match="Claim this review first"):
        reviews.settle(
            review_id=review.pk, by=factories.moderator("bob"), decisions=decided(debate, correctness="3"), now=NOW
        )


def test_a_criterion_that_no_judge_scored_is_opened_with_what_is_decided():
    debate = factories.debate(parameters={"rubric": RUBRIC})
    factories.thread(debate, key="main")
    review, alice = claimed(debate, "correctness", "design")

    reviews.settle(review_id=review.pk, by=alice, decisions=decided(debate, correctness="2", design="3.5"), now=NOW)

    design = Evaluation.objects.get(debate=debate, key="design")
    assert (design.initial_score, design.computed_score, design.final_score) == (Decimal("3.5"), None, Decimal("3.5"))
    assert (design.weight, design.name, design.position) == (Decimal("0.4"), "Design", 2)
    assert [(one.kind, one.actor.name) for one in design.entries.all()] == [("opened", "alice"), ("override", "alice")]
    assert verify.verify().faults == ()


@pytest.mark.parametrize("status", ["failed", "concluded"])
def test_a_criterion_that_no_judge_scored_is_not_opened_once_the_debate_is_over(status):
    debate = factories.debate(parameters={"rubric": RUBRIC})
    factories.thread(debate, key="main")
    review, alice = claimed(debate)
    because = {"because": "synthesis_failed"} if status == "failed" else {"partial": True, "reason": ""}
    factories.stands(debate, status, News(f"debate:{status}", because), now=NOW if status == "concluded" else None)

    with pytest.raises(NotAllowedNow, match="The debate is over"):
        reviews.settle(review_id=review.pk, by=alice, decisions=decided(debate, correctness="2"), now=NOW)


def test_a_criterion_that_the_rubric_does_not_know_cannot_be_opened():
    debate = panel()
    review, alice = claimed(debate, "charm")

    with pytest.raises(Invalid, match="charm has no score"):
        reviews.settle(review_id=review.pk, by=alice, decisions=decided(debate, charm="3"), now=NOW)


def test_a_settlement_is_no_way_round_a_second_person(settings):
    settings.SECOND_PERSON_FROM = Decimal(1)
    debate = panel()
    review, alice = claimed(debate)
    with pytest.raises(NeedsSecondPerson):
        reviews.settle(review_id=review.pk, by=alice, decisions=decided(debate, correctness="4"), now=NOW)

    order = factories.order(Evaluation.objects.get(debate=debate, key="correctness"), alice)
    asked = acts.override(order=order, value="4", now=NOW)
    approvals.approve(approval_id=asked.pk, by=factories.moderator("bob"), reason="I agree with her.", now=NOW)
    reviews.settle(review_id=review.pk, by=alice, decisions=decided(debate, correctness="4"), now=NOW)

    assert value(debate, "correctness") == 4


def test_the_last_settlement_lets_a_waiting_debate_be_concluded():
    debate = panel(status="awaiting_review")
    first, alice = claimed(debate)
    second = opened(debate, "design", round_number=2)

    reviews.settle(review_id=first.pk, by=alice, decisions=decided(debate, correctness="3"), now=NOW)
    assert Debate.objects.get(pk=debate.pk).status == "awaiting_review"

    reviews.claim(review_id=second.pk, by=alice, now=NOW)
    reviews.settle(review_id=second.pk, by=alice, decisions=decided(debate, design="3"), now=NOW)
    assert Debate.objects.get(pk=debate.pk).status == "concluding"
    assert queue.asked_for(task=queue.CONCLUDE, key="debate_id") == {debate.pk}
