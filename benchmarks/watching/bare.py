"""A bare broadcast server: ``python -m benchmarks.watching.bare PORT BYTES`` sends frames ten times a second to all."""

from __future__ import annotations

import asyncio
import sys
from itertools import count

from websockets.asyncio.server import ServerConnection, broadcast, serve

EVERY = 0.1


async def main(port: int, size: int) -> None:
    """Serve until ended."""
    watching: set[ServerConnection] = set()

    async def watch(connection: ServerConnection) -> None:
        watching.add(connection)
        try:
            async for _ in connection:
                pass
        finally:
            watching.discard(connection)

    async with serve(watch, "127.0.0.1", port, compression=None, backlog=4096, ping_interval=None):
        for number in count(1):
            head = f'{{"through":{number},"events":["'
            broadcast(watching, f'{head}{"x" * (size - len(head) - 3)}"]}}')
            await asyncio.sleep(EVERY)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
