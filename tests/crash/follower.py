"""A reader in a process of its own that follows a debate until it has concluded, whatever dies meanwhile.

``python -m tests.crash.follower websocket|sse PORT ADDRESS`` prints every event's number and type, as it came.
"""

import asyncio
import json
import random
import sys
from collections.abc import AsyncIterator
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

PATIENCE = 4.0
LONGEST_LINE = 2**22
"""Bytes; whoever comes back is told much in one frame."""
Frame = dict[str, Any]


class Reader:
    """Keeps a position, both halves of it together, and applies every frame after it."""

    def __init__(self, door: str, port: int, address: str) -> None:
        self.frames = {"websocket": self.over_websocket, "sse": self.over_sse}[door]
        self.port, self.address = port, address
        self.after, self.epoch = 0, ""
        self.concluded = False
        self.connections = 0

    async def run(self) -> None:
        """Connect again and again, until the debate has concluded."""
        luck = random.Random(1)
        while not self.concluded:
            try:
                async for frame in self.frames():
                    self.apply(frame)
            except (OSError, TimeoutError, WebSocketException, asyncio.IncompleteReadError):
                pass
            await asyncio.sleep(luck.uniform(0, 0.3))

    def apply(self, frame: Frame) -> None:
        """Take note of one frame."""
        if frame.get("type") == "hello":
            assert frame["after"] == self.after, frame
            self.epoch = frame["epoch"]
            self.connections += 1
        if frame.get("type") == "resync":
            raise SystemExit(f"told to begin again: {frame}")
        for event in frame.get("events", ()):
            sys.stdout.write(f"{event['seq']} {event['type']}\n")
            self.concluded |= event["type"] == "debate:concluded"
        if "events" in frame:
            self.after = frame["through"]

    @property
    def query(self) -> str:
        return f"after={self.after}" + (f"&epoch={self.epoch}" if self.epoch else "")

    async def over_websocket(self) -> AsyncIterator[Frame]:
        """Give the frames of one connection."""
        url = f"ws://127.0.0.1:{self.port}/ws/debates/{self.address}/?{self.query}"
        async with connect(url, compression=None, open_timeout=PATIENCE, close_timeout=0.1) as socket:
            while not self.concluded:
                frame = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
                yield frame
                if "events" in frame:
                    await socket.send(json.dumps({"ack": frame["through"]}))

    async def over_sse(self) -> AsyncIterator[Frame]:
        """Give the frames of one stream, as a browser resumes it: by the last event's id."""
        opening = asyncio.open_connection("127.0.0.1", self.port, limit=LONGEST_LINE)
        reader, writer = await asyncio.wait_for(opening, PATIENCE)
        resumed = f"Last-Event-ID: {self.epoch}:{self.after}\r\n" if self.epoch else ""
        asked = f"GET /stream/debates/{self.address} HTTP/1.0\r\nHost: 127.0.0.1:{self.port}\r\n{resumed}\r\n"
        writer.write(asked.encode())
        try:
            while not self.concluded:
                line = await asyncio.wait_for(reader.readline(), PATIENCE)
                if not line.endswith(b"\n"):
                    return  # cut off, perhaps within a line
                if line.startswith(b"data: "):
                    yield json.loads(line[6:])
        finally:
            writer.close()


if __name__ == "__main__":
    follower = Reader(sys.argv[1], int(sys.argv[2]), sys.argv[3])
    asyncio.run(follower.run())
    sys.stderr.write(f"{follower.connections}\n")
