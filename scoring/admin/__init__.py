"""Scores in the admin: rubrics are edited here; whatever the ledger owns is read, and acted on through services."""

from scoring.admin import alerts, erasures, facts, ledger, rubrics, scores, second, sets

__all__ = ["alerts", "erasures", "facts", "ledger", "rubrics", "scores", "second", "sets"]
