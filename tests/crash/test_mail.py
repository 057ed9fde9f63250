"""Workers are killed while mail is due: each is handed over once, or said to be uncertain; none is lost or doubled."""

import random
import re
import signal
import time
from collections import Counter

import pytest

from tests.crash.harness import stage
from tests.mail.sink import sinking

pytestmark = pytest.mark.kills
MAILS, PEOPLE, KILLS = 200, 20, 25
MODULE = "tests.crash.mail_in_database"
WAITING = "SELECT count(*) FROM debates_mail WHERE state IN ('due', 'sending')"
ADDRESS = re.compile(r"person-\d+@example\.org")


def test_workers_killed_while_mail_is_due_lose_none_and_double_none(tmp_path, monkeypatch):
    luck = random.Random(20265)
    with sinking(seconds=0.05) as sink:
        monkeypatch.setenv("EMAIL_URL", sink.url)
        monkeypatch.setenv("MOOT_MAIL_SECONDS", "0.5")
        with stage() as here:
            here.act("write", MAILS, PEOPLE, module=MODULE)
            logs = []
            for _ in range(KILLS):
                taken = len(sink.mails)
                worker = logging_worker(here, tmp_path, logs)
                here.until(lambda before=taken: len(sink.mails) > before)
                time.sleep(luck.uniform(0, 0.2))
                here.end(worker, signal.SIGKILL)
            assert here.ask(WAITING) > 0, "the kills came too late to mean anything"
            logging_worker(here, tmp_path, logs)
            here.until(lambda: here.ask(WAITING) == 0)
            report = here.act("report", module=MODULE)

    handed_over = Counter(message["Message-ID"].strip("<>").partition("@")[0] for _, message in sink.mails)
    uncertain = {number for number, state in report["mails"].items() if state == "uncertain"}
    said = "".join(log.read_text(encoding="utf-8") for log in logs).replace("-", "")
    assert set(report["states"]) <= {"sent", "uncertain"}
    assert len(report["mails"]) == MAILS
    assert set(handed_over.values()) == {1}
    assert set(report["mails"]) - uncertain <= set(handed_over)
    assert 0 < len(uncertain) <= KILLS
    assert {number for number in uncertain if f"mail uncertain mail='{number}'" not in said} == set()
    for to, message in sink.mails:
        assert set(ADDRESS.findall(message.as_string())) == {to}


def logging_worker(here, place, logs):
    """Start a worker whose log can be read."""
    log = place / f"worker-{len(logs)}"
    logs.append(log)
    with log.open("wb") as file:
        process = here.fork_server.start("worker", out=file, err=file)
    here.processes.append(process)
    return process
