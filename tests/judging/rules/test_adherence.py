"""A judged response: four marks, their sum, and what the marks are called."""

from decimal import Decimal

import pytest
from hypothesis import given

from judging.rules import adherence
from judging.rules.adherence import Honesty, Marks, Quality
from scoring.errors import OutOfRange
from tests.scoring.rules.strategies import decimals, float_test

MARKS = decimals("0", "25")


@pytest.mark.parametrize(
    ("mark", "expected"),
    [("25", "strong"), ("20", "strong"), ("19.99", "adequate"), ("15", "adequate"), ("14.99", "weak"), ("8", "weak"),
     ("7.99", "absent"), ("0", "absent")],
)  # fmt: skip
def test_a_quality_begins_at_its_threshold(mark, expected):
    assert adherence.quality(mark=Decimal(mark)) is Quality(expected)


@pytest.mark.parametrize(
    ("mark", "expected"),
    [("25", "high"), ("20", "high"), ("19.99", "medium"), ("8", "medium"), ("7.99", "low"), ("0", "low")],
)
def test_honesty_begins_at_its_threshold(mark, expected):
    assert adherence.honesty(mark=Decimal(mark)) is Honesty(expected)


@given(MARKS, MARKS, MARKS, MARKS)
def test_the_total_is_the_sum_of_the_four_marks(first, second, third, fourth):
    total = Marks(first, second, third, fourth).total

    assert total == first + second + third + fourth
    assert 0 <= total <= 100


@pytest.mark.parametrize("field", ["steel_manning", "self_critique", "consistency", "honesty"])
@pytest.mark.parametrize("mark", ["25.01", "-0.01", "1.005"])
def test_a_mark_outside_its_limits_is_refused_by_name(field, mark):
    marks = dict.fromkeys(["steel_manning", "self_critique", "consistency", "honesty"], Decimal(20))

    with pytest.raises(OutOfRange, match=field):
        Marks(**{**marks, field: Decimal(mark)})


test_a_float_is_refused = float_test(
    lambda: Marks(20.0, Decimal(20), Decimal(20), Decimal(20)),
    lambda: adherence.quality(mark=20.0),
    lambda: adherence.honesty(mark=20.0),
)


@pytest.mark.parametrize(
    ("consistency", "violations", "consistent", "major"),
    [
        pytest.param("14.99", 1, False, True, id="a violation and little consistency"),
        pytest.param("15", 1, False, False, id="a violation and just enough consistency"),
        pytest.param("14.99", 0, True, False, id="little consistency but no violation"),
    ],
)
def test_a_violation_is_major_when_consistency_is_low(consistency, violations, consistent, major):
    marks = Marks(Decimal(20), Decimal(20), Decimal(consistency), Decimal(20), violations)

    assert (marks.consistent, marks.major_violation) == (consistent, major)


def test_without_word_of_a_violation_there_is_none():
    assert Marks(Decimal(20), Decimal(20), Decimal(0), Decimal(20)).consistent
