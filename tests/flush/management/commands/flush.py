"""Empties a test database. Lives in an app that only the test settings install."""

from typing import Any

from django.apps import apps
from django.core.management.base import CommandError
from django.core.management.commands.flush import Command as Flush
from django.db import connections, transaction
from django.db.backends.utils import CursorWrapper

from scoring import groups

QUEUE = {"procrastinate_jobs", "procrastinate_events", "procrastinate_periodic_defers", "procrastinate_workers"}
GROUPS = {"auth_group", "auth_group_permissions"}
KEPT = {"django_migrations", "django_content_type", "auth_permission", "debates_epoch"}
GUARDS = """
SELECT tgrelid::regclass::text,
  string_agg(format('ENABLE %%s TRIGGER %%I', CASE tgenabled WHEN 'A' THEN 'ALWAYS' ELSE '' END, tgname), ', ')
FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D' AND tgrelid = ANY (%s::regclass[]) GROUP BY tgrelid
"""
PERMISSIONS = """
SELECT g.name, p.permission_id FROM auth_group g LEFT JOIN auth_group_permissions p ON p.group_id = g.id ORDER BY 1, 2
"""


class Command(Flush):
    """Delete every row of a database that is named for tests, with the guards of the tables that hold any switched off.

    A TRUNCATE of all tables writes hundreds of files anew, which takes longer than most tests; so does Django's own
    flush, which asks for every model and permission again. What no test changes is kept, and so are the groups of a
    migration unless a test changed them. The logs keep the name that a migration gave them, or a test since. Numbers go
    on from where they were: a process remembers debates by their numbers, and must not take one test's debate for
    another's.
    """

    groups_as_made: list[tuple[Any, ...]] | None = None

    def handle(self, **options: Any) -> None:
        connection = connections[options["database"]]
        if not str(connection.settings_dict["NAME"]).startswith("test_"):
            raise CommandError("This flush only empties a test database.")
        tables = set(connection.introspection.django_table_names(only_existing=True, include_views=False)) | QUEUE
        with transaction.atomic(using=options["database"]), connection.cursor() as cursor:
            # Whoever still writes is waited for: what they commit later would be the next test's.
            cursor.execute(f"LOCK TABLE {', '.join(sorted(tables - KEPT))} IN SHARE ROW EXCLUSIVE MODE")
            empty(cursor, sorted(tables - KEPT - GROUPS))
            cursor.execute(PERMISSIONS)
            if cursor.fetchall() != Command.groups_as_made:
                empty(cursor, sorted(GROUPS))
                for app in apps.get_app_configs():
                    groups.make_groups(app_config=app, using=options["database"])
                cursor.execute(PERMISSIONS)
                Command.groups_as_made = cursor.fetchall()


def empty(cursor: CursorWrapper, tables: list[str]) -> None:
    """Delete the rows of tables, in any order: in the role of a replica no key is looked at."""
    cursor.execute("SELECT " + ", ".join(f"EXISTS (SELECT FROM {table})" for table in tables))
    filled = [table for table, holds_rows in zip(tables, cursor.fetchone(), strict=True) if holds_rows]
    cursor.execute(GUARDS, [filled])
    switch_on = dict(cursor.fetchall())
    cursor.execute("SET LOCAL session_replication_role = replica")
    for table in filled:
        if table in switch_on:
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        cursor.execute(f"DELETE FROM {table}")
        if table in switch_on:
            cursor.execute(f"ALTER TABLE {table} {switch_on[table]}")
    cursor.execute("SET LOCAL session_replication_role = origin")
