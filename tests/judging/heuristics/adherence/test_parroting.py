"""Whoever gives a view back and then says something that has nothing to do with it has parroted it."""

from decimal import Decimal

import pytest

from judging.heuristics import adherence
from tests.judging.heuristics.adherence.responses import KONRAD, MIRA, scene

STEEL_MAN = (
    "Mira argues that newborns and people in chemotherapy cannot be vaccinated themselves and depend on those around "
    "them. She is right that a vaccinated nurse passes it on half as often, and that a voluntary campaign reached only "
    "six nurses in ten. "
)
ADMISSION = " I admit that my view lacks an answer for the patient who dies on the ward of a nurse who refused."
NONSENSE = [
    "The moon is made of cheese and therefore liberty is cheese.",
    "However, the moon is made of cheese and therefore liberty is cheese.",
    "But colourless green ideas sleep furiously, so bananas ought to dance.",
    "Yet whoever counts the stars must pay the piper, because the sea is salt.",
]
HONEST = [
    "Mira is right that newborns depend on those around them. But masks and paid sick leave protect the ward, too.",
    "Mira reminds us of the newborns who depend on the vaccinated. But a rule that breaks trust is paid for later.",
    (
        "The campaign reached six nurses in ten, as Mira says, and newborns cannot be vaccinated themselves. Pay for "
        "the sick days first, and see how many nurses come forward without being forced."
    ),
]


def given(text, **kwargs):
    return adherence.evaluate(scene(text, **kwargs))


def total(text, **kwargs):
    return sum(Decimal(mark["score"]) for mark in given(text, **kwargs).values())


@pytest.mark.parametrize("nonsense", NONSENSE)
@pytest.mark.parametrize("honest", HONEST, ids=["two sentences", "one claim", "told without a cue"])
def test_an_honest_answer_beats_a_perfect_steel_man_that_is_left_for_nonsense(nonsense, honest):
    assert total(honest) > total(STEEL_MAN + nonsense + ADMISSION)
    assert total(honest + ADMISSION) > total(STEEL_MAN + nonsense + ADMISSION) + 10


@pytest.mark.parametrize("nonsense", NONSENSE)
def test_a_view_that_is_told_for_show_is_no_steel_man_and_its_speaker_evades(nonsense):
    marks = given(STEEL_MAN + nonsense)

    assert Decimal(marks["steel_manning"]["score"]) < 8
    assert marks["steel_manning"]["notes"].endswith("Goes on about something else, so that the view was told for show.")
    assert marks["honesty"]["issues"] == ["evasion"]
    assert marks["honesty"]["quotes"] == [nonsense]


def test_a_view_that_is_told_and_not_answered_is_worth_less_than_one_that_is():
    answered = f"{STEEL_MAN}However, masks and paid sick leave protect the ward, too."

    assert total(STEEL_MAN) < total(answered)
    assert "Answers nothing of it." in given(STEEL_MAN)["steel_manning"]["notes"]


@pytest.mark.parametrize(("speaker", "theirs"), [("Konrad", MIRA), ("Mira", KONRAD)])
@pytest.mark.parametrize("introduced", ["", "Let us see. "])
def test_what_the_answered_text_says_word_for_word_answers_nothing_of_it(speaker, theirs, introduced):
    marks = given(introduced + theirs.upper(), speaker=speaker)

    assert Decimal(marks["steel_manning"]["score"]) <= 17
    assert marks["steel_manning"]["notes"].endswith("Answers nothing of it.")
    assert Decimal(marks["honesty"]["score"]) <= 19


@pytest.mark.parametrize("honest", HONEST)
def test_an_honest_answer_with_a_limit_beats_a_copy_of_an_answer_with_one(honest):
    theirs = f"{KONRAD} I admit that our view costs lives: newborns die, and the campaign failed."

    copied = given(theirs, speaker="Mira", said=theirs)

    assert not copied["self_critique"]["attempted"]
    assert total(honest + ADMISSION) > total(theirs, speaker="Mira", said=theirs) + 10


def test_who_says_again_what_an_opponent_copied_still_answers():
    words = "We owe each nurse reasons, and a refusal must remain possible."
    marks = given(f"Mira says that newborns depend on those around them. {words}", said=f"{MIRA} {words}")

    assert marks["steel_manning"]["notes"] == "Gives back one main claim of Mira."


def test_a_copy_that_is_answered_is_an_answer():
    marks = given(f"{MIRA} But masks and paid sick leave protect the ward, too.")

    assert marks["steel_manning"]["score"] == "22.00"


def test_without_is_no_denial_of_what_was_said_before():
    """Konrad has said that masks and paid sick leave protect the ward without touching anybody's body."""
    assert given("Masks and paid sick leave protect the ward, and nurses wear them.")["honesty"]["issues"] != [
        "moving_goalposts"
    ]
