"""A score with a history of nearly every kind of entry, for the tests of its proof."""

from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from scoring.kinds import HeldChoice
from scoring.models import Evaluation
from scoring.services import moderation
from tests import factories

NOW = timezone.now()


def tell() -> Evaluation:
    """Write entries 1 to 12, the last of them a freeze; and open a second score in the same debate."""
    evaluation = factories.criterion(initial="6")
    alice = factories.moderator()
    factories.count(evaluation, "3", "3")
    factories.count(evaluation, "2", factories.verdict("0.5", "0.1"))
    freeze(evaluation, alice)
    factories.count(evaluation, "-1")
    moderation.unfreeze(order=factories.order(evaluation, alice), choice=HeldChoice.APPLY, now=NOW)
    moderation.override(order=factories.order(evaluation, alice), value="4", now=NOW)
    moderation.lift(order=factories.order(evaluation, alice), now=NOW)
    moderation.strike(order=factories.order(evaluation, alice), facts=evaluation.basis[:1], now=NOW)
    moderation.reinstate(order=factories.order(evaluation, alice), facts=evaluation.basis[:1], now=NOW)
    moderation.roll_back(order=factories.order(evaluation, alice), target=3, now=NOW)
    freeze(evaluation, alice)
    evaluation.refresh_from_db()
    factories.criterion(evaluation.debate, key="P2")
    connection.check_constraints()
    return evaluation


def freeze(evaluation: Evaluation, by: User) -> None:
    moderation.freeze(order=factories.order(evaluation, by, seen=None), now=NOW)


def sql(statement: str, **values: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values or None)
