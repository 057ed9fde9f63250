"""A bare broadcast server: ``python -m benchmarks.watching.bare PORT BYTES`` sends frames ten times a second to all."""

import asyncio
import sys
from itertools import count

from websockets.asyncio.server import ServerConnection, broadcast, serve

EVERY = 0.1


async def main(port: int, size: int) -> None:
    watching: set[ServerConnection] = set()

    async def watch(connection: ServerConnection) -> None:
        watching.add(connection)
        try:
            await connection.wait_closed()
        finally:
            watching.discard(connection)

    async with serve(watch, "127.0.0.1", port, compression=None, backlog=4096, ping_interval=None):
        due = asyncio.get_running_loop().time()
        for number in count(1):
            head = f'{{"through":{number},"events":["'
            broadcast(watching, f'{head}{"x" * (size - len(head) - 3)}"]}}')
            due += EVERY
            await asyncio.sleep(max(0.0, due - asyncio.get_running_loop().time()))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
