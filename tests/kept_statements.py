"""Statements that stay prepared from test to test: a rollback takes none along, but psycopg forgets them all with it.

It does so for tables that came or changed in what is rolled back, and then it still does.
"""

import re
from collections.abc import Sequence

from psycopg import _connection_base
from psycopg._preparing import Prepare, PrepareManager
from psycopg.pq.abc import PGresult

CHANGES_TABLES = re.compile(rb"(CREATE|ALTER|DROP|DO|CALL)\b").match


class Kept(PrepareManager):
    """Forgets at a rollback only if a table may have changed since the last one; has room for what all tests ask."""

    prepared_max = 1000
    changed = False

    def _should_discard(self, prep: Prepare, results: Sequence[PGresult]) -> bool:
        changed = self.changed or any(CHANGES_TABLES(result.command_status or b"") for result in results)
        self.changed = changed
        discarded = changed and super()._should_discard(prep, results)
        self.changed = changed  # until the transaction is rolled back
        return discarded

    def clear(self) -> bool:
        changed, self.changed = self.changed, False
        return changed and super().clear()


def keep() -> None:
    """Have every connection that is made from now on keep its statements."""
    _connection_base.PrepareManager = Kept
