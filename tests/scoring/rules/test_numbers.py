"""Exact numbers are read strictly, held inside limits and rounded half up."""

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debates.decimals import plain
from scoring.errors import DomainError, NotANumber, NotExact, OutOfRange
from scoring.rules import numbers
from scoring.types import exact
from tests.scoring.rules.strategies import decimals, float_test


def read(value):
    return numbers.decimal_of(value, name="adjustment", low=Decimal(-3), high=Decimal(3), places=2)


@pytest.mark.parametrize(
    ("value", "places", "expected"),
    [
        pytest.param("0.125", 2, "0.13", id="a half goes up"),
        pytest.param("0.124999", 2, "0.12", id="less than a half goes down"),
        pytest.param("-0.125", 2, "-0.13", id="a negative half goes away from zero"),
        pytest.param("2.5", 0, "3", id="a half goes up, not to the even number"),
        pytest.param("7", 2, "7.00", id="a whole number gets its places"),
        pytest.param("4.5555555", 6, "4.555556", id="six places"),
    ],
)
def test_rounding_is_half_up(value, places, expected):
    assert str(numbers.half_up(Decimal(value), places=places)) == expected


def test_rounding_a_small_negative_number_gives_no_negative_zero():
    assert str(numbers.half_up(Decimal("-0.001"), places=2)) == "0.00"


def test_a_mean_of_thirds_is_rounded_from_its_exact_value():
    third = Fraction(1, 3)

    assert numbers.half_up(third * 3 / 200, places=2) == Decimal("0.01")


def test_rounding_does_not_lose_digits_beyond_the_precision_of_decimal():
    assert numbers.half_up(Decimal("12345678901234567890123456789.125"), places=2) == Decimal(
        "12345678901234567890123456789.13"
    )


@given(decimals("-1000", "1000", places=8), st.integers(0, 6))
def test_rounding_agrees_with_the_decimal_module(value, places):
    assert numbers.half_up(value, places=places) == value.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)


@given(decimals("-20", "20"))
def test_a_clamped_value_is_inside_and_moves_only_when_outside(value):
    clamped = numbers.clamp(value, low=Decimal(1), high=Decimal(10))

    assert 1 <= clamped <= 10
    assert clamped == value or not 1 <= value <= 10


def test_a_sum_and_a_mean_are_exact():
    values = [Decimal("0.7"), Decimal("0.2")]

    assert numbers.total(values) == Decimal("0.9")
    assert numbers.mean(values) == Fraction(45, 100)


test_a_float_is_refused = float_test(
    pytest.param(lambda: numbers.half_up(0.5, places=2), id="half_up"),
    pytest.param(lambda: numbers.clamp(0.5, low=Decimal(0), high=Decimal(1)), id="clamp the value"),
    pytest.param(lambda: numbers.clamp(Decimal(1), low=0.0, high=Decimal(1)), id="clamp to a low limit"),
    pytest.param(lambda: numbers.clamp(Decimal(1), low=Decimal(0), high=1.0), id="clamp to a high limit"),
    pytest.param(lambda: numbers.total([Decimal(1), 0.5]), id="total"),
    pytest.param(lambda: numbers.mean([0.5]), id="mean"),
    pytest.param(lambda: read(0.5), id="decimal_of"),
    pytest.param(lambda: exact(0.5), id="exact"),
)


def test_a_float_from_outside_is_also_a_refusal_that_a_door_can_show():
    with pytest.raises(DomainError) as caught:
        read(3.5)

    assert isinstance(caught.value, NotExact)
    assert caught.value.code == "not_exact"
    assert "sent as text" in caught.value.message


def test_a_whole_number_is_exact():
    assert exact(3) == Decimal(3)


@pytest.mark.parametrize("value", ["1", True, None], ids=["text", "a boolean", "nothing"])
def test_only_decimals_and_whole_numbers_are_exact(value):
    with pytest.raises(NotExact):
        exact(value)


@pytest.mark.parametrize("value", ["NaN", "sNaN", "Infinity", "-Infinity"])
def test_a_decimal_that_is_no_finite_number_is_not_exact(value):
    with pytest.raises(NotANumber):
        exact(Decimal(value))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param("2", "2", id="whole text"),
        pytest.param("-1.5", "-1.5", id="negative text"),
        pytest.param("+2", "2", id="text with a plus"),
        pytest.param(".05", "0.05", id="text that begins with the point"),
        pytest.param("1.500", "1.500", id="needless zeros are no places"),
        pytest.param("3", "3", id="the upper limit"),
        pytest.param("-3", "-3", id="the lower limit"),
        pytest.param(2, "2", id="an integer"),
        pytest.param(Decimal("2.25"), "2.25", id="a decimal"),
        pytest.param("-0", "0", id="negative zero"),
        pytest.param(Decimal("0E-99999"), "0", id="a zero with many places"),
    ],
)
def test_a_plain_number_is_read(value, expected):
    assert str(read(value)) == str(Decimal(expected))


@pytest.mark.parametrize(
    "value",
    [
        "two", "", " ", " 1", "1 ", "1\n", "1_0", "1e1", "1E0", "0x1", "NaN", "nan", "Infinity", "-inf", "1.", ".", "-",
        "--1", "1,5", "1.5.0", "\u0661", "\uff11", "\u00bd", "\u2212" + "1", "9" * 10_000, None, True, False, [], {},
        b"1", Decimal("NaN"), Decimal("Infinity"), Decimal("-Infinity"),
    ],
    ids=repr,
)  # fmt: skip
def test_what_is_no_plain_number_is_refused(value):
    with pytest.raises(NotANumber) as caught:
        read(value)

    assert caught.value.code == "not_a_number"
    assert caught.value.message.startswith("adjustment must be a number from -3 to 3 with at most 2 places; got ")
    assert len(caught.value.message) < 130


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("3.5", "3.5"),
        ("3.01", "3.01"),
        ("-3.01", "-3.01"),
        ("1.234", "1.234"),
        (4, "4"),
        pytest.param(-(10**6000), "a number beyond all limits", id="six thousand digits"),
        (Decimal("1E+99999"), "a number beyond all limits"),
        (Decimal("1E-99999"), "1E-99999"),
        (Decimal("1." + "0" * 70 + "1"), "1." + "0" * 38),
    ],
)
def test_a_number_outside_its_limits_is_refused_by_name(value, shown):
    with pytest.raises(OutOfRange) as caught:
        read(value)

    assert caught.value.message == f"adjustment must be a number from -3 to 3 with at most 2 places; got {shown}."
    assert caught.value.code == "out_of_range"


@given(st.text(max_size=12))
def test_any_text_is_either_read_or_refused(text):
    try:
        number = read(text)
    except (NotANumber, OutOfRange):
        return

    assert -3 <= number <= 3
    assert number == Decimal(text)


@pytest.mark.parametrize(
    ("value", "expected"), [("5.00", "5"), ("0.50", "0.5"), ("100", "100"), ("1E+2", "100"), ("-0.30", "-0.3")]
)
def test_a_number_is_written_plainly(value, expected):
    assert plain(Decimal(value)) == expected
