"""Reviews: opened once, claimed for half an hour by one person, and never opened again once they are settled."""

import threading
from datetime import timedelta

import pytest
from django.db import connections
from django.utils import timezone

from debates import event_log
from debates.errors import Invalid, NotAllowedNow, NotFound
from debates.models import Debate, Event
from debates.services import rights
from judging.engine import lifecycle, metrics, reviews
from judging.engine.reviews import Decision
from judging.formats.panel.record import Dispute, open_review
from judging.models import Review
from judging.types import ReviewReason
from scoring.errors import NotPermitted
from scoring.models import Evaluation
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
    review, news = open_review(debate=debate, dispute=dispute, now=NOW)
    event_log.append(debate_id=debate.pk, news=news, now=NOW)
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
        open_review(debate=panel(), dispute=Dispute(1, 1, ReviewReason.SPREAD, (), POLICY), now=NOW)


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


def test_the_oldest_that_one_may_take_on_is_found_behind_many_that_one_may_not(monkeypatch):
    monkeypatch.setattr(rights, "LOOKED_AT_ONCE", 2)
    alice = factories.moderator()
    own = [opened(panel()) for _ in range(3)]
    for review in own:
        alice.seats.create(debate=review.debate, role="judge", kind="human", name="Alice")
    free = opened(panel())

    assert reviews.longest_waiting(by=alice, now=NOW) == free
    reviews.claim(review_id=free.pk, by=factories.moderator("bob"), now=NOW)
    assert reviews.longest_waiting(by=alice, now=NOW) is None


def test_who_holds_a_review_can_give_it_back():
    review, alice = claimed(panel())
    bob = factories.moderator("bob")
    with pytest.raises(NotAllowedNow, match="holds"):
        reviews.release(review_id=review.pk, by=bob)

    given = reviews.release(review_id=review.pk, by=alice)

    assert (given.state, given.claimed_by, given.lease_until) == ("open", None, None)
    reviews.claim(review_id=review.pk, by=bob, now=NOW)


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


def test_nothing_waits_for_a_review_once_its_debate_is_cancelled():
    debate = panel()
    review, alice = claimed(debate)
    opened(panel(), "design")
    lifecycle.cancel(debate_id=debate.pk, by=None, now=NOW)

    for attempt in (
        lambda: reviews.claim(review_id=review.pk, by=alice, now=NOW),
        lambda: reviews.release(review_id=review.pk, by=alice),
        lambda: reviews.settle(review_id=review.pk, by=alice, decisions=decided(debate, correctness="2"), now=NOW),
    ):
        with pytest.raises(NotAllowedNow, match="The debate was cancelled, and nothing waits for this decision"):
            attempt()
    assert [one.count for one in metrics.open_reviews(now=NOW)] == [1, 0]
    assert value(debate, "correctness") == 3


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
        everybody.wait(timeout=120)
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
        thread.join(timeout=120)

    assert sorted(outcomes) == ["held", "refused", "refused"]
