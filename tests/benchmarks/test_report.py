"""The table of the benchmarks: what it says of a bar, and that the page is made of the figures that are kept."""

import json

import pytest

from benchmarks import __main__ as benchmarks
from benchmarks import report
from benchmarks.report import BEGIN, END, Row


@pytest.mark.parametrize(
    ("met", "because", "said"),
    [
        pytest.param(True, "Slow.", "| what | bar | 3 | yes |", id="met: no excuse is needed"),
        pytest.param(False, "Slow.", "| what | bar | 3 | **no** Slow. |", id="missed: the reason is given"),
        pytest.param(None, "", "| what | bar | 3 |  |", id="only reported"),
    ],
)
def test_a_row_says_whether_its_bar_is_met(met, because, said):
    assert Row("what", "bar", "3", met=met, because=because).markdown() == said


def test_only_the_figures_of_the_page_are_replaced():
    text = f"Before.\n\n{BEGIN}\nold\n{END}\n\nAfter.\n"

    page = report.page(text=text, where={"cores": 2}, rows=[Row("what", "bar", "3", met=True)])

    assert page.startswith(f"Before.\n\n{BEGIN}\n\nMeasured on: cores 2.\n")
    assert page.endswith(f"{END}\n\nAfter.\n")
    assert "old" not in page
    assert report.page(text=page, where={"cores": 2}, rows=[Row("what", "bar", "3", met=True)]) == page


def test_the_page_is_made_of_the_figures_that_are_kept():
    kept = json.loads(benchmarks.FIGURES.read_text())
    rows = [row for name, module in benchmarks.ALL.items() if name in kept for row in module.rows(kept[name])]

    text = benchmarks.PAGE.read_text()

    assert report.page(text=text, where=kept["machine"], rows=rows) == text


def test_no_bar_is_missed_without_a_reason():
    kept = json.loads(benchmarks.FIGURES.read_text())
    rows = [row for name, module in benchmarks.ALL.items() if name in kept for row in module.rows(kept[name])]

    assert [row.what for row in rows if row.met is False and not row.because] == []
