"""Exports of the score: accounts as they stand, and the ledger."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import F, Func, IntegerField, OuterRef, TextField, Value
from django.db.models.lookups import IsNull

from debates.api.export_columns import Among
from debates.api.exporting import Export
from scoring.models import Evaluation, Fact, ScoreChange


class ExportEvaluations(Export):
    """Export score accounts as they stand, oldest first."""

    name, queryset = "evaluations", Evaluation.objects.all()
    columns = {
        "debate": "debate__public_id",
        "evaluation": "public_id",
        "instrument": "instrument",
        "key": "key",
        "name": "name",
        "category": "category",
        "weight": "weight",
        "initial": "initial_score",
        "computed": "computed_score",
        "override": "override_score",
        "final": "final_score",
        "initial_confidence": "initial_confidence",
        "confidence": "confidence",
        "frozen": IsNull(F("frozen_at"), rhs=False),
        "run": "run_number",
        "rounds": "debate_round_count",
        "complete": "debate_complete",
        "version": "version",
    }


FACTS = ArraySubquery(
    Fact.objects.filter(Among(F("pk"), OuterRef("facts")))
    .annotate(nth=Func(OuterRef("facts"), F("pk"), function="array_position", output_field=IntegerField()))
    .order_by("nth")
    .values("public_id")
)


class ExportLedger(Export):
    """Export the entries of the ledger with their hashes, oldest first; who, for those who may view it."""

    name, debate_field, queryset = "ledger", "evaluation__debate", ScoreChange.objects.all()
    columns = {
        "debate": "evaluation__debate__public_id",
        "evaluation": "evaluation__public_id",
        "key": "evaluation__key",
        "sequence": "sequence",
        "kind": "kind",
        "value_before": "value_before",
        "value_after": "value_after",
        "delta": "delta",
        "applied": "applied",
        "computed_after": "computed_after",
        "override_after": "override_after",
        "confidence_after": "confidence_after",
        "frozen_after": "frozen_after",
        "run": "run_number",
        "round": "round__number",
        "facts": FACTS,
        "raw_sum": "raw_sum",
        "cumulative_raw": "cumulative_raw",
        "capped_net": "capped_net",
        "actor_kind": "actor_kind",
        "by_organiser": "by_organiser",
        "actor": "actor__name",
        "reason_code": "reason_code",
        "reason": "reason__text",
        "at": "at",
        "previous_hash": "previous_hash",
        "hash": "hash",
    }

    def written_columns(self) -> Mapping[str, Any]:
        if settings.NAME_MODERATORS or self.person.has_perm("scoring.view_scorechange"):
            return self.columns
        return self.columns | {"actor": Value(None, output_field=TextField())}
