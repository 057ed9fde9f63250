"""The rubrics that Moot ships are there after every migration; what somebody made of one since is theirs."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.apps import AppConfig, apps
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection, transaction
from django.db.models.signals import post_migrate
from django.dispatch import receiver

from debates.text_file import decoded
from scoring import rubrics
from scoring.models import Rubric
from scoring.services import rubric_store

TABLE = "scoring_criterion"
FOLDER = Path(settings.BASE_DIR) / "samples" / "rubrics"
SHIPPED = ("exhibition", "venture")
"""By name: a file that somebody puts beside them, and that cannot be read, stops no migration."""


def files() -> list[Path]:
    """Return all rubric files of the folder: those that ship, and those that somebody put beside them."""
    return sorted(file for pattern in ("*.json", "*.y*ml") for file in FOLDER.glob(pattern))


@receiver(post_migrate, dispatch_uid="scoring.bundled.after_migration")
def after_migration(*, app_config: AppConfig, using: str, **_rest: Any) -> None:
    """Store what is missing, once for all apps that were migrated."""
    last = [config for config in apps.get_app_configs() if config.models_module is not None][-1]
    if app_config is last and using == DEFAULT_DB_ALIAS and TABLE in connection.introspection.table_names():
        store_missing()


@transaction.atomic
def store_missing(*, files: Iterable[Path] | None = None) -> None:
    """Store the rubric of each file, of those that ship unless others are named, whose slug is not taken.

    Raises: ``Invalid`` for a file that is no rubric.
    Source: docs/reference/rubrics.md#those-that-are-there
    """
    for file in files if files is not None else [FOLDER / f"{name}.json" for name in SHIPPED]:
        snapshot = rubrics.read(decoded(file.read_bytes(), name="the file"))
        if not Rubric.objects.filter(slug=snapshot["slug"]).exists():
            rubric_store.write(snapshot=snapshot, by=None)
