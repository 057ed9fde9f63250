"""Rule sets as data, and how persuasion and attack move a participant until it gives up."""

import json
from dataclasses import fields, replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.rules import persuasion as persuasion_rules
from judging.rules.persuasion import CLASSIC, FIRM, Factors, RuleSet, State, Strategy, Surrender
from scoring.errors import DomainError, Invalid, NotANumber, NotExact, OutOfRange, UnknownKey
from tests.judging.rules.strategies import EFFECTS, SHARES, STANCES, numbers

OPTIONS = {
    "surrender_threshold": "0.35",
    "stance_neutral_threshold": "0.15",
    "consecutive_persuasion": 4,
    "persuasion_factors": {"base": "0.25"},
    "attack_resistance": "0.5",
    "bystander_pull": "0.3",
}


@pytest.mark.parametrize("name", ["classic", "firm"])
def test_a_rule_set_is_found_by_name(name):
    assert persuasion_rules.rule_set(name).name == name


def test_a_rule_set_that_does_not_exist_is_refused():
    with pytest.raises(UnknownKey, match="classic, firm"):
        persuasion_rules.rule_set("gentle")


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
        ("bystander_pull", "bystander_pull", Decimal("0.3")),
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
    start = persuasion_rules.starting(stance=stance, conviction=conviction)
    played = [numbers(*effect) for effect in effects]

    plain = persuasion_rules.play(state=start, effects=played, rules=CLASSIC)
    changed = persuasion_rules.play(state=start, effects=played, rules=CLASSIC.with_options(options))

    assert plain[-1].surrender is not None
    assert changed[-1].surrender is None


def test_less_resistance_lets_an_attack_through():
    start = persuasion_rules.starting(stance="0.5", conviction="0.7")
    weaker = CLASSIC.with_options({"attack_resistance": "0.5"})
    attack = {"state": start, "persuasion": Decimal(0), "attack": Decimal("0.8")}

    assert persuasion_rules.update(**attack, rules=CLASSIC).conviction == Decimal("0.7")
    assert persuasion_rules.update(**attack, rules=weaker).conviction == Decimal("0.77")


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
        ({"bystander_pull": "1.5"}, OutOfRange),
    ],
)
def test_an_option_that_does_not_fit_is_refused_by_name(options, refusal):
    with pytest.raises(refusal):
        CLASSIC.with_options(options)


STARTS = st.builds(State, STANCES, SHARES)
RULES = st.sampled_from([CLASSIC, FIRM])


@pytest.mark.parametrize(
    ("conviction", "surrenders", "pull", "stance"),
    [
        pytest.param("0.5", 1, "0.3", "-0.22", id="one gives up"),
        pytest.param("0.5", 2, "0.3", "-0.04", id="two give up"),
        pytest.param("0.5", 5, "0.3", "0.2", id="never further than by the whole pull"),
        pytest.param("0.65025", 1, "0.07", "-0.370621", id="six places"),
        pytest.param("1", 1, "0.3", "-0.4", id="the convinced stay"),
        pytest.param("0.5", 0, "0.3", "-0.4", id="nobody gives up"),
        pytest.param("0.5", 1, "0", "-0.4", id="off unless a debate sets it"),
    ],
)
def test_a_surrender_draws_bystanders_towards_the_speaker(conviction, surrenders, pull, stance):
    state = State(stance=Decimal("-0.4"), conviction=Decimal(conviction), persuasions=(Decimal("0.9"),))
    rules = CLASSIC.with_options({"bystander_pull": pull})

    swayed = persuasion_rules.swayed(state=state, towards=Decimal("0.8"), surrenders=surrenders, rules=rules)

    assert swayed == replace(state, stance=Decimal(stance))


@given(STARTS, STANCES, st.integers(0, 12), SHARES)
def test_a_bystander_never_passes_the_speaker(state, towards, surrenders, pull):
    rules = replace(CLASSIC, bystander_pull=pull)

    swayed = persuasion_rules.swayed(state=state, towards=towards, surrenders=surrenders, rules=rules)

    assert min(state.stance, towards) <= swayed.stance <= max(state.stance, towards)
    assert (swayed.conviction, swayed.surrender) == (state.conviction, None)


def test_who_gave_up_is_no_bystander():
    state = State(stance=Decimal("-0.4"), conviction=Decimal("0.3"), surrender=Surrender.PERSUADED)
    rules = CLASSIC.with_options({"bystander_pull": "1"})

    assert persuasion_rules.swayed(state=state, towards=Decimal(1), surrenders=2, rules=rules) == state


def test_a_strategy_changes_from_the_planned_exchange_on():
    changes = ((2, Strategy.EMPATHETIC), (4, Strategy.ADAPTIVE))

    planned = [
        persuasion_rules.planned_strategy(strategy=Strategy.DEFENSIVE, changes=changes, exchange=number)
        for number in range(6)
    ]

    assert planned == ["defensive", "defensive", "empathetic", "empathetic", "adaptive", "adaptive"]


