"""What nobody may send, because no database stores it; and how names are read and told apart."""

import pytest

from debates.errors import Invalid
from judging.rules.options import compared, name_of, refuse_unstorable


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("a\x00b", "words must not contain a NUL character."),
        ("a\ud800b", "words must not contain half a character (a lone surrogate)."),
        ({"a": [1, ("b\x00",)]}, "words must not contain a NUL character."),
        ({"a\udfff": None}, "words must not contain half a character (a lone surrogate)."),
        ({"a": -(10**40)}, "words must not contain a number of more than 40 digits."),
        ([1e40], "words must not contain a number of more than 40 digits."),
    ],
    ids=["NUL", "half a character", "deep inside", "in a key", "a whole number", "a number"],
)
def test_what_no_database_stores_is_refused_wherever_it_stands(value, said):
    with pytest.raises(Invalid) as caught:
        refuse_unstorable(value, name="words")

    assert caught.value.message == said


@pytest.mark.parametrize("value", ["\U0001f600 and a\ttab", {"a": ["b", 1, None, True]}, 10**40 - 1, 1e39, None])
def test_everything_else_is_left_alone(value):
    assert refuse_unstorable(value, name="words") is None


def test_a_name_is_kept_in_one_form_whichever_program_wrote_its_letters_and_blanks():
    assert name_of(" Re\u0301gine \u00a0 Vogt\n") == "R\u00e9gine Vogt"


@pytest.mark.parametrize(
    "written", ["MIRA", "Mi\u200bra", "Ｍｉｒａ", " mira "], ids=["case", "unseen", "width", "blanks"]
)
def test_names_that_look_alike_are_one(written):
    assert compared(written) == compared("Mira")


def test_names_that_differ_are_two():
    assert compared("Mira") != compared("Mirai")
