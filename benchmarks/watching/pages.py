"""Open pages asking for parts: ``python -m benchmarks.watching.pages PORT PATH TIMES`` prints how long they waited."""

import asyncio
import json
import random
import re
import sys
import time

GATHERING = 0.15
"""Seconds that a page waits after an event, and up to as long again: see static/live.js."""


async def ask(port: int, path: str) -> tuple[float, bytes]:
    """Ask once and return the seconds that it took, and the answer."""
    await asyncio.sleep(random.uniform(GATHERING, 2 * GATHERING))
    began = time.perf_counter()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    return time.perf_counter() - began, answer


async def main(port: int, path: str, times: int) -> None:
    answers = await asyncio.gather(*(ask(port, path) for _ in range(times)))
    drawn = {drawn_at for _, answer in answers for drawn_at in re.findall(rb'data-drawn-at="(\d+)"', answer)}
    failed = sum(b" 200 " not in answer.split(b"\r\n", 1)[0] for _, answer in answers)
    print(json.dumps({"ms": [1000 * took for took, _ in answers], "drawn": len(drawn), "failed": failed}))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
