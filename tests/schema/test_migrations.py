"""Models and migrations agree; guards can be installed again, and never taken back by a command."""

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import connection, connections
from django.db.migrations.exceptions import IrreversibleError
from django.db.migrations.loader import MigrationLoader

from config.embedded.places import PORT
from scoring import checks
from tests.kills.stage import migrated_server

pytestmark = pytest.mark.django_db
SCRATCH = "scratch"


def test_models_and_migrations_agree():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


@pytest.fixture
def scratch(django_db_setup, django_db_blocker) -> Iterator[str]:
    """A migrated database on a server of its own."""
    with migrated_server() as server, django_db_blocker.unblock():
        place = {"NAME": "moot", "HOST": str(server.places.run), "PORT": str(PORT), "USER": "postgres"}
        connections.databases[SCRATCH] = {**connection.settings_dict, **place}
        yield SCRATCH
        connections[SCRATCH].close()
        del connections[SCRATCH], connections.databases[SCRATCH]


SCHEMA = """
SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(oid), tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated::text FROM pg_constraint
UNION ALL SELECT 'function', proname, pg_get_functiondef(oid), proowner::regrole::text FROM pg_proc
  WHERE proname ~ '^moot_'
UNION ALL SELECT attrelid::regclass::text, attname, atttypid::regtype::text, attnum::text FROM pg_attribute
  WHERE attrelid IN (SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace)
ORDER BY 1, 2, 3
"""


def schema() -> list[tuple[object, ...]]:
    """Return what the tables of the database are, and what guards them."""
    with connections[SCRATCH].cursor() as cursor:
        cursor.execute(SCHEMA)
        return cursor.fetchall()


@pytest.mark.parametrize("app", checks.APPS)
def test_the_guards_can_be_installed_again_and_are_the_same(scratch, app):
    before = schema()

    with connections[SCRATCH].cursor() as cursor:
        cursor.execute(checks.sources()[app])

    assert schema() == before
    assert checks.faults(using=SCRATCH) == []


def test_what_guards_history_is_not_taken_back_by_a_command(scratch):
    with pytest.raises(IrreversibleError):
        call_command("migrate", "scoring", "0001", database=SCRATCH, verbosity=0)

    assert checks.faults(using=SCRATCH) == []


@pytest.mark.parametrize("app", checks.APPS)
def test_one_migration_of_each_app_installs_its_guards(app):
    loader = MigrationLoader(connection)
    installed = [
        name
        for (label, name), migration in loader.disk_migrations.items()
        if label == app and any(getattr(step, "sql", None) == checks.sources()[app] for step in migration.operations)
    ]

    assert len(installed) == 1
    assert [name for label, name in loader.graph.leaf_nodes(app)] == installed


def test_a_function_is_defined_once():
    names = [name for text in checks.sources().values() for name, _ in checks.FUNCTION.findall(text)]

    assert sorted(names) == sorted(set(names))
    assert len(names) >= 29
