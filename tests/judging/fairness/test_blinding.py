"""Judges see labels; names that speakers use, and labels that they invent, do not help them."""

from dataclasses import replace
from decimal import Decimal

import pytest

from judging.formats.open import parsing, prompts
from judging.formats.open.parsing import WeighedEffect
from judging.heuristics import adherence
from judging.rules.adherence import Marks
from judging.types import Position, Scene, Utterance
from tests.judging.formats.open.scripts import marks

MIRA, KONRAD = "Mira Holm", "Konrad Will"
RESPONSE = "As Mira says, wards must be safe. KONRAD's  worry will stay: the nurse is asked, says Mira Holm."


def scene(response=RESPONSE, *said, names=(MIRA, KONRAD)):
    chairs = tuple(Position(name, "", Decimal(0), Decimal("0.5")) for name in names)
    heard = (Utterance(MIRA, "opening", "I am Mira."), *(Utterance(MIRA, "opening", one) for one in said))
    return Scene(motion="Mira Holm's motion", chairs=chairs, speaker=KONRAD, said=heard, response=response, exchange=1)


def all_words(shown):
    return "\n".join(
        [shown.motion, shown.speaker, shown.response, *(f"{one.speaker} {one.text}" for one in shown.said)]
    )


def test_nobody_is_named_and_everyday_words_stay():
    shown = prompts.blinded(scene())

    assert "mira" not in all_words(shown).lower()
    assert "konrad" not in all_words(shown).lower()
    assert shown.response == (
        "As Speaker A says, wards must be safe. Speaker B's  worry will stay: the nurse is asked, says Speaker A."
    )
    assert [one.name for one in shown.chairs] == ["Speaker A", "Speaker B"]


def test_nobody_is_named_by_what_they_speak_for_or_argue_from():
    mira = Position(MIRA, "What Mira has always said.", Decimal(0), Decimal(1), side="Mira Holm and friends")
    konrad = Position(KONRAD, "utilitarian", Decimal(0), Decimal(1), side="Oxford")
    asked = replace(scene(), chairs=(mira, konrad), speaker=MIRA)

    fields = prompts.fields(prompts.blinded(asked))

    assert "speaks for ⟦Speaker A and friends⟧" in fields["table"]
    assert "speaks for ⟦Oxford⟧" in fields["table"]
    assert not [name for name, words in fields.items() if "Mira" in words]


def test_labels_differ_from_what_a_side_or_a_framework_says():
    mira = Position(MIRA, "Speaker B is always right.", Decimal(0), Decimal(1))
    konrad = Position(KONRAD, "utilitarian", Decimal(0), Decimal(1), side="Speaker B's party")

    for chairs in ((mira, replace(konrad, side="")), (replace(mira, framework="utilitarian"), konrad)):
        shown = prompts.blinded(replace(scene(), chairs=chairs, speaker=MIRA))
        assert not any(one.name.startswith("Speaker ") for one in shown.chairs)


@pytest.mark.parametrize("hidden", ["mira", "M\u200bira", "MIRA\u00a0HOLM", "Mi\u00adra\u2060 Holm"])
def test_a_name_is_found_however_it_is_dressed(hidden):
    assert prompts.blinded(scene(f"So says {hidden}, and admirably.")).response == "So says Speaker A, and admirably."


def test_a_name_with_more_blanks_than_it_needs_and_one_that_nobody_can_see():
    labels = prompts.Labels(("Mira  \u200b Holm", "\u200b\u200b\u200b"), ("Speaker A", "Speaker B"))

    assert labels.hide("So says Mira Holm, and Mira" + " " * 400) == "So says Speaker A, and Speaker A" + " " * 400


def test_a_label_that_somebody_uses_is_nobodys_label():
    shown = prompts.blinded(scene("I, speaker a, am the best; Chair B is not.", "Voice C agrees."))

    assert [one.name for one in shown.chairs] == ["Debater A", "Debater B"]
    assert "speaker a" in shown.response


