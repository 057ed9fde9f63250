"""A quote counts only where the subject says it, word for word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.rules import quotes
from judging.rules.quotes import Span

TEXT = """The cache is warm after 40 ms.

It is "never" stale - the owner
  evicts it. Costs: 12 \u20ac a month\u2014at most."""
SOURCE = quotes.source(TEXT)


def compared(text):
    """Return a text as quotes are compared with it."""
    return quotes.source(text).compared.strip()


def spoken(quote):
    """Return the words of the subject that a quote was found as."""
    return [TEXT[span.start : span.end] for span in quotes.located(quote=quote, within=SOURCE).spans]


@pytest.mark.parametrize(
    ("quote", "words"),
    [
        pytest.param("warm after 40 ms", ["warm after 40 ms"], id="as it is written"),
        pytest.param("the owner evicts it", ["the owner\n  evicts it"], id="over a line break"),
        pytest.param("after   40\nms", ["after 40 ms"], id="with other white space"),
        pytest.param("It is \u201cnever\u201d stale", ['It is "never" stale'], id="with curly marks"),
        pytest.param("'warm after 40 ms'", ["warm after 40 ms"], id="in quotation marks of its own"),
        pytest.param("stale \u2013 the owner", ["stale - the owner"], id="with another dash"),
        pytest.param("a month-at most", ["a month\u2014at most"], id="with a plain hyphen"),
        pytest.param("The cache \u2026 after 40 ms", ["The cache", "after 40 ms"], id="with something left out"),
        pytest.param("The cache [...] Costs: 12", ["The cache", "Costs: 12"], id="with brackets around the gap"),
        pytest.param("warm after 40 ms...", ["warm after 40 ms"], id="with an open end"),
    ],
)
def test_a_quote_is_found_where_it_stands(quote, words):
    assert spoken(quote) == words


@pytest.mark.parametrize(
    "quote",
    [
        pytest.param("warm after 41 ms", id="another number"),
        pytest.param("warm after 4", id="half a number"),
        pytest.param("old after 40 ms", id="half a word at the beginning"),
        pytest.param("ache is warm", id="a word cut in front"),
        pytest.param("The Cache is warm", id="another case"),
        pytest.param("Costs: 12 \u2026 The cache", id="parts in another order"),
        pytest.param("...", id="nothing but an ellipsis"),
        pytest.param("", id="nothing"),
        pytest.param("it", id="too short to be a quote"),
        pytest.param("The ... cache ... is ... warm ... after ... 40 ... ms", id="more gaps than words"),
        pytest.param("x" * 5_000, id="too long"),
    ],
)
def test_what_the_subject_does_not_say_is_no_quote(quote):
    assert not quotes.located(quote=quote, within=SOURCE).found


def test_an_ellipsis_in_the_subject_itself_is_text_first():
    within = quotes.source("Wait... then go.")

    assert quotes.located(quote="Wait... then", within=within).spans == (Span(0, 12),)


def test_a_word_inside_another_is_passed_over_for_the_word_itself():
    within = quotes.source("pretest and test")

    assert quotes.located(quote="test", within=within).spans == (Span(12, 16),)


def test_several_quotes_are_looked_up_one_by_one():
    found = quotes.all_located(quotes=["Costs: 12", "Costs: 13"], within=SOURCE)

    assert [one.found for one in found] == [True, False]


@given(text=st.text("ab \n\t\u201c\u2014.-", min_size=3, max_size=60), data=st.data())
def test_whole_words_of_a_text_are_always_found_in_it(text, data):
    words = text.split()
    start = data.draw(st.integers(0, len(words)))
    quote = " ".join(words[start : data.draw(st.integers(start, len(words)))])

    found = quotes.located(quote=quote, within=quotes.source(text))

    if sum(one.isalnum() for one in quote) < quotes.SHORTEST:
        assert not found.found
        return
    [span] = found.spans
    assert compared(text[span.start : span.end]) == compared(quote)


@given(data=st.data())
def test_what_a_quote_is_found_as_are_words_of_it_in_their_order(data):
    text = data.draw(st.text(st.sampled_from("abc \n\u2026\u201c-") | st.characters(), max_size=80))
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    quote = data.draw(st.sampled_from([text[start:end], f"{text[:start]}...{text[end:]}"]) | st.text(max_size=30))

    found = quotes.located(quote=quote, within=quotes.source(text))

    said = compared(quote)
    for span in found.spans:
        _, words, said = said.partition(compared(text[span.start : span.end]))
        assert words


def test_the_line_above_a_file_is_not_among_its_words():
    subject = f"{quotes.header('src/a.py')}\n\ndef add(): ...\n\n{quotes.header('b  c.py')}\n\n# File: mine\nx = 1"

    own = quotes.own_words(subject, fill="·")

    assert len(own) == len(subject)
    assert own.replace("·", "") == "\n\ndef add(): ...\n\n\n\n# File: mine\nx = 1"
