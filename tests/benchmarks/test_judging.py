"""The figures about the offline judge, measured again; and the numbers they are made with."""

from fractions import Fraction

import pytest

from benchmarks.judging import numbers, page, passages


def test_the_page_and_the_kept_figures_are_what_is_measured():
    kept = page.figures()
    text = page.PAGE.read_text(encoding="utf-8")

    assert kept["passages"] == passages.measure()
    assert page.written(text=text, kept=kept) == text


def test_there_are_enough_passages_of_every_kind_and_most_are_held_out():
    every = passages.passages()

    assert len(every) >= 60
    assert sum(1 for one in every if not one.tuned) > len(every) / 2
    assert {one.wanted["steel"] for one in every} == set(passages.LEVELS)
    assert {one.wanted["critique"] for one in every} == set(passages.LEVELS)
    assert {code for one in every for code in one.wanted["issues"]} == set(passages.CODES)
    assert len({one.text for one in every}) == len(every)


@pytest.mark.parametrize("dimension", ["steel", "critique"])
def test_on_what_was_held_out_the_marks_find_more_than_any_pattern(dimension):
    held = page.figures()["passages"]["held_out"]["rows"]
    right = {one["by"]: one["right"] for one in held if one["dimension"] == dimension}

    assert right["marks"] > max(right["first patterns"], right["later patterns"])


def test_what_is_found_is_counted():
    counted = numbers.found([(True, True), (True, False), (False, True), (False, False), (True, True)])

    assert (counted.precision, counted.recall) == (Fraction(2, 3), Fraction(2, 3))
    assert numbers.found([(False, False)]).precision is None


@pytest.mark.parametrize(
    ("one", "other", "rho"),
    [
        pytest.param([1, 2, 3], [10, 20, 30], 1.0, id="the same order"),
        pytest.param([1, 2, 3], [3, 2, 1], -1.0, id="the other way about"),
        pytest.param([1, 1, 2], [5, 5, 9], 1.0, id="ties in both"),
        pytest.param([1, 2, 3, 4], [1, 3, 2, 4], 0.8, id="two changed places"),
        pytest.param([1, 1, 1], [1, 2, 3], None, id="nothing to order"),
    ],
)
def test_rankings_are_compared(one, other, rho):
    assert numbers.spearman(one, other) == (None if rho is None else pytest.approx(rho))


def test_the_area_is_how_often_what_is_there_scores_higher():
    assert numbers.area([3, 1, 2, 2], [True, False, True, False]) == pytest.approx(0.875)
    assert numbers.area([1, 1, 1, 1], [True, False, True, False]) == pytest.approx(0.5)
