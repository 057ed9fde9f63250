"""An unfreeze that carries one further step: both are one transaction, and are previewed as one."""

from decimal import Decimal

import pytest
from django.utils import timezone

from debates.errors import Invalid, NotAllowedNow
from debates.types import ThreadStatus
from scoring import verify
from scoring.enums import EntryKind, HeldChoice
from scoring.errors import NotPermitted, OutOfRange
from scoring.models import Evaluation, ScoreChange
from scoring.services import moderation, previews
from scoring.services.actions import ACTIONS, Intent
from tests import acts, factories

pytestmark = pytest.mark.django_db
NOW = timezone.now()
APPLY, DISCARD = HeldChoice.APPLY, HeldChoice.DISCARD


@pytest.fixture
def score(alice):
    """A score of 6 that counted +1, was frozen, and then held +2."""
    made = factories.criterion()
    factories.count(made, "1")
    acts.freeze(order=factories.order(made, alice, seen=None), now=NOW)
    factories.count(made, "2")
    return made


def unfrozen(score, by, *, choice=APPLY, then):
    return acts.unfreeze(order=factories.order(score, by), choice=choice, now=NOW, then=then)


def shown(score, *, choice=APPLY, then):
    intent = Intent(EntryKind.UNFREEZE, choice=choice, then=then)
    return previews.preview(evaluation_id=score.pk, intent=intent, by=None)


def steps(score, choice):
    """Each further step that a score can take, with the value after it."""
    basis, held = score.basis, score.held
    applied = choice is APPLY
    return {
        Intent(EntryKind.OVERRIDE, value="3.25"): "3.25",
        Intent(EntryKind.STRIKE, facts=tuple(basis)): "8" if applied else "6",
        Intent(EntryKind.ROLLBACK, target=1): "6",
        Intent(EntryKind.ROLLBACK, target=2): "7",
        **({Intent(EntryKind.STRIKE, facts=tuple(held)): "7"} if applied else {}),
    }


@pytest.mark.parametrize("choice", [APPLY, DISCARD])
@pytest.mark.parametrize("number", range(5))
def test_a_preview_of_both_steps_shows_what_both_then_do(score, alice, choice, number):
    possible = list(steps(score, choice).items())
    then, value = possible[min(number, len(possible) - 1)]

    foreseen = shown(score, choice=choice, then=then)
    assert (Evaluation.objects.get(pk=score.pk).frozen_at is not None, foreseen.then.value) == (True, Decimal(value))
    done = unfrozen(score, alice, choice=choice, then=then)

    row = Evaluation.objects.get(pk=score.pk)
    kinds = [entry.kind for entry in done.entries]
    assert kinds == ["unfreeze", then.kind]
    assert (row.value, row.computed_score, row.override_score, row.frozen_at) == (
        foreseen.then.value, foreseen.then.computed, foreseen.then.override, None,
    )  # fmt: skip
    assert verify.verify().faults == ()


def test_a_preview_of_both_steps_says_what_becomes_of_held_verdicts(score):
    struck = shown(score, then=Intent(EntryKind.STRIKE, facts=tuple(score.held)))

    assert [fact.pk for fact in struck.held_discarded] == score.held
    assert (struck.facts_in, struck.facts_out) == ((), ())


def test_a_preview_of_a_rollback_after_an_unfreeze_names_what_becomes_void(score):
    back = shown(score, then=Intent(EntryKind.ROLLBACK, target=1))

    assert [entry.kind for entry in back.entries_undone] == ["round", "freeze", "held"]


def test_a_fallback_comes_before_the_further_step(alice):
    score = factories.criterion()
    acts.freeze(order=factories.order(score, alice, seen=None), now=NOW)
    score.thread.status = ThreadStatus.COMPLETE.value
    score.thread.save(update_fields=["status"])
    then = Intent(EntryKind.OVERRIDE, value="8")
    foreseen = shown(score, choice=DISCARD, then=then)

    done = unfrozen(score, alice, choice=DISCARD, then=then)

    assert [entry.kind for entry in done.entries] == ["unfreeze", "fallback", "override"]
    assert (foreseen.falls_back, foreseen.then.computed, done.evaluation.computed_score) == (True, 6, 6)


