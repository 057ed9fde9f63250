"""The score: rubrics, evaluations, the ledger, moderation, alerts."""

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    name = "scoring"

    def ready(self) -> None:
        from scoring import bundled, checks, database_grants, groups, thresholds  # noqa: PLC0415 -- the app registry must be ready

        groups.register()
        bundled.register()
        checks.register()
        database_grants.register()
        thresholds.register()
