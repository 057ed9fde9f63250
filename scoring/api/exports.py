"""Exports of the score: accounts as they stand, and the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings

from debates.api.exporting import Export, Row
from debates.decimals import in_places
from scoring import selectors
from scoring.models import Evaluation, ScoreChange

ACCOUNT = (
    "debate__public_id", "public_id", "instrument", "key", "name", "category", "weight", "initial_score",
    "computed_score", "override_score", "final_score", "initial_confidence", "confidence", "frozen_at", "run_number",
    "debate_round_count", "debate_complete", "version",
)  # fmt: skip
NUMBERS = (
    "value_before", "value_after", "delta", "applied", "computed_after", "override_after", "confidence_after",
    "raw_sum", "cumulative_raw", "capped_net",
)  # fmt: skip
WORDS = ("sequence", "kind", "frozen_after", "actor_kind", "by_organiser", "reason_code")
ENTRY = (
    "evaluation__debate__public_id", "evaluation__public_id", "evaluation__key", *NUMBERS, *WORDS, "run_number",
    "round__number", "facts", "actor__name", "reason__text", "at", "previous_hash", "hash",
)  # fmt: skip
"""The columns that are read of a row and of what belongs to it: the others would take most of the time."""


class ExportEvaluations(Export):
    """Export score accounts as they stand, oldest first."""

    name, queryset = "evaluations", Evaluation.objects.select_related("debate").only(*ACCOUNT)
    columns = (
        "debate", "evaluation", "instrument", "key", "name", "category", "weight", "initial", "computed", "override",
        "final", "initial_confidence", "confidence", "frozen", "run", "rounds", "complete", "version",
    )  # fmt: skip

    def line(self, row: Any) -> Row:
        return {
            "debate": str(row.debate.public_id),
            "evaluation": str(row.public_id),
            **{name: getattr(row, name) for name in ("instrument", "key", "name", "category", "version")},
            "weight": in_places(row.weight),
            "initial": in_places(row.initial_score),
            "computed": in_places(row.computed_score),
            "override": in_places(row.override_score),
            "final": in_places(row.final_score),
            "initial_confidence": in_places(row.initial_confidence),
            "confidence": in_places(row.confidence),
            "frozen": row.frozen_at is not None,
            "run": row.run_number,
            "rounds": row.debate_round_count,
            "complete": row.debate_complete,
        }


class ExportLedger(Export):
    """Export the entries of the ledger with their hashes, oldest first; who, for those who may view it."""

    name, debate_field = "ledger", "evaluation__debate"
    queryset = ScoreChange.objects.select_related("evaluation__debate", "round", "actor", "reason").only(*ENTRY)
    columns = (
        "debate", "evaluation", "key", "sequence", "kind", "value_before", "value_after", "delta", "applied",
        "computed_after", "override_after", "confidence_after", "frozen_after", "run", "round", "facts", "raw_sum",
        "cumulative_raw", "capped_net", "actor_kind", "by_organiser", "actor", "reason_code", "reason", "at",
        "previous_hash", "hash",
    )  # fmt: skip

    def lines(self, rows: Sequence[Any]) -> list[Row]:
        """Name the facts of all of them, in one query."""
        return super().lines(selectors.named(entries=rows))

    def line(self, row: Any) -> Row:
        people = settings.NAME_MODERATORS or self.person.has_perm("scoring.view_scorechange")
        return {
            "debate": str(row.evaluation.debate.public_id),
            "evaluation": str(row.evaluation.public_id),
            "key": row.evaluation.key,
            **{name: in_places(getattr(row, name)) for name in NUMBERS},
            **{name: getattr(row, name) for name in WORDS},
            "run": row.run_number,
            "round": row.round.number if row.round else None,
            "facts": [str(fact) for fact in row.facts_named],
            "actor": row.actor.name if people and row.actor else None,
            "reason": row.reason.text if row.reason else None,
            "at": row.at.isoformat(),
            "previous_hash": bytes(row.previous_hash).hex(),
            "hash": bytes(row.hash).hex(),
        }
