"""What several judgements come to: worked numbers, and laws that hold whatever a judge says."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.rules import adherence, fairness
from judging.rules.fairness import Fairness, Place
from scoring.errors import NotANumber, OutOfRange, UnknownKey

D = Decimal


def places(*usual, swapped=()):
    """Single judgements by place: those in the usual order, and those in the other."""
    return {
        **{Place(False, at): value for at, value in enumerate(usual, start=1)},
        **{Place(True, at): value for at, value in enumerate(swapped, start=1)},
    }


@pytest.mark.parametrize(
    ("usual", "swapped", "value", "spread"),
    [
        pytest.param(["2"], [], "2.00", "0", id="one judgement is itself"),
        pytest.param(["2"], ["-1"], "0.50", "3", id="two orders: the mean"),
        pytest.param(["1", "3", "2"], [], "2.00", "2", id="three in one order: the median"),
        pytest.param(["0", "3", "3"], ["1", "1", "-3"], "2.00", "6", id="both: the mean of the medians"),
        pytest.param(["0.01"], ["0.02"], "0.02", "0.01", id="a half is rounded up"),
        pytest.param(["-0.01"], ["-0.02"], "-0.02", "0.01", id="away from nothing"),
    ],
)
def test_what_counts_is_the_mean_of_the_medians_of_the_orders(usual, swapped, value, spread):
    made = fairness.found(judgements=places(*map(D, usual), swapped=map(D, swapped)))

    assert (made.value, made.spread) == (D(value), D(spread))


@pytest.mark.parametrize(
    ("chosen", "refused", "told"),
    [
        pytest.param({"repeats": 2}, OutOfRange, "one of 1, 3, 5", id="an even number has no middle"),
        pytest.param({"repeats": 7}, OutOfRange, "one of 1, 3, 5", id="too many"),
        pytest.param({"repeats": True}, NotANumber, "one of 1, 3, 5", id="true is no number"),
        pytest.param({"swap": "yes"}, OutOfRange, "swap must be true or false", id="a word for true"),
        pytest.param({"blind": True}, UnknownKey, "allowed: blind_names, repeats, swap", id="an unknown option"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(chosen, refused, told):
    with pytest.raises(refused, match=told):
        Fairness.from_options(chosen)


def test_swap_and_repeats_multiply():
    wanted = Fairness(swap=True, repeats=3)

    assert (wanted.judgements, len(set(wanted.places)), wanted.several) == (6, 6, True)
    assert Fairness.from_options(wanted.snapshot()) == wanted
    assert not fairness.of({"fairness": Fairness().snapshot()}).several


def rulings(*usual, swapped=()):
    def ruled(text):
        sign = D(text)
        who = "draw" if not sign else "evaluator" if sign > 0 else "red_team"
        return who, {"adjustment": sign}

    return {place: ruled(text) for place, text in places(*usual, swapped=swapped).items()}


@pytest.mark.parametrize(
    ("given_", "won", "adjustment", "flipped"),
    [
        pytest.param(rulings("1", swapped=["2"]), "evaluator", "1.50", False, id="both orders agree"),
        pytest.param(rulings("2", swapped=["-2"]), "draw", "0.00", True, id="both orders cancel out"),
        pytest.param(rulings("2", swapped=["-1"]), "evaluator", "0.50", True, id="the sign of the mean decides"),
        pytest.param(rulings("2", swapped=["0"]), "evaluator", "1.00", True, id="a draw in one order is a flip"),
        pytest.param(rulings("-1", "-2", "3"), "red_team", "-1.00", None, id="one order cannot flip"),
        pytest.param(rulings("-1", "0", "3"), "draw", "0.00", None, id="three winners: the median decides"),
    ],
)
def test_who_wins_by_several_rulings(given_, won, adjustment, flipped):
    winner, made = fairness.verdict(judgements=given_)

    assert (winner, made.numbers["adjustment"], made.flipped) == (won, D(adjustment), flipped)


def four(steel, critique="15", fits="20", candid="20"):
    return dict(zip(fairness.MARKS, map(D, (steel, critique, fits, candid)), strict=True))


@pytest.mark.parametrize(
    ("other", "flipped"),
    [
        pytest.param(four("24"), False, id="both strong"),
        pytest.param(four("19.99"), True, id="strong and adequate"),
        pytest.param(four("20", fits="14.99"), True, id="a break that would be major"),
        pytest.param(four("20", candid="7"), True, id="another honesty"),
    ],
)
def test_marks_flip_when_one_is_called_otherwise(other, flipped):
    made = fairness.marks(judgements={Place(): four("20"), Place(True): other})

    assert made.flipped is flipped
    assert made.spread == abs(sum(other.values()) - 75)


def test_a_score_flips_when_the_orders_are_more_than_a_point_apart():
    assert fairness.score(judgements=places(D(3), swapped=[D(4)])).flipped is False
    assert fairness.score(judgements=places(D(3), swapped=[D("4.01")])).flipped is True


def test_an_effect_flips_when_its_persuasion_falls_into_another_band():
    one, two, three = ({"persuasion": D(text), "attack": D(0), "evidence": D(0)} for text in ("0.41", "0.59", "0.6"))

    assert fairness.effect(judgements={Place(): one, Place(True): two}).flipped is False
    assert fairness.effect(judgements={Place(): one, Place(True): three}).flipped is True


def test_the_words_of_the_nearest_judgement_stand_for_all_and_of_the_first_where_two_are_as_near():
    given_ = places(D("3"), D("1"), swapped=[D("2")])

    assert fairness.nearest(judgements=given_, to=D("2.1")) == Place(True, 1)
    assert fairness.nearest(judgements=given_, to=D("1.5")) == Place(False, 2)


def test_agreed_marks_are_those_of_a_single_judge():
    together = fairness.marks(judgements={Place(): four("20", critique="10", fits="24", candid="5")})

    made = fairness.agreed_marks(together, violations=2)

    assert made == adherence.Marks(
        steel_manning=D(20), self_critique=D(10), consistency=D(24), honesty=D(5), violations=2
    )


NUMBERS = st.decimals(-3, 3, places=2)


@given(st.sampled_from([1, 3, 5]).flatmap(lambda k: st.tuples(*[st.lists(NUMBERS, min_size=k, max_size=k)] * 2)))
def test_what_counts_lies_between_the_single_judgements_and_their_order_is_nothing_to_it(given_):
    usual, swapped = given_
    made = fairness.found(judgements=places(*usual, swapped=swapped))
    again = fairness.found(judgements=places(*reversed(swapped), swapped=usual))

    assert min(usual + swapped) <= made.value <= max(usual + swapped)
    assert (again.value, again.spread) == (made.value, made.spread)
