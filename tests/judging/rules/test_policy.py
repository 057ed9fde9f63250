"""The policy of a panel: its marks, its limits, and its snapshot."""

import json
from decimal import Decimal

import pytest

from judging.rules import consensus
from judging.rules.consensus import Policy
from scoring.errors import DomainError, NotANumber, NotExact, OutOfRange, UnknownKey

DEFAULT = Policy()


@pytest.mark.parametrize(
    ("overall", "expected"),
    [("5", "pass"), ("4", "pass"), ("3.9999", "needs_revision"), ("3", "needs_revision"), ("2.9999", "fail")],
)
def test_a_recommendation_begins_at_its_mark(overall, expected):
    assert consensus.recommendation(overall=Decimal(overall), policy=DEFAULT) == expected


def test_the_marks_are_the_policys():
    lenient = Policy.from_options({"pass_mark": "3.5", "revision_mark": "2"})

    assert consensus.recommendation(overall=Decimal("3.5"), policy=lenient) == "pass"
    assert consensus.recommendation(overall=Decimal(2), policy=lenient) == "needs_revision"


def test_one_judge_is_the_quorum_and_has_nobody_to_argue_with():
    asked = Policy(quorum=2, early_exit=False, spread=Decimal("0.3"))

    assert asked.for_seats(1) == Policy(quorum=1, debate_rounds=0, spread=Decimal("0.3"))
    assert asked.for_seats(2) == asked


def test_a_policy_survives_its_snapshot():
    chosen = Policy.from_options({"spread": "0.4", "criterion_spread": "0.8", "quorum": 3, "early_exit": False})

    assert Policy.from_snapshot(json.loads(json.dumps(chosen.snapshot()))) == chosen
    assert Policy.from_options({}) == DEFAULT


def test_a_policy_snapshot_lacks_nothing():
    with pytest.raises(UnknownKey, match="quorum"):
        Policy.from_snapshot({name: value for name, value in DEFAULT.snapshot().items() if name != "quorum"})


@pytest.mark.parametrize(
    ("options", "refusal"),
    [
        ({"spred": "0.5"}, UnknownKey),
        ({"spread": "4.01"}, OutOfRange),
        ({"spread": 0.5}, NotExact),
        ({"criterion_spread": "-1"}, OutOfRange),
        ({"quorum": 0}, OutOfRange),
        ({"quorum": 10}, OutOfRange),
        ({"quorum": "2"}, NotANumber),
        ({"debate_rounds": 4}, OutOfRange),
        ({"early_exit": 1}, OutOfRange),
        ({"amend": "yes"}, OutOfRange),
        ({"confidence": "very"}, OutOfRange),
        ({"confidence": 1}, OutOfRange),
        ({"pass_mark": "5.01"}, OutOfRange),
        ({"revision_mark": "0.99"}, OutOfRange),
        ({"pass_mark": "3", "revision_mark": "3.01"}, OutOfRange),
    ],
)
def test_a_policy_that_does_not_fit_is_refused(options, refusal):
    with pytest.raises(refusal):
        Policy.from_options(options)


def test_a_policy_cannot_be_made_from_floats_directly():
    with pytest.raises(DomainError):
        Policy(spread=0.5)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"spread": "0", "criterion_spread": "0"}, id="no spread at all"),
        pytest.param({"spread": "4", "criterion_spread": "4"}, id="any spread"),
        pytest.param({"debate_rounds": 0, "quorum": 2}, id="no debate"),
        pytest.param({"debate_rounds": 3, "quorum": 9}, id="every seat"),
        pytest.param({"pass_mark": "1", "revision_mark": "1"}, id="one mark for both, at the bottom"),
        pytest.param({"pass_mark": "5", "revision_mark": "5"}, id="one mark for both, at the top"),
    ],
)
def test_a_policy_may_go_to_its_limits(options):
    assert Policy.from_options(options).snapshot().items() >= options.items()
