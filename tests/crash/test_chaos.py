"""The chaos command is clean, and notices what is not."""

import os
import subprocess
from types import SimpleNamespace

import pytest

from benchmarks import chaos
from benchmarks.disturbing import site
from benchmarks.disturbing.formats import FORMATS, Debate
from tests.crash.sse_client import Watcher

pytestmark = pytest.mark.kills


def test_everything_disturbed_at_once_loses_and_doubles_nothing_for_anybody():
    outcome = chaos.run(seed=7, seconds=8, latency=1, pause=(0.2, 0.8))

    assert outcome.differences == [], str(outcome)
    assert set(outcome.done) == set(site.ANYTHING)
    assert set(outcome.rounds) == set(FORMATS)


@pytest.mark.parametrize("name", FORMATS)
def test_every_difference_is_named(name):
    wanted = FORMATS[name].whole
    lagging = Watcher(ports=[1], debate="d")
    lagging.events = [{"seq": 1}, {"seq": 3}]
    here = SimpleNamespace(act=lambda *_words: dict.fromkeys(wanted, "lost"), ask=lambda _question: [1, 2, 3])

    found = Debate(here, name, 1, [lagging]).differences()

    assert found == [
        *(f"{name}: {what} is lost, not {value}" for what, value in wanted.items()),
        f"{name}: watcher 1 saw 2 events, the log has 3",
    ]


def test_a_process_that_outlives_its_run_is_named(tmp_path):
    asleep, marked = ["sleep", "60"], {**os.environ, site.MARK: "this run"}
    with (
        subprocess.Popen(asleep, cwd=tmp_path) as database,
        subprocess.Popen(asleep, env=marked) as worker,
        subprocess.Popen(asleep) as other,
    ):
        found = site.left_over("this run", tmp_path)
        for process in (database, worker, other):
            process.kill()

    assert sorted(found) == sorted(f"process {one.pid} is left: sleep 60" for one in (database, worker))
