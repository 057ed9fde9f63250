"""Undo: whatever the last act of a person was, its inverse brings the state before back, and nothing is removed."""

from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from debates.errors import NotAllowedNow
from scoring import verify
from scoring.enums import ActorKind, BulkAction, EntryKind, FactKind, HeldChoice
from scoring.errors import BulkRefused, NeedsSecondPerson, NotPermitted, Stale
from scoring.models import Alert, Approval, Evaluation
from scoring.services import accounts, approvals, bulk, moderation, rescore, rounds, undo
from scoring.services.actions import Intent
from scoring.services.bulk import BulkOrder
from scoring.services.entries import state_of
from scoring.services.rounds import Given
from scoring.services.undo import UndoOrder
from tests import acts, factories
from tests.moderators import client_of, of_score

NOW = timezone.now()
pytestmark = pytest.mark.django_db


@pytest.fixture
def alice():
    return factories.moderator()


@pytest.fixture
def row():
    """A score of two rounds: 6, then 7, then 5.50."""
    made = factories.criterion(initial="6")
    factories.count(made, "1")
    factories.count(made, "-2", "0.5")
    return Evaluation.objects.get(pk=made.pk)


def order(row, by, **more):
    row.refresh_from_db()
    return UndoOrder(evaluation_id=row.pk, by=by, reason=factories.REASON, seen=row.moderation_version, **more)


def undone(row, by, **more):
    return undo.undo(order=order(row, by, **more), now=NOW)


def stands(row):
    """What undo brings back: the state, the numbers, and when play last moved."""
    row = Evaluation.objects.get(pk=row.pk)
    return state_of(row), row.computed_score, row.override_score, row.final_score, row.confidence


def ordered(row, by):
    row.refresh_from_db()
    return factories.order(row, by, seen=row.moderation_version)


def facts(row):
    return list(Evaluation.objects.get(pk=row.pk).basis)


def held(row, by):
    acts.freeze(order=ordered(row, by), now=NOW)
    factories.count(Evaluation.objects.get(pk=row.pk), "1.5")


def each(row, by):
    return [(row.pk, Evaluation.objects.get(pk=row.pk).moderation_version)]


def bulked(row, by, action, choice=None):
    asked = BulkOrder(action=action, rows=each(row, by), by=by, reason=factories.REASON, choice=choice)
    bulk.act(order=asked, now=NOW)


def staged(row, by):
    made = rescore.stage(action=BulkAction.ROLLBACK, rows=each(row, by), reason=factories.REASON, by=by, now=NOW)
    rescore.apply(set_id=made.pk, by=by, now=NOW)


def approved(row, by, settings):
    settings.SECOND_PERSON_FROM = Decimal(2)
    asked = acts.override(order=ordered(row, by), value="9.5", now=NOW)
    assert isinstance(asked, Approval)
    approvals.approve(approval_id=asked.pk, by=factories.moderator("bob"), reason=factories.REASON, now=NOW)


def rolled_back_whole(row, by):
    factories.over(row.debate)
    moderation.roll_back_debate(debate_id=row.debate_id, by=by, reason=factories.REASON, now=NOW)


