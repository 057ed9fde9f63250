"""The score: rubrics, evaluations, the ledger, moderation, alerts."""

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    name = "scoring"

    def ready(self) -> None:
        """Import what registers itself: what is done after a migration, what is checked, and what guards refuse."""
        from scoring import bundled, checks, constraint_errors, database_grants, groups, thresholds  # noqa: F401, PLC0415 -- as said; the app registry must be ready