def after(stance, conviction, persuasion, attack, rules=CLASSIC):
    moved = persuasion_rules.update(
        state=persuasion_rules.starting(stance=stance, conviction=conviction),
        persuasion=Decimal(persuasion),
        attack=Decimal(attack),
        rules=rules,
    )
    return str(moved.stance), str(moved.conviction)


@pytest.mark.parametrize(
    ("start", "effect", "classic", "firm"),
    [
        pytest.param((".8", ".7"), (".8", "0"), ("0.742400", "0.595000"), ("0.761600", "0.630000"), id="persuaded"),
        pytest.param((".8", ".7"), (".6", "0"), ("0.800000", "0.700000"), ("0.771200", "0.630000"), id="0.6 exactly"),
        pytest.param((".8", ".7"), (".5", "0"), ("0.800000", "0.700000"), ("0.800000", "0.700000"), id="0.5 exactly"),
        pytest.param(("-.6", ".6"), (".9", "0"), ("-0.535200", "0.510000"), ("-0.556800", "0.540000"), id="opposed"),
        pytest.param((".8", ".7"), ("0", ".9"), ("0.854400", "0.770000"), ("0.854400", "0.770000"), id="attacked"),
        pytest.param((".8", ".7"), ("0", ".86"), ("0.800000", "0.700000"), ("0.800000", "0.700000"), id="0.3 exactly"),
        pytest.param((".8", ".3"), ("0", ".6"), ("0.857600", "0.330000"), ("0.857600", "0.330000"), id="unconvinced"),
        pytest.param((".8", ".95"), ("0", "1"), ("0.800000", "0.950000"), ("0.800000", "0.950000"), id="convinced"),
        pytest.param((".95", ".1"), ("0", "1"), ("1.000000", "0.110000"), ("1.000000", "0.110000"), id="stance ends"),
        pytest.param(("-.95", ".1"), ("0", "1"), ("-1.000000", "0.110000"), ("-1.000000", "0.110000"), id="at -1 too"),
        pytest.param((".8", ".7"), (".8", "1"), ("0.807731", "0.654500"), ("0.828621", "0.693000"), id="both"),
        pytest.param(("0", ".5"), (".9", "0"), ("0.000000", "0.425000"), ("0.000000", "0.450000"), id="neutral"),
    ],
)
def test_a_response_moves_stance_and_conviction(start, effect, classic, firm):
    assert after(*start, *effect) == classic
    assert after(*start, *effect, rules=FIRM) == firm


def test_conviction_ends_at_one():
    resisting_nothing = CLASSIC.with_options({"attack_resistance": "0"})

    assert after("0.5", "0.95", "0", "1", rules=resisting_nothing) == ("0.600000", "1.000000")


@pytest.mark.parametrize(
    ("start", "persuasions", "rules", "expected"),
    [
        pytest.param((".8", ".45"), [".7"] * 9, CLASSIC, (2, "persuaded"), id="persuaded after two"),
        pytest.param(("-.6", ".6"), [".7"] * 9, CLASSIC, (3, "persuaded"), id="persuaded after three"),
        pytest.param((".8", ".3"), [".6"] * 2, CLASSIC, (2, None), id="a mean of exactly 0.6 persuades nobody"),
        pytest.param(("0", ".5"), [".7", ".1"], CLASSIC, (2, "wavering"), id="wavering"),
        pytest.param(("0", ".4"), [".1"], CLASSIC, (1, None), id="one entry is no history"),
        pytest.param((".2", ".4"), [".1"] * 2, CLASSIC, (2, None), id="a stance of exactly 0.2 does not waver"),
        pytest.param((".19", ".5"), [".1"] * 2, CLASSIC, (2, None), id="a conviction of exactly 0.5 does not waver"),
        pytest.param((".19", ".49"), [".1"] * 2, CLASSIC, (2, "wavering"), id="just below both wavers"),
        pytest.param((".8", ".7"), [".55"] * 9, CLASSIC, (3, "consecutive"), id="three in a row without any effect"),
        pytest.param((".8", ".7"), [".5"] * 9, CLASSIC, (9, None), id="0.5 exactly is not above 0.5"),
        pytest.param((".8", ".7"), [".55", ".55", ".5", ".55", ".55"], CLASSIC, (5, None), id="a row that is broken"),
        pytest.param((".8", ".9"), [".6"] * 9, CLASSIC, (3, "consecutive"), id="0.6 in a row"),
        pytest.param((".8", ".7"), [".7"] * 9, FIRM, (6, "consecutive"), id="firm holds out to the sixth"),
        pytest.param((".8", ".3"), [".7"] * 9, FIRM, (4, "persuaded"), id="firm is persuaded after four"),
        pytest.param((".09", ".29"), [".1"] * 9, FIRM, (4, "wavering"), id="firm wavers after four"),
        pytest.param((".8", "1"), [".61"] * 9, FIRM, (9, "consecutive"), id="firm gives in once conviction is low"),
    ],
)
def test_a_participant_surrenders_for_the_first_reason_that_applies(start, persuasions, rules, expected):
    states = persuasion_rules.play(
        state=persuasion_rules.starting(stance=start[0], conviction=start[1]),
        effects=[(Decimal(persuasion), Decimal(0)) for persuasion in persuasions],
        rules=rules,
    )

    surrender = states[-1].surrender
    assert (len(states), surrender) == (expected[0], None if expected[1] is None else Surrender(expected[1]))
    assert all(one.surrender is None for one in states[:-1])


