"""System check: refuses a database whose guards are missing, disabled or downgraded."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags
from django.core.checks import register as register_check
from django.db import connections

TRIGGER = re.compile(r"CREATE (?:CONSTRAINT )?TRIGGER (\w+) (?:BEFORE|AFTER) [A-Z ]+ ON (\w+)")
APPS = ("debates", "scoring", "judging")


def register() -> None:
    """Let ``check --database`` and everything that serves look at the guards."""
    register_check(guards_stand, Tags.database)


def expected() -> set[tuple[str, str]]:
    """Return (table, trigger) of every guard that the SQL files of the apps create."""
    found = set()
    for app in APPS:
        for file in sorted((Path(settings.BASE_DIR) / app / "sql").glob("*.sql")):
            found |= {(table, trigger) for trigger, table in TRIGGER.findall(file.read_text(encoding="utf-8"))}
    return found


def states(*, using: str) -> dict[tuple[str, str], str]:
    """Return how each trigger of the database is switched: A always, O by default, D disabled, R replica."""
    with connections[using].cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, t.tgname, t.tgenabled::text FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
            " WHERE NOT t.tgisinternal AND c.relnamespace = 'public'::regnamespace"
        )
        return {(table, trigger): state for table, trigger, state in cursor.fetchall()}


def faults(*, using: str) -> list[str]:
    """Return one sentence for every guard that does not stand."""
    found = states(using=using)
    missing = [f"{table}: the guard {trigger} is missing" for table, trigger in sorted(expected() - set(found))]
    weak = [
        f"{table}: the guard {trigger} is {'disabled' if found[table, trigger] == 'D' else 'not ENABLE ALWAYS'}"
        for table, trigger in sorted(expected() & set(found))
        if found[table, trigger] != "A"
    ]
    return missing + weak


def guards_stand(*, databases: Sequence[str] | None = None, **_rest: Any) -> Iterable[CheckMessage]:
    """Report every guard that does not stand in a migrated database."""
    for using in databases or ():
        if "scoring_scorechange" not in connections[using].introspection.table_names():
            continue
        for fault in faults(using=using):
            hint = "Restore the guards: migrate a fresh copy, or run the ALTER TABLE lines of the SQL files again."
            yield Error(fault, hint=hint, id="scoring.E001")
