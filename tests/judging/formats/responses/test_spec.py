"""What is read as a batch of responses, and how a file that is none says where."""

import json
import re

import pytest

from debates.errors import Invalid
from judging.formats.responses import spec
from judging.formats.responses.spec import GivenResponse, ResponsesSpec
from judging.formats.spec import Limits
from tests.judging.formats.responses.batches import MOTION, lines, row

WORDS = "It helps everybody."
LINES = json.dumps({"id": "a", "response": WORDS, "framework": "Utilitarian"})


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"id,framework,response\na,utilitarian,{WORDS}\n", id="a table"),
        pytest.param(f"\ufeffId;Framework;Response\r\na;utilitarian;{WORDS}\r\n", id="with semicolons"),
        pytest.param(f"id;framework;response;;\na;utilitarian;{WORDS};;\n", id="with empty columns behind"),
        pytest.param(f'"id"\t"framework"\t"response"\na\tutilitarian\t"{WORDS}"\n\n', id="with tabs"),
        pytest.param(LINES, id="JSON lines"),
        pytest.param(f"\ufeff{LINES}", id="JSON lines with a byte order mark"),
        pytest.param(f"[{LINES}]", id="a JSON list"),
    ],
)
def test_a_batch_is_read_however_it_is_written(text):
    assert spec.read(text) == (GivenResponse("a", WORDS, framework="utilitarian"),)


def test_who_has_no_name_or_id_gets_one_and_words_keep_their_lines():
    [first, second] = spec.read(f'response,answered\n{WORDS},\n"One.\r\nTwo, three.",Why?\n')

    assert (first.id, first.speaker, first.framework, first.answered) == ("1", "Speaker", "", "")
    assert (second.id, second.opponent, second.answered) == ("2", "Opponent", "Why?")
    assert second.response == "One.\nTwo, three."


def test_a_name_is_one_name_whichever_program_wrote_it_and_a_row_without_an_id_takes_none_that_is_written():
    long = "Wells help where nobody has to walk for an hour."
    rows = [
        {"id": 2, "response": long, "speaker": "Jose\u0301  Luis"},
        {"response": long, "speaker": "Jos\u00e9\nLuis"},
        {"response": long},
        {"response": long, "id": " 3 "},
    ]

    first, second, third, fourth = spec.responses_of(rows)

    assert (first.speaker, second.speaker) == ("Jos\u00e9 Luis", "Jos\u00e9 Luis")
    assert (first.id, second.id, third.id, fourth.id) == ("2", "4", "5", "3")


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (("Mira", "mira"), "'Mira' is called 'mira' here; write a name one way."),
        (("Mi\u202era",), "speaker must hold no control characters and none that cannot be seen."),
        (("\u200b",), "speaker must have a character that can be seen."),
    ],
)
def test_names_that_look_alike_or_hide_something_are_refused(names, says):
    rows = [{"response": "Wells help where nobody has to walk for an hour.", "speaker": name} for name in names]

    with pytest.raises(Invalid, match=re.escape(says)):
        spec.responses_of(rows)


def test_who_answers_nobody_may_be_called_as_whoever_is_answered():
    [response] = spec.responses_of([{"response": WORDS, "speaker": "Opponent"}])

    assert response.speaker == "Opponent"


def test_a_framework_in_own_words_is_a_sentence():
    assert spec.framework_of("Whoever pays decides.") == "Whoever pays decides."
    assert spec.framework_of("the ethics of care") == spec.framework_of("care_ethics") == "care_ethics"
    with pytest.raises(
        Invalid, match=r"framework 'stoic' is none of utilitarian, .*one of your own is said in a sentence"
    ):
        spec.framework_of("stoic")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name,text\na,b\n", "line 1 must name the columns, response among them; .* It begins 'name,text'"),
        ("response,mood\nx,y\n", "line 1: unknown column 'mood'"),
        ("response,response\nx,y\n", "line 1 names the column response twice"),
        (f'response\n"{WORDS}\nand more"\nshort\n', "line 4: response must have at least 10 characters; got 5"),
        (f"id,response\na,{WORDS}\nb,{WORDS}\na,{WORDS}\n", "line 4: id a stands in line 2 already"),
        ("\n".join(["id,response", *[f"a,{WORDS}"] * 2600]), "line 3: id a stands in line 2 already"),
        (f"id,response\na b,{WORDS}\n", "line 2: id must be 1 to 40 letters"),
        (f"response\n{WORDS},and more\n", "line 2 has 2 cells, and there are 1 columns; quote a text with commas"),
        (f"id;response\na;{WORDS};more\n", "line 2 has 3 cells, and there are 2 columns; quote a text with semicolons"),
        (f'response\n"{WORDS}\n', "line 2 is no line of a table"),
        (f"speaker,opponent,answered,response\nMira,mira,Why?,{WORDS}\n", "line 2: speaker and opponent are both"),
        (f"response\n{'x' * 8001}\n", "line 2: response must have at most 8000 characters; got 8001"),
        (f"response,framework\n{WORDS},{'x ' * 501}\n", "line 2: framework must have at most 1000 characters"),
        (f"{LINES}\n{{no\n", "line 2 is not JSON"),
        ('{"response": "So it is, really.", "response": "No."}', "line 1 is not JSON: .*response"),
        (f"{LINES}\n[1]\n", "line 2: must be an object with id"),
        ('{"response": 3}', "line 1: response must be text"),
        ('{"response": "So it is, really.", "mood": "good"}', "line 1: unknown 'mood'; known are id"),
        ('[{"response": "So it is, really."}, {"speaker": "Mira"}]', "row 2: response must have at least 10"),
        ("[]", "there is none"),
        ("response\n", "there is none"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_says_where(text, says):
    with pytest.raises(Invalid, match=says) as refusal:
        spec.read(text)

    assert refusal.value.field == "responses"


def test_the_first_rows_that_cannot_be_read_are_named_together_and_the_others_counted():
    bad = "\n".join(["response", *(["short"] * 7)])

    with pytest.raises(Invalid, match=r"line 2: .* line 6: .* And 2 more rows cannot be read\.$"):
        spec.read(bad)


def test_a_batch_is_not_larger_than_is_said():
    with pytest.raises(Invalid, match="at most 5000"):
        spec.read(lines(5_001))
    with pytest.raises(Invalid, match="at most 50 frameworks in own words; got 51"):
        spec.responses_of([row(number, framework=f"Own number {number}.") for number in range(1, 52)])
    with pytest.raises(Invalid, match="a list of objects, or the text of a file"):
        spec.responses_of({"response": WORDS})


@pytest.mark.parametrize(
    ("count", "calls", "size"), [(1, None, 10), (2_000, None, 10), (2_000, 4, 4), (5_000, 4, 5), (20, 12, 10)]
)
def test_a_round_is_no_larger_than_the_limit_and_there_are_no_more_rounds_than_a_debate_has(count, calls, size):
    given = [GivenResponse(str(number), WORDS) for number in range(count)]
    wanted = ResponsesSpec(motion=MOTION, responses=given, limits=Limits(calls=calls))

    assert spec.per_round(wanted) == size
    assert -(-count // size) <= 1_000


def test_a_limit_below_one_round_is_refused():
    given = [GivenResponse(str(number), WORDS) for number in range(5_000)]

    with pytest.raises(Invalid, match="calls must be at least 5, or nothing could count; got 4"):
        spec.checked(ResponsesSpec(motion=MOTION, responses=given, limits=Limits(calls=4)))
