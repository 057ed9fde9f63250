"""A steel-man, a straw man and an admitted limit, end to end: marks, what they are called, and what they call for."""

import json
from decimal import Decimal

import pytest

from judging.formats.open import parsing
from judging.heuristics import adherence as heuristics_adherence
from judging.rules import adherence
from judging.rules.adherence import Accountability, Quality, Violation
from judging.types import Position, Scene, Utterance

VIRTUE = (
    "A good doctor learns to bear bad news together with the patient. A machine that answers for her takes that school"
    " away. Courage grows where somebody stays in the room."
)
OUTCOMES = "Screening by machine found 40 tumours that doctors had missed. Lives saved are what counts."

STEEL_MAN = (
    "At its strongest, Otto's view is that a good doctor learns to bear bad news together with the patient, and that a"
    " machine which answers for her takes that school away; courage grows where somebody stays in the room. I grant him"
    " that. Still, 40 tumours that were found are forty people, and they can be told by a doctor all the same."
)
STRAW_MAN = (
    "Otto just wants doctors to feel noble while their patients die. He does not care about a single tumour. Numbers"
    " save lives; virtue writes poems."
)
LIMIT = (
    "I must admit where my framework struggles: a sum of lives can sacrifice the few, and it is hard to measure what a"
    " frightened patient loses when nobody stays in the room."
)


def judged(response):
    chairs = (
        Position("Mira", "utilitarian", Decimal("0.8"), Decimal("0.7")),
        Position("Otto", "virtue_ethics", Decimal("-0.7"), Decimal("0.7")),
    )
    scene = Scene(
        motion="Hospitals should let machines read the first scan.",
        chairs=chairs,
        speaker="Mira",
        said=(Utterance("Mira", "opening", OUTCOMES), Utterance("Otto", "opening", VIRTUE)),
        response=response,
        exchange=1,
    )
    return parsing.judged(json.dumps(heuristics_adherence.evaluate(scene)), response=response)


def test_a_steel_man_is_attempted_and_strong():
    found = judged(STEEL_MAN)

    assert found.steel_attempted
    assert adherence.quality(mark=found.marks.steel_manning) is Quality.STRONG
    assert Violation.STRAW_MANNING not in adherence.violations(marks=found.marks)


def test_a_straw_man_is_not_attempted_absent_and_calls_for_an_interjection():
    found = judged(STRAW_MAN)

    assert not found.steel_attempted
    assert adherence.quality(mark=found.marks.steel_manning) is Quality.ABSENT
    assert "misrepresentation" in found.issues
    assert adherence.violations(marks=found.marks)
    spoken_to = adherence.interjection(accountability=Accountability.MODERATE, marks=found.marks)
    assert spoken_to is Violation.STRAW_MANNING


def test_an_admitted_limit_is_strong_or_adequate():
    found = judged(LIMIT)

    assert found.critique_attempted
    assert adherence.quality(mark=found.marks.self_critique) in {Quality.STRONG, Quality.ADEQUATE}
    assert found.grounds["self_critique"].quotes


@pytest.mark.parametrize(
    ("text", "steel_manning", "self_critique"),
    [
        pytest.param(STEEL_MAN, True, False, id="a steel-man"),
        pytest.param(STRAW_MAN, False, False, id="a straw man"),
        pytest.param(LIMIT, False, True, id="an admitted limit"),
        pytest.param(f"{STEEL_MAN} {LIMIT}", True, True, id="both"),
        pytest.param("The contribution of the committee stands.", False, False, id="neither"),
    ],
)
def test_the_quick_look_is_true_and_false_where_it_should_be(text, steel_manning, self_critique):
    assert heuristics_adherence.quick(text=text, opponents=["Otto"], own=["Mira"]) == heuristics_adherence.Flags(
        steel_manning, self_critique
    )
