"""Somebody who follows a debate by server-sent events, from whichever web process answers, and never gives up."""

import http.client
import json
import threading
import time
from collections.abc import Sequence
from typing import Any

PAUSE = 0.2
SILENCE = 20.0


class Watcher(threading.Thread):
    """Follows one debate until it is told to end; ``events`` is what arrived, in the order in which it did."""

    def __init__(self, *, ports: Sequence[int], debate: str) -> None:
        super().__init__(daemon=True)
        self.ports, self.debate = ports, debate
        self.events: list[dict[str, Any]] = []
        self.position = ""
        self.connections = self.resyncs = 0
        self.over = threading.Event()

    def run(self) -> None:
        """Ask one web process after the other, from where the last one ended."""
        turn = 0
        while not self.over.is_set():
            try:
                self.follow(self.ports[turn % len(self.ports)])
            except (OSError, http.client.HTTPException):
                time.sleep(PAUSE)
            turn += 1

    def follow(self, port: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SILENCE)
        headers = {"Last-Event-ID": self.position} if self.position else {}
        try:
            connection.request("GET", f"/stream/debates/{self.debate}", headers=headers)
            answer = connection.getresponse()
            if answer.status != http.client.OK:
                time.sleep(PAUSE)
                return
            self.connections += 1
            block: dict[str, str] = {}
            while not self.over.is_set() and (line := answer.readline().decode()):
                field, _, value = line.rstrip("\r\n").partition(": ")
                if field:
                    block[field] = value
                else:
                    self.take(block)
                    block = {}
        finally:
            connection.close()

    def take(self, block: dict[str, str]) -> None:
        kind = block.get("event", "message")
        if kind == "resync":
            self.resyncs += 1
            self.events, self.position = [], ""
        elif kind == "message" and "data" in block:
            self.events += json.loads(block["data"])["events"]
        self.position = block.get("id", self.position)

    def seen(self, type: str) -> int:
        return sum(event["type"] == type for event in list(self.events))

    def end(self) -> None:
        self.over.set()
        self.join(timeout=SILENCE + 5)
