"""Every warning is found at its threshold and not beside it."""

from decimal import Decimal

import pytest

from scoring.errors import Invalid
from scoring.rules import warnings
from scoring.types import AlertCode, Finding, Severity
from tests.scoring.rules.strategies import float_test


def found(finding, code):
    """Say whether the rule found something, and check that it is what the rule is about."""
    assert finding is None or finding.code is code
    return finding is not None


@pytest.mark.parametrize(
    ("applied", "expected"), [("3", True), ("2.99", False), ("-3", True), ("-2.99", False), ("0", False)]
)
def test_a_round_that_moves_the_score_by_three_is_extreme(applied, expected):
    assert found(warnings.extreme_verdict(applied=Decimal(applied)), AlertCode.EXTREME_VERDICT) is expected


@pytest.mark.parametrize(
    ("net", "expected"), [("3", False), ("3.01", True), ("-3", False), ("-3.01", True), ("0", False)]
)
def test_a_net_beyond_three_is_extreme(net, expected):
    assert found(warnings.extreme_net(capped_net=Decimal(net)), AlertCode.EXTREME_NET) is expected


@pytest.mark.parametrize(
    ("raw", "expected"), [("5", False), ("5.01", True), ("-5", False), ("-5.01", True), ("0", False)]
)
def test_a_raw_sum_beyond_the_cap_is_capped(raw, expected):
    assert found(warnings.net_capped(raw=Decimal(raw), cap=Decimal(5)), AlertCode.NET_CAPPED) is expected


def test_the_cap_is_that_of_the_debate():
    assert warnings.net_capped(raw=Decimal("2.01"), cap=Decimal(2)) == Finding(
        AlertCode.NET_CAPPED, {"raw": "2.01", "cap": "2"}
    )
    assert warnings.net_capped(raw=Decimal(2), cap=Decimal(2)) is None


@pytest.mark.parametrize(
    ("initial", "final", "expected"),
    [
        pytest.param("4", "7", True, id="75 % of 4"),
        pytest.param("6", "9", False, id="exactly half is not more than half"),
        pytest.param("6", "9.01", True, id="just more than half"),
        pytest.param("6", "3", False, id="exactly half downwards"),
        pytest.param("6", "2.99", True, id="just more than half downwards"),
        pytest.param("2", "7", False, id="an initial score of 2 is too low to say"),
        pytest.param("2.01", "7", True, id="just above 2"),
        pytest.param("6", "6", False, id="no change"),
    ],
)
def test_a_change_of_more_than_half_is_large(initial, final, expected):
    change = warnings.large_change(initial=Decimal(initial), final=Decimal(final))

    assert found(change, AlertCode.LARGE_CHANGE) is expected


@pytest.mark.parametrize(
    ("earlier", "later", "expected"),
    [
        pytest.param("2", "-2", True, id="both exactly 2"),
        pytest.param("-2", "2", True, id="the other way round"),
        pytest.param("1.99", "-2", False, id="the first just too small"),
        pytest.param("2", "-1.99", False, id="the second just too small"),
        pytest.param("2", "2", False, id="the same sign"),
        pytest.param("-3", "-3", False, id="both negative"),
        pytest.param("3", "0", False, id="zero has no sign to flip"),
        pytest.param("0", "-3", False, id="zero before"),
    ],
)
def test_a_large_flip_between_rounds_is_a_contradiction(earlier, later, expected):
    flip = warnings.contradiction(earlier=Decimal(earlier), later=Decimal(later))

    assert found(flip, AlertCode.CONTRADICTION) is expected


@pytest.mark.parametrize(
    ("evaluator", "red_team", "draws", "expected"),
    [
        pytest.param(4, 1, 0, False, id="4 of 5 is exactly 80 %"),
        pytest.param(5, 0, 0, True, id="5 of 5"),
        pytest.param(5, 1, 0, True, id="5 of 6 is just more"),
        pytest.param(0, 5, 0, True, id="the other side"),
        pytest.param(4, 0, 0, False, id="4 are too few"),
        pytest.param(4, 0, 9, False, id="draws do not make up the number"),
        pytest.param(5, 0, 9, True, id="draws are not counted against it"),
        pytest.param(8, 2, 0, False, id="8 of 10 is exactly 80 %"),
        pytest.param(9, 2, 0, True, id="9 of 11 is just more"),
        pytest.param(0, 0, 9, False, id="draws alone"),
        pytest.param(0, 0, 0, False, id="no verdicts"),
    ],
)
def test_more_than_four_fifths_one_way_is_one_sided(evaluator, red_team, draws, expected):
    winners = ["evaluator"] * evaluator + ["draw"] * draws + ["red_team"] * red_team

    assert found(warnings.one_sided(winners=winners), AlertCode.ONE_SIDED) is expected


