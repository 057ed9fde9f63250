"""Web servers of a test: how they are started, and how they end."""

import signal
import socket
from collections.abc import Sequence
from dataclasses import dataclass

from config import server_command
from tests.fork_server import Child

SERVERS: Sequence[str] = ("daphne", "uvicorn")
HURRIED = {
    "MOOT_LIVE_HEARTBEAT_SECONDS": "1",
    "MOOT_LIVE_STALLED_SECONDS": "4",
    "MOOT_LIVE_RIGHTS_SECONDS": "0.5",
    "MOOT_LIVE_PER_ADDRESS": "30",
    "CSRF_TRUSTED_ORIGINS": "https://moot.example.org,https://*.example.net",
}


def free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


def command(server: str, port: int) -> list[str]:
    """Return what Python is asked for to start a server: daphne as ``up`` does, uvicorn as the documentation says."""
    if server == "daphne":
        return server_command.arguments(endpoint=f"tcp:port={port}:interface=127.0.0.1:backlog=4096")
    words = ["--host", "127.0.0.1", "--port", str(port), "--backlog", "4096", "--log-level", "warning"]
    words += [
        "--ws",
        "config.uvicorn_protocol:UvicornProtocol",
        "--ws-per-message-deflate",
        "false",
        "--ws-max-size",
        server_command.LONGEST_FRAME,
    ]
    return [
        "-m",
        "uvicorn",
        *words,
        "--timeout-graceful-shutdown",
        "5",
        "--no-proxy-headers",
        server_command.APPLICATION,
    ]


@dataclass
class Web:
    """One web process."""

    server: str
    port: int
    process: Child

    def end(self, number: signal.Signals = signal.SIGTERM) -> None:
        if self.process.poll() is None:
            self.process.send_signal(number)
        self.process.wait(timeout=120)
