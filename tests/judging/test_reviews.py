"""Reviews: opened once, claimed for half an hour, settled by whoever holds them."""

import threading
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connections
from django.utils import timezone

from debates.errors import Invalid, NotAllowedNow, NotFound
from debates.models import Debate, Event
from judging import metrics, queue
from judging.models import Review
from judging.services import reviews
from judging.services.reviews import Decision, Dispute
from judging.types import ReviewReason
from scoring import verify
from scoring.errors import Frozen, NeedsSecondPerson, NotPermitted, OutOfRange, Stale
from scoring.models import Evaluation, ScoreChange
from scoring.services import approvals, moderation
from tests import factories

pytestmark = pytest.mark.django_db
NOW = timezone.now()
POLICY = {"spread": "0.5", "pass_mark": "4.0"}
RUBRIC = {
    "criteria": [
        {"code": "correctness", "name": "Correctness", "category": "code", "weight": "0.6"},
        {"code": "design", "name": "Design", "category": "code", "weight": "0.4"},
    ]
}


def panel(**options) -> Debate:
    """A debate whose judges gave 2 and 4 for correctness, and 4 and 4 for design."""
    debate = factories.debate(parameters={"rubric": RUBRIC}, **options)
    factories.panel(debate, key="correctness", scores=("2", "4"))
    factories.panel(debate, key="design", scores=("4", "4"))
    return debate


def opened(debate: Debate, *disputed: str, round_number: int = 3, reason=ReviewReason.CRITERION_SPREAD) -> Review:
    dispute = Dispute(1, round_number, reason, disputed or ("correctness",), POLICY)
    review, news = reviews.open_review(debate=debate, dispute=dispute, now=NOW)
    reviews.stream.append(debate_id=debate.pk, news=news, now=NOW)
    return review


def decided(debate: Debate, **values: str) -> dict[str, Decision]:
    """Decisions by somebody who looked just now."""
    seen = dict(Evaluation.objects.filter(debate=debate).values_list("key", "moderation_version"))
    return {code: Decision(value, f"Judges erred on {code}.", seen.get(code)) for code, value in values.items()}


def value(debate: Debate, key: str) -> object:
    return Evaluation.objects.get(debate=debate, key=key).final_score


def claimed(debate: Debate, *disputed: str):
    review, alice = opened(debate, *disputed), factories.moderator()
    reviews.claim(review_id=review.pk, by=alice, now=NOW)
    return review, alice


def test_a_review_is_opened_once_and_told_once():
    debate = panel()

    first, again = opened(debate), opened(debate)

    assert first == again
    assert (first.state, first.reason_code, first.disputed, first.policy) == (
        "open", "criterion_spread", ["correctness"], POLICY,
    )  # fmt: skip
    [told] = Event.objects.filter(type="review:opened")
    assert (told.audience, told.data) == (
        "public",
        {"review": str(first.public_id), "reason": "criterion_spread", "criteria": ["correctness"], "round": 3},
    )


def test_what_a_person_settled_is_never_opened_again():
    debate = panel()
    review, alice = claimed(debate)
    reviews.settle(review_id=review.pk, by=alice, decisions=decided(debate, correctness="3"), now=NOW)

    again = opened(debate, "design", reason=ReviewReason.SPREAD)

    assert (again.pk, again.state, again.disputed) == (review.pk, "settled", ["correctness"])


def test_nothing_in_dispute_is_nothing_to_review():
    with pytest.raises(Invalid, match="disputed"):
        reviews.open_review(debate=panel(), dispute=Dispute(1, 1, ReviewReason.SPREAD, (), POLICY), now=NOW)


def test_a_claim_lasts_thirty_minutes_and_can_be_renewed():
    review, alice = claimed(panel())

    renewed = reviews.claim(review_id=review.pk, by=alice, now=NOW + timedelta(minutes=20))

    assert (renewed.claimed_by.name, renewed.lease_until) == ("alice", NOW + timedelta(minutes=50))


