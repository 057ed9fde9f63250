"""The how-to does what it says: its commands are run, as they stand on the page, against a real server."""

import http.client
import json
import re
import select
import subprocess
import sys
from contextlib import closing
from datetime import timedelta

import pytest
from django.utils import timezone

from debates import signing
from debates.models import Debate
from scoring.models import Evaluation, Rubric
from tests import factories
from tests.api.clients import key_for
from tests.config.test_up import until
from tests.debates.servers import free_port
from tests.docs import blocks
from tests.project.source_files import ROOT
from tests.texts import WITHOUT_COLLECTED_FILES

NEEDED = ["debates.add_debate", "scoring.add_rubric", "scoring.change_rubric"]
pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True), WITHOUT_COLLECTED_FILES]


def test_a_debate_is_played_elsewhere_as_the_page_says(live_server):
    key = key_for(factories.person("alice", permissions=NEEDED), scopes=["read", "write"])

    told = played_elsewhere(live_server.url, key)

    lines = told.stdout.splitlines()
    assert (told.returncode, told.stderr) == (0, "")
    assert lines[:6] == ["small", "running", "6.75", "6.25", "concluded", "It holds where it is measured."]
    assert [str(one.final_score) for one in Evaluation.objects.all()] == ["6.250000"]
    assert Debate.objects.get().conducted_by == "external"


def test_what_is_refused_elsewhere_is_shown_and_ends_the_commands(live_server):
    rubric_writer = factories.person("alice", permissions=NEEDED[1:])

    told = played_elsewhere(live_server.url, key_for(rubric_writer, scopes=["read", "write"]))

    assert (told.returncode, told.stdout) == (1, "small\n")
    assert [json.loads(line)["detail"] for line in told.stderr.splitlines() if line.startswith("{")] == [
        "You lack the permission debates.add_debate."
    ]
    assert "Traceback" not in told.stderr


def test_a_rubric_file_is_stored_by_the_api_as_the_page_says(live_server):
    key = key_for(factories.person("alice", permissions=NEEDED), scopes=["write"])
    [command] = [one for one in blocks.commands("docs/how-to/write-a-rubric.md") if one.startswith("python3 -c")]

    told = run(command, live_server.url, key)

    assert (told.returncode, told.stderr) == (0, "")
    assert json.loads(told.stdout)["slug"] == "ours"
    assert Rubric.objects.get(slug="ours").criteria.count() == 5


def played_elsewhere(address, key):
    """Run the commands of the page as a reader does, and return what they said."""
    return run("".join(blocks.of("docs/how-to/play-elsewhere.md", "sh")), address, key)


def run(commands, address, key):
    """Run commands in a shell that knows the address of a site and a key."""
    return subprocess.run(
        ["bash", "-c", commands],
        cwd=ROOT,
        env={"MOOT": address, "KEY": key, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )


def test_the_receiver_takes_what_is_signed_and_new_and_prints_it_once(tmp_path):
    secret, port, now = "whsec_bW9vdCBtb290IG1vb3Q=", free_port(), timezone.now()
    body = json.dumps({"type": "score:frozen", "debate": "one", "seq": 17, "data": {"criterion": "P1"}}).encode()
    good = signing.headers(id="msg_1", at=now, body=body, secrets=["whsec_b3RoZXI=", secret])
    foreign = signing.headers(id="msg_2", at=now, body=body, secrets=["whsec_b3RoZXI="])
    old = signing.headers(id="msg_3", at=now - timedelta(minutes=6), body=body, secrets=[secret])
    page = (ROOT / "docs" / "how-to" / "receive-webhooks.md").read_text(encoding="utf-8")
    script = tmp_path / "receiver.py"
    script.write_text(re.search(r"^```python\n(.*?)^```", page, flags=re.DOTALL | re.MULTILINE)[1], encoding="utf-8")
    command = [sys.executable, str(script), str(port)]

    with subprocess.Popen(command, env={"SECRET": secret}, stdout=subprocess.PIPE, text=True) as receiver:
        try:
            assert until(lambda: answered(port, body, old) is not None)
            told = [answered(port, body, headers) for headers in (good, good, foreign, old, {})]
            lines = [receiver.stdout.readline()]
            more = select.select([receiver.stdout], [], [], 0.2)[0]
        finally:
            receiver.terminate()

    assert told == [204, 204, 401, 401, 401]
    assert lines == ['one 17 score:frozen {"criterion": "P1"}\n']
    assert more == []


def answered(port, body, headers):
    """Return the status that a receiver on this machine answers with, or None where there is none yet."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=180)) as sender:
        try:
            sender.request("POST", "/moot", body, headers)
            return sender.getresponse().status
        except OSError:
            return None
