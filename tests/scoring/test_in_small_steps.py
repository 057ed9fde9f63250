"""What one person alone moves in small steps that a strike, a discard, a rollback or an unfreeze bridges."""

from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.utils import timezone

from scoring.enums import ActorKind, BulkAction, EntryKind, HeldChoice
from scoring.errors import NeedsSecondPerson
from scoring.models import Approval, Evaluation
from scoring.services import accounts, approvals, bulk, moderation, rescore
from scoring.services.actions import Intent
from scoring.services.bulk import BulkOrder
from scoring.services.entries import Author, actor_of, reason_record
from scoring.services.steps import Done
from tests import acts, factories

pytestmark = pytest.mark.django_db
NOW = timezone.now()
AGREED = "I read it too, and agree."


@pytest.fixture(autouse=True)
def second_person_from_one(settings):
    settings.SECOND_PERSON_FROM = Decimal(1)


@pytest.fixture
def bob() -> User:
    return factories.moderator("bob")


def played(*rounds: str, initial: str = "5") -> Evaluation:
    evaluation = factories.criterion(initial=initial)
    for adjustment in rounds:
        factories.count(evaluation, adjustment)
    return evaluation


def override(evaluation: Evaluation, by: User, value: str) -> Done | Approval:
    return acts.override(order=factories.order(evaluation, by), value=value, now=NOW)


def strike(evaluation: Evaluation, by: User, *facts: int) -> Done:
    return acts.strike(order=factories.order(evaluation, by), facts=facts, now=NOW)


def reinstate(evaluation: Evaluation, by: User, *facts: int) -> Done:
    return acts.reinstate(order=factories.order(evaluation, by), facts=facts, now=NOW)


def back(evaluation: Evaluation, by: User, target: int) -> Done:
    return acts.roll_back(order=factories.order(evaluation, by), target=target, now=NOW)


def lift(evaluation: Evaluation, by: User) -> Done:
    return acts.lift(order=factories.order(evaluation, by), now=NOW)


def freeze(evaluation: Evaluation, by: User) -> Done:
    return acts.freeze(order=factories.order(evaluation, by, seen=None), now=NOW)


def unfreeze(evaluation: Evaluation, by: User, choice: str, then: Intent | None = None) -> Done:
    order = factories.order(evaluation, by)
    return acts.unfreeze(order=order, choice=HeldChoice(choice), now=NOW, then=then)


def approve(evaluation: Evaluation, by: User) -> Done:
    waiting = Approval.objects.get(evaluation=evaluation, state="waiting")
    return approvals.approve(approval_id=waiting.pk, by=by, reason=AGREED, now=NOW)


def stands(evaluation: Evaluation) -> tuple[Decimal, Decimal | None]:
    row = Evaluation.objects.get(pk=evaluation.pk)
    return row.value, row.computed_score


def seen(*evaluations: Evaluation) -> list[tuple[int, int | None]]:
    return [(one.pk, Evaluation.objects.get(pk=one.pk).moderation_version) for one in evaluations]


# -- the four that were found ----------------------------------------------------------------------------------------


def test_a_strike_does_not_bring_the_computed_score_within_reach(alice):
    evaluation = played("3", "-3", "2")
    plus, _, two = evaluation.basis
    strike(evaluation, alice, plus, two)

    asked = override(evaluation, alice, "1.1")

    assert isinstance(asked, Approval)
    assert stands(evaluation) == (2, 2)
    reinstate(evaluation, alice, plus, two)
    assert stands(evaluation) == (7, 7)


def test_what_an_unfreeze_discards_does_not_bring_an_override_within_reach(alice):
    evaluation = played("2")
    freeze(evaluation, alice)
    factories.count(evaluation, "-3")

    with pytest.raises(NeedsSecondPerson):
        unfreeze(evaluation, alice, "discard", Intent(EntryKind.OVERRIDE, value="7.5"))

    assert stands(evaluation) == (7, 7)
    unfreeze(evaluation, alice, "discard")
    assert isinstance(override(evaluation, alice, "7.5"), Approval)


