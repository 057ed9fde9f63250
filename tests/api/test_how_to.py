"""The how-to does what it says: its commands are run, as they stand on the page, against a real server."""

import re
import subprocess

import pytest
from django.core.cache import caches

from debates.models import Debate
from scoring import rubrics
from scoring.models import Evaluation
from tests import factories, playing
from tests.api.asking import key_for
from tests.project.tree import ROOT
from tests.reading import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db(transaction=True), WITHOUT_COLLECTED_FILES]


def test_a_debate_is_played_elsewhere_as_the_page_says(live_server):
    caches["pace"].clear()
    rubrics.store(snapshot=playing.rubric("P1"))
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
