"""Prompts show numbers in two places, and no names from the code."""

import json
from decimal import Decimal
from enum import Enum

import pytest

from judging.rules import prompt_values


class Recommendation(Enum):
    PURSUE = "pursue"


@pytest.mark.parametrize(
    ("value", "shown"), [("6.200000", "6.2"), ("6.205", "6.21"), ("-0.455000", "-0.46"), ("7", "7"), ("0.001", "0")]
)
def test_a_number_is_rounded_half_up_to_two_places_without_needless_zeros(value, shown):
    assert prompt_values.number(Decimal(value)) == shown


def test_every_decimal_in_a_result_is_shown_so_however_deep_it_stands():
    result = {"scores": [{"P1": Decimal("6.200000"), "was": "7.125000"}, (Decimal("1.005"),)], "rounds": 3}

    assert json.loads(prompt_values.result(result)) == {"scores": [{"P1": "6.2", "was": "7.13"}, ["1.01"]], "rounds": 3}


def test_words_and_short_numbers_stay_as_they_are():
    result = {"summary": "A share of 0.125 was named.", "version": "1.2.345", "cost": "0.25", "none": None}

    assert json.loads(prompt_values.result(result)) == result
