"""The parts of a panel's page: what it came to, judges by criteria and rounds, and what each judge reported."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from debates.models import Debate
from judging import minutes
from judging.pages.part import Page, Part, named
from judging.panels import markdown

STIRRED = ("panel:", "review:", "score:", "debate:", "synthesis:")


@dataclass(frozen=True, slots=True)
class Cell:
    """What one judge gave one criterion, round by round; nothing where it could not be read."""

    judge: str
    scores: Sequence[str | None]


@dataclass(frozen=True, slots=True)
class Line:
    """One criterion of the matrix; ``apart`` where the judges lie further apart than the policy allows."""

    criterion: Mapping[str, Any]
    cells: Sequence[Cell]
    apart: bool


def page(*, debate: Debate, only: Collection[str] | None) -> Page:
    """Return the page of a panel."""
    document = minutes.panel_document(debate=debate)
    return Page(
        layout="debates/panel.html",
        parts=named(
            Part("panel_outcome", "debates/_panel_outcome.html", stirred_by=STIRRED),
            Part("panel_matrix", "debates/_panel_matrix.html", stirred_by=STIRRED),
            Part("panel_reports", "debates/_panel_reports.html", stirred_by=("panel:",)),
        ),
        values={
            "panel": document,
            "lines": [line(one, document) for one in document["criteria"]],
            "reason": markdown.REASONS.get((document["outcome"] or {}).get("reason", ""), ""),
            "reports": reports(document),
        },
    )


def line(one: Mapping[str, Any], document: Mapping[str, Any]) -> Line:
    """Return one criterion, with what every judge gave it in every round."""
    limit = Decimal(document["policy"]["criterion_spread"])
    return Line(
        criterion=one,
        cells=[
            Cell(judge["name"], [given(played, judge["name"], one["code"]) for played in document["rounds"]])
            for judge in document["judges"]
        ],
        apart=one["spread"] is not None and Decimal(one["spread"]) > limit,
    )


def given(played: Mapping[str, Any], judge: str, code: str) -> str | None:
    """Return what a judge gave a criterion in a round."""
    section = played["sections"].get(judge)
    score: str | None = section["scores"].get(code) if section else None
    return score


def reports(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the reports of the judges, each with its sections in order."""
    return [
        {
            "judge": judge,
            "sections": [
                {"number": played["number"], "section": played["sections"].get(judge["name"])}
                for played in document["rounds"]
            ],
        }
        for judge in document["judges"]
    ]
