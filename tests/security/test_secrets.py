"""Secrets are planted wherever there are any, everything is made to talk and to fail, and none may show up."""

import http.client
import json
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.crash.harness import ROOT, Stage, stage
from tests.crash.test_two_of_each import answers
from tests.debates.servers import free_port
from tests.providers.endpoint import running

pytestmark = pytest.mark.kills
PLANTED = {
    "SECRET_KEY": "canary-secret-key-0123456789-0123456789-0123456789-0123456789",
    "MOOT_LLM_API_KEY": "canary-provider-key",
    "MOOT_LOG_LEVEL": "DEBUG",
    "MOOT_PROVIDER_RETRIES": "0",
}
TELLING = {"MOOT_LLM_MODEL": "exact-once-then-telling", "MOOT_LLM_MODE": "tool"}
DEBATE = {
    "format": "open",
    "motion": "Cities need trams.",
    "preset": "three_way_ethics",
    "exchanges": 1,
    "provider": "openai",
}
PASSWORD = "canary-password-of-alice"
IN_URL = "canary-database-password"
LOGIN = "/accounts/login/"


class Visitor:
    """Somebody with a cookie jar, who keeps every answer."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}
        self.told = b""

    def ask(self, method: str, path: str, body: str = "", **headers: str) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        jar = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = {name.replace("_", "-"): value for name, value in headers.items()} | {"Cookie": jar}
        connection.request(method, path, body, sent)
        answer = connection.getresponse()
        self.told += answer.read()
        for header in answer.headers.get_all("Set-Cookie", []):
            name, _, value = header.partition(";")[0].partition("=")
            self.cookies[name] = value
        connection.close()
        return answer.status

    def sign_in(self, password: str) -> int:
        self.ask("GET", LOGIN)
        form = {"login": "alice", "password": password, "csrfmiddlewaretoken": self.cookies["csrftoken"]}
        return self.ask("POST", LOGIN, urlencode(form), Content_Type="application/x-www-form-urlencoded")


def started(here: Stage, out: Path, *words: str, endpoint: str) -> subprocess.Popen[bytes]:
    """Start a process that says everything it has to say into a file."""
    url = here.server.url().replace("moot_app@", f"moot_app:{IN_URL}@")
    with out.open("ab") as file:
        process = subprocess.Popen(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env={**here.environment, **PLANTED, **TELLING, "DATABASE_URL": url, "MOOT_LLM_BASE_URL": endpoint},
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    here.processes.append(process)
    return process


MAKE_ALICE = (
    f"from django.contrib.auth.models import User;User.objects.create_superuser('alice', password='{PASSWORD}')"
)


def test_no_secret_reaches_a_log_or_an_answer(tmp_path):
    out = tmp_path / "everything.log"
    port = free_port()
    with stage() as here, running() as endpoint:
        here.manage("shell", "-v", "0", "-c", MAKE_ALICE)
        key = subprocess.run(
            [sys.executable, "manage.py", "api_key", "make", "alice", "--name", "k", "--scopes", "read,write"],
            cwd=ROOT, env=here.environment, capture_output=True, text=True, check=True,
        ).stdout.strip()  # fmt: skip
        started(here, out, "serve", "--port", str(port), endpoint=endpoint.url)
        worker = started(here, out, "worker", endpoint=endpoint.url)
        here.act("start", 1, 1, 0)
        answers(port)
        alice = Visitor(port)
        alice.sign_in(PASSWORD + " mistyped")
        assert alice.sign_in(PASSWORD) == 302
        session = alice.cookies["sessionid"]
        bearer = {"Authorization": f"Bearer {key}"}
        made = alice.ask("POST", "/api/v1/debates/", json.dumps(DEBATE), Content_Type="application/json", **bearer)
        address = f"/api/v1/debates/{here.ask('SELECT public_id FROM debates_debate ORDER BY id DESC')}/"
        statuses = [made, alice.ask("POST", f"{address}start/", **bearer)]
        here.until(lambda: here.ask("SELECT count(*) FROM judging_call WHERE problem LIKE '%answered 401%'") > 0)
        statuses += [
            alice.ask("GET", "/"),
            alice.ask("GET", address, **bearer),
            alice.ask("GET", "/api/v1/debates/", **bearer),
            alice.ask("POST", "/api/v1/debates/", "{", Content_Type="application/json", **bearer),
            alice.ask("GET", f"/nowhere/?key={key}", **bearer),
            alice.ask("GET", f"/api/v1/debates/?key={key}", **bearer),
            alice.ask("GET", "/api/v1/debates/", Authorization=f"Bearer {key}x"),
        ]
        here.server.stop(immediate=True)  # everybody fails now, with whatever they have to say about it
        logged = out.stat().st_size
        statuses += [alice.ask("GET", "/"), alice.ask("GET", "/api/v1/debates/", **bearer)]
        here.until(lambda: b"worker" in out.read_bytes()[logged:].lower())
        here.server.start()
        here.end(worker)

    assert statuses == [201, 200, 200, 200, 200, 400, 404, 400, 401, 503, 503]
    found = out.read_bytes() + alice.told
    assert f"Bearer {PLANTED['MOOT_LLM_API_KEY']}" in endpoint.keys[1:], "the key of the worker was not tried"
    assert len(out.read_bytes()) > 500, "nothing was logged, so nothing was tried"
    secrets = [*PLANTED.values(), PASSWORD, IN_URL, key, session]
    assert [one for one in secrets if len(one) > 12 and one.encode() in found and not one.startswith("http")] == []