NOTHING = lambda row, by: None  # noqa: E731 -- stands beside the others in the table
SET = lambda row, by: acts.override(order=ordered(row, by), value="7.25", now=NOW)  # noqa: E731 -- as above
STRUCK = lambda row, by: acts.strike(order=ordered(row, by), facts=facts(row)[:1], now=NOW)  # noqa: E731 -- as above
THAW = {  # the same unfreeze with each choice
    choice: lambda row, by, choice=choice: acts.unfreeze(order=ordered(row, by), choice=choice, now=NOW)
    for choice in HeldChoice
}
ACTS = {
    "freeze": (NOTHING, lambda row, by: acts.freeze(order=ordered(row, by), now=NOW)),
    "unfreeze, nothing held": (lambda row, by: acts.freeze(order=ordered(row, by), now=NOW), THAW[HeldChoice.DISCARD]),
    "unfreeze, held applied": (held, THAW[HeldChoice.APPLY]),
    "unfreeze, held discarded": (held, THAW[HeldChoice.DISCARD]),
    "unfreeze and override": (
        held,
        lambda row, by: acts.unfreeze(
            order=ordered(row, by), choice=HeldChoice.APPLY, then=Intent(EntryKind.OVERRIDE, value="3"), now=NOW
        ),
    ),
    "unfreeze and roll back": (
        held,
        lambda row, by: acts.unfreeze(
            order=ordered(row, by), choice=HeldChoice.APPLY, then=Intent(EntryKind.ROLLBACK, target=2), now=NOW
        ),
    ),
    "override": (NOTHING, SET),
    "override over an override": (SET, lambda row, by: acts.override(order=ordered(row, by), value="8", now=NOW)),
    "lift": (SET, lambda row, by: acts.lift(order=ordered(row, by), now=NOW)),
    "strike": (NOTHING, STRUCK),
    "reinstate": (
        STRUCK,
        lambda row, by: acts.reinstate(
            order=ordered(row, by), facts=sorted({*row.entries.get(sequence=2).facts}), now=NOW
        ),
    ),
    "roll back": (SET, lambda row, by: acts.roll_back(order=ordered(row, by), target=2, now=NOW)),
    "roll back to the opening": (NOTHING, lambda row, by: acts.roll_back(order=ordered(row, by), target=1, now=NOW)),
    "roll back a whole debate": (SET, rolled_back_whole),
    "bulk freeze": (SET, lambda row, by: bulked(row, by, BulkAction.FREEZE)),
    "bulk unfreeze": (held, lambda row, by: bulked(row, by, BulkAction.UNFREEZE, HeldChoice.APPLY)),
    "bulk roll back": (SET, lambda row, by: bulked(row, by, BulkAction.ROLLBACK)),
    "a staged set": (NOTHING, staged),
}


@pytest.mark.parametrize("name", ACTS)
def test_undo_gives_back_what_was_before(name, row, alice):
    before, act = ACTS[name]
    before(row, alice)
    was = stands(row)
    length = row.entries.count()
    act(row, alice)
    after = stands(row)

    undone(row, alice)

    assert stands(row) == was
    assert row.entries.count() > length + 1
    assert {entry.reason_code for entry in row.entries.order_by("-sequence")[:1]} == {"undo"}

    undone(row, alice)

    assert stands(row) == after
    assert verify.verify().faults == ()


def test_an_approved_override_is_undone(row, alice, settings):
    was = stands(row)
    approved(row, alice, settings)
    assert stands(row) != was

    undone(row, alice)

    assert stands(row) == was
    assert verify.verify().faults == ()


def test_an_override_that_had_a_second_person_is_asked_for_again_where_its_lift_is_undone(row, alice, settings):
    approved(row, alice, settings)
    acts.lift(order=ordered(row, alice), now=NOW)

    waits = undone(row, alice)

    assert isinstance(waits, Approval)
    assert (waits.value, waits.reason_code) == (9.5, "undo")


def test_what_was_held_since_a_freeze_is_asked_about(row, alice):
    held(row, alice)

    with pytest.raises(NotAllowedNow, match="Choose whether it is applied or discarded"):
        undone(row, alice)
    undone(row, alice, choice=HeldChoice.APPLY)

    row.refresh_from_db()
    assert (row.frozen_at, row.value) == (None, 7)


@pytest.mark.parametrize(
    ("first", "value"), [(HeldChoice.APPLY, Decimal("8.5")), (HeldChoice.DISCARD, Decimal(7))], ids=str
)
def test_what_was_held_before_an_undone_unfreeze_counts_after_its_undo_only_where_it_had(row, alice, first, value):
    held(row, alice)
    acts.unfreeze(order=ordered(row, alice), choice=first, now=NOW)
    undone(row, alice)
    factories.count(Evaluation.objects.get(pk=row.pk), "1.5")
    row.refresh_from_db()
    old, new = row.held

    undone(row, alice, choice=HeldChoice.APPLY)

    row.refresh_from_db()
    assert (row.frozen_at, old in row.basis, new in row.basis) == (None, first is HeldChoice.APPLY, True)
    assert row.value == value
    assert verify.verify().faults == ()


def test_rounds_that_counted_since_stay(row, alice):
    STRUCK(row, alice)
    factories.count(Evaluation.objects.get(pk=row.pk), "1")

    undone(row, alice)

    row.refresh_from_db()
    assert (len(row.basis), row.value) == (4, 6.5)


