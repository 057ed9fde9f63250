"""A whole database in a file, the only backup that keeps the ledger's guards and history with its rows."""

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from subprocess import PIPE
from typing import IO

from psycopg import conninfo

from config.embedded.exceptions import DumpFailed, RestoreFailed

LEDGER = "scoring_scorechange"
NEEDED = {LEDGER, "scoring_fact", "scoring_evaluation", "debates_debate", "debates_event", "django_migrations"}
ENTRY = re.compile(r"^\d+; \d+ \d+ (TABLE DATA|TABLE|TRIGGER) public (\w+)")

OF_OTHER_TRANSPORTS = ("PGSSL", "PGGSS", "PGCHANNELBINDING")

NEW_SETTING = b"SET transaction_timeout = 0;\n"
"""What our pg_restore sends every server, and those before PostgreSQL 17 do not know."""


def write(*, programs: Path, connection: Mapping[str, str], target: Path) -> None:
    """Write a full dump in pg_dump's own format, readable by its writer alone, appearing in one step.

    Raises: ``DumpFailed`` if the file exists, if ``refuse_partial`` refuses it, or with what pg_dump said.
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
            refuse_useless(programs=programs, connection=connection, source=unfinished)
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


def refuse_useless(*, programs: Path, connection: Mapping[str, str], source: Path) -> None:
    """Refuse to keep what nobody could restore, as of a server that was made where no database had been.

    Raises: ``DumpFailed``.
    """
    try:
        refuse_partial(programs=programs, source=source)
    except RestoreFailed:
        raise DumpFailed(
            f"The database {connection.get('dbname', '')} at {connection.get('host', 'localhost')} is no whole database"
            " of Moot, so nothing was written: it needs its tables, and the ledger's guards."
        ) from None


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


def read_before_17(*, programs: Path, connection: Mapping[str, str], source: Path) -> None:
    """Read a dump into an empty database of a server that knows less than our pg_restore, whole or not at all.

    Shape: psql gets the script without the one setting that came with 17; it commits only what ended well.
    Raises: ``RestoreFailed`` with what psql or pg_restore said.
    """
    script = [str(programs / "pg_restore"), "--file=-", "--no-owner", "--no-privileges", str(source)]
    options = ["--no-psqlrc", "--quiet", "--no-password", "--set=ON_ERROR_STOP=1", "--output", os.devnull]
    command, environment = connected([str(programs / "psql"), *options], connection)
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(command, stdin=PIPE, stderr=said, env=environment) as psql,  # noqa: S603 -- the wheel's own program
        subprocess.Popen(script, stdout=PIPE, stderr=said) as restoring,  # noqa: S603 -- the wheel's own program
    ):
        assert psql.stdin is not None  # noqa: S101 -- both are pipes
        assert restoring.stdout is not None  # noqa: S101
        with contextlib.suppress(BrokenPipeError), psql.stdin as into:
            into.write(b"BEGIN;\n")
            for line in restoring.stdout:  # of the beginning: what follows may be rows
                if line == NEW_SETTING:
                    break
                into.write(line)
            shutil.copyfileobj(restoring.stdout, into)
            if restoring.wait() == 0:
                into.write(b"COMMIT;\n")
        restoring.stdout.close()
        if psql.wait() or restoring.wait():
            said.seek(0)
            raise RestoreFailed(f"pg_restore and psql failed: {said.read().decode(errors='replace').strip()}")


def run(
    program: Path, *options: str, connection: Mapping[str, str] | None = None, out: IO[bytes] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run one of PostgreSQL's programs.

    Shape: ``connection`` holds libpq's parameters; the password does not show in the list of processes.
    """
    command, environment = connected([str(program), *options], connection)
    return subprocess.run(  # noqa: S603 -- the wheel's own program
        command, stdin=subprocess.DEVNULL, stdout=out or PIPE, stderr=PIPE, env=environment, check=False
    )


def connected(command: list[str], connection: Mapping[str, str] | None) -> tuple[list[str], dict[str, str]]:
    """Return a command with its database, and the environment that holds the password.

    By a socket no TLS is asked for, which a shell may have in ``PGSSLMODE`` for servers elsewhere.
    """
    environment = dict(os.environ)
    if connection is not None:
        if connection.get("host", "").startswith("/"):
            for name in [name for name in environment if name.startswith(OF_OTHER_TRANSPORTS)]:
                del environment[name]
        public = {key: value for key, value in connection.items() if key != "password"}
        command = [*command, "--dbname", conninfo.make_conninfo(**public)]
        if connection.get("password"):
            environment["PGPASSWORD"] = connection["password"]
    return command, environment


def problem_of(done: subprocess.CompletedProcess[bytes]) -> str:
    return done.stderr.decode(errors="replace").strip()
