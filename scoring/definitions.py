"""What the database itself says that it is: each table, column, constraint, guard, function, as the server words it.

``sql/definitions.json`` beside the guards holds digests of what the migrations make, written by
``python -m tests.schema.record``. What nobody may add is not in it: it is named here by the question that finds it.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.db import connections
from django.db.migrations import Migration
from django.db.models.signals import post_migrate
from django.dispatch import receiver
from psycopg import sql

from scoring import database_grants

APPS = ("debates", "scoring", "judging")
FILE = Path(__file__).resolve().parent / "sql" / "definitions.json"
OWNER = "(SELECT relowner FROM pg_class WHERE oid = 'public.scoring_scorechange'::regclass)"
NOT_OF_AN_EXTENSION = "NOT EXISTS (SELECT FROM pg_depend e WHERE e.objid = {}.oid AND e.deptype = 'e')"
TABLES = """
SELECT c.relname, '', concat_ws(' ', c.relkind, c.relpersistence, c.relrowsecurity, c.relforcerowsecurity)
FROM pg_class c WHERE c.relkind IN ('r', 'p', 'f') AND c.relnamespace = 'public'::regnamespace
"""
COLUMNS = """
SELECT c.relname, a.attname, concat_ws(' ', format_type(a.atttypid, a.atttypmod), a.attnotnull,
    a.attidentity::text, a.attgenerated::text, pg_get_expr(d.adbin, d.adrelid))
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
"""
CONSTRAINTS = """
SELECT c.relname, k.conname,
    concat_ws(' ', pg_get_constraintdef(k.oid), k.convalidated, k.condeferrable, k.condeferred)
FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
WHERE k.contype IN ('c', 'f', 'p', 'u', 'x') AND c.relnamespace = 'public'::regnamespace
"""
UNIQUE_INDEXES = """
SELECT c.relname, i.relname, concat_ws(' ', pg_get_indexdef(x.indexrelid), x.indisvalid)
FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
WHERE x.indisunique AND c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
  AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = x.indexrelid AND k.contype IN ('p', 'u', 'x'))
"""
"""A ``UniqueConstraint`` with a condition: Django calls it a constraint, PostgreSQL keeps an index alone."""
TRIGGERS = """
SELECT c.relname, t.tgname, pg_get_triggerdef(t.oid)
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE NOT t.tgisinternal AND c.relnamespace = 'public'::regnamespace
"""
FUNCTIONS = f"""
SELECT '', p.oid::regprocedure::text, concat_ws(' ', pg_get_functiondef(p.oid), p.proowner = {OWNER})
FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prokind <> 'a' AND NOT EXISTS
  (SELECT FROM pg_depend e WHERE e.classid = 'pg_proc'::regclass AND e.objid = p.oid AND e.deptype = 'e')
"""  # noqa: S608 -- our own words
QUERIES = (
    ("the table", TABLES),
    ("the column", COLUMNS),
    ("the constraint", CONSTRAINTS),
    ("the constraint", UNIQUE_INDEXES),
    ("the guard", TRIGGERS),
    ("the function", FUNCTIONS),
)
"""Each kind of thing, and what asks for its table, its name, its definition."""

FOREIGN = f"""
WITH ours AS (SELECT * FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace)
SELECT format('%s: the guard %s is disabled', c.relname, t.tgname)
  FROM pg_trigger t JOIN ours c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal AND t.tgenabled = 'D'
UNION ALL SELECT format('%s: the guard %s is not ENABLE ALWAYS', c.relname, t.tgname)
  FROM pg_trigger t JOIN ours c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
  WHERE t.tgenabled IN ('O', 'R') AND p.proname ~ '^moot_'
UNION ALL SELECT format('%s: triggers of its foreign keys are switched off: %s', c.relname, count(*))
  FROM pg_trigger t JOIN ours c ON c.oid = t.tgrelid WHERE t.tgisinternal AND t.tgenabled <> 'O' GROUP BY c.relname
UNION ALL SELECT format('%s: the rule %s is none of ours', c.relname, r.rulename)
  FROM pg_rewrite r JOIN ours c ON c.oid = r.ev_class
UNION ALL SELECT format('%s: the row policy %s is none of ours', c.relname, p.polname)
  FROM pg_policy p JOIN ours c ON c.oid = p.polrelid
UNION ALL SELECT format('%s: the table %s inherits from it', c.relname, i.inhrelid::regclass)
  FROM pg_inherits i JOIN ours c ON c.oid = i.inhparent
UNION ALL SELECT format('%s: it belongs to %s, and not to the owner of the ledger', c.relname, c.relowner::regrole)
  FROM ours c WHERE c.relowner <> {OWNER} AND {NOT_OF_AN_EXTENSION.format("c")}