def test_a_rollback_that_play_went_on_over_is_not_undone(row, alice):
    acts.roll_back(order=ordered(row, alice), target=1, now=NOW)
    factories.count(Evaluation.objects.get(pk=row.pk), "1")

    with pytest.raises(NotAllowedNow, match=r"play went on since \(round, entry 5\)"):
        undone(row, alice)


def test_nobody_has_acted_so_there_is_nothing_to_undo(row, alice):
    with pytest.raises(NotAllowedNow, match="Nobody has acted on"):
        undone(row, alice)


def test_what_somebody_acted_on_since_is_refused_by_the_name_of_that_act(row, alice):
    bob = factories.moderator("bob")
    seen = acts.override(order=ordered(row, alice), value="7", now=NOW).entries[0].sequence
    acts.freeze(order=ordered(row, bob), now=NOW)

    with pytest.raises(NotAllowedNow, match=r"somebody has acted on .* since: freeze \(entry 5\) by bob"):
        undone(row, alice, entry=seen)
    with pytest.raises(Stale, match="bob: freeze"):
        undo.undo(order=UndoOrder(evaluation_id=row.pk, by=alice, reason=factories.REASON, seen=seen), now=NOW)


def test_an_act_on_many_scores_is_undone_whole_or_on_one_alone(row, alice):
    other = factories.criterion(row.debate, key="P2")
    rows = [(row.pk, None), (other.pk, None)]
    freeze = BulkOrder(action=BulkAction.FREEZE, rows=rows, by=alice, reason=factories.REASON)
    bulk.act(order=freeze, now=NOW)
    undone(row, alice)
    assert [Evaluation.objects.get(pk=each.pk).frozen_at for each in (row, other)] == [None, None]
    bulk.act(order=freeze, now=NOW)
    undone(row, alice, alone=True)
    assert [Evaluation.objects.get(pk=each.pk).frozen_at is None for each in (row, other)] == [True, False]

    with pytest.raises(BulkRefused, match="1 of 2 refuse"):  # the first was thawed alone since
        undone(other, alice)


def test_whoever_may_not_do_what_takes_it_back_may_not_undo_it(row, alice):
    acts.freeze(order=ordered(row, alice), now=NOW)

    with pytest.raises(NotPermitted, match="unfreeze_evaluation"):
        undone(row, factories.person("fred", permissions=["freeze_evaluation"]))


def test_an_undo_beyond_the_threshold_needs_a_second_person(row, alice, settings):
    acts.override(order=ordered(row, alice), value="9.5", now=NOW)
    acts.roll_back(order=ordered(row, alice), target=1, now=NOW)
    settings.SECOND_PERSON_FROM = Decimal(2)

    with pytest.raises(NeedsSecondPerson):
        undone(row, alice)


def test_the_preview_of_an_undo_shows_what_it_does(row, alice):
    held(row, alice)
    acts.unfreeze(order=ordered(row, alice), choice=HeldChoice.APPLY, now=NOW)
    row.refresh_from_db()
    act = undo.last_act(evaluation=row)

    [(_, shown)] = undo.preview(act=act, choice=None, by=alice.pk)
    undone(row, alice)

    row.refresh_from_db()
    assert (shown.then.value, shown.then.frozen) == (row.value, row.frozen_at is not None) == (5.5, True)
    assert [fact.pk for fact in shown.facts_out] == row.held


def test_the_undo_of_an_undone_unfreeze_of_a_panel_is_shown_and_names_what_it_goes_back_over(alice):
    panel = factories.panel(factories.debate())
    acts.freeze(order=ordered(panel, alice), now=NOW)
    [locked] = accounts.lock(evaluations=[panel.pk])
    facts = [Given(FactKind.JUDGE_SCORE, Decimal(score)) for score in (1, 5)]
    rounds.count(evaluation=locked, round=factories.round_of(panel, number=1), new_facts=facts, now=NOW)
    acts.unfreeze(order=ordered(panel, alice), choice=HeldChoice.APPLY, now=NOW)
    counted = stands(panel)
    undone(panel, alice)

    shown = undo.preview_of(evaluation_id=panel.pk, choice=None, by=alice.pk)
    pages = [client_of(alice).get(of_score(page, panel)).status_code for page in ("change", "case", "undo", "unfreeze")]
    undone(panel, alice)

    assert pages == [200] * 4
    assert (shown.then.final, shown.then.frozen) == (counted[3], False)
    assert [entry.sequence for entry in shown.entries_undone] == [5, 6]
    assert stands(panel) == counted


