"""Rule sets are data: complete, changeable by known keys, and kept as snapshots."""

import json
from dataclasses import fields, replace
from decimal import Decimal

import pytest

from judging.rules import persuasion
from judging.rules.persuasion import CLASSIC, FIRM, Factors, RuleSet
from scoring.errors import NotANumber, NotExact, OutOfRange, UnknownKey
from tests.judging.rules.strategies import numbers

OPTIONS = {
    "surrender_threshold": "0.35",
    "stance_neutral_threshold": "0.15",
    "consecutive_persuasion": 4,
    "persuasion_factors": {"base": "0.25"},
    "attack_resistance": "0.5",
}


@pytest.mark.parametrize("name", ["classic", "firm"])
def test_a_rule_set_is_found_by_name(name):
    assert persuasion.rule_set(name).name == name


def test_a_rule_set_that_does_not_exist_is_refused():
    with pytest.raises(UnknownKey, match="classic, firm"):
        persuasion.rule_set("gentle")


@pytest.mark.parametrize("rules", [CLASSIC, FIRM], ids=["classic", "firm"])
@pytest.mark.parametrize("options", [{}, OPTIONS], ids=["as it is", "with options"])
def test_a_snapshot_survives_json(rules, options):
    changed = rules.with_options(options)

    assert RuleSet.from_snapshot(json.loads(json.dumps(changed.snapshot()))) == changed


@pytest.mark.parametrize("field", [field.name for field in fields(RuleSet)])
def test_a_snapshot_lacks_nothing(field):
    snapshot = {name: value for name, value in CLASSIC.snapshot().items() if name != field}

    with pytest.raises(UnknownKey, match=field):
        RuleSet.from_snapshot(snapshot)


@pytest.mark.parametrize(
    ("key", "field", "value"),
    [
        ("surrender_threshold", "persuaded_conviction", Decimal("0.35")),
        ("stance_neutral_threshold", "wavering_stance", Decimal("0.15")),
        ("consecutive_persuasion", "consecutive_count", 4),
        ("persuasion_factors", "factors", Factors(base=Decimal("0.25"))),
        ("attack_resistance", "attack_resistance", Decimal("0.5")),
    ],
)
def test_an_option_changes_one_number(key, field, value):
    assert CLASSIC.with_options({key: OPTIONS[key]}) == replace(CLASSIC, **{field: value})


@pytest.mark.parametrize(
    ("options", "stance", "conviction", "effects"),
    [
        pytest.param(
            {"surrender_threshold": "0.1"}, "0.8", "0.45", [("0.7", "0")] * 2, id="who is persuaded gives up later"
        ),
        pytest.param(
            {"stance_neutral_threshold": "0"}, "0", "0.4", [("0.1", "0")] * 2, id="who is neutral does not waver"
        ),
        pytest.param(
            {"consecutive_persuasion": 4}, "0.8", "0.9", [("0.55", "0")] * 3, id="three persuasions are not enough"
        ),
    ],
)
def test_an_option_keeps_a_participant_from_surrendering(options, stance, conviction, effects):
    start = persuasion.starting(stance=stance, conviction=conviction)
    played = [numbers(*effect) for effect in effects]

    plain = persuasion.play(state=start, effects=played, rules=CLASSIC)
    changed = persuasion.play(state=start, effects=played, rules=CLASSIC.with_options(options))

    assert plain[-1].surrender is not None
    assert changed[-1].surrender is None


def test_less_resistance_lets_an_attack_through():
    start = persuasion.starting(stance="0.5", conviction="0.7")
    weaker = CLASSIC.with_options({"attack_resistance": "0.5"})
    attack = {"state": start, "persuasion": Decimal(0), "attack": Decimal("0.8")}

    assert persuasion.update(**attack, rules=CLASSIC).conviction == Decimal("0.7")
    assert persuasion.update(**attack, rules=weaker).conviction == Decimal("0.77")


@pytest.mark.parametrize(
    ("options", "refusal"),
    [
        ({"surrender_treshold": "0.4"}, UnknownKey),
        ({"surrender_threshold": "1.01"}, OutOfRange),
        ({"surrender_threshold": 0.4}, NotExact),
        ({"stance_neutral_threshold": "-0.1"}, OutOfRange),
        ({"consecutive_persuasion": 1}, OutOfRange),
        ({"consecutive_persuasion": 11}, OutOfRange),
        ({"consecutive_persuasion": True}, NotANumber),
        ({"consecutive_persuasion": "3"}, NotANumber),
        ({"consecutive_persuasion": Decimal(3)}, NotANumber),
        ({"persuasion_factors": {"bias": "1"}}, UnknownKey),
        ({"attack_resistance": "strong"}, NotANumber),
    ],
)
def test_an_option_that_does_not_fit_is_refused_by_name(options, refusal):
    with pytest.raises(refusal):
        CLASSIC.with_options(options)
