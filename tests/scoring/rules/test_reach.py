"""How far one person alone brings a score: what is undone of their decisions, and from what an override is measured."""

from decimal import Decimal

import pytest

from scoring.enums import EntryKind as K
from scoring.enums import HeldChoice
from scoring.rules import reach
from scoring.rules.reach import Act, Base, OverrideStanding
from scoring.rules.transitions import State
from scoring.types import Instrument

START = State(basis=(1, 2), counted=True, rounds=2)
OWN, OTHERS = True, False
ROUNDS = {1: 0, 2: 0, 3: 0, 4: 1, 5: 1, 6: 1}


def act(kind, *facts, own=OWN, run=1, choice=None, target=None, sequence=9, basis=()):
    newest = facts[-1:]
    after = State(run=run, basis=tuple(basis), counted=True)
    return Act(sequence, kind, own, after, facts, newest, choice and HeldChoice(choice), target)


@pytest.mark.parametrize(
    ("acts", "basis"),
    [
        pytest.param([act(K.STRIKE, 1)], (1, 2), id="an own strike is undone"),
        pytest.param([act(K.STRIKE, 1, own=OTHERS)], (2,), id="another person's strike stands"),
        pytest.param([act(K.REINSTATE, 3)], (1, 2), id="what one puts back oneself is left out again"),
        pytest.param([act(K.REINSTATE, 3, own=OTHERS)], (1, 2, 3), id="what another puts back counts"),
        pytest.param([act(K.STRIKE, 1), act(K.ROUND, 3, own=OTHERS)], (1, 2, 3), id="rounds count beside it"),
        pytest.param([act(K.UNFREEZE, 3, 4, choice="discard")], (1, 2, 3, 4), id="an own discard is undone"),
        pytest.param([act(K.UNFREEZE, 3, choice="discard", own=OTHERS)], (1, 2), id="another's discard stands"),
        pytest.param([act(K.UNFREEZE, 3, choice="apply")], (1, 2, 3), id="what was applied counts"),
        pytest.param([act(K.UNFREEZE, choice="discard")], (1, 2), id="nothing was held"),
        pytest.param([act(K.UNFREEZE, 3, choice="discard"), act(K.FREEZE, 3)], (1, 2), id="what is held again waits"),
        pytest.param([act(K.RERUN, run=2), act(K.FREEZE, 1, run=2)], (1, 2), id="what is held of another run"),
        pytest.param([act(K.ROLLBACK, target=1)], (1, 2), id="an own rollback is undone"),
        pytest.param([act(K.ROLLBACK, own=OTHERS, target=1, basis=(1,))], (1,), id="another's rollback stands"),
        pytest.param(
            [act(K.STRIKE, 1, sequence=5), act(K.STRIKE, 2, own=OTHERS, sequence=6),
             act(K.ROLLBACK, own=OTHERS, target=5, basis=(2,))],
            (1, 2), id="another's rollback to a moment after an own strike does not make the strike theirs",
        ),
        pytest.param([act(K.RERUN, run=2)], (1, 2), id="an own rerun is undone until it is played"),
        pytest.param([act(K.RERUN, run=2), act(K.FALLBACK, own=OTHERS, run=2)], (1, 2), id="a fallback plays nothing"),
        pytest.param([act(K.RERUN, run=2), act(K.ROUND, 7, own=OTHERS, run=2)], (7,), id="what is judged anew counts"),
        pytest.param([act(K.RERUN, own=OTHERS, run=2)], (), id="another's rerun stands"),
        pytest.param([act(K.RERUN, run=2), act(K.REINSTATE, 8, own=OTHERS, run=2)], (1, 2), id="facts of one run"),
        pytest.param([act(K.OVERRIDE), act(K.FREEZE), act(K.OVERRIDE_LIFTED), act(K.COMPLETED)], (1, 2), id="the rest"),
    ],
)  # fmt: skip
def test_only_what_one_person_has_decided_is_undone(acts, basis):
    assert reach.undone_by(start=START, acts=acts, instrument=Instrument.CRITERION, rounds={}).basis == basis


def test_of_a_panel_what_was_discarded_last_replaces_what_counts():
    acts = [act(K.UNFREEZE, 3, 4, choice="discard")]

    assert reach.undone_by(start=START, acts=acts, instrument=Instrument.PANEL, rounds=ROUNDS).basis == (4,)


def test_of_a_panel_what_another_puts_back_in_an_earlier_round_is_no_part_of_a_later_one():
    played = State(basis=(4, 5, 6), counted=True, rounds=2)
    back = State(basis=(1, 2, 3), counted=True, rounds=2)
    acts = [
        Act(2, K.ROUND, OTHERS, played, facts=(4, 5, 6)),
        Act(3, K.ROLLBACK, OWN, back, target=1),
        Act(4, K.STRIKE, OTHERS, State(basis=(2, 3), counted=True, rounds=2), facts=(1,)),
        Act(5, K.REINSTATE, OTHERS, back, facts=(1,)),
    ]

    assert reach.undone_by(start=START, acts=acts, instrument=Instrument.PANEL, rounds=ROUNDS).basis == (4, 5, 6)


def test_of_a_panel_what_another_puts_back_counts_in_its_round():
    acts = [act(K.STRIKE, 1, own=OTHERS, basis=(2,)), act(K.REINSTATE, 1, own=OTHERS, basis=(1, 2))]

    assert reach.undone_by(start=START, acts=acts, instrument=Instrument.PANEL, rounds=ROUNDS).basis == (1, 2)


def test_a_fallback_counts_in_its_own_run():
    state = reach.undone_by(
        start=State(), acts=[act(K.FALLBACK, own=OTHERS)], instrument=Instrument.CRITERION, rounds={}
    )

    assert state.counted


@pytest.mark.parametrize(
    ("override", "value", "computed", "alone", "agreed", "points", "base"),
    [
        pytest.param("1.1", "2", "2", "7", None, "5.9", Base.ALONE, id="without the person's own strikes"),
        pytest.param("2.05", "2.05", "7", "7", None, "4.95", Base.COMPUTED, id="with the facts put back beneath it"),
        pytest.param("7.5", "5.5", "7", "7", None, "2", Base.VALUE, id="the step itself"),
        pytest.param("9.9", "9.5", "4", "4", "9", "0.9", Base.AGREED, id="from what two have agreed on, not the facts"),
        pytest.param("9", "9", "4", "4", "9", "0", Base.VALUE, id="the same again"),
    ],
)
def test_an_override_is_measured_from_whatever_is_farthest(override, value, computed, alone, agreed, points, base):
    standing = OverrideStanding(*map(Decimal, (override, value, computed, alone)), agreed and Decimal(agreed))

    found = reach.reach(standing)

    assert (found.points, found.base) == (Decimal(points), base)
