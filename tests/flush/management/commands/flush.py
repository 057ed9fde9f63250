"""Empties a test database. Lives in an app that only the test settings install."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands.flush import Command as Flush
from django.db import connections, transaction

from scoring import checks

QUEUE = ("procrastinate_jobs", "procrastinate_events", "procrastinate_periodic_defers", "procrastinate_workers")


class Command(Flush):
    """Switch the TRUNCATE guards off around Django's own flush, in a database that is named for tests."""

    def handle(self, **options: Any) -> None:
        connection = connections[options["database"]]
        if not str(connection.settings_dict["NAME"]).startswith("test_"):
            raise CommandError("This flush only empties a test database.")
        guards = [(table, trigger) for table, trigger in sorted(checks.expected()) if trigger.endswith("truncate")]
        with transaction.atomic(using=options["database"]), connection.cursor() as cursor:
            for table, trigger in guards:
                cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER {trigger}")
            cursor.execute(f"TRUNCATE {', '.join(QUEUE)} RESTART IDENTITY CASCADE")
            super().handle(**options)
            for table, trigger in guards:
                cursor.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {trigger}")
