"""Whoever waits while somebody else decides is told who decided, and when."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from debates.errors import DomainError
from judging.engine import erasure, reviews
from judging.models import Review
from scoring.enums import AlertState, BulkAction
from scoring.models import RescoreSet
from scoring.services import alerts, rescore
from tests import factories
from tests.judging.erasure.test_lock_order import beside
from tests.judging.test_reviews import opened, panel
from tests.moderators import address, client_of, words
from tests.scoring.test_alert_answers import raised

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
NOW = timezone.now()
BECAUSE = {"reason": factories.REASON}


@pytest.fixture
def alice() -> User:
    return factories.moderator()


@pytest.fixture
def bob() -> User:
    return factories.moderator("bob")


def told(first: Callable[[], object], second: Callable[[], object]) -> str:
    """Return how somebody is refused who asks while what somebody else does is not yet committed."""
    refusals: list[str] = []

    def wait() -> None:
        with pytest.raises(DomainError) as refused:
            second()
        refusals.append(refused.value.message)

    with beside(wait) as begin, transaction.atomic():
        first()
        begin()
    [refusal] = refusals
    return refusal


def staged(by: User) -> RescoreSet:
    rows = [(factories.criterion().pk, None)]
    return rescore.stage(action=BulkAction.FREEZE, rows=rows, by=by, now=NOW, **BECAUSE)


@pytest.mark.parametrize("decision", ["apply", "cancel"])
def test_a_set_that_somebody_else_decided_on_meanwhile_names_them(alice, bob, decision):
    kept, why = staged(alice), BECAUSE if decision == "cancel" else {}
    decide = getattr(rescore, decision)

    refusal = told(
        lambda: decide.service(set_id=kept.pk, by=alice, now=NOW, **why),
        lambda: rescore.apply(set_id=kept.pk, by=bob, now=NOW),
    )

    assert refusal.startswith(f"This set was {RescoreSet.objects.get().state} by alice at ")


def test_a_set_whose_words_are_erased_meanwhile_says_so(alice, bob):
    kept, root = staged(alice), factories.moderator("root")

    refusal = told(
        lambda: erasure.erase.__wrapped__(order=erasure.Order(target=alice, by=root, **BECAUSE)),
        lambda: rescore.apply(set_id=kept.pk, by=bob, now=NOW),
    )

    assert refusal == "The words of this set were erased; cancel it and stage it anew."


def test_an_alert_that_somebody_else_answered_meanwhile_names_them(alice, bob):
    [alert] = raised(1)
    answer = {"alert_ids": [alert.pk], "state": AlertState.DISMISSED, "now": NOW, **BECAUSE}

    refusal = told(lambda: alerts.handle.service(by=alice, **answer), lambda: alerts.handle(by=bob, **answer))

    assert refusal.startswith("alice has dismissed this alert already, at ")


def test_a_review_that_somebody_else_claimed_meanwhile_names_them(alice, bob):
    with transaction.atomic():
        review = opened(panel())

    refusal = told(
        lambda: reviews.claim.service(review_id=review.pk, by=alice, now=NOW),
        lambda: reviews.claim(review_id=review.pk, by=bob, now=NOW),
    )

    assert refusal.startswith("alice holds this review until ")


def test_whoever_claims_the_oldest_while_somebody_else_claims_it_gets_the_next(alice, bob):
    with transaction.atomic():
        oldest, next_oldest = opened(panel()), opened(panel())
    desk, pages = client_of(bob), []

    with beside(lambda: pages.append(desk.post(address("judging_review", "claim_oldest")))) as begin:
        with transaction.atomic():
            reviews.claim.service(review_id=oldest.pk, by=alice, now=timezone.now())
            begin()

    assert [page.get("Location") for page in pages] == [address("judging_review", "settle", next_oldest.pk)]
    held = Review.objects.order_by("pk").values_list("claimed_by__name", flat=True)
    assert list(held) == ["alice", "bob"]


def test_whoever_claims_the_oldest_while_somebody_else_claims_all_is_told_so(alice, bob):
    with transaction.atomic():
        oldest = opened(panel())
    desk, pages = client_of(bob), []

    with beside(lambda: pages.append(desk.post(address("judging_review", "claim_oldest"), follow=True))) as begin:
        with transaction.atomic():
            reviews.claim.service(review_id=oldest.pk, by=alice, now=timezone.now())
            begin()

    assert "No review waits that you may take on." in words(pages[0])
