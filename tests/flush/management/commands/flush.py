"""Empties a test database. Lives in an app that only the test settings install."""

from typing import Any

from django.apps import apps
from django.core.management.base import CommandError
from django.core.management.commands.flush import Command as Flush
from django.db import connections, transaction

from scoring import groups
from tests.schema import sources

QUEUE = {"procrastinate_jobs", "procrastinate_events", "procrastinate_periodic_defers", "procrastinate_workers"}
KEPT = {"django_migrations", "django_content_type", "auth_permission"}


class Command(Flush):
    """Switch the TRUNCATE guards off and empty a database that is named for tests.

    What no test changes is kept, and of what follows a migration only the groups are made anew: Django's own flush
    asks for every model and permission again, which takes longer than most tests. Numbers go on from where they were:
    a process remembers debates by their numbers, and must not take one test's debate for another's.
    """

    def handle(self, **options: Any) -> None:
        connection = connections[options["database"]]
        if not str(connection.settings_dict["NAME"]).startswith("test_"):
            raise CommandError("This flush only empties a test database.")
        ours = set(connection.introspection.django_table_names(only_existing=True, include_views=False))
        guards = [(table, trigger) for table, trigger in sorted(sources.triggers()) if trigger.endswith("truncate")]
        with transaction.atomic(using=options["database"]), connection.cursor() as cursor:
            for table, trigger in guards:
                cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER {trigger}")
            cursor.execute(f"TRUNCATE {', '.join(sorted((ours - KEPT) | QUEUE))}")
            for table, trigger in guards:
                cursor.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {trigger}")
        for app in apps.get_app_configs():
            groups.make_groups(app_config=app, using=options["database"])
