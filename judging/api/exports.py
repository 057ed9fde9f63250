"""Export of verdicts."""

from __future__ import annotations

from django.db.models import F

from debates.api.export_columns import Among
from debates.api.exporting import Export
from judging.models import Verdict


class ExportVerdicts(Export):
    """Export rulings, oldest first, each with whether it counts now."""

    name, queryset = "verdicts", Verdict.objects.all()
    debate_field, column = "round__thread__debate", "fact_id"
    columns = {
        "debate": "round__thread__debate__public_id",
        "evaluation": "fact__evaluation__public_id",
        "verdict": "fact__public_id",
        "key": "round__thread__key",
        "run": "round__run_number",
        "round": "round__number",
        "challenge": "challenge__label",
        "severity": "challenge__severity",
        "winner": "winner",
        "adjustment": "fact__amount",
        "impact": "fact__impact",
        "confidence": "fact__weight",
        "counts": Among(F("fact_id"), F("fact__evaluation__basis")),
        "provider": "call__provider",
        "model": "call__model",
        "at": "fact__at",
        "reasoning": "reasoning",
    }
