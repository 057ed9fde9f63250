"""Reading a whole dump back into an empty database. Parts of one would lose the ledger's guards or its history."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from psycopg import conninfo

from config.embedded.exceptions import RestoreFailed

LEDGER = "scoring_scorechange"
NEEDED = {LEDGER, "scoring_fact", "scoring_evaluation", "debates_debate", "debates_event", "django_migrations"}
ENTRY = re.compile(r"^\d+; \d+ \d+ (TABLE DATA|TABLE|TRIGGER) public (\w+)")


def refuse_partial(*, programs: Path, source: Path) -> None:
    """Refuse a file that is no dump of a whole database of Moot: every table with its rows, and the ledger's triggers.

    Raises: ``RestoreFailed``.
    """
    if not source.is_file():
        raise RestoreFailed(f"{source} is not there.")
    done = run([str(programs / "pg_restore"), "--list", str(source)])
    if done.returncode:
        raise RestoreFailed(f"{source} is not a dump: {said(done)}")
    contents: dict[str, set[str]] = {"TABLE": set(), "TABLE DATA": set(), "TRIGGER": set()}
    for kind, table in (match.groups() for match in map(ENTRY.match, done.stdout.decode().splitlines()) if match):
        contents[kind].add(table)
    tables = contents["TABLE"]
    if tables != contents["TABLE DATA"] or not tables >= NEEDED or LEDGER not in contents["TRIGGER"]:
        raise RestoreFailed(
            f"{source} is no dump of a whole database of Moot: it needs every table, its rows, and the ledger's guards."
        )


def read(*, programs: Path, connection: Mapping[str, str], source: Path) -> None:
    """Read a dump into an empty database, whole or not at all; everything then belongs to who connects.

    Shape: ``connection`` holds libpq's parameters; the password does not show in the list of processes.
    Raises: ``RestoreFailed`` with what pg_restore said.
    """
    database = conninfo.make_conninfo(**{key: value for key, value in connection.items() if key != "password"})
    options = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", "--no-password"]
    secret = {"PGPASSWORD": connection["password"]} if connection.get("password") else {}
    done = run([str(programs / "pg_restore"), *options, "--dbname", database, str(source)], **secret)
    if done.returncode:
        raise RestoreFailed(f"pg_restore failed: {said(done)}")


def run(command: list[str], **secret: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(  # noqa: S603 -- the wheel's own program
        command, stdin=subprocess.DEVNULL, capture_output=True, env={**os.environ, **secret}, check=False
    )


def said(done: subprocess.CompletedProcess[bytes]) -> str:
    return done.stderr.decode(errors="replace").strip()
