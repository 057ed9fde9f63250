"""From how many points on a second person is needed: told to the database with every migration, and compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.apps import AppConfig, apps
from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Tags
from django.db import connections
from django.db.models.signals import post_migrate

HINT = "Run migrate with the same environment; until then the stricter of both holds."


def register() -> None:
    """Run ``record`` after every migration, and let ``check --database`` compare."""
    post_migrate.connect(record, dispatch_uid="scoring.thresholds.record")
    checks.register(as_the_settings_say, Tags.database)


def record(*, app_config: AppConfig, using: str, **_rest: Any) -> None:
    """Tell the database what the settings say, where that is not what it knows.

    Source: docs/reference/moderation.md, "A second person".
    """
    if app_config.label != "scoring" or not _has_table(using):
        return
    threshold = apps.get_model("scoring", "Threshold")
    if _known(using) != settings.SECOND_PERSON_FROM:
        threshold.objects.using(using).create(points=settings.SECOND_PERSON_FROM)


def as_the_settings_say(*, databases: Sequence[str] | None = None, **_rest: Any) -> Iterable[CheckMessage]:
    """Report a database that was told another threshold than the settings say."""
    for using in databases or ():
        if _has_table(using) and _known(using) != settings.SECOND_PERSON_FROM:
            here, there = settings.SECOND_PERSON_FROM or "empty", _known(using) or "none"
            yield checks.Warning(
                f"MOOT_SECOND_PERSON_FROM is {here}, and the database was told {there}.",
                hint=HINT,
                id="scoring.W002",
            )


def _known(using: str) -> Any:
    rows = apps.get_model("scoring", "Threshold").objects.using(using)
    return rows.order_by("-id").values_list("points", flat=True).first()


def _has_table(using: str) -> bool:
    return "scoring_threshold" in connections[using].introspection.table_names()