UNION ALL SELECT format('the view %s is none of ours; yours have their place in another schema', relname)
  FROM pg_class v WHERE relkind IN ('v', 'm') AND relnamespace = 'public'::regnamespace
  AND {NOT_OF_AN_EXTENSION.format("v")}
UNION ALL SELECT format('the event trigger %s is none of ours', evtname)
  FROM pg_event_trigger t WHERE {NOT_OF_AN_EXTENSION.format("t")}
UNION ALL SELECT format('the function %s stands where those of PostgreSQL do', p.oid::regprocedure)
  FROM pg_proc p WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.oid >= 16384
  AND {NOT_OF_AN_EXTENSION.format("p")}
UNION ALL SELECT format('the operator %s is none of ours', o.oid::regoperator)
  FROM pg_operator o WHERE o.oprnamespace IN ('pg_catalog'::regnamespace, 'public'::regnamespace) AND o.oid >= 16384
  AND {NOT_OF_AN_EXTENSION.format("o")}
UNION ALL SELECT format('connections begin with %s: guards of foreign keys do not fire', setting)
  FROM pg_db_role_setting s, unnest(s.setconfig) AS setting
  WHERE setting ~ '^session_replication_role=(replica|local)'
  AND s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
"""  # noqa: S608 -- our own words
"""What no migration makes, as sentences."""
GRANTS = f"""
SELECT c.relname, r.attname, x.grantee::regrole::text, x.privilege_type
FROM pg_class c, LATERAL (SELECT '' AS attname, c.relacl AS acl UNION ALL
    SELECT a.attname, a.attacl FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attacl IS NOT NULL) r,
  aclexplode(r.acl) x
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v', 'm', 'p', 'f')
  AND x.grantee NOT IN ({OWNER}, c.relowner)
"""  # noqa: S608 -- our own words
POWERS_OF_APP_ROLE = f"""
SELECT concat_ws(', ',
    CASE WHEN rolsuper THEN 'is a superuser' END, CASE WHEN rolcreaterole THEN 'may make roles' END,
    CASE WHEN rolreplication THEN 'may replicate' END, CASE WHEN rolbypassrls THEN 'passes row policies' END),
  (SELECT string_agg(r.rolname, ', ' ORDER BY r.rolname) FROM pg_roles r
   WHERE r.oid <> app.oid AND pg_has_role(app.oid, r.oid, 'MEMBER')
     AND NOT app.rolsuper AND (r.rolsuper OR r.oid = {OWNER} OR r.rolname IN
       ('pg_write_all_data', 'pg_write_server_files', 'pg_execute_server_program', 'pg_maintain',
        'pg_create_subscription', 'pg_database_owner')))
FROM pg_roles app WHERE app.rolname = %s AND app.oid <> {OWNER}
"""  # noqa: S608 -- our own words
SCHEMA_CREATORS = f"""
SELECT coalesce(nullif(x.grantee, 0)::regrole::text, 'PUBLIC')
FROM pg_namespace n, aclexplode(n.nspacl) x
WHERE n.nspname = 'public' AND x.privilege_type = 'CREATE'
  AND x.grantee NOT IN (n.nspowner, {OWNER})
"""  # noqa: S608 -- our own words


SETTINGS = """
SELECT DISTINCT format('connections begin with %%s, which nothing of ours sets', setting)
FROM pg_db_role_setting s, unnest(s.setconfig) AS setting
WHERE setting !~ '^session_replication_role=(replica|local)' AND s.setrole IN (0, to_regrole(%s))
AND s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database())) ORDER BY 1
"""
"""How the database or the app role begins every connection, beside what ``FOREIGN`` names. An install sets nothing."""
CALLERS = """
SELECT p.oid::regprocedure::text, coalesce(nullif(x.grantee, 0)::regrole::text, 'PUBLIC')
FROM pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) x
WHERE p.pronamespace = 'public'::regnamespace AND p.prorettype = 'trigger'::regtype AND p.proname ~ '^moot_'
  AND x.grantee <> p.proowner
"""
TEMPORARY = f"""
SELECT coalesce(nullif(x.grantee, 0)::regrole::text, 'PUBLIC')
FROM pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) x
WHERE d.datname = current_database() AND x.privilege_type = 'TEMPORARY'
  AND x.grantee IN (0, (SELECT oid FROM pg_roles WHERE rolname = %s)) AND pg_has_role({OWNER}, d.datdba, 'USAGE')
