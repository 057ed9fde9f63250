"""The shipped subjects and rubrics, and how the heuristic judge ranks them."""

from dataclasses import replace
from decimal import Decimal
from statistics import mean

import pytest

from judging import heuristics
from judging.types import CriterionCard
from tests.judging.heuristics.dry_run import card, cards, material, play, rubric, samples

EXCELLENT = ("vaccine-fridges", "log-redaction", "street-heat", "soil-probes")
MIDDLING = ("pavement-ledger", "empty-return", "maths-resits")
POOR = ("drone-salad", "lifeverse")


def first_impression(name):
    text = samples()[name][1]
    return mean(Decimal(heuristics.assess(material(text, card))["score"]) for card in cards())


def test_there_are_at_least_eight_subjects_and_each_begins_with_its_title():
    assert len(samples()) >= 8
    assert all(title and text for title, text in samples().values())


def test_the_good_subjects_are_long_enough_to_debate():
    assert all(500 <= len(samples()[name][1].split()) <= 1200 for name in EXCELLENT)


def test_the_venture_rubric_has_five_criteria_in_each_of_its_six_categories():
    criteria = rubric()["criteria"]

    assert len({one["code"] for one in criteria}) == 30
    assert [sum(one["category"] == name for one in criteria) for name in rubric()["categories"]] == [5] * 6


@pytest.mark.parametrize("name", ["venture", "exhibition"])
def test_weights_of_criteria_add_up_to_their_category_and_categories_to_one(name):
    document = rubric(name)

    for category, weight in document["categories"].items():
        own = [Decimal(one["weight"]) for one in document["criteria"] if one["category"] == category]
        assert sum(own) == Decimal(weight)
    assert sum(map(Decimal, document["categories"].values())) == 1


def test_good_subjects_score_above_middling_ones_and_those_above_poor_ones():
    good, middling, poor = (sorted(map(first_impression, names)) for names in (EXCELLENT, MIDDLING, POOR))

    assert good[0] > middling[-1]
    assert middling[0] > poor[-1]


def test_the_debate_keeps_the_ranking_and_widens_it():
    def outcome(name):
        return mean(play(samples()[name][1], card).final for card in cards())

    best, worst = outcome("vaccine-fridges"), outcome("lifeverse")

    assert best - worst > first_impression("vaccine-fridges") - first_impression("lifeverse") > Decimal("3.5")


def test_scores_of_one_good_subject_are_spread_over_its_criteria():
    text = samples()["street-heat"][1]
    scores = [Decimal(heuristics.assess(material(text, card))["score"]) for card in cards()]

    assert max(scores) - min(scores) > 2
    assert len(set(scores)) > 20


def test_a_rubric_of_ones_own_is_judged_from_its_own_words():
    show = (
        "Three tactile copies for blind visitors were made by the Arden workshop for 900 euros, captions come in four "
        "languages, and all labels hang at 95 cm, tested with 6 wheelchair users on 3 June.\n\n"
        "The rest is decided later."
    )

    scores = {card.code: Decimal(heuristics.assess(material(show, card))["score"]) for card in cards("exhibition")}

    assert scores["V2"] > 5
    assert scores["V2"] == max(scores.values())


def test_a_criterion_of_ones_own_may_have_a_code_of_the_venture_rubric():
    own = CriterionCard("M5", "Acoustics", "hall", "Can the last row hear a whisper?", "It can.", "It cannot.")
    timing = "Since 3 May 2025 a decree of the Arden council makes it a duty, because the law has changed."

    assert heuristics.assess(material(timing, own)) == heuristics.assess(material(timing, replace(own, code="X1")))
    assert heuristics.assess(material(timing, own)) != heuristics.assess(material(timing, card("M5")))
