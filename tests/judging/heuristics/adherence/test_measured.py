"""The figures in docs/explanation/heuristic-chairs.md, measured again."""

from fractions import Fraction
from pathlib import Path

import pytest

from tests.judging.heuristics.adherence.measure import table

PAGE = Path(__file__).resolve().parents[4] / "docs" / "explanation" / "heuristic-chairs.md"


def written(share: Fraction) -> str:
    return f"{round(share * 100)} %"


@pytest.mark.parametrize(("name", "figures"), table(), ids=lambda one: one if isinstance(one, str) else "")
def test_the_page_gives_the_figures_that_are_measured(name, figures):
    precision, recall = figures

    assert f"| {name} | {written(precision)} | {written(recall)} |" in PAGE.read_text(encoding="utf-8")


def test_the_marks_find_more_than_former_patterns_did():
    found = dict(table())

    for about in ("steel-manning", "self-critique"):
        now, former = found[f"{about}, four marks"], found[f"{about}, former patterns"]
        assert now[0] > former[0]
        assert now[1] > former[1]
