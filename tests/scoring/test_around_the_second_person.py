"""Ways around the second person that are none: a large override in small steps, or brought back by a rollback."""

from decimal import Decimal

import pytest
from django.utils import timezone

from scoring.errors import NeedsSecondPerson
from scoring.models import Approval, Evaluation
from scoring.services import approvals
from scoring.services.steps import Done
from tests import acts, factories
from tests.scoring.test_approvals import AGREED, played, second_person_from_two

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures(second_person_from_two.__name__)]
NOW = timezone.now()


def gone_back_to(evaluation, by, target):
    return acts.roll_back(order=factories.order(evaluation, by), target=target, now=NOW)


def test_a_rollback_does_not_bring_a_large_override_back():
    evaluation = played()
    alice = factories.moderator()
    acts.override(order=factories.order(evaluation, alice), value="5.5", now=NOW)
    acts.lift(order=factories.order(evaluation, alice), now=NOW)
    factories.count(evaluation, "2")

    with pytest.raises(
        NeedsSecondPerson,
        match=r"the override 5.50, 3.50 points from 9.00, where the score stands. .* ask for that override",
    ):
        gone_back_to(evaluation, alice, 3)

    assert Evaluation.objects.get(pk=evaluation.pk).value == 9


def test_a_rollback_may_keep_an_override_and_bring_back_a_small_one():
    evaluation = played()
    alice = factories.moderator()
    acts.override(order=factories.order(evaluation, alice), value="5.5", now=NOW)
    factories.count(evaluation, "0.4")
    assert gone_back_to(evaluation, alice, 3).evaluation.value == Decimal("5.5")
    acts.lift(order=factories.order(evaluation, alice), now=NOW)

    assert gone_back_to(evaluation, alice, 3).evaluation.value == Decimal("5.5")


def test_once_the_override_is_approved_the_rollback_goes_through():
    evaluation = played()
    alice = factories.moderator()
    acts.override(order=factories.order(evaluation, alice), value="5.5", now=NOW)
    acts.lift(order=factories.order(evaluation, alice), now=NOW)
    factories.count(evaluation, "2")
    asked = acts.override(order=factories.order(evaluation, alice), value="5.5", now=NOW)
    approvals.approve(approval_id=asked.pk, by=factories.moderator("bob"), reason=AGREED, now=NOW)

    done = gone_back_to(evaluation, alice, 3)

    assert (done.evaluation.value, done.evaluation.computed_score) == (Decimal("5.5"), 7)


def asked(evaluation, by, value):
    return acts.override(order=factories.order(evaluation, by), value=value, now=NOW)


def test_several_small_overrides_that_nobody_approved_wait_once_they_are_together_a_large_one():
    evaluation, alice, bob = played(), factories.moderator(), factories.moderator("bob")
    asked(evaluation, alice, "8.5")

    waits = [isinstance(asked(evaluation, who, value), Approval) for who, value in ((bob, "8.9"), (alice, "9"))]
    approved = approvals.approve(approval_id=Approval.objects.get().pk, by=bob, reason=AGREED, now=NOW)
    after = [isinstance(asked(evaluation, alice, value), Approval) for value in ("10", "9", "7.5", "7")]

    assert waits == [False, True]
    assert approved.entries[0].value_before == Decimal("8.9")
    assert after == [False, False, False, True]  # measured from the 9 that two have agreed on
    acts.lift(order=factories.order(evaluation, alice), now=NOW)
    assert isinstance(asked(evaluation, alice, "8.5"), Done)