def held_again(row, by, since):
    """Undo the last unfreeze, and have a further round held."""
    undone(row, by)
    factories.count(Evaluation.objects.get(pk=row.pk), since)


@pytest.mark.parametrize(
    ("left_out", "counts", "alerts"),
    [pytest.param("3", "0.5", [], id="left out"), pytest.param("0.5", "3", ["extreme_verdict"], id="counts")],
)
def test_an_alert_is_raised_for_a_ruling_only_if_it_counts_after_the_undo(left_out, counts, alerts, alice):
    row = factories.criterion(initial="6")
    acts.freeze(order=ordered(row, alice), now=NOW)
    factories.count(row, left_out)
    acts.unfreeze(order=ordered(row, alice), choice=HeldChoice.DISCARD, now=NOW)
    held_again(row, alice, counts)

    undone(row, alice, choice=HeldChoice.APPLY)

    row.refresh_from_db()
    assert row.value == 6 + Decimal(counts)
    assert list(Alert.objects.values_list("code", flat=True)) == alerts


def test_a_preview_of_an_undo_asks_for_a_second_person_where_the_undo_does(alice, settings):
    settings.SECOND_PERSON_FROM = Decimal(2)
    row = factories.criterion(initial="6")
    factories.count(row, "1")
    acts.override(order=ordered(row, alice), value="7.5", now=NOW)
    acts.freeze(order=ordered(row, alice), now=NOW)
    factories.count(Evaluation.objects.get(pk=row.pk), "-2")
    acts.unfreeze(order=ordered(row, alice), choice=HeldChoice.DISCARD, now=NOW)
    held_again(row, alice, "0.5")
    was = stands(row)

    with pytest.raises(NeedsSecondPerson) as shown:
        undo.preview_of(evaluation_id=row.pk, choice=HeldChoice.APPLY, by=alice.pk)
    with pytest.raises(NeedsSecondPerson) as done:
        undone(row, alice, choice=HeldChoice.APPLY)

    assert shown.value.message == done.value.message
    assert "2.00 points from 5.50" in done.value.message
    assert stands(row) == was


def test_the_last_act_of_a_person_is_found_wherever_it_is(row, alice):
    other = factories.criterion(row.debate, key="P2")
    STRUCK(row, alice)
    acts.freeze(order=ordered(other, alice), now=NOW)

    assert undo.last_act_of(by=alice).evaluation == other
    assert ActorKind(undo.last_act_of(by=alice).actor_kind) is ActorKind.MODERATOR


def test_undoing_an_unfreeze_that_let_nothing_in_takes_the_permission_to_freeze_alone(row, alice):
    acts.freeze(order=ordered(row, alice), now=NOW)
    acts.unfreeze(order=ordered(row, alice), choice=None, now=NOW)

    undone(row, factories.person("fred", permissions=["freeze_evaluation"]))

    assert Evaluation.objects.get(pk=row.pk).frozen_at is not None


def test_undoing_an_unfreeze_that_let_a_round_in_takes_the_permission_to_strike_too(row, alice):
    held(row, alice)
    acts.unfreeze(order=ordered(row, alice), choice=HeldChoice.APPLY, now=NOW)

    with pytest.raises(NotPermitted, match="strike_evaluation"):
        undone(row, factories.person("fred", permissions=["freeze_evaluation"]))


@pytest.mark.slow
def test_undoing_a_rollback_of_fifty_scores_reads_what_each_goes_back_to_at_once(alice):
    debate = factories.debate()
    rows = [factories.criterion(debate, key=f"C{number}") for number in range(50)]
    for row in rows:
        factories.count(row, "1")
    seen = [(row.pk, Evaluation.objects.get(pk=row.pk).moderation_version) for row in rows]
    bulk.act(order=BulkOrder(action=BulkAction.ROLLBACK, rows=seen, by=alice, reason=factories.REASON), now=NOW)

    with CaptureQueriesContext(connection) as asked:
        undone(rows[0], alice)

    assert len(asked) <= 230