def test_a_rollback_to_the_opening_does_not_bring_an_override_within_reach(alice):
    evaluation = played("3", "-1")
    facts = list(evaluation.basis)
    back(evaluation, alice, 1)

    asked = override(evaluation, alice, "4.5")

    assert isinstance(asked, Approval)
    assert stands(evaluation) == (5, 5)
    reinstate(evaluation, alice, *facts)
    assert stands(evaluation) == (7, 7)


@pytest.mark.parametrize("staged", [False, True], ids=["at once", "as a rescore set"])
def test_a_bulk_rollback_does_not_bring_overrides_within_reach(staged, alice):
    scores = [played("3"), played("-3")]
    if staged:
        kept = rescore.stage(action=BulkAction.ROLLBACK, rows=seen(*scores), reason=factories.REASON, by=alice, now=NOW)
        rescore.apply(set_id=kept.pk, by=alice, now=NOW)
    else:
        order = BulkOrder(action=BulkAction.ROLLBACK, rows=seen(*scores), by=alice, reason=factories.REASON)
        bulk.act(order=order, now=NOW)

    asked = [override(one, alice, "5.5") for one in scores]

    assert [isinstance(one, Approval) for one in asked] == [True, True]
    assert [stands(one) for one in scores] == [(5, 5), (5, 5)]


def test_taking_a_whole_debate_back_does_not_bring_overrides_within_reach(alice):
    evaluation = played("3")
    debate = evaluation.debate
    type(debate).objects.filter(pk=debate.pk).update(status="concluded")
    moderation.roll_back_debate(debate_id=debate.pk, by=alice, reason=factories.REASON, now=NOW)

    assert isinstance(override(evaluation, alice, "5.5"), Approval)


# -- further ones ----------------------------------------------------------------------------------------------------


def test_nobody_puts_back_what_they_struck_beneath_somebody_elses_override(alice, bob):
    evaluation = played("3", "-3", "2")
    plus, _, two = evaluation.basis
    strike(evaluation, alice, plus, two)
    assert isinstance(override(evaluation, bob, "2.05"), Done)

    for who in (alice, bob, factories.moderator("charlie")):
        with pytest.raises(NeedsSecondPerson, match=r"lift the override first"):
            reinstate(evaluation, who, plus, two)

    assert stands(evaluation) == (Decimal("2.05"), 2)
    lift(evaluation, alice)
    reinstate(evaluation, alice, plus, two)
    assert stands(evaluation) == (7, 7)


def test_one_person_in_two_roles_is_one_person(alice):
    evaluation = played("3", "-3", "2")
    strike(evaluation, alice, evaluation.basis[0])
    User.objects.filter(pk=alice.pk).update(username="alice.two", is_superuser=False)
    again = User.objects.get(pk=alice.pk)
    again.user_permissions.set(Permission.objects.filter(content_type__app_label="scoring"))
    again = User.objects.get(pk=alice.pk)

    asked = override(evaluation, again, "3.9")

    assert isinstance(asked, Approval)
    assert evaluation.entries.last().actor.role != asked.requested_by.role


def test_small_overrides_in_turns_do_not_add_up(alice, bob):
    evaluation = played("2")

    taken = [override(evaluation, *one) for one in ((alice, "7.4"), (bob, "7.8"), (alice, "7.99"), (bob, "8"))]

    assert [isinstance(one, Done) for one in taken] == [True, True, True, False]


def test_a_strike_beneath_an_override_is_measured_too(alice, bob):
    evaluation = played("3", "-3", "2")
    override(evaluation, alice, "7.5")

    with pytest.raises(NeedsSecondPerson, match=r"7.50.* 3.50 points from 4.00"):
        strike(evaluation, bob, evaluation.basis[0])

    assert stands(evaluation) == (Decimal("7.5"), 7)


