"""Every instrument has a range, places, and a rule that computes its score."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import instruments
from scoring.types import Instrument, VerdictFact
from tests.scoring.rules.strategies import decimals


def computed(instrument, amounts):
    return instruments.computed(instrument=instrument, amounts=amounts)


@pytest.mark.parametrize(
    ("instrument", "low", "high", "places"),
    [
        (Instrument.CRITERION, 1, 10, 2),
        (Instrument.ADHERENCE, 0, 100, 2),
        (Instrument.PANEL, 1, 5, 4),
        (Instrument.STANDING, -50, 1000, 6),
    ],
)
def test_an_instrument_has_a_range_and_places(instrument, low, high, places):
    assert instruments.range_of(instrument) == (low, high)
    assert instruments.PLACES[instrument] == places


def test_every_instrument_has_a_rule():
    assert set(instruments.RANGES) == set(instruments.PLACES) == set(Instrument)


def test_a_criterion_score_is_not_computed_from_amounts():
    with pytest.raises(ValueError, match="from verdicts"):
        computed(Instrument.CRITERION, [Decimal(1)])


@pytest.mark.parametrize(
    ("instrument", "amounts", "expected"),
    [
        pytest.param(Instrument.ADHERENCE, ["70", "80", "81"], "77.00", id="adherence is a mean"),
        pytest.param(Instrument.ADHERENCE, ["70", "70", "71"], "70.33", id="adherence has two places"),
        pytest.param(Instrument.ADHERENCE, ["0", "0.01"], "0.01", id="half a hundredth goes up"),
        pytest.param(Instrument.PANEL, ["4", "4", "5"], "4.3333", id="a panel score is a mean with four places"),
        pytest.param(Instrument.PANEL, ["4", "5", "5"], "4.6667", id="the fourth place is rounded"),
        pytest.param(Instrument.STANDING, ["-34.7"], "-34.700000", id="a standing is its own total"),
    ],
)
def test_the_other_scores_are_computed_from_amounts(instrument, amounts, expected):
    assert str(computed(instrument, [Decimal(amount) for amount in amounts])) == expected


@pytest.mark.parametrize("instrument", [Instrument.ADHERENCE, Instrument.PANEL, Instrument.STANDING])
def test_without_facts_there_is_no_score(instrument):
    assert computed(instrument, []) is None


def test_a_mean_of_nothing_is_not_a_mean_of_zero():
    assert computed(Instrument.ADHERENCE, [Decimal(0)]) == 0


def test_a_standing_of_two_snapshots_is_refused():
    with pytest.raises(ValueError, match="one snapshot"):
        computed(Instrument.STANDING, [Decimal(1), Decimal(2)])


@pytest.mark.parametrize(
    ("instrument", "facts"),
    [(Instrument.ADHERENCE, [VerdictFact(Decimal(1))]), (Instrument.PANEL, [4.0]), (Instrument.STANDING, [4.0])],
)
def test_the_wrong_kind_of_fact_is_refused(instrument, facts):
    with pytest.raises(TypeError):
        computed(instrument, facts)


@given(st.lists(decimals("1", "5", places=1), min_size=1, max_size=9), st.randoms())
def test_a_panel_score_lies_between_its_judges_in_any_order(scores, luck):
    shuffled = list(scores)
    luck.shuffle(shuffled)

    mean = computed(Instrument.PANEL, scores)

    assert mean == computed(Instrument.PANEL, shuffled)
    assert min(scores) <= mean <= max(scores)
