"""Scores in the admin: rubrics are edited here, everything that the ledger owns is read."""

from scoring.admin import alerts, ledger, rubrics, scores

__all__ = ["alerts", "ledger", "rubrics", "scores"]
