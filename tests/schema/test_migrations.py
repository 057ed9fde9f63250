"""Models and migrations agree; guards can be installed again, and never taken back by a command."""

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import connection, connections
from django.db.migrations.exceptions import IrreversibleError
from django.db.migrations.loader import MigrationLoader

from config.embedded.paths import PORT
from scoring import checks, definitions
from tests.crash.harness import migrated_server
from tests.schema import record, sources

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


@pytest.mark.parametrize("app", definitions.APPS)
def test_the_guards_can_be_installed_again_and_are_the_same(scratch, app):
    before = definitions.present(using=SCRATCH)

    with connections[SCRATCH].cursor() as cursor:
        cursor.execute(sources.TEXTS[app])

    assert definitions.present(using=SCRATCH) == before
    assert list(checks.faults(using=SCRATCH)) == []


def test_what_guards_history_is_not_taken_back_by_a_command(scratch):
    with pytest.raises(IrreversibleError):
        call_command("migrate", "scoring", "0001", database=SCRATCH, verbosity=0)

    assert list(checks.faults(using=SCRATCH)) == []


@pytest.mark.parametrize("app", definitions.APPS)
def test_one_migration_of_each_app_installs_its_guards(app):
    loader = MigrationLoader(connection)
    installed = [
        name
        for (label, name), migration in loader.disk_migrations.items()
        if label == app and any(getattr(step, "sql", None) == sources.TEXTS[app] for step in migration.operations)
    ]

    assert len(installed) == 1
    assert [name for label, name in loader.graph.leaf_nodes(app)] == installed


def test_a_function_is_defined_once():
    names = [name for text in sources.TEXTS.values() for name, _ in sources.FUNCTION.findall(text)]

    assert sorted(names) == sorted(set(names))
    assert len(names) >= 29


def test_what_the_check_compares_with_is_what_the_migrations_make():
    assert definitions.FILE.read_text(encoding="utf-8") == record.current(), "python -m tests.schema.record"
