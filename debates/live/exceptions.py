"""Whom the hub sends away, in which words: who has no right, who is one too many, and all while nothing can be read."""

from __future__ import annotations

import contextlib
import logging
from collections import Counter
from collections.abc import Iterator

from debates import addresses
from debates.live import settings
from debates.live.frames import Close, Refused
from debates.live.reader import Unreadable

SENT_AWAY = {
    Close.NOT_FOUND: "There is no such debate for you.",
    Close.BAD_KEY: "This key is unknown, revoked or expired, or lacks the scope read.",
}
RIGHTS = "Who you are or what you may see has changed. Open it again."
log = logging.getLogger(__name__)


class Places:
    """The connections of each address to this process."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    @contextlib.contextmanager
    def one(self, address: str) -> Iterator[None]:
        """Take one of the connections that an address may have.

        Raises: ``Refused``.
        """
        address = addresses.counted(address)
        if self._taken[address] >= settings.per_address():
            raise Refused(Close.TOO_MANY, "Too many connections from this address.")
        self._taken[address] += 1
        try:
            yield
        finally:
            self._taken[address] -= 1
            if not self._taken[address]:
                del self._taken[address]


@contextlib.contextmanager
def unreadable_is_refused() -> Iterator[None]:
    """Turn a database that cannot be read into a refusal.

    Raises: ``Refused``.
    """
    try:
        yield
    except Unreadable as error:
        log.warning("a reader was sent away: %s", error)
        raise Refused(Close.UNAVAILABLE, "The log cannot be read now.") from error
