"""Putting an empty database in the place of the embedded one, and the old one back if what comes next fails."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import datetime

import psycopg
from psycopg import sql

from config.embedded.exceptions import InUse

IN_USE = "Others use the database; end `manage.py up`, web processes and workers first."


@contextlib.contextmanager
def emptied(server: psycopg.Connection, *, name: str, owner: str, now: datetime) -> Iterator[str]:
    """Give an empty database of this name, and the name under which the one before is kept.

    If what is done with it fails, it is dropped and the one before is there again as it was.

    Shape: ``server`` is a superuser's connection to another database.
    Raises: ``InUse`` while anybody is connected to the one there is.
    """
    kept = f"{name}_before_{now:%Y%m%d_%H%M%S}"
    rename(server, name, kept)
    try:
        server.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(name), sql.Identifier(owner)))
        yield kept
    except BaseException:
        server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
        rename(server, kept, name)
        raise


def rename(server: psycopg.Connection, old: str, new: str) -> None:
    """Give a database another name, which PostgreSQL refuses while anybody is connected to it.

    Raises: ``InUse``.
    """
    try:
        server.execute(sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(old), sql.Identifier(new)))
    except psycopg.errors.ObjectInUse as error:
        raise InUse(IN_USE) from error
