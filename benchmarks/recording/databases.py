"""The databases to record in: one as shipped, and copies of it with nothing of ours that refuses."""

import subprocess
import sys

from psycopg import sql

from tests.crash.harness import ROOT, Stage
from tests.postgres import Throwaway

TRIGGERED = """SELECT DISTINCT t.tgrelid::regclass::text FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
    WHERE NOT t.tgisinternal AND p.proname LIKE 'moot%'"""
CHAINS = [
    "ALTER TABLE scoring_scorechange DROP COLUMN previous_sequence CASCADE",
    "ALTER TABLE scoring_scorechange DROP CONSTRAINT entry_can_be_followed",
    "ALTER TABLE scoring_scorechange DROP CONSTRAINT entry_starts_from_the_initial_score",
    "ALTER TABLE debates_event DROP COLUMN previous_seq CASCADE",
]
SHIPPED, UNGUARDED, PLAIN = "moot", "moot_unguarded", "moot_plain"


def prepare(here: Stage, *, clients: int, accounts: int) -> list[int]:
    """Fill the shipped database with a debate for each client, copy it for the other ways, and return the debates."""
    command = [sys.executable, "-m", "benchmarks.recording.seed", str(clients), str(accounts)]
    ran = subprocess.run(command, cwd=ROOT, env=here.environment, check=True, stdout=subprocess.PIPE)
    for name in (UNGUARDED, PLAIN):
        copy(here.server, name)
    return [int(word) for word in ran.stdout.split()]


def copy(server: Throwaway, name: str) -> None:
    """Copy the shipped database, then switch off every trigger of ours and drop the chains by foreign key."""
    with server.connect() as connection:
        connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(*map(sql.Identifier, (name, SHIPPED))))
    with server.connect(name=name) as connection:
        for (table,) in connection.execute(TRIGGERED).fetchall():
            connection.execute(sql.SQL("ALTER TABLE {} DISABLE TRIGGER USER").format(sql.SQL(table)))
        for statement in CHAINS:
            connection.execute(sql.SQL(statement))
        connection.execute("GRANT UPDATE ON scoring_evaluation TO moot_app")
