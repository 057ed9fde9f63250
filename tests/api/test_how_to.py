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
from django.core.cache import caches
from django.utils import timezone

from debates import signing
from debates.models import Debate
from scoring.models import Evaluation
from scoring.services import rubric_store
from tests import factories, playing
from tests.api.asking import key_for
from tests.config.test_up import until
from tests.debates.servers import free_port
from tests.project.tree import ROOT
from tests.reading import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db(transaction=True), WITHOUT_COLLECTED_FILES]


def test_a_debate_is_played_elsewhere_as_the_page_says(live_server):
    caches["pace"].clear()
    rubric_store.store(snapshot=playing.rubric("P1"), by=None)
    key = key_for(factories.person("alice", permissions=["debates.add_debate"]), scopes=["read", "write"])
    page = (ROOT / "docs" / "how-to" / "play-elsewhere.md").read_text(encoding="utf-8")
    commands = "\n".join(re.findall(r"^```sh\n(.*?)^```", page, flags=re.DOTALL | re.MULTILINE))

    told = subprocess.run(
        ["bash", "-eu", "-o", "pipefail", "-c", commands],
        env={"MOOT": live_server.url, "KEY": key, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    lines = told.stdout.splitlines()
    assert told.returncode == 0, told.stderr
    assert lines[:5] == ["running", "6.75", "6.25", "concluded", "It holds where it is measured."]
    assert [str(one.final_score) for one in Evaluation.objects.all()] == ["6.250000"]
    assert Debate.objects.get().conducted_by == "external"


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
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as sender:
        try:
            sender.request("POST", "/moot", body, headers)
            return sender.getresponse().status
        except OSError:
            return None
