"""What counts as visible in a reason, and in a text: every code point, held against Python's table of Unicode."""

import unicodedata

import pytest

from debates.rules import is_visible
from tests.schema.attacks import run

pytestmark = pytest.mark.django_db
WITHOUT_INK = {"Cc", "Cf", "Cn", "Co", "Zs", "Zl", "Zp"}
IGNORABLE = [
    (0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x3164, 0x3164), (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0), (0xE0000, 0xE0FFF),
]  # fmt: skip
"""Default ignorable code points that have another category. Source: DerivedCoreProperties.txt of Unicode 14."""
DRAWN_AS_NOTHING = {0x2800, 0x16FE4, 0x1D159}


def invisible() -> set[int]:
    hidden = {one for one in range(1, 0x110000) if unicodedata.category(chr(one)) in WITHOUT_INK}
    return hidden | DRAWN_AS_NOTHING | {one for low, high in IGNORABLE for one in range(low, high + 1)}


@pytest.mark.slow
def test_every_code_point_counts_if_and_only_if_it_can_be_seen():
    question = (
        "SELECT n FROM generate_series(1, 1114111) n WHERE n NOT BETWEEN 55296 AND 57343 AND moot_seen(chr(n)) = ''"
    )
    hidden = {code for (code,) in run(question)}
    surrogates = set(range(0xD800, 0xE000))

    assert invisible() - surrogates - hidden == set()
    if unicodedata.unidata_version == "14.0.0":  # a later table has assigned what does not count here yet
        assert hidden == invisible() - surrogates


@pytest.mark.slow
def test_a_text_that_can_be_seen_is_one_by_the_same_table():
    surrogates = set(range(0xD800, 0xE000))

    hidden = {code for code in range(1, 0x110000) if not is_visible(chr(code))}

    assert hidden == invisible() | surrogates


@pytest.mark.parametrize(
    "character", ["\U0001bca0", "\U0001d159", "\U00016fe4", "\U00013430", "\ufdd0", "\u0378", "\ue000"]
)
def test_ten_characters_that_nobody_sees_are_no_reason(character):
    assert run(f"SELECT length(moot_seen('{character * 10}'))") == [(0,)]
