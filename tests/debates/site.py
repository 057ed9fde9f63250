"""Real web servers over a database of their own, and readers that follow debates there."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import psycopg
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from debates import stream
from tests.kills.stage import ROOT, Stage, stage

APPLICATION = "config.asgi:application"
News = tuple[str, Mapping[str, Any]]
PATIENCE = 20.0
HURRIED = {
    "MOOT_LIVE_HEARTBEAT_SECONDS": "1",
    "MOOT_LIVE_STALLED_SECONDS": "2",
    "MOOT_LIVE_RIGHTS_SECONDS": "0.5",
    "MOOT_LIVE_PER_ADDRESS": "30",
    "CSRF_TRUSTED_ORIGINS": "https://moot.example.org,https://*.example.net",
}


def free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


def command(server: str, port: int) -> list[str]:
    """Return how a server is started: daphne as ``up`` does, uvicorn as the documentation says."""
    if server == "daphne":
        words = ["--endpoint", f"tcp:port={port}:interface=127.0.0.1:backlog=4096", "--verbosity", "0"]
        words += ["--websocket_connect_timeout", "30"]
        return [sys.executable, "-m", "daphne", *words, "--websocket-max-frame-size", "16384", APPLICATION]
    words = ["--host", "127.0.0.1", "--port", str(port), "--backlog", "4096", "--log-level", "warning"]
    words += [
        "--ws",
        "websockets-sansio",
        "--ws-per-message-deflate",
        "false",
        "--ws-max-size",
        "16384",
        "--timeout-graceful-shutdown",
        "5",
    ]
    return [sys.executable, "-m", "uvicorn", *words, APPLICATION]


COPIED = """
    INSERT INTO debates_debate SELECT made.* FROM (SELECT * FROM debates_debate ORDER BY id LIMIT 1) one,
        jsonb_populate_record(NULL::debates_debate, to_jsonb(one) || jsonb_build_object(
            'id', nextval(pg_get_serial_sequence('debates_debate', 'id')), 'public_id', gen_random_uuid(),
            'visibility', %(visibility)s::text)) made
    RETURNING id, public_id
"""
PERSON = """
    INSERT INTO auth_user
        (password, username, is_superuser, is_staff, is_active, first_name, last_name, email, date_joined)
    VALUES (%s, %s, false, false, true, '', '', '', now()) RETURNING id
"""
PERMITTED = """
    INSERT INTO auth_user_user_permissions (user_id, permission_id)
    SELECT %s, one.id FROM auth_permission one JOIN django_content_type type ON type.id = one.content_type_id
    WHERE type.app_label = %s AND one.codename = %s
"""


@dataclass
class Web:
    """One web process."""

    server: str
    port: int
    process: subprocess.Popen[bytes]

    def end(self, number: signal.Signals = signal.SIGTERM) -> None:
        """End it and wait."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        self.process.wait(timeout=30)


@dataclass
class Read:
    """What a reader was told until the end of a log, or until it was sent away."""

    seqs: list[int] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    others: list[dict[str, Any]] = field(default_factory=list)
    through: int = 0
    frames: int = 0
    code: int | None = None

    def take(self, frame: Mapping[str, Any]) -> None:
        """Take note of one frame."""
        if "events" in frame:
            self.frames += 1
            self.through = frame["through"]
            self.events += frame["events"]
            self.seqs += [one["seq"] for one in frame["events"]]
        else:
            self.others.append(dict(frame))

    def told(self, type: str) -> dict[str, Any] | None:
        """Return the first frame of a type."""
        return next((one for one in self.others if one["type"] == type), None)


