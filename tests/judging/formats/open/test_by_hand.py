"""What is taken for a turn that somebody has written."""

import pytest

from debates.errors import Invalid
from judging.formats.open import parsing


def test_words_are_kept_as_they_are_but_for_blanks_around_them_and_line_ends():
    assert parsing.by_hand(" \r\n  One line.\r\nAnother,\r indented.  \n") == "One line.\nAnother,\n indented."


def test_so_many_characters_are_a_turn():
    assert parsing.by_hand("x" * 10) == "x" * 10
    assert parsing.by_hand(" " + "x" * 8_000 + " ") == "x" * 8_000


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("  \n ", "text must not be empty.", id="empty"),
        pytest.param(" Too short\n", "text must have at least 10 characters; got 9.", id="short"),
        pytest.param("x" * 8_001, "text must have at most 8000 characters; got 8001.", id="long"),
        pytest.param(" " * 40_000 + "x", "text must have at most 8000 characters; got 40001.", id="blanks"),
        pytest.param("Broken \ufffd text", "text is not UTF-8: character 8 could not be read.", id="not UTF-8"),
        pytest.param(
            "Half a \ud800 character", "text must not contain half a character (a lone surrogate).", id="half one"
        ),
        pytest.param("A nul \x00 character", "text must not contain a NUL character.", id="nul"),
        pytest.param(None, "text must be text.", id="nothing"),
    ],
)
def test_what_cannot_be_a_turn_is_refused(text, says):
    with pytest.raises(Invalid) as refused:
        parsing.by_hand(text)

    assert (refused.value.message, refused.value.field) == (says, "text")
