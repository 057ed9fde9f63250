"""A site of real web servers over a database of its own, and what happens there."""

import contextlib
import http.client
import json
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import uuid4

import psycopg
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User

from config.session_store import SessionStore
from debates import event_log
from debates.models.access import SHOWN, digest_of
from tests import fork_server
from tests.crash.harness import Stage, stage
from tests.debates.servers import HURRIED, Web, command, free_port
from tests.debates.stream_readers import PATIENCE

STARTING = 180.0
News = tuple[str, Mapping[str, Any]]
COPIED = """
    INSERT INTO debates_debate SELECT made.* FROM (SELECT * FROM debates_debate ORDER BY id LIMIT 1) one,
        jsonb_populate_record(NULL::debates_debate, to_jsonb(one) || jsonb_build_object(
            'id', nextval(pg_get_serial_sequence('debates_debate', 'id')), 'public_id', gen_random_uuid(),
            'visibility', %(visibility)s::text)) made
    RETURNING id, public_id
"""
SEAT = """
    INSERT INTO debates_participant (public_id, debate_id, role, kind, name, position, provider, model)
    VALUES (gen_random_uuid(), %s, 'chair', 'human', 'Bob', 1, '', '')
"""
PERSON = """
    INSERT INTO auth_user
        (password, username, is_superuser, is_staff, is_active, first_name, last_name, email, date_joined)
    VALUES (%s, %s, false, %s, true, '', '', '', now()) RETURNING id
"""
KEY = """
    INSERT INTO debates_apikey (public_id, owner_id, name, prefix, digest, scopes)
    VALUES (gen_random_uuid(), %s, 'for a test', %s, %s, %s)
"""
FACTOR = """
    INSERT INTO mfa_authenticator (user_id, type, data, created_at) VALUES (%s, 'totp', '{}', now()) RETURNING id
"""
PERMITTED = """
    INSERT INTO auth_user_user_permissions (user_id, permission_id)
    SELECT %s, one.id FROM auth_permission one JOIN django_content_type type ON type.id = one.content_type_id
    WHERE type.app_label = %s AND one.codename = %s
"""


class Site:
    """A stage with web servers."""

    def __init__(self, here: Stage) -> None:
        self.here = here
        self.webs: dict[str, Web] = {}

    def serve(self, server: str, *, port: int | None = None, wait: bool = True, **environment: str) -> Web:
        """Start a server and wait until it answers."""
        port = port or free_port()
        process = fork_server.start(
            *command(server, port), environment={**self.here.environment, **HURRIED, **environment}
        )
        self.here.processes.append(process)
        web = Web(server, port, process)
        if wait:
            self.wait(web)
        return web

    def wait(self, web: Web) -> None:
        end = time.monotonic() + STARTING
        while web.process.poll() is None and time.monotonic() < end:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", web.port), timeout=1):
                return
            time.sleep(0.05)
        raise AssertionError(f"{web.server} does not answer on {web.port}; it ended with {web.process.poll()}")

    def tell(self, debate_id: int, *news: News, audience: str = "public", bell: bool = True):
        """Append events to a log, and ring the bell unless it is to be lost."""
        with self.here.server.connect(user="moot_app", name="moot") as connection:
            write(connection, debate_id, news, audience=audience, bell=bell)

    def tell_each(self, debate_id: int, news: Sequence[News]) -> None:
        """Append events to a log, each in a transaction of its own."""
        with self.here.server.connect(user="moot_app", name="moot") as connection:
            for one in news:
                write(connection, debate_id, [one])

    def debate(self, *, events: int = 3, visibility: str = "public", seat: bool = False) -> dict[str, Any]:
        """Make a debate whose log holds so many events, like the one there is, and that may have a free seat."""
        with self.here.server.connect(name="moot") as connection, connection.transaction():
            row = connection.execute(COPIED, {"visibility": visibility}).fetchone()
            assert row is not None
            connection.execute("INSERT INTO debates_eventhead (debate_id, seq) VALUES (%s, 0)", [row[0]])
            if seat:
                connection.execute(SEAT, [row[0]])
        if events:
            self.tell(row[0], *rounds(*range(1, events + 1)), bell=False)
        return {"id": row[0], "address": str(row[1])}

    def person(self, *permissions: str, staff: bool = False, second_factor: bool = False) -> dict[str, Any]:
        """Make somebody with these permissions who is signed in."""
        password, name, key = f"hash of {uuid4()}", f"person-{uuid4().hex}", uuid4().hex
        with self.here.server.connect(name="moot") as connection:
            row = connection.execute(PERSON, [password, name, staff]).fetchone()
            assert row is not None
            for permission in permissions:
                connection.execute(PERMITTED, [row[0], *permission.split(".")])
            factor = connection.execute(FACTOR, [row[0]]).fetchone() if second_factor else None
            session = {
                SESSION_KEY: str(row[0]),
                BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[0],
                HASH_SESSION_KEY: User(password=password).get_session_auth_hash(),
                "account_authentication_methods_user": str(row[0]),
                "account_authentication_methods": [{"method": "mfa", "id": factor[0]}] if factor else [],
            }
            connection.execute(
                "INSERT INTO django_session VALUES (%s, %s, now() + interval '1 hour')",
                [key, SessionStore().encode(session)],
            )
        return {"id": row[0], "session": key}

    def key(self, person: int, *, scope: str = "read") -> str:
        text = f"moot_{uuid4().hex}"
        with self.here.server.connect(name="moot") as connection:
            connection.execute(KEY, [person, text[:SHOWN], digest_of(text), [scope]])
        return text

    def post(self, web: Web, path: str, body: Mapping[str, Any], key: str) -> int:
        """Ask the API for something, and return the status of its answer."""
        visitor = http.client.HTTPConnection("127.0.0.1", web.port, timeout=PATIENCE)
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        with contextlib.closing(visitor):
            visitor.request("POST", f"/api/v1/{path}", json.dumps(body), headers)
            return visitor.getresponse().status

    def do(self, statement: str) -> None:
        with self.here.server.connect(name="moot") as connection:
            connection.execute(statement)

    def epoch(self) -> str:
        return str(self.here.ask("SELECT value FROM debates_epoch"))

    def head(self, debate_id: int) -> int:
        return int(self.here.ask(f"SELECT seq FROM debates_eventhead WHERE debate_id = {debate_id}"))


@contextlib.contextmanager
def site() -> Iterator[Site]:
    with stage() as here:
        yield Site(here)


def write(
    connection: psycopg.Connection, debate_id: int, news: Sequence[News], *, audience: str = "public", bell: bool = True
) -> None:
    """Append events to a log and ring the bell, in a transaction of their own."""
    rows = json.dumps([{"type": type, "audience": audience, "data": data} for type, data in news])
    told = {"debate": debate_id, "many": len(news), "news": rows, "now": "now"}
    connection.execute(event_log.APPEND, told)
    if bell:
        connection.execute("SELECT pg_notify(%s, %s)", [event_log.CHANNEL, str(debate_id)])


def rounds(*numbers: int) -> list[News]:
    """Events that say little."""
    return [("round:started", {"criterion": "P1", "round": number, "run": 1}) for number in numbers]
