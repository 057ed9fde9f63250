"""How a text is written down moves no score: stops, capitals, order, headings, repetition, lines, quotation marks."""

from decimal import Decimal
from statistics import mean

import pytest

from tests.judging.heuristics.reading.material import NO_GAIN, SAME, UNRELATED, paraphrases, scores, texts

MOST = Decimal("0.1")
TEXTS = sorted(texts())


def test_there_are_twelve_texts_and_as_many_ways_at_least():
    assert len(TEXTS) >= 12
    assert len(SAME) >= 12
    assert len(NO_GAIN) >= 12


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_that_is_written_otherwise_keeps_every_score(name):
    text = texts()[name]
    moved = {way: most_moved(text, change(text)) for way, change in SAME.items()}

    assert {way: most for way, most in moved.items() if most > MOST} == {}


@pytest.mark.parametrize("name", TEXTS)
def test_no_way_to_please_the_judge_raises_the_mean(name):
    text = texts()[name]
    gains = {way: mean(scores(change(text))) - mean(scores(text)) for way, change in NO_GAIN.items()}

    assert {way: gain for way, gain in gains.items() if gain > Decimal("0.15")} == {}


@pytest.mark.parametrize("name", TEXTS)
def test_sentences_about_nothing_in_the_text_hardly_raise_the_mean(name):
    text = texts()[name]
    gains = [mean(scores(f"{text}\n\n{unrelated}")) - mean(scores(text)) for unrelated in UNRELATED]

    assert max(gains) <= Decimal("0.3")


def test_other_words_for_the_same_move_a_criterion_by_less_than_half_a_point():
    shifts = [list(map(abs, map(Decimal.__sub__, *map(scores, pair)))) for pair in paraphrases()]

    assert len(shifts) >= 24
    assert max(map(mean, zip(*shifts, strict=True))) < Decimal("0.5")


def most_moved(text, other):
    return max(abs(one - two) for one, two in zip(scores(text), scores(other), strict=True))