@pytest.mark.parametrize(("minutes", "taken"), [(29, False), (30, True)])
def test_a_claim_is_taken_over_only_when_its_lease_has_ended(minutes, taken):
    review, _ = claimed(panel())
    bob = factories.moderator("bob")
    later = NOW + timedelta(minutes=minutes)

    if taken:
        assert reviews.claim(review_id=review.pk, by=bob, now=later).claimed_by.name == "bob"
    else:
        with pytest.raises(NotAllowedNow, match=r"alice holds this review until \d\d:\d\d"):
            reviews.claim(review_id=review.pk, by=bob, now=later)


def test_who_holds_a_review_can_give_it_back():
    review, alice = claimed(panel())
    bob = factories.moderator("bob")
    with pytest.raises(NotAllowedNow, match="holds"):
        reviews.release(review_id=review.pk, by=bob)

    given = reviews.release(review_id=review.pk, by=alice)

    assert (given.state, given.claimed_by, given.lease_until) == ("open", None, None)
    reviews.claim(review_id=review.pk, by=bob, now=NOW)


def test_settling_overrides_every_criterion_in_dispute_with_its_own_reason():
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
    moderation.freeze(order=factories.order(design, alice, seen=None), now=NOW)

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


def test_a_settled_review_is_neither_claimed_nor_settled_nor_given_back():
    debate = panel()
    review, alice = claimed(debate)
    decisions = decided(debate, correctness="3")
    reviews.settle(review_id=review.pk, by=alice, decisions=decisions, now=NOW)

    for attempt in (
        lambda: reviews.claim(review_id=review.pk, by=alice, now=NOW),
        lambda: reviews.release(review_id=review.pk, by=alice),
        lambda: reviews.settle(review_id=review.pk, by=alice, decisions=decisions, now=NOW),
    ):
        with pytest.raises(NotAllowedNow, match="alice settled this review"):
            attempt()


def test_reviews_need_a_permission_of_their_own():
    debate = panel()
    review = opened(debate)
    bob = factories.person("bob", permissions=["override_evaluation"])

    with pytest.raises(NotPermitted, match="resolve_review"):
        reviews.claim(review_id=review.pk, by=bob, now=NOW)
    with pytest.raises(NotPermitted, match="resolve_review"):
        reviews.settle(review_id=review.pk, by=bob, decisions=decided(debate, correctness="3"), now=NOW)

    carol = factories.person("carol", permissions=["judging.resolve_review"])
    reviews.claim(review_id=review.pk, by=carol, now=NOW)
    reviews.settle(review_id=review.pk, by=carol, decisions=decided(debate, correctness="3"), now=NOW)
    assert value(debate, "correctness") == 3


def test_a_review_that_is_not_there_is_not_found():
    alice = factories.moderator()

    with pytest.raises(NotFound):
        reviews.claim(review_id=-1, by=alice, now=NOW)
    with pytest.raises(NotFound):
        reviews.settle(review_id=-1, by=alice, decisions={}, now=NOW)


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
    asked = approvals.request_or_override(order=order, value="4", now=NOW)
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


def test_open_reviews_are_counted_with_their_age():
    debate = panel()
    review, _ = claimed(debate)
    opened(debate, round_number=2)
    later = NOW + timedelta(minutes=10)

    assert [(one.what, one.count, one.age) for one in metrics.open_reviews(now=later)] == [
        ("open", 1, timedelta(minutes=10)), ("claimed", 1, timedelta(minutes=10)),
    ]  # fmt: skip
    much_later = NOW + timedelta(minutes=31)
    assert [(one.count, one.age) for one in metrics.open_reviews(now=much_later)] == [
        (2, timedelta(minutes=31)), (0, None),
    ]  # fmt: skip
    assert review.state == "open"


@pytest.mark.django_db(transaction=True)
def test_two_moderators_never_hold_one_review():
    review = opened(panel())
    people = [factories.moderator(name) for name in ("alice", "bob", "carol")]
    everybody = threading.Barrier(len(people))
    outcomes: list[str] = []

    def attempt(by) -> None:
        everybody.wait(timeout=10)
        try:
            reviews.claim(review_id=review.pk, by=by, now=NOW)
            outcomes.append("held")
        except NotAllowedNow:
            outcomes.append("refused")
        finally:
            connections.close_all()

    threads = [threading.Thread(target=attempt, args=[one]) for one in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)

    assert sorted(outcomes) == ["held", "refused", "refused"]
