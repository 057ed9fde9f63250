"""What a judge answers is read exactly, or refused with the place and what was expected there."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.errors import AnswerRejected
from judging.formats.panel import parsing
from judging.formats.panel.parsing import Answering

CODES = ("design", "tests")
FIVE = [{"question": f"Question {at}?", "answer": "No."} for at in range(5)]


def row(code="design", **more):
    return {
        "criterion": code,
        "quotes": ["a quote"],
        "reasoning": "So.",
        "score": "3.5",
        "improvement": "More.",
        **more,
    }


def answer(**more):
    whole = {"criteria": [row("tests"), row()], "questions": FIVE, "strengths": ["clear"], "weaknesses": []}
    return json.dumps({**whole, **more})


def part(code="design", **more):
    return {"criterion": code, "defence": "It is.", "challenge": "", "score": 3, "because": "So.", "quotes": [], **more}


def round_answer(**more):
    return json.dumps({"sections": [part()], "accepts": True, "agrees_with": ["Judge 2"], **more})


def test_an_analysis_comes_in_the_order_of_the_criteria():
    read = parsing.analysis(
        answer(revisions=[{"criterion": "tests", "score": 3, "because": "b", "quotes": ["q"]}]), codes=CODES
    )

    assert [one.code for one in read.judged] == ["design", "tests"]
    assert read.judged[0].score == Decimal("3.5")
    assert read.judged[0].quotes == ("a quote",)
    assert [(one.code, one.score, one.quotes) for one in read.revisions] == [("tests", Decimal(3), ("q",))]
    assert read.strengths == ("clear",)


def test_a_criterion_may_not_apply_to_one_judge():
    read = parsing.analysis(
        answer(criteria=[row(), {"criterion": "tests", "not_applicable": "There is no code."}]), codes=CODES
    )

    assert [one.code for one in read.judged] == ["design"]
    assert read.not_applicable == {"tests": "There is no code."}


@pytest.mark.parametrize(
    ("asked", "change", "sure"),
    [
        pytest.param("none", {"confidence": "0.4"}, (None, None), id="nobody asks"),
        pytest.param("whole", {"confidence": "0.4"}, (Decimal("0.4"), None), id="of the whole"),
        pytest.param("criterion", {"criteria": [row(confidence=1), row("tests", confidence="0.25")]},
                     (None, Decimal(1)), id="of each criterion"),
    ],
)  # fmt: skip
def test_a_judge_says_how_sure_it_is_where_it_is_asked(asked, change, sure):
    read = parsing.analysis(answer(**change), codes=CODES, expected=Answering(by_hand=True, confidence=asked))

    assert (read.confidence, read.judged[0].confidence) == sure


@pytest.mark.parametrize(
    ("asked", "change", "said"),
    [
        pytest.param("whole", {}, "confidence must be a number from 0 to 1", id="left out"),
        pytest.param("whole", {"confidence": "1.2"}, "confidence must be a number from 0 to 1", id="beyond certain"),
        pytest.param("criterion", {}, "criteria, 2: confidence must be a number", id="left out of a criterion"),
    ],
)
def test_a_person_is_refused_who_does_not_say_it_and_an_engine_is_not(asked, change, said):
    with pytest.raises(AnswerRejected) as refused:
        parsing.analysis(answer(**change), codes=CODES, expected=Answering(by_hand=True, confidence=asked))

    assert said in refused.value.message
    if not change:
        assert parsing.analysis(answer(), codes=CODES, expected=Answering(confidence=asked)).confidence is None


def test_words_beside_why_a_criterion_does_not_apply_are_left_out_of_an_engine_and_refused_to_a_person():
    said = answer(criteria=[row(), {"criterion": "tests", "not_applicable": "No code.", "quotes": ["one"]}])

    assert parsing.analysis(said, codes=CODES).not_applicable == {"tests": "No code."}
    with pytest.raises(AnswerRejected, match="criteria, 2: where a criterion does not apply, leave out quotes"):
        parsing.analysis(said, codes=CODES, expected=Answering(by_hand=True))


def test_in_a_debate_round_one_is_as_sure():
    said = round_answer(sections=[part(confidence="0.5")])

    read = parsing.argued(said, codes=["design"], judges=["Judge 2"], expected=Answering(True, "criterion"))

    assert read.sections[0].confidence == Decimal("0.5")


def test_a_judge_may_find_nothing_to_quote_and_nothing_to_improve():
    read = parsing.analysis(answer(criteria=[row(quotes=[], improvement=""), row("tests", quotes=[""])]), codes=CODES)

    assert [one.quotes for one in read.judged] == [(), ()]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param({"criteria": [row()]}, "criteria: nothing about tests", id="a criterion left out"),
        pytest.param({"criteria": [row(), row(), row("tests")]}, "2: criterion design is there twice", id="one twice"),
        pytest.param({"criteria": [row("looks")]}, "criterion must be one of design, tests; got 'looks'", id="unknown"),
        pytest.param({"criteria": [row(score="5.5"), row("tests")]}, "criteria, 1: score must be a number", id="high"),
        pytest.param({"criteria": [row(score="0"), row("tests")]}, "score must be a number from 1 to 5", id="below 1"),
        pytest.param({"criteria": [row(score="3.333"), row("tests")]}, "at most 2 places", id="too exact"),
        pytest.param({"criteria": [row(score=None), row("tests")]}, "score must be a number", id="no score"),
        pytest.param({"criteria": [row(reasoning=" "), row("tests")]}, "1: reasoning must not be empty", id="mute"),
        pytest.param({"criteria": [row(quotes="one"), row("tests")]}, "1: quotes must be a list", id="one quote"),
        pytest.param({"criteria": "good"}, "criteria must be a list", id="no list"),
        pytest.param({"questions": FIVE[:4]}, "questions must be exactly 5; got 4", id="four questions"),
        pytest.param({"questions": [*FIVE[:4], {"question": "Q?"}]}, "5: answer must be text", id="no answer"),
        pytest.param({"revisions": [{"criterion": "tests", "score": 3, "quotes": []}]}, "1: because", id="no why"),
        pytest.param({"criteria": [row(), {"criterion": "tests", "not_applicable": " "}]}, "2: not_applicable must not",
                     id="no reason why it does not apply"),
        pytest.param({"criteria": [row(), {**row("tests"), "not_applicable": "No code."}]}, "2: give a score, or say",
                     id="a score for what does not apply"),
        pytest.param({"criteria": [{"criterion": code, "not_applicable": "No."} for code in CODES]}, "at least one",
                     id="nothing applies"),
        pytest.param({"criteria": [row(), {"criterion": "tests", "not_applicable": "No code."}],
                      "revisions": [{"criterion": "tests", "score": 3, "because": "b", "quotes": []}]},
                     "criterion must be one of design; got 'tests'", id="a revision of no score"),
        pytest.param({"strengths": "all"}, "strengths must be a list", id="strengths as a text"),
    ],
)  # fmt: skip
def test_an_analysis_that_is_none_is_refused(change, said):
    with pytest.raises(AnswerRejected) as refused:
        parsing.analysis(answer(**change), codes=CODES)

    assert said in refused.value.message
    assert refused.value.path[:1] == (list(change)[-1],)


def test_a_debate_round_has_a_section_for_every_disagreement():
    read = parsing.argued(round_answer(), codes=["design"], judges=["Judge 2", "Judge 3"])

    assert [(one.code, one.score, one.defence) for one in read.sections] == [("design", Decimal(3), "It is.")]
    assert (read.accepts, read.agrees_with) == (True, ("Judge 2",))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param({"sections": []}, "sections: nothing about design", id="a disagreement passed over"),
        pytest.param({"sections": [part("tests")]}, "criterion must be one of design", id="what nobody disputes"),
        pytest.param({"accepts": "yes"}, "accepts must be true or false", id="no clear word"),
        pytest.param({"accepts": None}, "accepts must be true or false; got nothing", id="no word"),
        pytest.param({"agrees_with": ["me"]}, "agrees_with: 'me' is no other judge", id="agreeing with nobody"),
        pytest.param({"sections": [part(defence="")]}, "sections, 1: defence must not be empty", id="no defence"),
    ],
)
def test_a_debate_round_that_is_none_is_refused(change, said):
    with pytest.raises(AnswerRejected) as refused:
        parsing.argued(round_answer(**change), codes=["design"], judges=["Judge 2", "Judge 3"])

    assert said in refused.value.message
    assert refused.value.path[:1] == tuple(change)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["design", "3.5"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["criteria", "criterion", "score", "quotes", "questions", "sections"]), inner)
    ),
    max_leaves=12,
)


@given(given=JSON)
def test_any_json_is_read_or_refused(given):
    for read in (
        lambda text: parsing.analysis(text, codes=CODES),
        lambda text: parsing.argued(text, codes=["design"], judges=[]),
    ):
        with pytest.raises(AnswerRejected):
            read(json.dumps(given))