@pytest.mark.parametrize(
    ("then", "refusal"),
    [
        (Intent(EntryKind.OVERRIDE, value="10.5"), OutOfRange),
        (Intent(EntryKind.STRIKE, facts=(-1,)), Invalid),
        (Intent(EntryKind.ROLLBACK, target=99), Invalid),
        (Intent(EntryKind.ROLLBACK), Invalid),
        (Intent(EntryKind.FREEZE), Invalid),
    ],
)
def test_where_the_further_step_is_refused_the_score_stays_frozen(score, alice, then, refusal):
    with pytest.raises(refusal):
        shown(score, then=then)
    with pytest.raises(refusal):
        unfrozen(score, alice, then=then)

    assert Evaluation.objects.get(pk=score.pk).frozen_at is not None
    assert ScoreChange.objects.filter(evaluation=score, kind="unfreeze").count() == 0


def test_a_score_that_is_not_frozen_carries_nothing(alice):
    with pytest.raises(NotAllowedNow):
        unfrozen(factories.criterion(), alice, then=Intent(EntryKind.OVERRIDE, value="8"))


@pytest.mark.parametrize(
    ("then", "permission"),
    [
        (Intent(EntryKind.OVERRIDE, value="8"), "override_evaluation"),
        (Intent(EntryKind.STRIKE, facts=(1,)), "strike_evaluation"),
        (Intent(EntryKind.ROLLBACK, target=1), "rollback_evaluation"),
    ],
)
def test_a_further_step_takes_its_own_permission(score, then, permission):
    bob = factories.person("bob", permissions=["unfreeze_evaluation"])

    with pytest.raises(NotPermitted, match=permission):
        unfrozen(score, bob, then=then)


@pytest.mark.parametrize(
    "intent",
    [
        pytest.param(Intent(EntryKind.FREEZE, then=Intent(EntryKind.OVERRIDE, value="8")), id="on a freeze"),
        pytest.param(
            Intent(EntryKind.STRIKE, facts=(1,), then=Intent(EntryKind.OVERRIDE, value="8")), id="on a strike"
        ),
        pytest.param(
            Intent(EntryKind.UNFREEZE, choice=APPLY, then=Intent(EntryKind.OVERRIDE_LIFTED)), id="of another kind"
        ),
        pytest.param(
            Intent(EntryKind.UNFREEZE, choice=APPLY, then=Intent(EntryKind.UNFREEZE, choice=APPLY)),
            id="of its own kind",
        ),
        pytest.param(
            Intent(
                EntryKind.UNFREEZE,
                choice=APPLY,
                then=Intent(EntryKind.OVERRIDE, value="8", then=Intent(EntryKind.ROLLBACK, target=1)),
            ),
            id="a second one",
        ),
    ],
)
def test_a_further_step_in_any_other_place_is_refused_and_nothing_moves(score, alice, intent):
    before = Evaluation.objects.get(pk=score.pk).version

    with pytest.raises(
        Invalid, match="An unfreeze carries an override, a strike or a rollback, and nothing else"
    ) as refused:
        moderation.perform(order=factories.order(score, alice), intent=intent, now=NOW)

    score.refresh_from_db()
    assert (refused.value.field, score.version, score.frozen_at is None) == ("then", before, False)


@pytest.mark.parametrize("kind", sorted(set(EntryKind) - set(ACTIONS)))
def test_what_the_engine_writes_is_no_action_of_a_person(score, alice, kind):
    with pytest.raises(Invalid, match="is not an action on one score"):
        moderation.perform(order=factories.order(score, alice), intent=Intent(kind), now=NOW)
