"""System check: refuses a database whose guards are missing, disabled, downgraded or rewritten."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags
from django.core.checks import register as register_check
from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.db.models.options import Options

TRIGGER = re.compile(r"CREATE (?:CONSTRAINT |OR REPLACE )?TRIGGER (\w+) (?:BEFORE|AFTER) [A-Z ]+ ON (\w+)")
FUNCTION = re.compile(r"CREATE (?:OR REPLACE )?FUNCTION (\w+)\(.*?AS \$\$(.*?)\$\$;", re.DOTALL)
CONSTRAINT = re.compile(r"ALTER TABLE (\w+) ADD CONSTRAINT (\w+)")
APPS = ("debates", "scoring", "judging")
SEARCH_PATH = "search_path=pg_catalog, public, pg_temp"
HINT = "Restore the guards: run sql/guards.sql of debates, scoring and judging again, in this order and as the owner."


def register() -> None:
    """Let ``check --database`` and everything that serves look at the guards."""
    register_check(guards_stand, Tags.database)


@cache
def sources() -> dict[str, str]:
    """Return the SQL that installs the guards, by app."""
    root = Path(settings.BASE_DIR)
    return {app: (root / app / "sql" / "guards.sql").read_text(encoding="utf-8") for app in APPS}


def waiting(*, using: str) -> set[str]:
    """Return the apps that still have migrations to run in a database on its way forward.

    Where an app has tables but none of its migrations, the tables were not made by migrations: it waits for nothing.
    """
    loader = MigrationLoader(connections[using])
    begun = {app for app, _ in loader.applied_migrations}
    tables = set(connections[using].introspection.table_names())
    begun |= {app for app in APPS if not tables & {options.db_table for options in options_of(app)}}
    return {app for app, name in set(loader.disk_migrations) - set(loader.applied_migrations) if app in begun}


def options_of(app: str) -> list[Options[Any]]:
    """Return the Meta of every model of an app."""
    return [model._meta for model in apps.get_app_config(app).get_models()]  # noqa: SLF001 -- Django's public name


def expected(texts: Iterable[str] | None = None) -> set[tuple[str, str]]:
    """Return (table, trigger) of every guard that the SQL files of the apps create."""
    texts = sources().values() if texts is None else texts
    return {(table, trigger) for text in texts for trigger, table in TRIGGER.findall(text)}


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
    settled = [app for app in APPS if app not in waiting(using=using)]
    texts = [sources()[app] for app in settled]
    return [
        *_triggers(texts, using=using),
        *_functions(texts, using=using),
        *_constraints(of_texts(texts) | of_models(settled), using=using),
    ]


def of_texts(texts: Iterable[str]) -> set[tuple[str, str]]:
    """Return (table, constraint) of every constraint that the SQL adds."""
    return {pair for text in texts for pair in CONSTRAINT.findall(text)}


def of_models(labels: Iterable[str]) -> set[tuple[str, str]]:
    """Return (table, constraint) of every constraint that the models of these apps name."""
    options = [each for app in labels for each in options_of(app)]
    return {(each.db_table, constraint.name) for each in options for constraint in each.constraints}


def _triggers(texts: Iterable[str], *, using: str) -> Iterator[str]:
    found = states(using=using)
    for table, trigger in sorted(expected(texts)):
        state = found.get((table, trigger))
        if state is None:
            yield f"{table}: the guard {trigger} is missing"
        elif state != "A":
            yield f"{table}: the guard {trigger} is {'disabled' if state == 'D' else 'not ENABLE ALWAYS'}"


def _functions(texts: Iterable[str], *, using: str) -> Iterator[str]:
    wanted = {name: body for text in texts for name, body in FUNCTION.findall(text)}
    with connections[using].cursor() as cursor:
        cursor.execute(
            "SELECT proname, prosrc, %s = ANY (proconfig) FROM pg_proc"
            " WHERE pronamespace = 'public'::regnamespace AND proname = ANY (%s)",
            [SEARCH_PATH, list(wanted)],
        )
        found = {name: (body, fixed) for name, body, fixed in cursor.fetchall()}
    for name, body in sorted(wanted.items()):
        if name not in found:
            yield f"the function {name} is missing"
        elif found[name] != (body, True):
            yield f"the function {name} is not the one of the SQL files"


def _constraints(wanted: set[tuple[str, str]], *, using: str) -> Iterator[str]:
    with connections[using].cursor() as cursor:
        cursor.execute(
            "SELECT conrelid::regclass::text, conname FROM pg_constraint"
            " WHERE convalidated AND conrelid <> 0 AND connamespace = 'public'::regnamespace"
            " UNION SELECT indrelid::regclass::text, indexrelid::regclass::text FROM pg_index"
            " WHERE indisunique AND indisvalid"
        )
        found = set(cursor.fetchall())
    for table, name in sorted(wanted - found):
        yield f"{table}: the constraint {name} is missing or not validated"


def guards_stand(*, databases: Sequence[str] | None = None, **_rest: Any) -> Iterable[CheckMessage]:
    """Report every guard that does not stand in a database that has our tables."""
    for using in databases or ():
        if "scoring_scorechange" not in connections[using].introspection.table_names():
            continue
        for fault in faults(using=using):
            yield Error(fault, hint=HINT, id="scoring.E001")
