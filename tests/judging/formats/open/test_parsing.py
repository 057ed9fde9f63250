"""What is taken for an answer in an open debate, and what is refused by name."""

import copy
import json
from decimal import Decimal

import pytest

from judging.errors import AnswerRejected
from judging.formats.open import parsing
from judging.formats.open.parsing import WeighedEffect
from judging.formats.open.prompts import name_of
from judging.heuristics import adherence, debaters
from tests.judging.heuristics.adherence.responses import scene

RESPONSE = "Mira is right about  the ward. I admit my view struggles here."
MARKS = {
    "steel_manning": {
        "score": "15.5",
        "attempted": True,
        "notes": "Fair.",
        "quotes": ["Mira is right about the ward."],
    },
    "self_critique": {"score": 10, "attempted": False, "notes": "", "quotes": ["never said"]},
    "consistency": {"score": "20", "violations": ["a break"], "notes": "So.", "quotes": []},
    "honesty": {"score": "25", "issues": ["Evasion", "evasion"], "notes": "So.", "quotes": []},
}


def changed(path, value):
    made = copy.deepcopy(MARKS)
    part, _, field = path.partition(".")
    if field:
        made[part][field] = value
    else:
        made[part] = value
    return json.dumps(made)


def test_marks_are_read_exactly_with_their_grounds():
    found = parsing.judged(json.dumps(MARKS), response=RESPONSE)

    assert found.marks.total == Decimal("70.5")
    assert (found.marks.violations, found.violations, found.issues) == (1, ("a break",), ("evasion",))
    assert (found.steel_attempted, found.critique_attempted) == (True, False)
    assert found.grounds["steel_manning"].quotes == ("Mira is right about the ward.",)


def test_a_passage_that_nobody_said_is_no_evidence():
    assert parsing.judged(json.dumps(MARKS), response=RESPONSE).grounds["self_critique"].quotes == ()


def test_a_claim_to_a_total_and_other_extras_are_left_aside():
    claimed = json.dumps({**MARKS, "total": "100", "adherenceScore": 100})

    assert parsing.judged(claimed, response=RESPONSE).marks.total == Decimal("70.5")


def test_of_more_violations_than_a_row_counts_the_first_are_kept():
    found = parsing.judged(changed("consistency.violations", ["", *"ab" * 20_000]), response=RESPONSE)

    assert (found.violations, found.marks.violations) == (("a", "b") * 10, 20)


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        pytest.param("steel_manning.score", "85", "steel_manning: score must be", id="a total for a mark"),
        pytest.param("steel_manning.score", "-1", "steel_manning: score must be", id="less than nothing"),
        pytest.param("steel_manning.score", "high", "steel_manning: score must be", id="words for a number"),
        pytest.param("steel_manning.score", True, "steel_manning: score must be", id="true for a number"),
        pytest.param("steel_manning.score", None, "steel_manning: score must be", id="no number"),
        pytest.param("steel_manning.score", "12.345", "steel_manning: score must be", id="too many places"),
        pytest.param("steel_manning.score", float("nan"), "The answer holds NaN", id="NaN"),
        pytest.param(
            "steel_manning.attempted", "false", "steel_manning: attempted must be true or", id="false as text"
        ),
        pytest.param("self_critique.attempted", 0, "self_critique: attempted must be true or false", id="0 for false"),
        pytest.param("self_critique", [], "self_critique must be an object; got list", id="a list for a part"),
        pytest.param("consistency", None, "consistency must be an object; got nothing", id="a part missing"),
        pytest.param("consistency.violations", "none", "consistency: violations must be a list", id="text for a list"),
        pytest.param("honesty.issues", ["lying"], "honesty: issues must be some of evasion,", id="an unknown issue"),
        pytest.param("honesty.quotes", [1], "honesty: quotes must be a list of texts", id="a number for a quote"),
    ],
)
def test_marks_that_cannot_be_used_are_refused_by_name(path, value, told):
    with pytest.raises(AnswerRejected) as caught:
        parsing.judged(changed(path, value), response=RESPONSE)

    assert caught.value.message.startswith(told)
    assert caught.value.field == ("" if told.startswith("The answer") else path)


@pytest.mark.parametrize("text", ["", "  ", "Yes.", "\x00" * 20])
def test_a_turn_under_ten_characters_was_not_spoken(text):
    with pytest.raises(AnswerRejected, match=r"text must have at least 10 characters; got \d\.") as refused:
        parsing.spoken(json.dumps({"text": text}))

    assert refused.value.field == "text"


def test_a_turn_of_ten_characters_was_spoken():
    assert parsing.spoken(json.dumps({"text": " 1234567890 "})).text == "1234567890"


