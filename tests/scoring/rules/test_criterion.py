"""The criterion score: sum first, cap once, clamp once, always from the initial score."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import NotANumber, NotExact, OutOfRange
from scoring.rules import criterion
from scoring.types import Parameters, VerdictFact
from tests.scoring.rules.strategies import CONFIDENCES, ROUNDS, SCORES, VERDICTS, decimals

DEFAULT = Parameters()
WEIGHTED = Parameters(weight_by_confidence=True)
PARAMETERS = st.builds(
    Parameters,
    adjustment_cap=decimals("0.01", "9"),
    confidence_cap=decimals("0.01", "1"),
    weight_by_confidence=st.booleans(),
)


def facts(*adjustments):
    return [VerdictFact(Decimal(adjustment)) for adjustment in adjustments]


def impacts(*values):
    return [VerdictFact(Decimal(0), Decimal(value)) for value in values]


def score(initial, *adjustments, parameters=DEFAULT):
    return criterion.computed_score(initial=Decimal(initial), facts=facts(*adjustments), parameters=parameters)


@pytest.mark.parametrize(
    ("initial", "adjustments", "expected"),
    [
        pytest.param("9", ["3", "-3"], "9", id="9 with +3 -3 is 9: nothing is clamped on the way"),
        pytest.param("6", ["3", "3", "-3"], "9", id="6 with +3 +3 -3 is 9: nothing is capped on the way"),
        pytest.param("1", ["3", "3", "3"], "6", id="1 with +3 +3 +3 is 6: the cap holds before the clamp"),
        pytest.param("8", [], "8", id="no verdicts leave the initial score"),
        pytest.param("10", ["3"], "10", id="the top of the scale holds"),
        pytest.param("1", ["-3"], "1", id="the bottom of the scale holds"),
        pytest.param("5", ["2.5", "2.5"], "10", id="a sum of exactly the cap counts whole"),
        pytest.param("5", ["2.5", "2.51"], "10", id="a sum beyond the cap counts as the cap"),
        pytest.param("10", ["-3", "-3"], "5", id="the cap holds downwards"),
        pytest.param("4.4", ["-0.5"], "3.9", id="decimals are exact"),
        pytest.param("4", ["-3", "2", "-1", "1", "-2", "3"], "4", id="many verdicts may cancel out"),
    ],
)
def test_the_score_is_summed_capped_and_clamped_once(initial, adjustments, expected):
    assert score(initial, *adjustments) == Decimal(expected)


@pytest.mark.parametrize(
    ("initial", "given", "expected"),
    [
        pytest.param("0.7", ["0.2"], "0.9", id="0.7 and 0.2 are 0.9"),
        pytest.param("0.1", ["0.3", "0.3"], "0.6", id="the cap holds before the clamp"),
        pytest.param("0.9", ["-0.3", "-0.3", "-0.3"], "0.4", id="the cap holds downwards"),
        pytest.param("0.95", ["0.1"], "1", id="no more than certain"),
        pytest.param("0.05", ["-0.1"], "0", id="no less than nothing"),
        pytest.param("0.5", ["-0.1", "0.05", "-0.02", "0.03", "-0.07", "0.1"], "0.49", id="many impacts"),
        pytest.param("0.8", [], "0.8", id="no verdicts leave the initial confidence"),
    ],
)
def test_confidence_is_summed_capped_and_clamped_once(initial, given, expected):
    confidence = criterion.computed_confidence(initial=Decimal(initial), facts=impacts(*given), parameters=DEFAULT)

    assert confidence == Decimal(expected)


def test_the_caps_are_parameters():
    narrow = Parameters(adjustment_cap=Decimal(2), confidence_cap=Decimal("0.1"))
    verdicts = [VerdictFact(Decimal(3), Decimal("0.3"))]

    assert criterion.computed_score(initial=Decimal(5), facts=verdicts, parameters=narrow) == 7
    assert criterion.computed_confidence(initial=Decimal("0.5"), facts=verdicts, parameters=narrow) == Decimal("0.6")


def test_the_scale_is_a_parameter():
    school = Parameters(score_low=Decimal(2), score_high=Decimal(6))

    assert score("5", "3", parameters=school) == 6
    assert score("3", "-3", parameters=school) == 2


def test_the_initial_score_is_rounded_only_at_the_end():
    assert score("5.444", "0.001") == Decimal("5.45")


@pytest.mark.parametrize(
    ("adjustment", "weight", "expected"),
    [
        pytest.param("3", "1", "3.00", id="a sure arbiter counts whole"),
        pytest.param("3", "0", "0.00", id="an arbiter who does not know counts nothing"),
        pytest.param("2.5", "0.33", "0.83", id="0.825 rounds up"),
        pytest.param("-2.5", "0.33", "-0.83", id="-0.825 rounds away from zero"),
        pytest.param("0.01", "0.49", "0.00", id="less than half a hundredth vanishes"),
    ],
)
def test_a_weighted_adjustment_is_rounded_before_summing(adjustment, weight, expected):
    fact = VerdictFact(Decimal(adjustment), weight=Decimal(weight))

    assert str(criterion.contribution(fact=fact, weight_by_confidence=True)) == expected
    assert criterion.contribution(fact=fact, weight_by_confidence=False) == Decimal(adjustment)


def test_weighted_adjustments_are_summed_after_rounding():
    verdicts = [VerdictFact(Decimal("0.01"), weight=Decimal("0.5"))] * 4

    assert criterion.raw_sum(facts=verdicts, weight_by_confidence=True) == Decimal("0.04")
    assert criterion.computed_score(initial=Decimal(5), facts=verdicts[:3], parameters=WEIGHTED) == Decimal("5.03")


def test_weighting_leaves_confidence_alone():
    verdicts = [VerdictFact(Decimal(2), Decimal("0.2"), Decimal("0.5"))]

    assert criterion.computed_confidence(initial=Decimal("0.5"), facts=verdicts, parameters=WEIGHTED) == Decimal("0.7")


def test_each_round_stores_raw_capped_and_applied_apart():
    rounds = [facts("3", "1"), facts("3"), facts("-2", "-2")]

    steps = criterion.running(initial=Decimal(5), rounds=rounds, parameters=DEFAULT)

    assert steps == [
        criterion.RoundStep(Decimal(4), Decimal(4), Decimal(4), Decimal(9), Decimal(4)),
        criterion.RoundStep(Decimal(3), Decimal(7), Decimal(5), Decimal(10), Decimal(1)),
        criterion.RoundStep(Decimal(-4), Decimal(3), Decimal(3), Decimal(8), Decimal(-2)),
    ]


def test_no_rounds_give_no_steps():
    assert criterion.running(initial=Decimal(5), rounds=[], parameters=DEFAULT) == []


@pytest.mark.parametrize(
    ("panel", "expected"),
    [("1", "1"), ("5", "10"), ("3", "5.5"), ("13/3", "8.5"), ("4.2833", "8.39"), ("1.0022", "1"), ("29/6", "9.63")],
)
def test_a_panel_score_maps_to_the_criterion_scale_on_a_straight_line(panel, expected):
    assert criterion.initial_from_panel(score=Fraction(panel)) == Decimal(expected)


def test_a_panel_score_outside_its_scale_is_refused():
    with pytest.raises(OutOfRange):
        criterion.initial_from_panel(score=Fraction("5.01"))


def test_a_verdict_is_read_at_its_limits():
    assert criterion.verdict_fact(adjustment="-3", impact="0.3", weight="0.5") == VerdictFact(
        Decimal(-3), Decimal("0.3"), Decimal("0.5")
    )


def test_an_arbiter_who_gives_no_confidence_is_sure():
    assert criterion.verdict_fact(adjustment="1", impact="0").weight == 1


@pytest.mark.parametrize(
    ("numbers", "refusal", "field"),
    [
        pytest.param({"adjustment": "3.01", "impact": "0"}, OutOfRange, "adjustment", id="adjustment too high"),
        pytest.param({"adjustment": "-3.01", "impact": "0"}, OutOfRange, "adjustment", id="adjustment too low"),
        pytest.param({"adjustment": "1.005", "impact": "0"}, OutOfRange, "adjustment", id="too many places"),
        pytest.param({"adjustment": "two", "impact": "0"}, NotANumber, "adjustment", id="adjustment in words"),
        pytest.param({"adjustment": None, "impact": "0"}, NotANumber, "adjustment", id="no adjustment"),
        pytest.param({"adjustment": "1", "impact": "0.31"}, OutOfRange, "impact", id="impact too high"),
        pytest.param({"adjustment": "1", "impact": "-0.31"}, OutOfRange, "impact", id="impact too low"),
        pytest.param({"adjustment": "1", "impact": "0.005"}, OutOfRange, "impact", id="impact with three places"),
        pytest.param({"adjustment": "1", "impact": "0", "weight": "1.01"}, OutOfRange, "confidence", id="too sure"),
        pytest.param({"adjustment": "1", "impact": "0", "weight": "-0.1"}, OutOfRange, "confidence", id="below 0"),
        pytest.param({"adjustment": 1.5, "impact": "0"}, NotExact, "adjustment", id="a float"),
    ],
)
def test_a_verdict_outside_its_limits_is_refused_not_clamped(numbers, refusal, field):
    with pytest.raises(refusal) as caught:
        criterion.verdict_fact(**numbers)

    assert caught.value.message.startswith(f"{field} must be a number")


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda: VerdictFact(1.0), id="a fact"),
        pytest.param(lambda: VerdictFact(Decimal(1), 0.1), id="an impact"),
        pytest.param(lambda: VerdictFact(Decimal(1), Decimal(0), 0.5), id="a weight"),
        pytest.param(
            lambda: criterion.computed_score(initial=5.0, facts=[], parameters=DEFAULT), id="an initial score"
        ),
        pytest.param(
            lambda: criterion.computed_confidence(initial=0.5, facts=[], parameters=DEFAULT), id="a confidence"
        ),
        pytest.param(lambda: criterion.running(initial=5.0, rounds=[[]], parameters=DEFAULT), id="a running score"),
        pytest.param(lambda: criterion.capped(raw=5.0, cap=Decimal(5)), id="a raw sum"),
        pytest.param(lambda: criterion.capped(raw=Decimal(5), cap=5.0), id="a cap"),
        pytest.param(lambda: criterion.initial_from_panel(score=4.5), id="a panel score"),
    ],
)
def test_a_float_never_touches_a_score(call):
    with pytest.raises(TypeError):
        call()


@given(SCORES, st.lists(VERDICTS, max_size=12), PARAMETERS, st.randoms())
def test_the_order_of_verdicts_does_not_matter(initial, verdicts, parameters, luck):
    shuffled = list(verdicts)
    luck.shuffle(shuffled)

    assert criterion.computed_score(initial=initial, facts=shuffled, parameters=parameters) == criterion.computed_score(
        initial=initial, facts=verdicts, parameters=parameters
    )
    assert criterion.computed_confidence(
        initial=initial / 10, facts=shuffled, parameters=parameters
    ) == criterion.computed_confidence(initial=initial / 10, facts=verdicts, parameters=parameters)


@given(SCORES, CONFIDENCES, st.lists(VERDICTS, max_size=12), PARAMETERS)
def test_score_and_confidence_stay_on_their_scales_and_inside_their_caps(initial, confidence, verdicts, parameters):
    after = criterion.computed_score(initial=initial, facts=verdicts, parameters=parameters)
    surer = criterion.computed_confidence(initial=confidence, facts=verdicts, parameters=parameters)

    assert 1 <= after <= 10
    assert abs(after - initial) <= parameters.adjustment_cap
    assert 0 <= surer <= 1
    assert abs(surer - confidence) <= parameters.confidence_cap


@given(SCORES, ROUNDS, PARAMETERS)
def test_the_applied_deltas_sum_to_final_less_initial(initial, rounds, parameters):
    steps = criterion.running(initial=initial, rounds=rounds, parameters=parameters)
    verdicts = [fact for own in rounds for fact in own]
    final = criterion.computed_score(initial=initial, facts=verdicts, parameters=parameters)

    assert sum(step.applied for step in steps) == final - initial


@given(SCORES, ROUNDS, PARAMETERS)
def test_the_running_score_is_the_score_of_the_rounds_so_far(initial, rounds, parameters):
    steps = criterion.running(initial=initial, rounds=rounds, parameters=parameters)

    for number, step in enumerate(steps, start=1):
        so_far = [fact for own in rounds[:number] for fact in own]
        assert step.computed == criterion.computed_score(initial=initial, facts=so_far, parameters=parameters)
        assert step == criterion.running(initial=initial, rounds=rounds[:number], parameters=parameters)[-1]


@given(SCORES, st.lists(VERDICTS, max_size=12), PARAMETERS)
def test_computing_again_changes_nothing(initial, verdicts, parameters):
    first = criterion.computed_score(initial=initial, facts=verdicts, parameters=parameters)
    again = criterion.computed_score(
        initial=initial, facts=list(verdicts), parameters=Parameters.from_snapshot(parameters.snapshot())
    )

    assert str(first) == str(again)


@given(SCORES, st.lists(VERDICTS, max_size=6), decimals("0", "3"))
def test_a_verdict_for_the_evaluator_never_lowers_the_score(initial, verdicts, adjustment):
    before = criterion.computed_score(initial=initial, facts=verdicts, parameters=DEFAULT)
    after = criterion.computed_score(initial=initial, facts=[*verdicts, VerdictFact(adjustment)], parameters=DEFAULT)

    assert after >= before


@given(CONFIDENCES, st.integers(1, 6), decimals("0.01", "0.3"))
def test_winning_gains_confidence_and_exposed_weakness_costs_it(initial, count, impact):
    won = [VerdictFact(Decimal(1), impact)] * count
    lost = [VerdictFact(Decimal(-1), -impact)] * count

    surer = criterion.computed_confidence(initial=initial, facts=won, parameters=DEFAULT)
    less_sure = criterion.computed_confidence(initial=initial, facts=lost, parameters=DEFAULT)

    assert surer > initial or initial == 1
    assert less_sure < initial or initial == 0
