"""Where a call waits until its provider has room for it. That wait is not part of the call's deadline."""

from __future__ import annotations

import asyncio
from weakref import WeakKeyDictionary


class Rooms:
    """Rooms by name, each for so many calls at once. A semaphore belongs to its event loop, and so does a room."""

    def __init__(self) -> None:
        self._rooms: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, asyncio.Semaphore]] = WeakKeyDictionary()

    def room(self, name: str, *, places: int) -> asyncio.Semaphore:
        """Return the room of that name on the running loop."""
        rooms = self._rooms.setdefault(asyncio.get_running_loop(), {})
        return rooms.setdefault(name, asyncio.Semaphore(places))
