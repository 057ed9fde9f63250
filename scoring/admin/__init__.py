"""Scores in the admin: rubrics are edited here; whatever the ledger owns is read, and acted on through services."""

from scoring.admin import alerts, facts, ledger, rubrics, scores, second, sets

__all__ = ["alerts", "facts", "ledger", "rubrics", "scores", "second", "sets"]
