"""A receiver on loopback: ``python -m benchmarks.telling.receiver SECONDS`` prints its port and ends with its input.

A path that begins with /slow is answered after so many seconds, any other at once. For every line that it reads it
prints what came at each quick path since the last: {path: [[seq, seconds since 1970], ...]}.
"""

import asyncio
import json
import sys
import time
from collections import defaultdict

ANSWER = b"HTTP/1.1 204 No Content\r\n\r\n"


class Receiver:
    """Takes requests over connections that stay open."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.came: dict[str, list[tuple[int, float]]] = defaultdict(list)
        self.slow = 0

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                length = next(line for line in head.split("\r\n") if line.lower().startswith("content-length:"))
                body = await reader.readexactly(int(length.partition(":")[2]))
                path = head.split(" ", 2)[1]
                if path.startswith("/slow"):
                    self.slow += 1
                    await asyncio.sleep(self.seconds)
                else:
                    self.came[path].append((json.loads(body)["seq"], time.time()))
                writer.write(ANSWER)
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            writer.close()

    async def run(self) -> None:
        server = await asyncio.start_server(self.take, "127.0.0.1", 0, backlog=512)
        print(server.sockets[0].getsockname()[1], flush=True)
        loop = asyncio.get_running_loop()
        while await loop.run_in_executor(None, sys.stdin.readline):
            came, self.came = self.came, defaultdict(list)
            print(json.dumps({"came": came, "slow": self.slow}), flush=True)


if __name__ == "__main__":
    asyncio.run(Receiver(float(sys.argv[1])).run())
