"""The score: rubrics, evaluations, the ledger, moderation, alerts."""

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    name = "scoring"

    def ready(self) -> None:
        """Import what registers itself: what is done after a migration, and what is checked."""
        from scoring import bundled, checks, database_grants, groups, thresholds  # noqa: F401, PLC0415 -- as said; the app registry must be ready
