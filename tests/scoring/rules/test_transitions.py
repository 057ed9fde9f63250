"""What each kind of entry does to the state of an evaluation; docs/reference/ledger.md says the same in words."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.enums import HeldChoice
from scoring.rules import transitions
from scoring.rules.transitions import State
from scoring.types import Instrument

CRITERION, ADHERENCE, PANEL, STANDING = (
    Instrument.CRITERION,
    Instrument.ADHERENCE,
    Instrument.PANEL,
    Instrument.STANDING,
)
PLAYED = State(basis=(3, 5), counted=True, rounds=2)
HOLDING = State(basis=(3,), held=(7, 9), frozen=True, rounds=3)
FACTS = st.lists(st.integers(1, 20), max_size=6)


@pytest.mark.parametrize(
    ("instrument", "facts", "in_a_round", "expected"),
    [
        pytest.param(CRITERION, [], False, State(), id="a criterion begins without anything that counts"),
        pytest.param(ADHERENCE, [4], True, State(basis=(4,), counted=True, rounds=1), id="a response is a round"),
        pytest.param(PANEL, [6, 4, 5], False, State(basis=(4, 5, 6), counted=True), id="first scores are no round"),
    ],
)
def test_an_account_is_opened(instrument, facts, in_a_round, expected):
    assert transitions.opened(instrument=instrument, facts=facts, in_a_round=in_a_round) == expected


@pytest.mark.parametrize(
    ("instrument", "basis"),
    [
        pytest.param(CRITERION, (3, 5, 8), id="verdicts add up"),
        pytest.param(ADHERENCE, (3, 5, 8), id="responses add up"),
        pytest.param(PANEL, (8,), id="a panel's newest scores take the place of the old"),
        pytest.param(STANDING, (8,), id="and so does a standing"),
    ],
)
def test_a_round_counts(instrument, basis):
    assert transitions.counted_round(PLAYED, instrument=instrument, facts=[8]) == replace(PLAYED, basis=basis, rounds=3)


def test_a_round_on_a_frozen_account_is_kept_and_does_not_count():
    assert transitions.held_round(HOLDING, facts=[8]) == replace(HOLDING, held=(7, 8, 9), rounds=4)


@pytest.mark.parametrize(
    ("instrument", "choice", "held", "basis", "counted"),
    [
        pytest.param(CRITERION, HeldChoice.APPLY, (7, 9), (3, 7, 9), True, id="what was held is added"),
        pytest.param(PANEL, HeldChoice.APPLY, (7, 9), (9,), True, id="a panel takes the newest of it"),
        pytest.param(CRITERION, HeldChoice.DISCARD, (7, 9), (3,), False, id="what was held is left out"),
        pytest.param(CRITERION, HeldChoice.APPLY, (), (3,), False, id="nothing was held"),
    ],
)
def test_an_account_is_unfrozen(instrument, choice, held, basis, counted):
    before = replace(HOLDING, held=held)

    after = transitions.unfrozen(before, instrument=instrument, choice=choice, newest=[9])

    assert after == replace(before, frozen=False, held=(), basis=basis, counted=counted)


@pytest.mark.parametrize(
    ("act", "changes"),
    [
        pytest.param(lambda state: transitions.struck(state, facts=[5, 6]), {"basis": (3,)}, id="struck"),
        pytest.param(
            lambda state: transitions.reinstated(state, facts=[4]),
            {"basis": (3, 4, 5), "counted": True},
            id="reinstated",
        ),
        pytest.param(
            lambda state: transitions.overridden(state, value=Decimal("4.50")),
            {"override": Decimal("4.50")},
            id="overridden",
        ),
        pytest.param(transitions.frozen, {"frozen": True}, id="frozen"),
        pytest.param(transitions.completed, {"complete": True}, id="complete"),
        pytest.param(transitions.fallen_back, {"counted": True}, id="fallen back"),
    ],
)
def test_an_entry_changes_what_it_names_and_nothing_else(act, changes):
    before = replace(PLAYED, counted=False)

    assert act(before) == replace(before, **changes)


def test_a_lifted_override_leaves_what_was_played_underneath():
    assert transitions.lifted(transitions.overridden(PLAYED, value=Decimal(9))) == PLAYED


@pytest.mark.parametrize("ever_counted", [True, False])
def test_a_rollback_takes_the_target_without_its_freeze(ever_counted):
    after = transitions.rolled_back(target=HOLDING, ever_counted=ever_counted)

    assert after == replace(HOLDING, held=(), frozen=False, counted=ever_counted)


def test_a_rerun_begins_from_nothing_under_its_own_number():
    assert transitions.rerun(run=3) == State(run=3)


@given(FACTS, FACTS)
def test_facts_are_written_in_one_way_in_whatever_order_they_came(first, second):
    together = transitions.ordered([*first, *second])

    assert together == transitions.ordered([*second, *first]) == tuple(sorted({*first, *second}))


@given(FACTS, FACTS)
def test_what_was_struck_and_reinstated_counts_as_before(basis, struck):
    before = State(basis=transitions.ordered(basis), counted=True)
    gone = [fact for fact in struck if fact in basis]

    assert transitions.reinstated(transitions.struck(before, facts=gone), facts=gone) == before


@given(FACTS, FACTS)
def test_a_freeze_that_is_applied_at_its_end_changes_nothing_about_what_adds_up(basis, arrived):
    before = State(basis=transitions.ordered(basis), counted=True)

    held = transitions.held_round(transitions.frozen(before), facts=arrived)
    after = transitions.unfrozen(held, instrument=CRITERION, choice=HeldChoice.APPLY, newest=arrived)

    assert after == transitions.counted_round(before, instrument=CRITERION, facts=arrived)


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        pytest.param([], (), id="of no facts, none"),
        pytest.param([3, 5, 7], (5, 7), id="those of the highest number, in the order in which they came"),
        pytest.param([3], (3,), id="of one round, all"),
    ],
)
def test_the_facts_of_the_newest_round_are_named(facts, expected):
    assert transitions.newest_of(facts=facts, rounds={3: 1, 5: 2, 7: 2}) == expected
