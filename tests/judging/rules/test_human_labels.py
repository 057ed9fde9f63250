"""Labels are read from CSV, and what is wrong with a file is said by its line."""

from decimal import Decimal

import pytest

from debates.errors import Invalid
from judging.formats.spec import LONGEST_SUBJECT
from judging.rules import human_labels
from judging.rules.calibration import Preferred
from judging.rules.human_labels import LabelledPair, LabelledText

THREE = "\nIt rained,1\nIt poured,2\nIt was dry,3\n"


def test_texts_have_numbers():
    rows = human_labels.read('Label ,text\n1,"Rain, ""all"" day"\n-2.5,two\n\n3,"over\ntwo lines"\n', longest=50)

    assert rows == [
        LabelledText('Rain, "all" day', Decimal(1)),
        LabelledText("two", Decimal("-2.5")),
        LabelledText("over\ntwo lines", Decimal(3)),
    ]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_pairs_have_a_preferred_side_and_may_have_a_group(separator):
    rows = [
        ("group", "first", "second", "preferred"),
        *[("heat", "a", "b", side) for side in ("first", "Second", "tie")],
    ]

    read = human_labels.read("\r\n".join(separator.join(row) for row in rows), longest=50)

    assert read == [LabelledPair("a", "b", preferred, "heat") for preferred in Preferred]


def test_a_text_may_be_as_long_as_one_may_be_that_is_judged():
    long = "a" * LONGEST_SUBJECT

    assert human_labels.read(f"text,label\n{long},1\nb,2\nc,3\n", longest=LONGEST_SUBJECT)[0].text == long
    with pytest.raises(Invalid, match=f"line 2: text has {LONGEST_SUBJECT + 1} characters"):
        human_labels.read(f"text,label\n{long}a,1\nb,2\nc,3\n", longest=LONGEST_SUBJECT)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("texts,label" + THREE, "line 1: the header must be text,label or", id="strange columns"),
        pytest.param("text,text,label" + THREE, "line 1: the header must be text,label or", id="a column twice"),
        pytest.param("text,label\na,1\nb,good\n", "line 3: label must be a number from", id="no number"),
        pytest.param("text;label\na;2,5\n", "line 2: label must be a number with a point, such as 2.5", id="comma"),
        pytest.param("text,label\na,1,2\n", "line 2: it has 3 cells and the header has 2; put quotation", id="cells"),
        pytest.param('text,label\n"a\nb",1\n,2\n', "line 4: text is empty; a judge needs", id="after two lines"),
        pytest.param("text,label\n" + "a" * 51 + ",1\n", "line 2: text has 51 characters; at most 50", id="long"),
        pytest.param('text,label\na,1\n"b,2\n', "line 3: it is not CSV that can be read", id="open quotation mark"),
        pytest.param("text,label\na,1\nb,2\n", "it has 2 rows below its header; 3 to 20000", id="two rows"),
        pytest.param("text,label\n", "it has 0 rows below its header", id="only a header"),
        pytest.param("first,second,preferred\na,b,left\n", "line 2: preferred must be first, second, tie", id="side"),
        pytest.param("first,second,preferred\na,,tie\n", "line 2: second is empty", id="half a pair"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_by_its_line(text, told):
    with pytest.raises(Invalid) as refusal:
        human_labels.read(text, longest=50)

    assert refusal.value.message.startswith(told)
