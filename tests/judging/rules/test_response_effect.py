"""What a response does to a listener, read from its words."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.rules import persuasion as persuasion_rules
from judging.rules.persuasion import Factors, Listener, ResponseEffect, Strategy, WordLists
from scoring.errors import NotANumber, NotExact, OutOfRange, UnknownKey
from tests.judging.rules.strategies import SHARES, STANCES, numbers

SURE = Listener(stance=Decimal("0.8"), conviction=Decimal("0.7"))
NOTHING = ResponseEffect(Decimal(0), Decimal(0), Decimal(0))


@pytest.mark.parametrize(
    ("text", "persuasion", "attack", "evidence"),
    [
        pytest.param("However, consider the data", "0.6", "0", "0.35", id="two persuasion words and one of evidence"),
        pytest.param("You are wrong and mistaken", "0", "0.8", "0", id="two attack words"),
        pytest.param("A contribution to a database is a case study", "0", "0", "0.35", id="whole words only"),
        pytest.param("But, but, BUT!", "0.3", "0", "0", id="a word counts once, whatever its case"),
        pytest.param("However, consider: but understand", "1", "0", "0", id="no more than 1"),
        pytest.param("wrong, flawed and incorrect", "0", "1", "0", id="no more than 1 for attacks"),
        pytest.param("research data study evidence", "0", "0", "1", id="no more than 1 for evidence"),
        pytest.param("think about it", "0.3", "0", "0", id="a phrase"),
        pytest.param("Think\n  about it", "0.3", "0", "0", id="a phrase across lines"),
        pytest.param("I think it is about time", "0", "0", "0", id="a phrase torn apart"),
        pytest.param("rethink about", "0", "0", "0", id="a phrase inside a word"),
        pytest.param("data_set, metadata", "0", "0", "0", id="an underscore is part of a word"),
        pytest.param("data-driven; 'evidence'", "0", "0", "0.7", id="punctuation ends a word"),
        pytest.param("", "0", "0", "0", id="nothing said"),
    ],
)
def test_words_have_effects(text, persuasion, attack, evidence):
    effect = persuasion_rules.from_words(text=text)

    assert (effect.persuasion, effect.attack, effect.evidence) == numbers(persuasion, attack, evidence)


def test_word_lists_can_be_extended():
    longer = WordLists().extended(persuasion=["granted", " BUT "], attack=["nonsense"], evidence=["c++ survey", ""])

    effect = persuasion_rules.from_words(text="Granted, but the C++ survey is nonsense", words=longer)

    assert effect == ResponseEffect(Decimal("0.6"), Decimal("0.4"), Decimal("0.35"), persuasion_words=2)
    assert len(longer.persuasion) == 6


@given(st.text(max_size=200))
def test_any_text_has_effects_from_0_to_1(text):
    effect = persuasion_rules.from_words(text=text)

    assert all(0 <= value <= 1 for value in (effect.persuasion, effect.attack, effect.evidence))


@pytest.mark.parametrize(
    ("strategy", "listener", "evidence", "expected"),
    [
        pytest.param("aggressive", ("0.8", "0.49"), "0", True, id="aggression against little conviction"),
        pytest.param("aggressive", ("0.8", "0.5"), "0", False, id="aggression against half conviction"),
        pytest.param("empathetic", ("-0.29", "0.9"), "0", True, id="empathy for the undecided"),
        pytest.param("empathetic", ("0.3", "0.1"), "0", False, id="empathy for the decided"),
        pytest.param("analytical", ("0.8", "0.9"), "0.35", True, id="analysis with evidence"),
        pytest.param("analytical", ("0.1", "0.1"), "0", False, id="analysis without evidence"),
        pytest.param("defensive", ("0.1", "0.1"), "1", False, id="defence never"),
        pytest.param(None, ("0.1", "0.1"), "1", False, id="none never"),
    ],
)
def test_a_strategy_suits_or_not(strategy, listener, evidence, expected):
    suits = persuasion_rules.suits(
        strategy=strategy and Strategy(strategy), listener=Listener(*numbers(*listener)), evidence=Decimal(evidence)
    )

    assert suits is expected


@pytest.mark.parametrize(
    ("effect", "strategy", "earned", "expected"),
    [
        pytest.param(NOTHING, "defensive", [], "0", id="nothing"),
        pytest.param(ResponseEffect(*numbers("0.6", "0", "0"), 2), "defensive", [], "0.6", id="words alone"),
        pytest.param(
            ResponseEffect(*numbers("0.3", "0", "0.35"), 1), "defensive", [], "0.405", id="words and evidence"
        ),
        pytest.param(
            ResponseEffect(*numbers("0.3", "0", "0.35"), 1), "analytical", [], "0.605", id="and a suiting strategy"
        ),
        pytest.param(
            ResponseEffect(*numbers("0.3", "0", "0.35"), 1),
            "analytical",
            ["0.5", "0.6"],
            "0.715",
            id="and a reputation",
        ),
        pytest.param(NOTHING, "defensive", ["0", "0", "1"], "0.066667", id="a third, half up"),
        pytest.param(ResponseEffect(*numbers("1", "0", "1"), 5), "analytical", ["1"], "1", id="no more than 1"),
    ],
)
def test_factors_make_up_persuasion(effect, strategy, earned, expected):
    persuasion = persuasion_rules.weighted_persuasion(
        effect=effect, factors=Factors(), strategy=Strategy(strategy), listener=SURE, earned=numbers(*earned)
    )

    assert persuasion == Decimal(expected)


@pytest.mark.parametrize("name", ["base", "strategy", "evidence", "social"])
def test_every_factor_has_an_effect(name):
    def persuasion(factors):
        return persuasion_rules.weighted_persuasion(
            effect=ResponseEffect(*numbers("0.3", "0", "0.35"), 1),
            factors=factors,
            strategy=Strategy.ANALYTICAL,
            listener=SURE,
            earned=numbers("0.5"),
        )

    assert persuasion(Factors.of({name: "0.01"})) < persuasion(Factors())


def test_factors_survive_their_snapshot():
    factors = Factors.of({"base": "0.1", "social": "0"})

    assert factors.snapshot() == {"base": "0.1", "strategy": "0.2", "evidence": "0.3", "social": "0"}
    assert Factors.of(factors.snapshot()) == factors


@pytest.mark.parametrize(
    ("mapping", "refusal"),
    [
        ({"bias": "0.1"}, UnknownKey),
        ({"base": "1.01"}, OutOfRange),
        ({"base": "-0.1"}, OutOfRange),
        ({"base": "much"}, NotANumber),
        ({"base": 0.5}, NotExact),
        (["base"], OutOfRange),
        (None, OutOfRange),
    ],
)
def test_a_factor_that_does_not_fit_is_refused(mapping, refusal):
    with pytest.raises(refusal):
        Factors.of(mapping)


@pytest.mark.parametrize(
    ("conviction", "opponents", "expected"),
    [
        pytest.param("0.71", [("0", "0.1")], "defensive", id="the convinced defend"),
        pytest.param("0.7", [("0.9", "0.49")], "aggressive", id="a weak opponent is attacked"),
        pytest.param("0.7", [("0.19", "0.5")], "empathetic", id="an undecided opponent is understood"),
        pytest.param("0.7", [("-0.19", "0.5")], "empathetic", id="undecided on the other side"),
        pytest.param("0.7", [("0.2", "0.5")], "analytical", id="a decided opponent is argued with"),
        pytest.param("0.7", [("0", "0.9"), ("0.9", "0.6")], "analytical", id="the weakest decides"),
        pytest.param("0.7", [("0.9", "0.6"), ("0", "0.6")], "empathetic", id="of equals the most neutral"),
        pytest.param("0.7", [], "analytical", id="nobody is left"),
    ],
)
def test_the_adaptive_strategy_looks_at_who_is_there(conviction, opponents, expected):
    there = [Listener(*numbers(*opponent)) for opponent in opponents]

    for order in (there, there[::-1]):
        chosen = persuasion_rules.chosen_strategy(
            strategy=Strategy.ADAPTIVE, conviction=Decimal(conviction), opponents=order
        )
        assert chosen is Strategy(expected)


@pytest.mark.parametrize("strategy", [one for one in Strategy if one is not Strategy.ADAPTIVE])
def test_a_fixed_strategy_stays(strategy):
    assert persuasion_rules.chosen_strategy(strategy=strategy, conviction=Decimal(1), opponents=[]) is strategy


@given(
    st.builds(ResponseEffect, SHARES, SHARES, SHARES, st.integers(0, 5)),
    st.sampled_from(Strategy),
    st.builds(Listener, STANCES, SHARES),
    st.lists(SHARES, max_size=5),
)
def test_persuasion_by_factors_stays_between_0_and_1(effect, strategy, listener, earned):
    persuasion = persuasion_rules.weighted_persuasion(
        effect=effect, factors=Factors(), strategy=strategy, listener=listener, earned=earned
    )

    assert 0 <= persuasion <= 1
