"""Scripts as they are sent: what no database keeps is refused where it stands."""

import json

import pytest

from debates.errors import Invalid
from debates.rules import DEEPEST
from judging.providers.scripted import checked_script, read_script

LINE = '{{"purpose": "judge", "answer": {{"a": {}}}}}'


def deep(levels: int) -> str:
    return "[" * levels + "]" * levels


@pytest.mark.parametrize("value", ["1" * 41, "-" + "9" * 309, "1e308", "1e400", deep(DEEPEST)])
def test_a_script_that_no_database_keeps_is_refused(value):
    line = LINE.format(value)

    with pytest.raises(Invalid, match=r"^script, answer 2"):
        read_script(f"{LINE.format(1)}\n{line}")
    with pytest.raises(Invalid, match=r"^script, answer 2"):
        checked_script([{"answer": ""}, json.loads(line)])


@pytest.mark.parametrize(
    ("value", "kept"), [("9" * 40, int("9" * 40)), ("-1.50", -1.5), ("7", 7), (deep(DEEPEST - 3), None)]
)
def test_a_script_that_is_kept_is_read_as_it_stands(value, kept):
    [answer] = read_script(LINE.format(value))

    assert kept is None or answer["answer"]["a"] == kept


@pytest.mark.parametrize("text", ['[{"answer": "a"}]', '\n[{"answer": "a"}]', '{"answer": "a"}', '\n{"answer": "a"}'])
def test_a_byte_order_mark_before_a_script_changes_nothing(text):
    assert read_script(f"\ufeff{text}") == read_script(text) == [{"answer": "a"}]
