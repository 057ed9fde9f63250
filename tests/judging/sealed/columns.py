"""Every column of every table of ours, what else it could hold, and which faults name a row."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import connection

from debates.models import SITE, Debate
from scoring.proof import Fault
from scoring.sealed import Sealed

OURS = ("debates", "scoring", "judging")
BY_TYPE = {
    "uuid": "gen_random_uuid()",
    "boolean": "NOT coalesce({0}, false)",
    "jsonb": "CASE jsonb_typeof({0}) WHEN 'array' THEN {0} || '[0]' ELSE jsonb_build_object('other', {0}) END",
    "bytea": "'\\x00'::bytea",
    "timestamp with time zone": "coalesce({0}, now()) + interval '1 microsecond'",
    "numeric": "coalesce({0}, 0) + 0.01",
    "bigint": "coalesce({0}, 0) + 1000000",
    "integer": "coalesce({0}, 0) + 1",
    "smallint": "coalesce({0}, 0) + 1",
    "text": "coalesce({0}, '') || 'x'",
    "character varying": "CASE {0} WHEN 'x' THEN 'y' ELSE 'x' END",
    "ARRAY": "array_append({0}, NULL)",
}
"""How a value is changed, by the type of its column."""


def ours() -> set[str]:
    return {model._meta.db_table for app in OURS for model in apps.get_app_config(app).get_models()}


def run(statement: str, *values: object) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values or None)
        return cursor.fetchall() if cursor.description else []


def bare(table: str) -> None:
    """Leave of a table its columns, its triggers and what computes generated ones."""
    constraints = run(
        "SELECT conname FROM pg_constraint WHERE conrelid = %s::regclass AND contype IN ('c', 'f', 'u', 'p')"
        " ORDER BY contype = 'p', contype = 'u'",
        table,
    )
    for (name,) in constraints:
        run(f'ALTER TABLE {table} DROP CONSTRAINT IF EXISTS "{name}" CASCADE')
    for (name,) in run("SELECT indexname FROM pg_indexes WHERE tablename = %s AND indexdef LIKE '%%UNIQUE%%'", table):
        run(f'DROP INDEX "{name}"')
    for (name,) in run(
        "SELECT column_name FROM information_schema.columns WHERE table_name = %s AND is_nullable = 'NO'"
        " AND is_generated = 'NEVER' AND is_identity = 'NO'",
        table,
    ):
        run(f'ALTER TABLE {table} ALTER "{name}" DROP NOT NULL')


@dataclass(frozen=True)
class Column:
    name: str
    type: str

    @property
    def changed(self) -> str:
        """The expression of another value."""
        return BY_TYPE[self.type].format(f'"{self.name}"')


def columns(table: str) -> list[Column]:
    """Every column that is not computed from others."""
    rows = run(
        "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = %s"
        " AND table_schema = 'public' AND is_generated = 'NEVER' ORDER BY ordinal_position",
        table,
    )
    return [Column(*row) for row in rows]


def two(table: Sealed) -> list[tuple[int, int]]:
    """The key and the chain of the first and the last row; a table in the world has two."""
    rows = run(f'SELECT min("{table.key}"), max("{table.key}") FROM {table.table}')
    keys = rows[0]
    assert keys[0] != keys[1], f"play something that writes two rows of {table.table}"
    chains = [
        run("SELECT chain FROM debates_seal WHERE relation = %s AND key = %s LIMIT 1", table.table, key)[0][0]
        for key in keys
    ]
    return list(zip(keys, chains, strict=True))


def named(found: Sequence[Fault], table: Sealed, key: int, chain: int) -> bool:
    """Whether a fault names this row and its debate."""
    name = f"{table.called} {key}"
    rows = [fault for fault in found if fault.row == name or fault.row.startswith(f"{name} (")]
    return any(fault.debate == where(chain) for fault in rows)


def where(chain: int) -> str:
    return "" if chain == SITE else str(Debate.objects.get(pk=chain).public_id)


def ids(table: Sealed) -> str:
    return table.table
