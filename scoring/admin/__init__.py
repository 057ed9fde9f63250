"""Scores in the admin: rubrics are edited here; whatever the ledger owns is read, and acted on through services."""

from scoring.admin import alerts, approvals, conflicts, ledger, rescore_sets, rubrics, scores

__all__ = ["alerts", "approvals", "conflicts", "ledger", "rescore_sets", "rubrics", "scores"]
