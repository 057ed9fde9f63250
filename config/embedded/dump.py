"""Writing a whole database to a file, the only backup that keeps the ledger's guards with its rows."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from psycopg import conninfo

from config.embedded.exceptions import DumpFailed


def write(*, programs: Path, connection: Mapping[str, str], target: Path) -> None:
    """Write a full dump in pg_dump's own format, readable by its writer alone, appearing in one step.

    Shape: ``connection`` holds libpq's parameters; the password does not show in the list of processes.
    Raises: ``DumpFailed`` if the file exists, or with what pg_dump said.
    """
    if target.exists():
        raise DumpFailed(f"{target} exists; choose another name or remove it first.")
    unfinished = target.with_name(f"{target.name}.unfinished")
    public = {key: value for key, value in connection.items() if key != "password"}
    database = conninfo.make_conninfo(**public)
    command = [str(programs / "pg_dump"), "--format=custom", "--no-password", "--dbname", database]
    secret = {"PGPASSWORD": connection["password"]} if connection.get("password") else {}
    try:
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
            done = subprocess.run(  # noqa: S603 -- the wheel's own program
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.PIPE,
                env={**os.environ, **secret},
                check=False,
            )
        if done.returncode:
            raise DumpFailed(f"pg_dump failed: {done.stderr.decode(errors='replace').strip()}")
        unfinished.rename(target)
    except OSError as error:
        raise DumpFailed(f"{target} cannot be written: {error.strerror}.") from error
    finally:
        unfinished.unlink(missing_ok=True)