class Site:
    """A stage with web servers."""

    def __init__(self, here: Stage) -> None:
        self.here = here
        self.webs: dict[str, Web] = {}

    def serve(self, server: str, *, port: int | None = None, wait: bool = True, **environment: str) -> Web:
        """Start a server and wait until it answers."""
        port = port or free_port()
        process = subprocess.Popen(
            command(server, port),
            cwd=ROOT,
            env={**self.here.environment, **HURRIED, **environment},
            stdout=subprocess.DEVNULL,
            stderr=None if os.environ.get("MOOT_TEST_NOISE") else subprocess.DEVNULL,
            start_new_session=True,
        )
        self.here.processes.append(process)
        web = Web(server, port, process)
        if wait:
            self.wait(web)
        return web

    def wait(self, web: Web) -> None:
        """Wait until a server takes connections."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", web.port), timeout=1):
                return
            time.sleep(0.05)
        raise AssertionError(f"{web.server} does not answer")

    def tell(self, debate_id: int, *news: News, audience: str = "public", bell: bool = True):
        """Append events to a log, and ring the bell unless it is to be lost."""
        with self.here.server.connect(user="moot_app", name="moot") as connection:
            write(connection, debate_id, news, audience=audience, bell=bell)

    def tell_each(self, debate_id: int, news: Sequence[News]) -> None:
        """Append events to a log, each in a transaction of its own."""
        with self.here.server.connect(user="moot_app", name="moot") as connection:
            for one in news:
                write(connection, debate_id, [one])

    def debate(self, *, events: int = 3, visibility: str = "public") -> dict[str, Any]:
        """Make a debate whose log holds so many events, like the one there is."""
        with self.here.server.connect(name="moot") as connection:
            row = connection.execute(COPIED, {"visibility": visibility}).fetchone()
            assert row is not None
            connection.execute("INSERT INTO debates_eventhead (debate_id, seq) VALUES (%s, 0)", [row[0]])
        if events:
            self.tell(row[0], *rounds(*range(1, events + 1)), bell=False)
        return {"id": row[0], "address": str(row[1])}

    def person(self, *permissions: str) -> dict[str, Any]:
        """Make somebody with these permissions who is signed in."""
        password, name, key = f"hash of {uuid4()}", f"person-{uuid4().hex}", uuid4().hex
        with self.here.server.connect(name="moot") as connection:
            row = connection.execute(PERSON, [password, name]).fetchone()
            assert row is not None
            for permission in permissions:
                connection.execute(PERMITTED, [row[0], *permission.split(".")])
            session = {
                SESSION_KEY: str(row[0]),
                BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[0],
                HASH_SESSION_KEY: User(password=password).get_session_auth_hash(),
            }
            connection.execute(
                "INSERT INTO django_session VALUES (%s, %s, now() + interval '1 hour')",
                [key, SessionStore().encode(session)],
            )
        return {"id": row[0], "session": key}

    def do(self, statement: str) -> None:
        """Change something in the database."""
        with self.here.server.connect(name="moot") as connection:
            connection.execute(statement)

    def epoch(self) -> str:
        return str(self.here.ask("SELECT value FROM debates_epoch"))

    def head(self, debate_id: int) -> int:
        return int(self.here.ask(f"SELECT seq FROM debates_eventhead WHERE debate_id = {debate_id}"))


@contextlib.contextmanager
def site() -> Iterator[Site]:
    """Set a stage and clear it afterwards."""
    with stage() as here:
        yield Site(here)


def write(
    connection: psycopg.Connection, debate_id: int, news: Sequence[News], *, audience: str = "public", bell: bool = True
) -> None:
    """Append events to a log and ring the bell, in a transaction of their own."""
    connection.execute(
        stream.APPEND,
        {
            "debate": debate_id,
            "many": len(news),
            "types": [type for type, _ in news],
            "audiences": [audience] * len(news),
            "data": [json.dumps(data) for _, data in news],
            "now": "now",
        },
    )
    if bell:
        connection.execute("SELECT pg_notify(%s, %s)", [stream.CHANNEL, str(debate_id)])


def rounds(*numbers: int) -> list[News]:
    """Events that say little."""
    return [("round:started", {"criterion": "P1", "round": number, "run": 1}) for number in numbers]


def opened(web: Web, address: str, *, session: str | None = None, origin: str | None = "", **query: Any):
    """Open a WebSocket, as a page of our own does unless told otherwise."""
    own = f"http://127.0.0.1:{web.port}"
    headers = {"Cookie": f"sessionid={session}"} if session else {}
    return connect(
        f"ws://127.0.0.1:{web.port}/ws/debates/{address}/?{urlencode(query, doseq=True)}",
        origin=own if origin == "" else origin,  # type: ignore[arg-type]
        additional_headers=headers,
        compression=None,
        open_timeout=PATIENCE,
        max_size=None,
    )


def follow(socket: ClientConnection, *, to: int | None = None, seconds: float = PATIENCE, ack: bool = True) -> Read:
    """Read frames until ``to`` has been passed, the server closes, or the time is over."""
    found, end = Read(), time.monotonic() + seconds
    try:
        while (left := end - time.monotonic()) > 0:
            frame = json.loads(socket.recv(timeout=left))
            found.take(frame)
            if "events" in frame and ack:
                with contextlib.suppress(ConnectionClosed):  # what was sent before the end is still to be read
                    socket.send(json.dumps({"ack": frame["through"]}))
            if to is not None and max(found.through, frame.get("through", 0)) >= to and found.others:
                break
    except TimeoutError:
        pass
    except ConnectionClosed as closed:
        found.code = closed.rcvd.code if closed.rcvd else 1006
    return found


def socket_read(web: Web, address: str, *, to: int | None = None, seconds: float = PATIENCE, **options: Any) -> Read:
    """Open a WebSocket, read, and close it."""
    with opened(web, address, **options) as socket:
        return follow(socket, to=to, seconds=seconds)


@contextlib.contextmanager
def streaming(
    web: Web,
    address: str,
    *,
    headers: Mapping[str, str] = {},
    method: str = "GET",
    seconds: float = PATIENCE,
    **query: Any,
) -> Iterator[http.client.HTTPResponse]:
    """Open a stream of server-sent events."""
    visitor = http.client.HTTPConnection("127.0.0.1", web.port, timeout=seconds)
    try:
        visitor.request(method, f"/stream/debates/{address}?{urlencode(query, doseq=True)}", headers=dict(headers))
        yield visitor.getresponse()
    finally:
        visitor.close()


def blocks(response: http.client.HTTPResponse) -> Iterator[dict[str, str]]:
    """Give the server-sent events of a response as they come, field by field."""
    block: dict[str, str] = {}
    while line := response.readline().decode():
        if line == "\n":
            yield block
            block = {}
        else:
            name, _, value = line.rstrip("\n").partition(": ")
            block[name] = value


def stream_read(
    web: Web,
    address: str,
    *,
    to: int | None = None,
    seconds: float = PATIENCE,
    session: str | None = None,
    **query: Any,
) -> Read:
    """Read a stream of events until ``to`` has been passed, the server ends it, or the time is over."""
    found, end = Read(), time.monotonic() + seconds
    headers = {"Cookie": f"sessionid={session}"} if session else {}
    with streaming(web, address, headers=headers, seconds=seconds, **query) as response:
        if response.status != 200:
            found.code, told = response.status, json.loads(response.read())
            found.others.append({**told, "type": "refused"})
            return found
        with contextlib.suppress(TimeoutError):
            for block in blocks(response):
                frame = json.loads(block["data"])
                found.take(frame)
                if (to is not None and max(found.through, frame.get("through", 0)) >= to) or time.monotonic() > end:
                    break
    return found


READERS = {"websocket": socket_read, "sse": stream_read}
SERVERS: Sequence[str] = ("daphne", "uvicorn")
