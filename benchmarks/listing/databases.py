"""The two databases: a thousand scores, and a hundred thousand with a million entries, multiplied from the same ten."""

import subprocess
import sys
from collections.abc import Mapping

import psycopg
from psycopg import sql

from benchmarks.listing.seed import SCORES
from tests.crash.harness import ROOT, Stage

SMALL, LARGE = "moot", "moot_large"
SIZES: Mapping[str, int] = {SMALL: 1_000, LARGE: 100_000}
STRIDE = 10_000
"""Copies of a row lie so far apart; no table of the seed has so many rows."""

TABLES: Mapping[str, tuple[str, ...]] = {
    "debates_debate": ("id",),
    "debates_thread": ("id", "debate_id"),
    "scoring_evaluation": ("id", "debate_id", "thread_id"),
    "scoring_reason": ("id",),
    "scoring_scorechange": ("id", "evaluation_id", "reason_id"),
    "scoring_alert": ("id", "debate_id", "evaluation_id"),
}
"""What is multiplied, with the columns that tell copies apart. Rounds, facts and actors are shared by all.

A reason is of one act, on 500 scores or on one debate at most, and the dashboard counts the scores of the last ten.
"""

COLUMNS = """SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped
    AND attgenerated = '' ORDER BY attnum"""


def prepare(here: Stage, sizes: Mapping[str, int]) -> None:
    """Seed the small database, copy it, and multiply what is in each until there are so many scores."""
    command = [sys.executable, "-m", "benchmarks.listing.seed"]
    subprocess.run(command, cwd=ROOT, env=here.environment, check=True, stdout=subprocess.DEVNULL)
    with here.server.connect() as connection:
        names = (sql.Identifier(LARGE), sql.Identifier(SMALL))
        connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(*names))
    for name, scores in sizes.items():
        with here.server.connect(name=name) as connection:
            for table, own in TABLES.items():
                multiply(connection, table=table, own=own, copies=scores // SCORES - 1)
            connection.execute("VACUUM ANALYZE")


def multiply(connection: psycopg.Connection, *, table: str, own: tuple[str, ...], copies: int) -> None:
    """Copy every row of a table so many times, with its checks and indexes on and its triggers off meanwhile.

    The rows were written by the services and are as the guards left them; a million more would only be guarded again.
    """
    columns = [name for (name,) in connection.execute(COLUMNS, [table])]
    read = {
        "public_id": sql.SQL("gen_random_uuid()"),
        **{name: sql.SQL("{} + {} * copy").format(sql.Identifier(name), STRIDE) for name in own},
    }
    connection.execute(sql.SQL("ALTER TABLE {} DISABLE TRIGGER ALL").format(sql.Identifier(table)))
    connection.execute(
        sql.SQL("INSERT INTO {table} ({columns}) SELECT {read} FROM {table}, generate_series(1, {copies}) copy").format(
            table=sql.Identifier(table),
            columns=sql.SQL(", ").join(map(sql.Identifier, columns)),
            read=sql.SQL(", ").join(read.get(name, sql.Identifier(name)) for name in columns),
            copies=sql.Literal(copies),
        )
    )
    connection.execute(sql.SQL("ALTER TABLE {} ENABLE TRIGGER ALL").format(sql.Identifier(table)))
