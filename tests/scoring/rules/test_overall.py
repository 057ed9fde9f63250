"""The overall score: means of categories, weighted over the categories that are there."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import OutOfRange
from scoring.rules import overall
from tests.scoring.rules.strategies import SCORES, decimals, float_test

CATEGORIES = st.dictionaries(
    st.sampled_from("abcdef"),
    st.builds(overall.Category, decimals("0.01", "1"), st.lists(SCORES, max_size=4)),
    max_size=6,
)


def category(weight, *scores):
    return overall.Category(Decimal(weight), [Decimal(score) for score in scores])


def test_categories_are_averaged_and_weighted():
    sums = overall.overall(categories={"problem": category("0.6", "7", "8"), "risk": category("0.4", "5")})

    assert sums == overall.Overall(
        score=Decimal("6.50"),
        coverage=Decimal(1),
        means={"problem": Decimal("7.5"), "risk": Decimal(5)},
        recommendation=overall.Recommendation.REFINE,
        band=overall.Band.PROMISING,
    )


def test_a_category_without_scores_gives_its_weight_to_the_others():
    sums = overall.overall(categories={"problem": category("0.85", "6"), "fit": category("0.15")})

    assert sums.score == 6
    assert sums.coverage == Decimal("0.85")
    assert sums.means == {"problem": Decimal(6), "fit": None}


@pytest.mark.parametrize("categories", [{}, {"all": category("1")}], ids=["no category", "no score"])
def test_nothing_scored_is_no_score(categories):
    sums = overall.overall(categories=categories)

    assert (sums.score, sums.coverage, sums.recommendation, sums.band) == (None, 0, None, None)


def test_thirds_are_rounded_once_at_the_end():
    sums = overall.overall(categories={"a": category("0.5", "7", "7", "7.01"), "b": category("0.5", "7", "7", "7.02")})

    assert sums.score == Decimal("7.01")


def test_weights_need_not_sum_to_one():
    sums = overall.overall(categories={"a": category("30", "4"), "b": category("10", "8")})

    assert (sums.score, sums.coverage) == (5, 1)


@pytest.mark.parametrize("weight", ["0", "-0.1"])
def test_a_weight_that_is_not_positive_is_refused_by_name(weight):
    with pytest.raises(OutOfRange, match="weight of risk"):
        overall.overall(categories={"risk": category(weight, "5")})


@pytest.mark.parametrize(
    ("score", "expected"),
    [("10", "pursue"), ("7", "pursue"), ("6.99", "refine"), ("5", "refine"), ("4.99", "pause"), ("4", "pause"),
     ("3.99", "abandon"), ("1", "abandon")],
)  # fmt: skip
def test_a_recommendation_begins_at_its_threshold(score, expected):
    assert overall.recommendation(score=Decimal(score)) == expected


@pytest.mark.parametrize(
    ("score", "expected"),
    [("8", "excellent"), ("7.99", "strong"), ("7.95", "strong"), ("7", "strong"), ("6.99", "promising"),
     ("6.93", "promising"), ("6", "promising"), ("5.99", "uncertain"), ("5", "uncertain"), ("4.99", "weak"),
     ("4", "weak"), ("3.99", "poor"), ("1", "poor")],
)  # fmt: skip
def test_a_band_begins_at_its_threshold_and_leaves_no_gap(score, expected):
    assert overall.band(score=Decimal(score)) == expected


def test_the_recommendation_is_read_from_the_rounded_score():
    sums = overall.overall(categories={"a": category("1", "6.99", "7")})

    assert (sums.score, sums.recommendation) == (7, overall.Recommendation.PURSUE)


@pytest.mark.parametrize(
    ("final", "strength", "weakness"),
    [("7", True, False), ("6.99", False, False), ("4.01", False, False), ("4", False, True)],
)
def test_strengths_and_weaknesses_include_their_thresholds(final, strength, weakness):
    assert overall.is_strength(final=Decimal(final)) is strength
    assert overall.is_weakness(final=Decimal(final)) is weakness


@pytest.mark.parametrize(
    ("won", "verdicts", "expected"), [(2, 3, Decimal("0.666667")), (0, 3, Decimal(0)), (3, 3, Decimal(1)), (0, 0, None)]
)
def test_survival_is_the_share_of_verdicts_won(won, verdicts, expected):
    assert overall.survival_rate(won=won, verdicts=verdicts) == expected


def test_confidence_is_the_mean_of_the_evaluations_own():
    assert overall.mean_confidence(confidences=[Decimal("0.7"), Decimal("0.65")]) == Decimal("0.68")
    assert overall.mean_confidence(confidences=[]) is None


test_a_float_is_refused = float_test(
    pytest.param(lambda: overall.overall(categories={"a": overall.Category(0.5, [])}), id="a weight"),
    pytest.param(lambda: overall.overall(categories={"a": overall.Category(Decimal(1), [5.0])}), id="a score"),
    pytest.param(lambda: overall.recommendation(score=7.0), id="a recommendation"),
    pytest.param(lambda: overall.band(score=7.0), id="a band"),
    pytest.param(lambda: overall.is_strength(final=7.0), id="a strength"),
    pytest.param(lambda: overall.is_weakness(final=7.0), id="a weakness"),
    pytest.param(lambda: overall.mean_confidence(confidences=[0.5]), id="a confidence"),
)


@given(CATEGORIES)
def test_the_overall_score_lies_between_its_scores(categories):
    scores = [score for one in categories.values() for score in one.scores]
    sums = overall.overall(categories=categories)

    assert (sums.score is None) is (not scores)
    assert not scores or min(scores) <= sums.score <= max(scores)
    assert 0 <= sums.coverage <= 1


@given(CATEGORIES, st.randoms())
def test_the_order_of_categories_and_scores_does_not_matter(categories, luck):
    codes = list(categories)
    luck.shuffle(codes)
    shuffled = {code: overall.Category(categories[code].weight, categories[code].scores[::-1]) for code in codes}

    assert overall.overall(categories=shuffled) == overall.overall(categories=categories)
