"""The chart of a score: where its lines and marks lie."""

from decimal import Decimal

import pytest

from scoring.admin import charts
from scoring.models import ScoreChange

LOW, HIGH = Decimal(1), Decimal(10)


def entry(sequence, kind="round", *, value="6", computed=None, override=None, frozen=False):
    return ScoreChange(
        sequence=sequence,
        kind=kind,
        value_after=Decimal(value),
        computed_after=Decimal(computed or value),
        override_after=Decimal(override) if override else None,
        frozen_after=frozen,
    )


def test_there_is_no_chart_without_entries():
    assert charts.chart(entries=[], low=LOW, high=HIGH) is None


def test_the_ends_of_the_scale_are_the_ends_of_the_chart():
    found = charts.chart(entries=[entry(1, value="1"), entry(2, value="10")], low=LOW, high=HIGH)

    assert [(mark.x, mark.y) for mark in found.marks] == [("34.0", "186.0"), ("468.0", "14.0")]
    assert found.value == "34.0,186.0 468.0,186.0 468.0,14.0"


def test_a_single_entry_is_a_level_line():
    found = charts.chart(entries=[entry(1, value="10")], low=LOW, high=HIGH)

    assert found.value == "34.0,14.0 468.0,14.0 468.0,14.0"


def test_what_lies_under_an_override_is_drawn_until_it_is_lifted():
    lines = [
        entry(1, "opened"),
        entry(2, "override", value="9", computed="6", override="9"),
        entry(3, "override_lifted", value="6"),
    ]

    found = charts.chart(entries=lines, low=LOW, high=HIGH)

    assert [mark.shape for mark in found.marks] == ["plain", "override", "lifted"]
    assert len(found.computed) == 1
    assert found.computed[0].startswith("251.0,")
    assert found.computed[0].split()[-1].startswith("468.0,")


@pytest.mark.parametrize(
    ("flags", "frosts"),
    [
        ([False, True, False], [("251.0", "217.0")]),
        ([False, False, True], [("464.0", "8.0")]),
        ([False, False, False], []),
    ],
    ids=["thawed", "still frozen", "never frozen"],
)
def test_the_stretch_of_a_freeze_is_shaded(flags, frosts):
    lines = [entry(number, frozen=flag) for number, flag in enumerate(flags, start=1)]

    found = charts.chart(entries=lines, low=LOW, high=HIGH)

    assert found.frosts == frosts


def test_only_the_newest_entries_of_a_long_ledger_are_drawn():
    found = charts.chart(entries=[entry(number) for number in range(1, 101)], low=LOW, high=HIGH)

    assert (len(found.marks), found.first, found.last) == (charts.MOST, 41, 100)


@pytest.mark.parametrize(
    ("low", "high", "texts"),
    [
        ("1", "10", ["1", "4", "7", "10"]),
        ("1", "5", ["1", "2", "3", "4", "5"]),
        ("0", "100", ["0", "25", "50", "75", "100"]),
    ],
)
def test_the_grid_lies_on_whole_numbers(low, high, texts):
    found = charts.chart(entries=[entry(1, value="3")], low=Decimal(low), high=Decimal(high))

    assert [text for _, text in found.levels] == texts


def test_a_very_wide_scale_is_narrowed_to_what_is_drawn():
    found = charts.chart(entries=[entry(1, value="100"), entry(2, value="130")], low=Decimal(-50), high=Decimal(1000))

    assert (found.levels[0][1], found.levels[-1][1]) == ("90", "140")