"""  # noqa: S608 -- our own words
"""Who may make temporary tables though nothing of ours does. A database of somebody else is theirs."""


MARK = """
SELECT obj_description(ledger, 'pg_class') FROM to_regclass('public.scoring_scorechange') ledger
WHERE ledger IS NOT NULL
"""


@receiver(post_migrate, dispatch_uid="scoring.definitions.mark")
def mark(*, app_config: AppConfig, using: str, plan: Sequence[tuple[Migration, bool]] = (), **_rest: Any) -> None:
    """Write on the ledger who made its tables and guards: this checkout, where it has, or where they are all its own.

    What differs later was changed, or was there beside what we make.
    """
    if app_config.label != "scoring" or is_ours(using=using):
        return
    made = any(migration.app_label in APPS and not undone for migration, undone in plan)
    if made or not any(True for _ in differences(using=using)):
        with connections[using].cursor() as cursor:
            ours = sql.SQL("COMMENT ON TABLE scoring_scorechange IS {}").format(digest(FILE.read_text("utf-8")))
            cursor.execute(ours)


def is_ours(*, using: str) -> bool:
    """Say whether this checkout made the tables and guards, as is written on the ledger, or there are none yet."""
    with connections[using].cursor() as cursor:
        cursor.execute(MARK)
        return cursor.fetchone() in {None, (digest(FILE.read_text("utf-8")),)}


def present(*, using: str) -> dict[str, str]:
    """Return what the server says of everything there is, by kind, table and name."""
    definitions: dict[str, str] = {}
    with connections[using].cursor() as cursor:
        for kind, query in QUERIES:
            cursor.execute(query)
            for table, name, definition in cursor.fetchall():
                definitions[f"{table}: {kind} {name}" if table and name else f"{kind} {table or name}"] = definition
    return definitions


def digest(text: str) -> str:
    """Return what stands for a definition in the file; how it is laid out in lines does not matter."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:16]


@cache
def expected() -> dict[str, str]:
    """Return the digests of everything that the migrations make: one, or two where a dump words it otherwise."""
    digests: dict[str, str] = json.loads(FILE.read_text(encoding="utf-8"))
    return digests


def differences(*, using: str) -> Iterator[str]:
    """Yield a sentence for everything that is missing, another, or none of ours; tables of others are theirs."""
    definitions, digests = present(using=using), expected()
    for name in sorted(digests.keys() - definitions.keys()):
        yield f"{name} is missing"
    for name in sorted(digests.keys() & definitions.keys()):
        if digest(definitions[name]) not in digests[name].split():
            yield f"{name} is not that of the migrations: {' '.join(definitions[name].split())[:200]}"
    ours = {name.partition(": ")[0] for name in digests}
    for name in sorted(definitions.keys() - digests.keys()):
        if name.partition(": ")[0] in ours or name.startswith("the function"):
            yield f"{name} is none of ours"
    with connections[using].cursor() as cursor:
        cursor.execute(FOREIGN)
        yield from (sentence for (sentence,) in cursor.fetchall())


def rights_differences(*, using: str) -> Iterator[str]:
    """Yield a sentence for each right that is not granted after a migration, and for each of the app role that is gone.

    Others than owner and app role may read what they were given to read, and no more. What the app role may do to
    tables is compared where it asks itself: the owner is about to grant it anew.
    """
    app = settings.APP_ROLE
    with connections[using].cursor() as cursor:
        cursor.execute(POWERS_OF_APP_ROLE, [app])
        for attributes, groups in cursor.fetchall():
            if attributes:
                yield f"the role {app} {attributes}"
            if groups:
                yield f"the role {app} may act as {groups}"
        cursor.execute(SCHEMA_CREATORS)
        yield from (f"schema public: {name} may make things in it" for (name,) in cursor.fetchall())
        cursor.execute(GRANTS)
        held = set(cursor.fetchall())
        cursor.execute(f"SELECT current_user = %s AND rolname <> %s FROM pg_roles WHERE oid = {OWNER}", [app, app])  # noqa: S608 -- as above
        asks_itself = cursor.fetchone() == (True,)
        if asks_itself:
            cursor.execute(CALLERS)
            called = [(guard, who) for guard, who in cursor.fetchall() if f"the function {guard}" in expected()]
            yield from (f"the function {guard}: {who} may call it" for guard, who in called)
            cursor.execute(TEMPORARY, [app])
            yield from (f"the database: {who} may make temporary tables" for (who,) in cursor.fetchall())
    tables = {name.removeprefix("the table ") for name in expected() if name.startswith("the table ")}
    due = {(table, column, app, right) for table, column, right in database_grants.due(existing=tables)}
    for table, column, who, right in sorted(held - due):
        if table in tables and (asks_itself if who == app else right != "SELECT"):
            yield f"{table}: {'PUBLIC' if who == '-' else who} may {right}{f' ({column})' if column else ''}"
    for table, column, who, right in sorted(due - held) if asks_itself else ():
        yield f"{table}: {who} may not {right}{f' ({column})' if column else ''}"


def settings_of_connections(*, using: str) -> Iterator[str]:
    """Yield a sentence for each setting that connections of the app role begin with because somebody stored it."""
    with connections[using].cursor() as cursor:
        cursor.execute(SETTINGS, [settings.APP_ROLE])
        yield from (sentence for (sentence,) in cursor.fetchall())
