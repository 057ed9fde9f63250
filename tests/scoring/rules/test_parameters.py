"""The parameters of the computed score are checked, kept as a snapshot, and read back unchanged."""

import json
from decimal import Decimal

import pytest

from scoring.errors import NotANumber, NotExact, OutOfRange, UnknownKey
from scoring.types import SEVERITIES, AlertCode, Finding, Parameters, Severity

SNAPSHOT = {
    "adjustment_cap": "5",
    "confidence_cap": "0.5",
    "score_low": "1",
    "score_high": "10",
    "weight_by_confidence": False,
}


def test_the_defaults_are_those_of_the_rules():
    assert Parameters().snapshot() == SNAPSHOT


def test_a_snapshot_survives_json():
    chosen = Parameters(adjustment_cap=Decimal("4.50"), confidence_cap=Decimal("0.25"), weight_by_confidence=True)

    assert Parameters.from_snapshot(json.loads(json.dumps(chosen.snapshot()))) == chosen


@pytest.mark.parametrize("key", sorted(SNAPSHOT))
def test_a_snapshot_without_one_of_its_keys_is_refused_by_name(key):
    with pytest.raises(UnknownKey, match=key):
        Parameters.from_snapshot({name: value for name, value in SNAPSHOT.items() if name != key})


def test_a_snapshot_with_another_key_is_refused_by_name():
    with pytest.raises(UnknownKey, match="surprise"):
        Parameters.from_snapshot({**SNAPSHOT, "surprise": "1"})


def test_options_fill_in_the_defaults():
    assert Parameters.from_options({"adjustment_cap": "2"}) == Parameters(adjustment_cap=Decimal(2))
    assert Parameters.from_options({}) == Parameters()


@pytest.mark.parametrize("key", ["score_low", "score_high", "cap"])
def test_an_option_that_does_not_exist_is_refused(key):
    with pytest.raises(UnknownKey, match=key):
        Parameters.from_options({key: "2"})


@pytest.mark.parametrize(
    ("key", "value", "refusal"),
    [
        ("adjustment_cap", "0", OutOfRange),
        ("adjustment_cap", "9.01", OutOfRange),
        ("adjustment_cap", "-5", OutOfRange),
        ("adjustment_cap", "1.001", OutOfRange),
        ("adjustment_cap", "1e0", NotANumber),
        ("adjustment_cap", "five", NotANumber),
        ("adjustment_cap", Decimal("NaN"), NotANumber),
        ("adjustment_cap", Decimal("1E+99999"), OutOfRange),
        ("adjustment_cap", 5.0, NotExact),
        ("adjustment_cap", True, NotExact),
        ("adjustment_cap", None, NotExact),
        ("confidence_cap", "0", OutOfRange),
        ("confidence_cap", "1.01", OutOfRange),
        ("weight_by_confidence", "false", OutOfRange),
        ("weight_by_confidence", 1, OutOfRange),
    ],
)
def test_an_option_outside_its_limits_is_refused_by_name(key, value, refusal):
    with pytest.raises(refusal, match=key):
        Parameters.from_options({key: value})


@pytest.mark.parametrize(("low", "high"), [(5, 5), (6, 5)])
def test_a_scale_must_not_be_empty(low, high):
    with pytest.raises(OutOfRange, match="score_low"):
        Parameters(score_low=Decimal(low), score_high=Decimal(high))


def test_every_alert_has_a_severity():
    assert set(SEVERITIES) == set(AlertCode)
    assert Finding(AlertCode.JUDGE_FAILED, {}).severity is Severity.CRITICAL
