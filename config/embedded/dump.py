"""A whole database in a file, the only backup that keeps the ledger's guards and history with its rows."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from psycopg import conninfo

from config.embedded.exceptions import DumpFailed, RestoreFailed

LEDGER = "scoring_scorechange"
NEEDED = {LEDGER, "scoring_fact", "scoring_evaluation", "debates_debate", "debates_event", "django_migrations"}
ENTRY = re.compile(r"^\d+; \d+ \d+ (TABLE DATA|TABLE|TRIGGER) public (\w+)")


def write(*, programs: Path, connection: Mapping[str, str], target: Path) -> None:
    """Write a full dump in pg_dump's own format, readable by its writer alone, appearing in one step.

    Raises: ``DumpFailed`` if the file exists, or with what pg_dump said.
    """
    exists = f"{target} exists; choose another name or remove it first."
    if target.exists():
        raise DumpFailed(exists)
    try:
        descriptor, name = tempfile.mkstemp(prefix=f"{target.name}.unfinished-", dir=target.parent)
        unfinished = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as out:
                done = run(programs / "pg_dump", "--format=custom", "--no-password", connection=connection, out=out)
                os.fsync(descriptor)
            if done.returncode:
                raise DumpFailed(f"pg_dump failed: {problem_of(done)}")
            publish(unfinished, target)
        finally:
            unfinished.unlink(missing_ok=True)
    except FileExistsError:
        raise DumpFailed(exists) from None
    except OSError as error:
        raise DumpFailed(f"{target} cannot be written: {error.strerror}.") from error


def publish(unfinished: Path, target: Path) -> None:
    """Give a whole file its name, which nobody else may have taken meanwhile.

    Raises: ``FileExistsError``.
    """
    try:
        os.link(unfinished, target)
    except OSError:  # it is taken, or no file has two names there, as on a stick
        if target.exists():
            raise FileExistsError from None
        unfinished.rename(target)
    with contextlib.suppress(OSError):  # not every file system keeps its directories at once
        directory = os.open(target.parent, os.O_RDONLY)
        os.fsync(directory)
        os.close(directory)


def refuse_partial(*, programs: Path, source: Path) -> None:
    """Refuse a file that is no dump of a whole database of Moot: every table with its rows, and the ledger's triggers.

    Raises: ``RestoreFailed``.
    """
    if not source.is_file():
        raise RestoreFailed(f"{source} is not there.")
    done = run(programs / "pg_restore", "--list", str(source))
    if done.returncode:
        raise RestoreFailed(f"{source} is not a dump: {problem_of(done)}")
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

    Raises: ``RestoreFailed`` with what pg_restore said.
    """
    options = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", "--no-password"]
    done = run(programs / "pg_restore", *options, str(source), connection=connection)
    if done.returncode:
        raise RestoreFailed(f"pg_restore failed: {problem_of(done)}")


def run(
    program: Path, *options: str, connection: Mapping[str, str] | None = None, out: IO[bytes] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run one of PostgreSQL's programs.

    Shape: ``connection`` holds libpq's parameters; the password does not show in the list of processes.
    """
    command, environment = [str(program), *options], dict(os.environ)
    if connection is not None:
        public = {key: value for key, value in connection.items() if key != "password"}
        command += ["--dbname", conninfo.make_conninfo(**public)]
        if connection.get("password"):
            environment["PGPASSWORD"] = connection["password"]
    stdout = subprocess.PIPE if out is None else out
    return subprocess.run(  # noqa: S603 -- the wheel's own program
        command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, env=environment, check=False
    )


def problem_of(done: subprocess.CompletedProcess[bytes]) -> str:
    return done.stderr.decode(errors="replace").strip()