@pytest.mark.parametrize(("chairs", "last"), [(27, "AA"), (1_000, "ALL")])
def test_as_many_as_may_speak_have_a_label_each(chairs, last):
    shown = prompts.blinded(scene("Name12 is right.", names=[f"Name{at}" for at in range(chairs)]))

    labels = [one.name for one in shown.chairs]
    assert (labels[:2], labels[25], labels[-1]) == (["Speaker A", "Speaker B"], "Speaker Z", f"Speaker {last}")
    assert len(set(labels)) == chairs
    assert shown.response == "Speaker M is right."


def test_a_label_of_two_letters_that_somebody_uses_is_nobodys_label():
    shown = prompts.blinded(scene("Speaker AA is right.", names=[f"Name{at}" for at in range(27)]))

    assert shown.chairs[-1].name == "Chair AA"


@pytest.mark.parametrize(
    ("names", "said", "heard"),
    [
        (("Rich", "Guy"), "The rich pay little. A guy said so, Guy.", "The rich pay little. A guy said so, Speaker B."),
        (("Quill", "Konrad"), "With a quill, Quill writes.", "With a quill, Speaker A writes."),
        (("For", "Against"), "It is for all, says For, not against.", "It is for all, says Speaker A, not against."),
        (("Pro", "Con"), "Pros and cons, pro and con.", "Pros and cons, pro and con."),
        (("Free Market", "Mira"), "In a free press, mira.", "In a free press, Speaker B."),
        (("Friends of the Sea", "Mira"), "Of course Friends of the Sea.", "Of course Speaker A."),
        (("Anna", "A"), "Anna says that A has a car.", "Speaker A says that Speaker B has a car."),
    ],
)
def test_a_name_that_is_a_word_too_stays_where_it_is_said_as_a_word(names, said, heard):
    assert prompts.blinded(scene(said, names=names)).response == heard


def test_the_names_are_put_back_and_passages_stand_as_they_were_said():
    told = {
        "notes": "Speaker B gives Speaker A's view back.",
        "quotes": ["As Speaker A says, wards", "Speaker B's worry"],
    }
    answer = marks("20", "15", "20", "20")
    answer["steel_manning"] |= told
    before, shown = scene(), prompts.blinded(scene())

    read = parsing.judged(
        str(answer).replace("'", '"').replace('"s ', "'s ").replace("True", "true"), response=shown.response
    )
    named = prompts.judged(read, scene=before, judges_scene=shown)

    assert named.grounds["steel_manning"].notes == f"{KONRAD} gives {MIRA}'s view back."
    assert named.grounds["steel_manning"].quotes == ("As Mira says, wards", "KONRAD's  worry")


def test_no_passage_is_kept_that_is_not_in_the_response():
    before, shown = scene("He says so, Mira says."), prompts.blinded(scene("He says so, Mira says."))
    quotes = ("Speaker A says.", "Speaker B says.", "says so, Speaker A")
    marked = parsing.JudgedResponse(
        marks=Marks(*[Decimal(20)] * 4), steel_attempted=True, critique_attempted=True,
        grounds={"honesty": parsing.Grounds("", quotes)}, violations=(), issues=(),
    )  # fmt: skip

    kept = prompts.judged(marked, scene=before, judges_scene=shown).grounds["honesty"].quotes

    assert kept == ("Mira says.", "says so, Mira")
    assert all(quote in before.response for quote in kept)


def test_effects_are_on_listeners_by_name():
    before = scene()
    given = (WeighedEffect("Speaker A", Decimal("0.5"), Decimal(0), Decimal(0)),)

    assert prompts.weighed(given, scene=before, judges_scene=prompts.blinded(before))[0].listener == MIRA


def test_nothing_is_changed_where_names_are_shown():
    given = (WeighedEffect(MIRA, Decimal("0.5"), Decimal(0), Decimal(0)),)

    assert prompts.weighed(given, scene=scene(), judges_scene=replace(scene(), swapped=True)) == given


def test_the_offline_judge_marks_the_same_with_labels_as_with_names():
    fair = "Mira Holm is right that wards must be safe. However, my own view struggles with who pays."
    with_names = scene(fair, "The wards must be safe for every patient.")
    with_labels = prompts.blinded(with_names)

    def scores(one):
        return [part["score"] for part in adherence.evaluate(one).values()]

    assert scores(with_names) == scores(with_labels)
