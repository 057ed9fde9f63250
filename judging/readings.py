"""How a debate was judged, and how far its single judgements lie apart: what a reader of its result wants to know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Avg, Count, F, Manager, Max, Q

from debates.models import Debate
from debates.types import Format
from judging.models import Effect, JudgeScore, ResponseEvaluation, Verdict
from judging.rules import fairness
from judging.rules.fairness import ONCE
from scoring.rules import numbers
from scoring.services.entries import text

KINDS: Mapping[str, tuple[tuple[str, Manager[Any], str], ...]] = {
    Format.CRITERION.value: (("verdict", Verdict.objects, "round"),),
    Format.OPEN.value: (("response", ResponseEvaluation.objects, "round"), ("effect", Effect.objects, "turn__round")),
    Format.PANEL.value: (("score", JudgeScore.objects, "report__round"),),
}
"""By format, what is judged several times: what it is called, its rows, and the way to their round."""


def of_debate(*, debate: Debate) -> dict[str, Any] | None:
    """Return the fairness options of a debate and what its judgements came to; nothing where none was chosen.

    Shape: rows of the newest run; ``flipped`` is missing where one order is judged.
    Source: docs/reference/results.md#fairness
    """
    wanted = fairness.of(debate.parameters)
    if wanted == ONCE:
        return None
    kinds = KINDS[debate.format] if wanted.several else ()
    rows = [(name, apart(debate, every, way)) for name, every, way in kinds]
    return {
        "swap": wanted.swap,
        "blindNames": wanted.blind_names,
        "repeats": wanted.repeats,
        "judgements": wanted.judgements,
        "judged": [{"what": name, **row, "flipped": row["flipped"] if wanted.swap else None} for name, row in rows],
    }


def apart(debate: Debate, every: Manager[Any], way: str) -> dict[str, Any]:
    """Return how many rows there are that were judged several times, how many flipped, and how far apart they lie."""
    here = {f"{way}__thread__debate": debate, f"{way}__run_number": F(f"{way}__thread__run_number")}
    rows = every.filter(spread__isnull=False, **here)
    found = rows.aggregate(
        judged=Count("pk"), flipped=Count("pk", filter=Q(flipped=True)), mean=Avg("spread"), largest=Max("spread")
    )
    mean = None if found["mean"] is None else numbers.half_up(found["mean"], places=2)
    return {
        "judged": found["judged"],
        "flipped": found["flipped"],
        "meanSpread": text(mean),
        "largestSpread": text(found["largest"]),
    }