def test_one_sided_names_the_side():
    finding = warnings.one_sided(winners=["red_team"] * 6 + ["draw"])

    assert finding == Finding(AlertCode.ONE_SIDED, {"side": "red_team", "won": "6", "verdicts": "6"})


@pytest.mark.parametrize(
    ("adjustments", "expected"),
    [
        pytest.param(["3", "3", "3"], True, id="three at the top"),
        pytest.param(["-3", "-3", "-3"], True, id="three at the bottom"),
        pytest.param(["3.00", "3", "3"], True, id="written differently"),
        pytest.param(["3", "3"], False, id="two are too few"),
        pytest.param(["3", "3", "2.99"], False, id="one just inside"),
        pytest.param(["3", "3", "-3"], False, id="both limits"),
        pytest.param(["2", "2", "2"], False, id="uniform but not extreme"),
        pytest.param([], False, id="no verdicts"),
    ],
)
def test_verdicts_that_all_sit_at_one_limit_are_found(adjustments, expected):
    finding = warnings.uniform_extreme(adjustments=[Decimal(adjustment) for adjustment in adjustments])

    assert found(finding, AlertCode.UNIFORM_EXTREME) is expected


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        pytest.param([("7", "7"), ("5", "5.00")], True, id="nothing moved"),
        pytest.param([("7", "7"), ("5", "5.01")], False, id="one moved a hundredth"),
        pytest.param([("7", "7"), ("5", None)], True, id="what was not evaluated says nothing"),
        pytest.param([("5", None)], False, id="nothing was evaluated"),
        pytest.param([], False, id="no evaluations"),
    ],
)
def test_a_debate_that_moved_nothing_is_found(scores, expected):
    pairs = [(Decimal(initial), None if final is None else Decimal(final)) for initial, final in scores]

    assert found(warnings.no_effect(scores=pairs), AlertCode.NO_EFFECT) is expected


@pytest.mark.parametrize(
    ("winner", "adjustment", "impact", "expected"),
    [
        pytest.param("evaluator", "0.01", "0.01", False, id="evaluator gains"),
        pytest.param("evaluator", "0", "0", False, id="evaluator wins without gain"),
        pytest.param("evaluator", "-0.01", "0", True, id="evaluator wins and loses score"),
        pytest.param("evaluator", "1", "-0.01", True, id="evaluator wins and loses confidence"),
        pytest.param("red_team", "-0.01", "-0.01", False, id="red team costs"),
        pytest.param("red_team", "0", "0", False, id="red team wins without cost"),
        pytest.param("red_team", "0.01", "0", True, id="red team wins and the score gains"),
        pytest.param("red_team", "-1", "0.01", True, id="red team wins and confidence gains"),
        pytest.param("draw", "0", "0", False, id="a draw moves nothing"),
        pytest.param("draw", "0.01", "0", True, id="a draw that gains"),
        pytest.param("draw", "0", "-0.01", True, id="a draw that costs confidence"),
    ],
)
def test_numbers_that_go_against_the_winner_are_found(winner, adjustment, impact, expected):
    finding = warnings.winner_sign_mismatch(winner=winner, adjustment=Decimal(adjustment), impact=Decimal(impact))

    assert found(finding, AlertCode.WINNER_SIGN_MISMATCH) is expected


def test_a_finding_carries_its_severity_and_its_numbers_as_text():
    finding = warnings.winner_sign_mismatch(winner="draw", adjustment=Decimal("1.50"), impact=Decimal(0))

    assert finding.severity is Severity.WARNING
    assert finding.evidence == {"winner": "draw", "adjustment": "1.5", "impact": "0"}


@pytest.mark.parametrize(
    "call",
    [
        lambda: warnings.one_sided(winners=["EVALUATOR"]),
        lambda: warnings.winner_sign_mismatch(winner="nobody", adjustment=Decimal(0), impact=Decimal(0)),
    ],
)
def test_an_unknown_winner_is_refused(call):
    with pytest.raises(Invalid, match="winner must be one of evaluator, red_team, draw"):
        call()


test_a_float_is_refused = float_test(
    lambda: warnings.extreme_verdict(applied=3.0),
    lambda: warnings.extreme_net(capped_net=3.5),
    lambda: warnings.net_capped(raw=6.0, cap=Decimal(5)),
    lambda: warnings.net_capped(raw=Decimal(6), cap=5.0),
    lambda: warnings.large_change(initial=4.0, final=Decimal(7)),
    lambda: warnings.contradiction(earlier=2.0, later=Decimal(-2)),
    lambda: warnings.uniform_extreme(adjustments=[3.0, 3.0, 3.0]),
    lambda: warnings.no_effect(scores=[(5.0, Decimal(5))]),
    lambda: warnings.winner_sign_mismatch(winner="draw", adjustment=0.0, impact=Decimal(0)),
)
