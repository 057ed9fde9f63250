"""Models and migrations agree, and every migration can be taken back and made again."""

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import connection, connections

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


def migrate(*where: str) -> None:
    call_command("migrate", *where, database=SCRATCH, verbosity=0)


def left() -> list[str]:
    """What of ours a database still holds: tables, functions, triggers."""
    with connections[SCRATCH].cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname ~ '^(debates|scoring|judging)_'"
            " UNION ALL SELECT proname FROM pg_proc WHERE proname ~ '^moot_'"
            " UNION ALL SELECT tgname FROM pg_trigger JOIN pg_proc p ON p.oid = tgfoid WHERE proname ~ '^moot_'"
        )
        return [name for (name,) in cursor.fetchall()]


def test_every_migration_can_be_taken_back_and_made_again(scratch):
    whole = sorted(left())
    assert checks.faults(using=SCRATCH) == []

    for app in reversed(checks.APPS):
        migrate(app, "0001")
        assert checks.faults(using=SCRATCH) == [], f"{app} on its way must not be refused by the check"
    assert [name for name in left() if name.startswith("moot_")] == []

    migrate("debates", "zero")
    assert left() == []

    migrate()
    assert sorted(left()) == whole
    assert checks.faults(using=SCRATCH) == []
