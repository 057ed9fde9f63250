"""Putting back what was struck; a round that waits for the end of its thread is not out."""

import pytest
from django.db import transaction
from django.utils import timezone

from debates.errors import Invalid
from scoring.enums import EntryKind
from scoring.models import Evaluation
from scoring.services import accounts, actions, rounds, steps
from scoring.services.actions import Intent
from tests import factories

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def locked(evaluation: Evaluation) -> Evaluation:
    [row] = accounts.lock(evaluations=[evaluation.pk])
    return row


def strike(evaluation: Evaluation, by: object, fact: int) -> None:
    """Strike a fact inside the test's transaction."""
    order = factories.order(evaluation, by)
    strike = Intent(EntryKind.STRIKE, facts=[fact])
    steps.take(evaluation=locked(evaluation), author=steps.author_of(order=order), intent=strike)


def reinstated(evaluation: Evaluation, fact: int) -> actions.Plan:
    return actions.plan_of(evaluation=locked(evaluation), intent=Intent(EntryKind.REINSTATE, facts=[fact]))


def test_a_round_that_waits_to_be_counted_cannot_be_reinstated():
    evaluation = factories.criterion()
    counted = factories.count(evaluation, "1").facts
    waiting = rounds.keep(
        evaluation=evaluation, round=factories.round_of(evaluation), new_facts=[factories.verdict("2")], now=NOW
    )
    alice = factories.moderator()

    with pytest.raises(Invalid, match="facts must be among those of this run that do not count"), transaction.atomic():
        reinstated(evaluation, waiting[0].pk)

    strike(evaluation, alice, counted[0].pk)
    assert reinstated(evaluation, counted[0].pk).state.basis == (counted[0].pk,)