def test_a_rollback_that_brings_an_old_override_back_over_fewer_facts_is_measured(alice):
    evaluation = played("1")
    override(evaluation, alice, "6.5")
    lift(evaluation, alice)
    factories.count(evaluation, "2")

    with pytest.raises(NeedsSecondPerson):
        back(evaluation, alice, 3)

    assert stands(evaluation) == (8, 8)


def test_an_unfreeze_may_carry_what_leaves_the_score_within_reach_of_everything(alice, bob):
    evaluation = played("2")
    freeze(evaluation, alice)
    factories.count(evaluation, "-0.4")

    unfreeze(evaluation, bob, "discard", Intent(EntryKind.OVERRIDE, value="7.3"))

    assert stands(evaluation) == (Decimal("7.3"), 7)


def test_a_round_beneath_an_override_is_nobodys_act_but_the_next_act_is_measured(alice, bob):
    evaluation = played("1")
    override(evaluation, alice, "6.5")

    factories.count(evaluation, "3")

    assert stands(evaluation) == (Decimal("6.5"), 9)
    freeze(evaluation, bob)
    factories.count(evaluation, "1")
    unfreeze(evaluation, bob, "apply")
    assert stands(evaluation) == (Decimal("6.5"), 10)
    assert isinstance(override(evaluation, alice, "6.6"), Approval)
    with pytest.raises(NeedsSecondPerson):
        strike(evaluation, bob, evaluation.basis[0])
    lift(evaluation, alice)
    assert isinstance(override(evaluation, alice, "9.1"), Done)


def test_what_two_have_agreed_on_stands_whatever_is_struck_beneath_it(alice, bob):
    evaluation = played("3", "-3", "2")
    override(evaluation, alice, "2")
    approve(evaluation, bob)

    strike(evaluation, alice, evaluation.basis[0])

    assert isinstance(override(evaluation, alice, "2.9"), Done)
    assert isinstance(override(evaluation, bob, "3"), Approval)
    assert stands(evaluation) == (Decimal("2.9"), 4)


def test_an_approval_covers_nothing_once_its_override_is_lifted(alice, bob):
    evaluation = played("2")
    override(evaluation, alice, "2")
    approve(evaluation, bob)
    lift(evaluation, alice)

    assert isinstance(override(evaluation, alice, "2.1"), Approval)
    with pytest.raises(NeedsSecondPerson):
        back(evaluation, alice, 3)


def test_what_was_struck_before_a_second_person_agreed_is_agreed_on(alice, bob):
    evaluation = played("3", "-3", "2")
    strike(evaluation, alice, evaluation.basis[0])
    override(evaluation, alice, "3")
    approve(evaluation, bob)
    lift(evaluation, alice)

    assert isinstance(override(evaluation, alice, "4.5"), Done)
    assert stands(evaluation) == (Decimal("4.5"), 4)


def test_facts_that_arrived_after_a_strike_count_on_both_sides(alice):
    evaluation = played("3")
    strike(evaluation, alice, evaluation.basis[0])
    factories.count(evaluation, "-1")

    assert isinstance(override(evaluation, alice, "4.5"), Approval)  # it would be 7 but for the strike


def test_a_rerun_that_has_not_been_played_leaves_the_old_score_as_the_measure(alice):
    evaluation = played("2")
    author = Author(ActorKind.MODERATOR, actor=actor_of(alice), reason=reason_record(factories.REASON))
    [row] = accounts.lock(evaluations=[evaluation.pk])
    accounts.rerun(evaluation=row, run=2, author=author)

    asked: Any = override(evaluation, alice, "5.5")
    factories.count(row, "0")

    assert isinstance(asked, Approval)
    approvals.refuse(approval_id=asked.pk, by=alice, reason=AGREED, now=NOW)
    assert isinstance(override(evaluation, alice, "5.5"), Done)
