"""The arbiter introduces everybody, interjects in 30 to 75 words about one thing, and sums up what was said."""

from dataclasses import replace
from decimal import Decimal

import pytest

from judging.heuristics import debaters
from judging.rules import frameworks
from judging.rules.adherence import Violation
from judging.types import Position, Scene, Utterance
from tests.judging.heuristics.debaters.open_debate import MOTION, play, seats

PRESETS = sorted(frameworks.presets())


@pytest.mark.parametrize("preset", PRESETS)
def test_an_introduction_names_the_motion_everybody_and_the_rules(preset):
    text = debaters.introduce(Scene(motion=MOTION, chairs=seats(preset), exchanges=4))["text"]

    assert MOTION.rstrip(".") in text
    assert all(one.name in text for one in seats(preset))
    assert "4 exchanges" in text
    assert frameworks.accountability()["moderate"] in text


@pytest.mark.parametrize("violation", list(Violation))
@pytest.mark.parametrize("preset", PRESETS)
def test_an_interjection_has_30_to_75_words(preset, violation):
    for turn in play(preset, exchanges=2):
        text = debaters.interject(replace(turn.scene, response=turn.text, violation=violation.value))["text"]

        assert 30 <= len(text.split()) <= 75
        assert turn.scene.speaker in text


@pytest.mark.parametrize("violation", [*Violation, "unknown"])
@pytest.mark.parametrize("name", ["X", "A very long name that goes on and on and on for ever", "Ann Mary Lou Beth"])
@pytest.mark.parametrize("framework", ["", *sorted(frameworks.frameworks())])
def test_an_interjection_stays_short_whatever_the_names_and_claims(violation, name, framework):
    claim = "Every single word of this quite unusually verbose sentence counts as one of a great many more words. " * 2
    table = (Position(name, framework, Decimal(1), Decimal(1)), Position(name + "!", "", Decimal(1), Decimal(1)))
    for said in ((), (Utterance(name + "!", "opening", claim),), (Utterance(name + "!", "opening", "No."),)):
        scene = Scene(motion=MOTION, chairs=table, speaker=name, exchange=1, said=said, violation=str(violation))

        assert 30 <= len(debaters.interject(scene)["text"].split()) <= 75


def test_influence_is_weighed_for_everybody_who_still_listens():
    table = (*seats("three_way_ethics")[:2], replace(seats("three_way_ethics")[2], surrendered=True))
    response = "However, consider the data: you are wrong."

    made = debaters.influence(Scene(motion=MOTION, chairs=table, speaker="Mira", response=response))

    assert made == {"effects": [{"listener": "Konrad", "persuasion": "0.6", "attack": "0.4", "evidence": "0.35"}]}


RESULT = {"winner": "Mira", "victory": "narrow", "adherence": {"Mira": "71.50", "Otto": "64.00"}}


def summed(result, *, gone=()):
    turns = play("classic_clash")
    said = tuple(Utterance(one.scene.speaker, "response", one.text, one.scene.exchange) for one in turns)
    table = tuple(replace(one, surrendered=one.name in gone) for one in seats("classic_clash"))
    return debaters.sum_up(Scene(motion=MOTION, chairs=table, exchange=3, exchanges=3, said=said, result=result))


def test_the_end_is_told_with_winner_manner_and_fairness():
    assert summed(RESULT)["summary"] == (
        "After 3 exchanges, Mira stands highest at the table, a little ahead of the next. "
        "How fairly each treated the others, of 100: Mira 71.50 and Otto 64.00. It does not say who argued better."
    )


def test_fairness_is_told_of_those_who_were_judged_and_ranks_nobody():
    told = summed({**RESULT, "adherence": {"Otto": None, "Mira": "71.50"}})["summary"]

    assert told.endswith("of 100: Mira 71.50. It does not say who argued better.")


def test_nobody_wins_a_draw_and_whoever_gave_up_is_named():
    told = summed({"winner": None, "victory": "mutual_surrender"}, gone=("Mira", "Otto"))["summary"]

    assert told == "After 3 exchanges, nobody has won: everybody gave up. Mira and Otto gave up on the way."


def test_an_end_without_a_result_names_the_motion():
    assert summed({})["summary"] == f"The table has debated the motion: “{MOTION}”"


def test_an_end_before_the_first_exchange_counts_none_of_those_that_were_planned():
    scene = Scene(motion=MOTION, chairs=(), exchange=0, exchanges=3, result={"exercise": True, "victory": "narrow"})

    assert debaters.sum_up(scene)["summary"] == f"The table has debated the motion: “{MOTION}”"


def test_what_was_taken_up_and_what_stayed_open_is_quoted():
    told = summed(RESULT)

    assert told["agreements"]
    assert told["open_questions"]
    assert all("“" in line for line in (*told["agreements"], *told["disagreements"], *told["open_questions"]))


def test_only_who_speaks_later_takes_something_up():
    first = "When the market street was closed, neighbours stopped to talk there."
    answer = "Tomas is right that neighbours stopped to talk there when the market street was closed."
    table = (Position("Lena", "", Decimal(0), Decimal(1)), Position("Tomas", "", Decimal(0), Decimal(1)))
    said = (Utterance("Tomas", "opening", first), Utterance("Lena", "response", answer, 1))

    told = debaters.sum_up(Scene(motion=MOTION, chairs=table, exchange=1, exchanges=1, said=said, result=RESULT))

    assert told["agreements"] == [f"Lena took up what Tomas said: “{first}”"]
    assert told["disagreements"] == []  # nobody could answer the last word


def test_what_was_taken_up_once_and_is_said_again_is_not_called_unheard():
    first = "When the market street was closed, neighbours stopped to talk there."
    answer = "Tomas is right that neighbours stopped to talk there when the market street was closed."
    table = (Position("Lena", "", Decimal(0), Decimal(1)), Position("Tomas", "", Decimal(0), Decimal(1)))
    said = (
        Utterance("Tomas", "opening", first),
        Utterance("Lena", "response", answer, 1),
        Utterance("Tomas", "response", first, 1),
    )

    told = debaters.sum_up(Scene(motion=MOTION, chairs=table, exchange=1, exchanges=1, said=said, result=RESULT))

    assert f"Lena took up what Tomas said: “{first}”" in told["agreements"]
    assert not any(first in line for line in told["disagreements"])
