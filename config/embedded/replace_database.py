"""Putting a database in the place of the embedded one, in one step, once it was filled and proved beside it."""

import contextlib
from collections.abc import Callable
from datetime import datetime

import psycopg
from psycopg import sql

from config.embedded.exceptions import InUse

IN_USE = "Others use the database; end `manage.py up`, web processes and workers first."


def replace(server: psycopg.Connection, *, name: str, owner: str, now: datetime, fill: Callable[[str], None]) -> str:
    """Put a new database in the place of this one, and return the name under which the one before is kept.

    Until that one step nothing of the one there is changes, however this ends; what a killed one left is dropped first.

    Shape: ``server`` is a superuser's connection to another database; ``fill`` is given the name of the new, empty one.
    Raises: ``InUse`` while anybody is connected to the one there is, or replaces it too; and whatever ``fill`` raises.
    """
    refuse_used(server, name)
    new, kept = f"{name}_restoring", f"{name}_before_{now:%Y%m%d_%H%M%S}"
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(new))
    server.execute(drop)
    try:
        server.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(new), sql.Identifier(owner)))
        fill(new)
        with server.transaction():
            rename(server, name, kept)
            rename(server, new, name)
    except BaseException:
        with contextlib.suppress(psycopg.OperationalError):  # the server is gone: the next one drops it
            server.execute(drop)
        raise
    return kept


def refuse_used(server: psycopg.Connection, name: str) -> None:
    """Refuse early what the renaming would refuse after all the work, and a second one at a time.

    Raises: ``InUse``.
    """
    used = "SELECT FROM pg_stat_activity WHERE datname = %s AND usename IS NOT NULL"
    alone = server.execute("SELECT pg_try_advisory_lock(hashtext('replace ' || %s))", [name]).fetchone()
    if alone != (True,):
        raise InUse("Another restore is under way; wait until it has ended.")
    if server.execute(used, [name]).fetchone() is not None:
        raise InUse(IN_USE)


def rename(server: psycopg.Connection, old: str, new: str) -> None:
    """Give a database another name, which PostgreSQL refuses while anybody is connected to it.

    Raises: ``InUse``.
    """
    try:
        server.execute(sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(old), sql.Identifier(new)))
    except psycopg.errors.ObjectInUse as error:
        raise InUse(IN_USE) from error
