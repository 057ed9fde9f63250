"""Connections from a pool: whoever waits while others are served waits on; where nobody is, they are told so soon."""

from __future__ import annotations

import time
from typing import Any, ClassVar

from django.db.backends.postgresql import base
from psycopg_pool import PoolTimeout

LONGEST_WAIT = 30.0
"""Seconds after which somebody is told that there is no connection, however many others were given one meanwhile."""


class DatabaseWrapper(base.DatabaseWrapper):
    """The pool's own timeout says how long nobody at all may have been given a connection."""

    given_at: ClassVar[dict[str, float]] = {}

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Raises: ``PoolTimeout`` if nobody was given a connection for as long as the pool lets one wait, or if this
        has lasted too long.
        """
        began = time.monotonic()
        while True:
            asked = time.monotonic()
            try:
                connection = super().get_new_connection(conn_params)
            except PoolTimeout:
                if self.given_at.get(self.alias, 0) < asked or time.monotonic() > began + LONGEST_WAIT:
                    raise
            else:
                self.given_at[self.alias] = time.monotonic()
                return connection
