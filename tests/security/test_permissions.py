"""Who may do what: every act of moderation by a member of every group, through the service that all doors call."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import AnonymousUser, Group, User
from django.utils import timezone

from scoring.enums import HeldChoice
from scoring.errors import NotPermitted
from scoring.groups import AUDITOR, MODERATOR, SENIOR
from scoring.models import Evaluation
from scoring.services.steps import Order
from tests import acts, factories

pytestmark = pytest.mark.django_db
NOW = timezone.now()
NOBODY, PLAIN, SUPERUSER = "nobody", "plain", "superuser"
EVERYBODY = (NOBODY, PLAIN, AUDITOR, MODERATOR, SENIOR, SUPERUSER)
Act = Callable[[Order, Evaluation], object]

ACTS: dict[str, tuple[set[str], Act]] = {
    "freeze": ({MODERATOR, SENIOR}, lambda order, _: acts.freeze(order=order, now=NOW)),
    "unfreeze": (
        {MODERATOR, SENIOR},
        lambda order, _: acts.unfreeze(order=order, choice=HeldChoice.APPLY, now=NOW),
    ),
    "override": ({MODERATOR, SENIOR}, lambda order, _: acts.override(order=order, value="4", now=NOW)),
    "lift": ({MODERATOR, SENIOR}, lambda order, _: acts.lift(order=order, now=NOW)),
    "strike": ({MODERATOR, SENIOR}, lambda order, row: acts.strike(order=order, facts=row.basis[:1], now=NOW)),
    "reinstate": (
        {MODERATOR, SENIOR},
        lambda order, row: acts.reinstate(order=order, facts=[row.facts.earliest("id").pk], now=NOW),
    ),
    "rollback": ({SENIOR}, lambda order, _: acts.roll_back(order=order, target=1, now=NOW)),
}
NEEDS = {
    "freeze": "freeze", "unfreeze": "unfreeze", "override": "override", "lift": "lift", "strike": "strike",
    "reinstate": "strike", "rollback": "rollback",
}  # fmt: skip


def score_for(act: str) -> Evaluation:
    """A score on which the act makes sense."""
    row = factories.criterion()
    factories.count(row, "1", "0.5")
    boss = factories.moderator("boss")
    if act == "unfreeze":
        acts.freeze(order=factories.order(row, boss, seen=None), now=NOW)
    if act == "lift":
        acts.override(order=factories.order(row, boss), value="4", now=NOW)
    if act == "reinstate":
        acts.strike(order=factories.order(row, boss), facts=row.basis[:1], now=NOW)
    return Evaluation.objects.get(pk=row.pk)


def somebody(kind: str) -> User | AnonymousUser:
    if kind == NOBODY:
        return AnonymousUser()
    person = factories.person("alice", superuser=kind == SUPERUSER)
    if kind not in {PLAIN, SUPERUSER}:
        person.groups.add(Group.objects.get(name=kind))
    return User.objects.get(pk=person.pk)


@pytest.mark.parametrize("who", EVERYBODY)
@pytest.mark.parametrize("act", ACTS)
def test_an_act_is_done_by_who_may_and_refused_to_everybody_else(act, who):
    allowed, do = ACTS[act]
    row = score_for(act)
    before = row.version
    order = factories.order(row, somebody(who))

    if who in {*allowed, SUPERUSER}:
        do(order, row)
    else:
        with pytest.raises(NotPermitted):
            do(order, row)

    row.refresh_from_db()
    assert row.version == before + (who in {*allowed, SUPERUSER})


@pytest.mark.parametrize("act", ACTS)
def test_the_one_permission_of_an_act_is_enough_and_all_the_others_are_not(act):
    row = score_for(act)
    all_but = [f"{name}_evaluation" for name in sorted(set(NEEDS.values()) - {NEEDS[act]})]
    almost = factories.person("almost", permissions=all_but)
    enough = factories.person("enough", permissions=[f"{NEEDS[act]}_evaluation"])

    with pytest.raises(NotPermitted):
        ACTS[act][1](factories.order(row, almost), row)
    ACTS[act][1](factories.order(row, enough), row)

    assert Evaluation.objects.get(pk=row.pk).version == row.version + 1


@pytest.mark.parametrize("act", ACTS)
def test_an_account_that_was_closed_does_nothing(act):
    row = score_for(act)
    gone = factories.moderator("gone")
    gone.is_active = False
    gone.save()

    with pytest.raises(NotPermitted):
        ACTS[act][1](factories.order(row, User.objects.get(pk=gone.pk)), row)
