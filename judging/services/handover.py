"""A concluded panel as the first stage of a criterion debate: its scores become the initial ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.contrib.auth.models import User

from debates.errors import Invalid
from debates.models import Debate
from debates.types import Format, Status
from judging import minutes
from judging.rules.consensus import HIGHEST, LOWEST
from judging.services.earlier import earlier
from scoring.rules import numbers
from scoring.rules.criterion import initial_from_panel

MAPPING = "1 + (score - 1) x 9/4"
"""How 1..5 becomes 1..10, kept with every debate that begins so."""


def initial_scores(*, panel: str, codes: Sequence[str], by: User | None) -> dict[str, tuple[Decimal, Decimal]]:
    """Return the initial score and confidence of each criterion that a concluded panel gives.

    Shape: ``panel`` is its public id; ``by`` is nobody when the operator of the machine asks.
    Raises: ``NotFound``, ``Invalid`` unless it is a concluded panel that has scored every one of the criteria.
    Source: docs/reference/panels.md#as-the-first-stage-of-a-criterion-debate
    """
    document = minutes.panel_document(debate=concluded(panel=panel, by=by))
    rows = {row["code"]: row for row in document["criteria"] if row["final"] is not None}
    missing = [code for code in codes if code not in rows]
    if missing:
        raise Invalid(f"panel: it has no score for {', '.join(missing)}; it scored {', '.join(rows) or 'nothing'}.")
    return {
        code: (
            initial_from_panel(score=Decimal(rows[code]["final"])),
            confidence_of(spread_among_enough(rows[code], document=document)),
        )
        for code in codes
    }


def concluded(*, panel: str, by: User | None) -> Debate:
    """Return a concluded panel.

    Raises: ``NotFound``, for one that somebody may not read as well; ``Invalid``.
    """
    found = earlier(named=panel, of=Format.PANEL, field="panel", by=by)
    if found.status != Status.CONCLUDED.value:
        raise Invalid(f"panel: it is {found.status.replace('_', ' ')}; only a concluded panel gives initial scores.")
    return found


def spread_among_enough(row: Mapping[str, Any], *, document: Mapping[str, Any]) -> str | None:
    """Return how far apart the judges of a criterion are; nothing where fewer count on it than the quorum asks for.

    Shape: ``row`` is a criterion of the panel's ``document``.
    Source: docs/decisions/0011-a-panel-hands-over-how-far-it-was-apart.md
    """
    now, at = document["now"], row["code"]
    out = {one["judge"] for one in document["struck"] if (one["round"], one["criterion"]) == (now["round"], at)}
    counting = [judge for judge, score in row["scores"].items() if score is not None and judge not in out]
    spread: str | None = row["spread"] if len(counting) >= now["needed"] else None
    return spread


def confidence_of(spread: str | None) -> Decimal:
    """Return how sure a panel is: 1 where judges agree, 0 where too few count or they are as far apart as can be."""
    apart = Fraction(spread) if spread is not None else Fraction(HIGHEST - LOWEST)
    return numbers.half_up(1 - apart / Fraction(HIGHEST - LOWEST), places=2)
