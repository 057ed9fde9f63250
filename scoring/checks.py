"""System check: refuses a database that is not what the migrations make of it, guard by guard and right by right."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.apps import apps
from django.core import checks
from django.core.checks import CheckMessage, Error, Tags
from django.db import ProgrammingError, connections
from django.db.migrations.loader import MigrationLoader
from psycopg.errors import InsufficientPrivilege

from scoring import definitions

HINT = (
    "Restore the guards: run sql/guards.sql of debates, scoring and judging again, in this order and as the owner, then"
    " `manage.py migrate`."
)
HINT_OF_RIGHTS = "Take back what is too much by REVOKE or ALTER ROLE; what is missing `manage.py migrate` grants anew."


def waiting(*, using: str) -> list[str]:
    """Return the migrations that a database on its way forward has still to run.

    Where an app has tables but none of its migrations, the tables were not made by migrations: it waits for nothing.
    """
    loader = MigrationLoader(connections[using])
    begun = {app for app, _ in loader.applied_migrations}
    tables = set(connections[using].introspection.table_names())
    begun |= {app for app in definitions.APPS if not tables & tables_of(app)}
    missing = set(loader.disk_migrations) - set(loader.applied_migrations)
    return sorted(f"{app}.{name}" for app, name in missing if app in begun)


def pending(*, using: str) -> list[str]:
    """Return the migrations that a database has not run, of any app, and the rights that are granted after the last."""
    try:
        loader = MigrationLoader(connections[using])
    except ProgrammingError as error:
        if not isinstance(error.__cause__, InsufficientPrivilege):
            raise
        return ["rights of the app role"]
    return sorted(f"{app}.{name}" for app, name in set(loader.disk_migrations) - set(loader.applied_migrations))


def tables_of(app: str) -> set[str]:
    return {model._meta.db_table for model in apps.get_app_config(app).get_models()}  # noqa: SLF001 -- Django's public name


def made_elsewhere(*, using: str) -> str:
    """Return how what another checkout's migrations made differs from what those of this one do; else nothing."""
    if definitions.is_ours(using=using) or pending(using=using):
        return ""
    return next(definitions.differences(using=using), "")


def faults(*, using: str) -> Iterator[str]:
    """Yield one sentence for everything that does not stand, and for every right that somebody should not have."""
    yield from definitions.differences(using=using)
    yield from definitions.rights_differences(using=using)


@checks.register(Tags.database)
def guards_stand(*, databases: Sequence[str] | None = None, **_rest: Any) -> Iterable[CheckMessage]:
    """Report what does not stand in a database that has our tables; while migrations wait, nothing is compared."""
    for using in databases or ():
        if "scoring_scorechange" not in connections[using].introspection.table_names():
            continue
        behind = waiting(using=using)
        if behind:
            yield checks.Warning(
                f"Migrations wait, so guards were not compared with anything: {', '.join(behind)}.",
                hint="Run `manage.py migrate`, then check again.",
                id="scoring.W001",
            )
            continue
        if made_elsewhere(using=using):  # config/checks.py says it, in one sentence
            continue
        for fault in definitions.differences(using=using):
            yield Error(fault, hint=HINT, id="scoring.E001")
        for fault in definitions.rights_differences(using=using):
            yield Error(fault, hint=HINT_OF_RIGHTS, id="scoring.E001")
        for stored in definitions.settings_of_connections(using=using):
            yield checks.Warning(
                f"{stored[0].upper()}{stored[1:]}.",
                hint="If you do not want it, reset it: ALTER ROLE or ALTER DATABASE ... RESET.",
                id="scoring.W004",
            )
