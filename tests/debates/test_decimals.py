"""Decimals are written one way: exactly, or rounded half up; a change with its sign."""

from decimal import Decimal

import pytest

from debates import decimals


@pytest.mark.parametrize(
    ("value", "plain", "in_places", "two_places", "signed"),
    [
        ("6", "6", "6.00", "6.00", "+6.00"),
        ("6.50", "6.5", "6.50", "6.50", "+6.50"),
        ("1E+2", "100", "100.00", "100.00", "+100.00"),
        ("-0.005", "-0.005", "-0.005", "-0.01", "\N{MINUS SIGN}0.01"),
        ("0.0000005", "0.0000005", "0.000001", "0.00", "0.00"),
        ("-0.004", "-0.004", "-0.004", "0.00", "0.00"),
        ("0", "0", "0.00", "0.00", "0.00"),
    ],
)
def test_a_decimal_is_written_with_as_many_places_as_its_reader_needs(value, plain, in_places, two_places, signed):
    number = Decimal(value)

    assert decimals.plain(number) == plain
    assert decimals.in_places(number) == in_places
    assert decimals.two_places(number) == two_places
    assert decimals.signed(number) == signed


def test_what_is_missing_stays_missing():
    assert decimals.in_places(None) is None


@pytest.mark.parametrize(
    ("text", "value"), [("0.10", "0.10"), ("5e-1", "0.5"), ("1E+0002", "100"), ("2.5e999", "2.5E+999")]
)
def test_a_number_of_json_is_read_exactly(text, value):
    assert decimals.from_json(text) == Decimal(value)


@pytest.mark.parametrize("text", ["1e1000", "1.0E-1000", "-1e99999999999999999999"])
def test_a_number_of_json_with_a_long_exponent_is_refused(text):
    with pytest.raises(ValueError, match=f"^{text} has too large an exponent$"):
        decimals.from_json(text)
