"""Probes write a text otherwise, and say the same."""

import re

import pytest

from judging.rules import text_probes
from judging.rules.text_probes import Expected

TEXT = (
    "# Street heat\n\n"
    "We measured 41 degrees in Gate Street, and 36 in the park \u2014 on the same day. Trees cost 310 euros each.\n"
    "Dr. Hale (2021) says \u201cshade pays\u201d. It's slow.\n\n"
    "* first, water\n* then shade\n\n"
    "```\nplant(1)\n\nplant(2)\n```\n\n"
    "Who waters them? The caretaker does; nobody else can."
)
WORDS = re.compile(r"[a-z0-9]+")
SAYS_MORE = {"said twice", "heading on top"}
SAYS_LESS = {"headings left out"}


@pytest.mark.parametrize("name", text_probes.PROBES[Expected.SAME])
def test_a_probe_that_must_change_nothing_changes_the_text_and_keeps_its_words(name):
    changed = text_probes.PROBES[Expected.SAME][name]

    text = text_probes.curly(TEXT) if name == "straight quotes" else text_probes.straight(TEXT)
    text = text_probes.wrapped(text) if name == "lines unbroken" else text
    before, after = (sorted(WORDS.findall(one.lower())) for one in (text, changed(text)))

    assert changed(text) != text
    if name in SAYS_MORE:
        assert set(after) >= set(before)
    elif name in SAYS_LESS:
        assert set(after) <= set(before)
    else:
        assert after == before


@pytest.mark.parametrize("name", text_probes.PROBES[Expected.NO_GAIN])
def test_a_probe_that_must_not_gain_keeps_the_text_and_adds_to_it(name):
    changed = text_probes.PROBES[Expected.NO_GAIN][name](TEXT)

    assert changed.startswith(TEXT)
    assert len(changed) > len(TEXT) + 40


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("commas left out", "Yes, it cost 1,200; then less.", "Yes it cost 1,200; then less."),
        ("sentences joined", "It rained. We stayed. J. Hale left.", "It rained; We stayed; J. Hale left."),
        ("a line a sentence", "It rained. We stayed.\n\nWho? Hale.", "It rained.\nWe stayed.\n\nWho?\nHale."),
        ("two spaces", "It rained. We stayed.", "It rained.  We stayed."),
        ("straight quotes", "\u201cIt\u2019s\u201d", '"It\'s"'),
        ("curly quotes", "\"It's\" ('so')", "\u201cIt\u2019s\u201d (\u2018so\u2019)"),
        ("hyphens for dashes", "shade \u2014 and\u2014water", "shade - and - water"),
        ("paragraphs reversed", "one\n\n\n  two\n", "  two\n\none"),
        ("headings left out", "# Heat\n\nIt is hot.\n\n## Why\n\nSun.", "It is hot.\n\n\nSun."),
        ("said twice", "It is hot.\n", "It is hot.\n\nIt is hot.\n"),
        ("lines unbroken", "It is\nhot.\n- a\n- b\nand dry", "It is hot.\n- a\n- b\nand dry"),
        ("end repeated", "one\n\ntwo", "one\n\ntwo\n\ntwo\n\ntwo\n\ntwo"),
    ],
)
def test_each_probe_does_what_its_name_says(name, text, expected):
    known = {**text_probes.PROBES[Expected.SAME], **text_probes.PROBES[Expected.NO_GAIN]}

    assert known[name](text) == expected


def test_fenced_code_stays_as_it_is_where_paragraphs_move_and_lines_are_broken():
    assert text_probes.paragraphs(TEXT)[3] == "```\nplant(1)\n\nplant(2)\n```"
    assert "```\nplant(1)\n\nplant(2)\n```" in text_probes.wrapped(TEXT)
    assert max(len(line) for line in text_probes.wrapped(TEXT).split("\n")) <= text_probes.NARROW


def test_only_the_ways_that_change_a_text_are_tried_on_it():
    assert set(text_probes.altered("it is hot", expected=Expected.SAME)) == {
        "upper case",
        "heading on top",
        "said twice",
    }
    assert set(text_probes.altered("it is hot", expected=Expected.NO_GAIN)) == set(text_probes.PROBES[Expected.NO_GAIN])
