"""Reading a debate as of one moment, so that a page and the number of its last event belong together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def one_moment() -> Iterator[None]:
    """Read everything inside as of its first query: what is committed meanwhile is not seen, and comes by the stream.

    Raises: ``RuntimeError`` inside another transaction, which would have begun at another moment.
    """
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
