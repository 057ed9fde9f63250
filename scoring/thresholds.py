"""What guards need of the settings: told to the database with every migration, and compared.

From how many points on a second person is needed, and whether organisers moderate what they organise.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.apps import AppConfig, apps
from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Tags
from django.db import connections
from django.db.models.signals import post_migrate
from django.dispatch import receiver

HINT = "Run migrate with the same environment; until then the stricter of both holds."


@dataclass(frozen=True, slots=True)
class KeptSetting:
    """A setting that the database keeps rows of; the newest holds, and ``untold`` where there is none.

    Shape: ``id`` is that of the warning of the check.
    """

    model: str
    column: str
    setting: str
    id: str
    untold: Any = None

    @property
    def table(self) -> str:
        return f"scoring_{self.model.lower()}"


KEPT = (
    KeptSetting("Threshold", "points", "SECOND_PERSON_FROM", "scoring.W002"),
    KeptSetting("OrganiserRule", "moderate", "ORGANISERS_MODERATE", "scoring.W003", untold=True),
)


@receiver(post_migrate, dispatch_uid="scoring.thresholds.record")
def record(*, app_config: AppConfig, using: str, **_rest: Any) -> None:
    """Tell the database what the settings say, where that is not what it knows.

    Source: docs/reference/moderation.md, "A second person", and docs/reference/conflicts.md, "Organisers".
    """
    if app_config.label != "scoring":
        return
    for kept in _kept(using):
        value = getattr(settings, kept.setting)
        if _value(kept, using) != value:
            apps.get_model("scoring", kept.model).objects.using(using).create(**{kept.column: value})


@checks.register(Tags.database)
def as_the_settings_say(*, databases: Sequence[str] | None = None, **_rest: Any) -> Iterable[CheckMessage]:
    """Report a database that was told something else than the settings say."""
    for using in databases or ():
        for kept in _kept(using):
            here, there = getattr(settings, kept.setting), _value(kept, using)
            if here != there:
                yield checks.Warning(
                    f"MOOT_{kept.setting} is {'empty' if here is None else here}, and the database was told"
                    f" {'none' if there is None else there}.",
                    hint=HINT,
                    id=kept.id,
                )


def _value(kept: KeptSetting, using: str) -> Any:
    rows = apps.get_model("scoring", kept.model).objects.using(using)
    values = list(rows.order_by("-id").values_list(kept.column, flat=True)[:1])
    return values[0] if values else kept.untold


def _kept(using: str) -> Iterable[KeptSetting]:
    tables = connections[using].introspection.table_names()
    return [kept for kept in KEPT if kept.table in tables]
