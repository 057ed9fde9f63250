"""Sentences, words and quotes."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.heuristics import evidence
from judging.heuristics.evidence import brought_in, passage_of, passages
from judging.heuristics.text import READ_LIMIT, cut, lowered, sentences, tokens


def texts(text):
    return [one.text for one in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("One. Two! Three?", ["One.", "Two!", "Three?"], id="plain"),
        pytest.param("It costs 1.30 euros. Good.", ["It costs 1.30 euros.", "Good."], id="decimals"),
        pytest.param("See e.g. Arden. Dr. Lind agrees.", ["See e.g. Arden.", "Dr. Lind agrees."], id="abbreviations"),
        pytest.param("J. Weiss came. We left.", ["J. Weiss came.", "We left."], id="initials"),
        pytest.param("One line\nwrapped here. Next.", ["One line\nwrapped here.", "Next."], id="wrapped lines"),
        pytest.param("# Head\nBody here.\n## Two\n- item a\n- item b", ["Body here.", "item a", "item b"], id="marks"),
        pytest.param(
            "He said \u201cno.\u201d She left.", ["He said \u201cno.\u201d", "She left."], id="closing quotes"
        ),
        pytest.param("\n\n ... \n\n---\n", [], id="no words"),
    ],
)
def test_a_text_is_split_into_sentences(text, expected):
    assert texts(text) == expected


@given(st.text(max_size=400))
def test_every_sentence_is_a_slice_of_the_text(text):
    found = sentences(text)

    assert all(text[one.start : one.end] == one.text for one in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


@given(st.text(alphabet="abc \n\u00e9\u4e2d", max_size=700), st.integers(5, 300))
def test_a_cut_is_a_beginning_and_never_too_long(text, limit):
    short = cut(text, limit=limit)

    assert text.startswith(short)
    assert len(short) <= limit
    assert short == text or len(text) > limit


def test_only_the_stated_length_is_read():
    late = "x " * (READ_LIMIT // 2) + "The end comes here."

    assert "The end comes here." not in texts(late)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        pytest.param("It costs 30 euros", ["money"], id="money"),
        pytest.param("It costs \u20ac30", ["money"], id="money by sign"),
        pytest.param("after ten weeks", ["time"], id="number words"),
        pytest.param("on 3 February", ["date"], id="a day"),
        pytest.param("since 2019", ["date"], id="a year"),
        pytest.param("43 % of lorries", ["share"], id="per cent"),
        pytest.param("17 of the 41", ["share"], id="a part of a whole"),
        pytest.param("one per sensor", ["share"], id="a rate"),
        pytest.param("212 nurses", ["count"], id="a count"),
        pytest.param("35 dB at night", ["measure"], id="a measure"),
        pytest.param("10 out of 10", [], id="a rating in words"),
        pytest.param("10/10", [], id="a rating in signs"),
        pytest.param("a score of 9", [], id="a score"),
        pytest.param("one could say", [], id="one as a pronoun"),
        pytest.param("version 2", [], id="a bare number"),
    ],
)
def test_a_figure_is_a_number_that_counts_something(text, kinds):
    found = evidence.figures(words=lowered(raw=tokens(text)), text=text)

    assert [one.kind for one in found] == kinds


@given(st.text(alphabet="17@.a %", max_size=40))
def test_what_stands_before_an_at_sign_is_no_figure(text):
    words = lowered(raw=tokens(f"{text} 7 cows"))

    positions = {figure.position for figure in evidence.figures(words=words, text=text)}

    counted = {figure.position for figure in evidence.figures(words=words, text="")}
    assert positions == {position for position in counted if f"{words[position]}@" not in text}


def test_a_sentence_is_not_searched_again_for_each_of_its_numbers():
    class Searched(str):
        __slots__ = ()
        searches = 0

        def __contains__(self, part):
            type(self).searches += 1
            return super().__contains__(part)

    text = Searched("We have 7 cows, " * 1_000 + "all of x@y.org.")

    evidence.figures(words=lowered(raw=tokens(text)), text=text)

    assert Searched.searches < 10


@pytest.mark.parametrize(
    ("text", "names"),
    [
        pytest.param("We met Odile Maran in Belun.", ("Odile", "Maran", "Belun"), id="inside a sentence"),
        pytest.param("People came.", (), id="the first word is no name"),
        pytest.param("Odile Maran came.", ("Odile", "Maran"), id="two capitals at the beginning are"),
        pytest.param("In Canal Street we met.", ("Canal", "Street"), id="an everyday word is not"),
        pytest.param("WE ARE THE BEST TEAM", (), id="shouting"),
        pytest.param("The Best Team In Town Wins", (), id="title case"),
        pytest.param("We met on Monday in March.", (), id="days and months"),
    ],
)
def test_names_are_capitals_where_none_is_due(text, names):
    assert passages(text)[0].signs.names == names


def test_a_quotation_is_recognised_across_line_breaks_and_when_cut():
    text = (
        "Short one here.\nThe second sentence\nis wrapped over two lines and goes on for long enough to be recognised."
    )
    every = passages(text)

    said = "It says: The second sentence is wrapped over two lines and goes on for long enough to"

    assert [one.number for one in brought_in(said, every)] == [1]
    assert passage_of("wrapped over two lines", every) == every[1]
    assert passage_of("never said", every) is None
    assert passage_of("", every) is None
