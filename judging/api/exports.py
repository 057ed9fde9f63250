"""Export of verdicts."""

from __future__ import annotations

from typing import Any

from debates.api.exporting import Export, Row
from debates.decimals import in_places
from judging.api.resources import VERDICT
from judging.models import Verdict


class ExportVerdicts(Export):
    """Export rulings, oldest first, each with whether it counts now."""

    name, debate_field, column = "verdicts", "round__thread__debate", "fact_id"
    columns = (
        "debate", "evaluation", "verdict", "key", "run", "round", "challenge", "severity", "winner", "adjustment",
        "impact", "confidence", "counts", "provider", "model", "at", "reasoning",
    )  # fmt: skip

    queryset = Verdict.objects.select_related(*VERDICT).only(
        *("round__thread__debate__public_id", "round__thread__key", "round__run_number", "round__number"),
        *("fact__evaluation__public_id", "fact__evaluation__basis", "fact__public_id", "fact__amount"),
        *("fact__impact", "fact__weight", "fact__at", "challenge__label", "challenge__severity"),
        *("winner", "reasoning", "call__provider", "call__model"),
    )

    def line(self, row: Any) -> Row:
        fact, thread = row.fact, row.round.thread
        return {
            "debate": str(thread.debate.public_id),
            "evaluation": str(fact.evaluation.public_id),
            "verdict": str(fact.public_id),
            "key": thread.key,
            "run": row.round.run_number,
            "round": row.round.number,
            "challenge": row.challenge.label,
            "severity": row.challenge.severity,
            "winner": row.winner,
            "adjustment": in_places(fact.amount),
            "impact": in_places(fact.impact),
            "confidence": in_places(fact.weight),
            "counts": fact.pk in fact.evaluation.basis,
            "provider": row.call.provider if row.call else None,
            "model": row.call.model if row.call else None,
            "at": fact.at.isoformat(),
            "reasoning": row.reasoning,
        }