@pytest.mark.parametrize(("count", "fits"), [(29, False), (30, True), (75, True), (76, False)])
def test_an_interjection_has_30_to_75_words(count, fits):
    text = json.dumps({"text": " ".join(["word"] * count)})

    if fits:
        assert len(parsing.interjected(text).text.split()) == count
    else:
        with pytest.raises(AnswerRejected, match=rf"text must have 30 to 75 words; got {count}\.") as refused:
            parsing.interjected(text)
        assert refused.value.field == "text"


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        pytest.param("张先生，您刚才说对方拿了公司的钱，却没有给出任何证据。", 14, id="Chinese"),
        pytest.param("ミラさん、今の発言は相手の主張を取り違えています。", 13, id="Japanese"),
        pytest.param("คุณมีรา คุณกล่าวหาอีกฝ่ายโดยไม่มีหลักฐาน", 10, id="Thai"),
        pytest.param("미라 씨, 방금 하신 말씀에는 근거가 없습니다.", 7, id="Korean"),
        pytest.param("Ａｌｐｈａ\u3000and\u3000Ｂｅｔａ said so", 5, id="full width"),
        pytest.param("Mira – you – misread 他的话 twice", 8, id="mixed"),
    ],
)
def test_words_of_scripts_without_blanks_are_counted_by_their_letters(sentence, words):
    """So an interjection in them is neither always too short nor, in many letters, too long."""
    least, most = -(-30 // words), 75 // words

    assert parsing.interjected(json.dumps({"text": " ".join([sentence] * least)})).text
    assert parsing.interjected(json.dumps({"text": " ".join([sentence] * most)})).text
    with pytest.raises(AnswerRejected, match=f"got {words}"):
        parsing.interjected(json.dumps({"text": sentence}))


EFFECTS = [
    {"listener": "Otto", "persuasion": "0.7", "attack": 0, "evidence": "0.25"},
    {"listener": "Mira", "persuasion": "0", "attack": "1", "evidence": "0"},
]


def test_every_listener_is_weighed_in_the_order_of_the_table():
    found = parsing.weighed(json.dumps({"effects": EFFECTS}), listeners=["Mira", "Otto"])

    assert found == (
        WeighedEffect("Mira", Decimal(0), Decimal(1), Decimal(0)),
        WeighedEffect("Otto", Decimal("0.7"), Decimal(0), Decimal("0.25")),
    )


@pytest.mark.parametrize("told", [" Otto", name_of("Otto")])
def test_a_listener_may_be_named_as_a_prompt_tells_the_name(told):
    copied = [{**EFFECTS[0], "listener": told}, EFFECTS[1]]

    found = parsing.weighed(json.dumps({"effects": copied}), listeners=["Mira", "Otto"])

    assert found == parsing.weighed(json.dumps({"effects": EFFECTS}), listeners=["Mira", "Otto"])


@pytest.mark.parametrize(
    ("named", "listener"),
    [
        pytest.param("Re\u0301gine", "R\u00e9gine", id="in letters of two parts"),
        pytest.param("Re\u0301gine", "Re\u0301gine", id="as an earlier debate kept the name"),
    ],
)
def test_a_listener_may_be_named_in_another_form(named, listener):
    answer = json.dumps({"effects": [{**EFFECTS[0], "listener": named}]})

    assert [effect.listener for effect in parsing.weighed(answer, listeners=[listener])] == [listener]


@pytest.mark.parametrize(
    ("effects", "told"),
    [
        pytest.param(EFFECTS[:1], "effects: nothing for Mira;", id="a listener left out"),
        pytest.param([*EFFECTS, EFFECTS[0]], "effects, 3: listener Otto has been weighed already", id="one twice"),
        pytest.param(
            [{**EFFECTS[0], "listener": "Bo"}, EFFECTS[1]], "effects, 1: listener must be one of", id="a stranger"
        ),
        pytest.param(
            [{**EFFECTS[0], "attack": "1.01"}, EFFECTS[1]], "effects, 1: attack must be", id="beyond the limit"
        ),
        pytest.param("none", "effects must be a list", id="no list"),
    ],
)
def test_effects_that_cannot_be_used_are_refused_by_name(effects, told):
    with pytest.raises(AnswerRejected) as caught:
        parsing.weighed(json.dumps({"effects": effects}), listeners=["Mira", "Otto"])

    assert caught.value.message.startswith(told)
    assert caught.value.message.startswith(str(caught.value.place))
    assert caught.value.path[:1] == ("effects",)


def test_what_the_heuristics_answer_can_be_read():
    shown = scene("Mira is right about the ward. I admit my view struggles here. However, consider the evidence.")

    parsing.judged(json.dumps(adherence.evaluate(shown)), response=shown.response)
    parsing.spoken(json.dumps(debaters.opening(shown)))
    parsing.spoken(json.dumps(debaters.respond(shown)))
    parsing.spoken(json.dumps(debaters.introduce(shown)))
    parsing.interjected(json.dumps(debaters.interject(shown)))
    assert parsing.concluded(json.dumps(debaters.sum_up(shown))).summary
    assert parsing.weighed(json.dumps(debaters.influence(shown)), listeners=["Mira"])[0].evidence == Decimal("0.35")
