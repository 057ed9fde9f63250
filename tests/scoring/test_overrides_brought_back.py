"""A rollback does not bring back by itself an override that a second person would have to approve."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.utils import timezone

from scoring.errors import NeedsSecondPerson
from scoring.models import Evaluation
from scoring.services import approvals, moderation
from tests import factories

pytestmark = pytest.mark.django_db
NOW = timezone.now()
AGREED = "I read it too, and agree."


@pytest.fixture(autouse=True)
def second_person_from_two(settings):
    settings.SECOND_PERSON_FROM = Decimal(2)


def played() -> Evaluation:
    """A score of 7."""
    evaluation = factories.criterion(initial="6")
    factories.count(evaluation, "1")
    return evaluation


def gone_back_to(evaluation, by, target):
    return moderation.roll_back(order=factories.order(evaluation, by), target=target, now=NOW)


def test_a_rollback_does_not_bring_a_large_override_back():
    evaluation = played()
    alice = factories.moderator()
    moderation.override(order=factories.order(evaluation, alice), value="5.5", now=NOW)
    moderation.lift(order=factories.order(evaluation, alice), now=NOW)
    factories.count(evaluation, "2")

    with pytest.raises(
        NeedsSecondPerson, match=r"bring back the override 5.50; .* is at 9.00. .* ask for that override"
    ):
        gone_back_to(evaluation, alice, 3)

    assert Evaluation.objects.get(pk=evaluation.pk).value == 9


def test_a_rollback_may_keep_an_override_and_bring_back_a_small_one():
    evaluation = played()
    alice = factories.moderator()
    moderation.override(order=factories.order(evaluation, alice), value="5.5", now=NOW)
    factories.count(evaluation, "2")
    assert gone_back_to(evaluation, alice, 3).evaluation.value == Decimal("5.5")
    moderation.lift(order=factories.order(evaluation, alice), now=NOW)

    assert gone_back_to(evaluation, alice, 3).evaluation.value == Decimal("5.5")


def test_once_the_override_is_approved_the_rollback_goes_through():
    evaluation = played()
    alice = factories.moderator()
    moderation.override(order=factories.order(evaluation, alice), value="5.5", now=NOW)
    moderation.lift(order=factories.order(evaluation, alice), now=NOW)
    factories.count(evaluation, "2")
    asked = approvals.request_or_override(order=factories.order(evaluation, alice), value="5.5", now=NOW)
    approvals.approve(approval_id=asked.pk, by=factories.moderator("bob"), reason=AGREED, now=NOW)

    done = gone_back_to(evaluation, alice, 3)

    assert (done.evaluation.value, done.evaluation.computed_score) == (Decimal("5.5"), 7)