@pytest.mark.parametrize(
    ("conviction", "persuasions", "rules", "expected"),
    [
        pytest.param("0.4", [".7"] * 2, CLASSIC, None, id="a conviction of exactly 0.4 is not persuaded"),
        pytest.param("0.399999", [".7"] * 2, CLASSIC, "persuaded", id="just below is"),
        pytest.param("0.25", [".61", ".9", ".9", ".9"], FIRM, None, id="firm: exactly 0.25 is not persuaded"),
        pytest.param("0.249999", [".65"] * 4, FIRM, None, id="firm: nor by a mean of exactly 0.65"),
        pytest.param("0.249999", [".65", ".65", ".65", ".66"], FIRM, "persuaded", id="firm: just more is enough"),
        pytest.param("0.4", [".61"] * 5, FIRM, None, id="firm: exactly 0.4 does not give in to five in a row"),
        pytest.param("0.399999", [".61"] * 5, FIRM, "consecutive", id="firm: just below does"),
        pytest.param("0.399999", [".6"] + [".61"] * 4, FIRM, None, id="firm: 0.6 exactly breaks the row"),
    ],
)
def test_the_limits_of_surrender_are_strict(conviction, persuasions, rules, expected):
    there = State(Decimal("0.8"), Decimal(conviction), numbers(*persuasions))

    assert persuasion_rules.surrendered(state=there, rules=rules) == expected


def test_without_a_history_nobody_surrenders():
    weak = State(Decimal(0), Decimal(0))

    assert persuasion_rules.surrendered(state=weak, rules=CLASSIC) is None
    assert persuasion_rules.surrendered(state=weak, rules=FIRM) is None


def test_who_has_surrendered_is_moved_no_more():
    gone = State(Decimal(0), Decimal("0.4"), surrender=Surrender.WAVERING)

    with pytest.raises(Invalid, match="surrendered"):
        persuasion_rules.update(state=gone, persuasion=Decimal(0), attack=Decimal(0), rules=CLASSIC)


def test_histories_keep_the_last_ten():
    told = [Decimal(number) / 100 for number in range(12)]
    states = persuasion_rules.play(
        state=persuasion_rules.starting(stance="0.9", conviction="1"),
        effects=[(one, one) for one in told],
        rules=CLASSIC,
    )

    assert states[-1].persuasions == states[-1].attacks == tuple(told[-10:])


@pytest.mark.parametrize(
    ("stance", "conviction", "field"),
    [("1.01", "0.5", "stance"), ("-1.01", "0.5", "stance"), ("0", "1.01", "conviction"), ("0", "-0.01", "conviction")],
)
def test_a_start_outside_its_limits_is_refused_by_name(stance, conviction, field):
    with pytest.raises(OutOfRange, match=field):
        persuasion_rules.starting(stance=stance, conviction=conviction)


@pytest.mark.parametrize(
    ("persuasion", "attack", "field"),
    [(Decimal("1.01"), Decimal(0), "persuasion"), (Decimal("-0.01"), Decimal(0), "persuasion"),
     (Decimal(0), Decimal("1.01"), "attack"), (0.5, Decimal(0), "persuasion"), (Decimal(0), 0.5, "attack"),
     (Decimal("NaN"), Decimal(0), "persuasion")],
)  # fmt: skip
def test_an_effect_outside_its_limits_is_refused_by_name(persuasion, attack, field):
    with pytest.raises(DomainError, match=f"^{field} must be a number from 0 to 1"):
        persuasion_rules.update(
            state=persuasion_rules.starting(stance="0", conviction="0.5"),
            persuasion=persuasion,
            attack=attack,
            rules=CLASSIC,
        )


@given(STARTS, EFFECTS, RULES)
def test_stance_and_conviction_stay_inside_their_limits(start, effects, rules):
    for one in persuasion_rules.play(state=start, effects=effects, rules=rules):
        assert -1 <= one.stance <= 1
        assert 0 <= one.conviction <= 1
        assert one.stance == round(one.stance, 6)
        assert one.conviction == round(one.conviction, 6)


@given(STARTS, EFFECTS, RULES)
def test_nobody_changes_sides(start, effects, rules):
    for one in persuasion_rules.play(state=start, effects=effects, rules=rules):
        assert one.stance * start.stance >= 0


@given(STARTS, EFFECTS, RULES)
def test_playing_on_from_any_state_gives_the_same(start, effects, rules):
    whole = persuasion_rules.play(state=start, effects=effects, rules=rules)
    half = whole[: len(whole) // 2]

    rest = persuasion_rules.play(state=half[-1] if half else start, effects=effects[len(half) :], rules=rules)

    assert [*half, *rest] == whole


@given(STARTS, st.tuples(SHARES, SHARES))
def test_one_response_never_makes_anybody_surrender(start, effect):
    assert persuasion_rules.play(state=start, effects=[effect], rules=CLASSIC)[0].surrender is None
