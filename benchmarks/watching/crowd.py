"""A crowd of readers in a process of its own, told what to do by lines: ``python -m benchmarks.watching.crowd``.

Each reader is a bare protocol that cuts frames and notes when they came, so that a thousand cost the machine little.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import struct
import sys
import time
from collections import Counter
from typing import Any

THROUGH = re.compile(rb'^\{"through":(\d+)')
EVENT = re.compile(rb'[\[,]\{"seq":(\d+)')
PARTS = re.compile(rb'^\{"type":"parts","parts":\[\{"name":"[^"]*","seq":(\d+)')
ACK_BYTES = 64 * 1024
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Reader(asyncio.Protocol):
    """One reader: shakes hands, reads frames, acknowledges."""

    def __init__(self, crowd: Crowd, path: str, cookie: str) -> None:
        self.crowd, self.path, self.cookie = crowd, path, cookie
        self.buffer = bytearray()
        self.open = False
        self.opened = asyncio.Event()
        self.seen: list[tuple[int, float]] = []
        self.came: dict[int, float] = {}
        self.brought: list[tuple[int, float]] = []
        self.owed = 0
        self.code = 0

    def connection_made(self, transport: Any) -> None:
        """Ask for the handshake."""
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        own = f"127.0.0.1:{self.crowd.port}"
        lines = [f"GET {self.path} HTTP/1.1", f"Host: {own}", f"Origin: http://{own}", "Upgrade: websocket"]
        lines += ["Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"]
        lines += [f"Cookie: sessionid={self.cookie}"] if self.cookie else []
        transport.write(("\r\n".join(lines) + "\r\n\r\n").encode())

    def connection_lost(self, _: Exception | None) -> None:
        """Have nobody wait for a handshake that will not come."""
        self.opened.set()

    def data_received(self, data: bytes) -> None:
        """Cut frames off what has come."""
        self.buffer += data
        if not self.open:
            head, separator, rest = bytes(self.buffer).partition(b"\r\n\r\n")
            if not separator:
                return
            self.open = b" 101 " in head.split(b"\r\n")[0]
            self.buffer = bytearray(rest)
            self.opened.set()
        while (frame := self.cut()) is not None:
            self.take(*frame)

    def cut(self) -> tuple[int, bytes] | None:
        have = len(self.buffer)
        if have < 2:
            return None
        length, begin = self.buffer[1] & 127, 2
        if length >= 126:
            begin = 4 if length == 126 else 10
            if have < begin:
                return None
            length = struct.unpack_from("!H" if begin == 4 else "!Q", self.buffer, 2)[0]
        if have < begin + length:
            return None
        kind, payload = self.buffer[0] & 15, bytes(self.buffer[begin : begin + length])
        del self.buffer[: begin + length]
        return kind, payload

    def take(self, kind: int, payload: bytes) -> None:
        """Note a frame of events, answer a ping."""
        if kind == PING:
            self.say(PONG, payload)
        elif kind == CLOSE and len(payload) >= 2:
            self.code = struct.unpack("!H", payload[:2])[0]
        elif kind == TEXT and (match := THROUGH.match(payload)):
            through = int(match[1])
            at = time.time()
            self.seen.append((through, at))
            for seq in EVENT.findall(payload):
                self.came.setdefault(int(seq), at)
            self.owed += len(payload)
            if self.owed > ACK_BYTES:
                self.acknowledge()
            self.crowd.told(self, through)
        elif kind == TEXT and (match := PARTS.match(payload)):
            self.brought.append((int(match[1]), time.time()))
            self.owed += len(payload)
            self.crowd.longest = max(self.crowd.longest, len(payload))
            if self.owed > ACK_BYTES:
                self.acknowledge()

    def acknowledge(self) -> None:
        if self.seen:
            self.owed = 0
            self.say(TEXT, b'{"ack":%d}' % self.seen[-1][0])

    def say(self, kind: int, payload: bytes) -> None:
        """Send a short frame; its mask is nought."""
        self.transport.write(bytes([128 | kind, 128 | len(payload)]) + bytes(4) + payload)


class Crowd:
    """Readers of one server."""

    def __init__(self, *, port: int, path: str, cookies: list[str], to: int = 0, stalled: int = 0) -> None:
        self.port, self.path, self.cookies, self.to, self.stalled = port, path, cookies, to, stalled
        self.readers: list[Reader] = []
        self.arrived = self.longest = 0
        self.all_there = asyncio.Event()

    async def come(self) -> None:
        """Connect everybody at once; those who stall read nothing after the handshake."""
        loop = asyncio.get_running_loop()
        self.readers = [Reader(self, self.path, cookie) for cookie in self.cookies]
        await asyncio.gather(*(self.connect(loop, reader) for reader in self.readers))
        await asyncio.gather(*(reader.opened.wait() for reader in self.readers))
        for reader in self.readers[: self.stalled]:
            reader.transport.pause_reading()
        self.acknowledging = asyncio.create_task(self.keep_acknowledging())

    async def read_at_last(self) -> None:
        """Have those who stalled read what has been sent to them."""
        for reader in self.readers[: self.stalled]:
            reader.transport.resume_reading()
        await asyncio.sleep(3 if self.stalled else 0)

    async def connect(self, loop: asyncio.AbstractEventLoop, reader: Reader) -> None:
        await loop.create_connection(lambda: reader, "127.0.0.1", self.port)

    async def keep_acknowledging(self) -> None:
        """Have everybody acknowledge every eight seconds, not all at once."""
        while True:
            for place in range(8):
                for reader in self.readers[self.stalled + place :: 8]:
                    reader.acknowledge()
                await asyncio.sleep(1)

    def told(self, reader: Reader, through: int) -> None:
        """Count who has come as far as was asked for."""
        if self.to and through >= self.to and not (len(reader.seen) > 1 and reader.seen[-2][0] >= self.to):
            self.arrived += 1
            if self.arrived == len(self.readers):
                self.all_there.set()

    def figures(self) -> dict[str, Any]:
        """Return what everybody who read has seen: when each event came, by number, and how many frames."""
        reading = self.readers[self.stalled :]
        times: dict[int, list[float]] = {}
        for reader in reading:
            for seq, at in reader.came.items():
                times.setdefault(seq, []).append(at)
        frames = sum(len(reader.seen) for reader in reading)
        codes = Counter(reader.code for reader in self.readers if reader.code)
        totals = {"frames": frames, "times": times, "closed": codes.total(), "codes": codes}
        return totals | {"brought": [reader.brought for reader in reading], "longest": self.longest}


async def main() -> None:
    loop = asyncio.get_running_loop()
    crowd = Crowd(**json.loads(await loop.run_in_executor(None, sys.stdin.readline)))
    begun = time.perf_counter()
    await crowd.come()
    if crowd.to:
        await asyncio.wait_for(crowd.all_there.wait(), 180)
    print(json.dumps({"seconds": time.perf_counter() - begun}), flush=True)
    await loop.run_in_executor(None, sys.stdin.readline)
    await crowd.read_at_last()
    print(json.dumps(crowd.figures()), flush=True)
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(main())
