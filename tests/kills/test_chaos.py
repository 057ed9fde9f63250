"""The chaos command is clean, and notices what is not."""

from types import SimpleNamespace

import pytest

from benchmarks import chaos
from tests.kills.watcher import Watcher

pytestmark = pytest.mark.kills


def test_everything_disturbed_at_once_loses_and_doubles_nothing_for_anybody():
    outcome = chaos.run(seed=7, seconds=8, latency=1)

    assert outcome.differences == [], str(outcome)


WRONG = {
    "faults": ["entry 3"], "gapless": False, "status": "failed", "partial": True, "rounds": 1, "entries": 2,
    "verdicts": 3, "facts": 4, "turns": 5, "used": 6, "finals": [], "jobs": 1,
}  # fmt: skip


def test_every_difference_is_named():
    lagging = Watcher(ports=[1], debate="d")
    lagging.events = [{"seq": 1}, {"seq": 3}]

    here = SimpleNamespace(act=lambda *_words: WRONG, ask=lambda _question: [1, 2, 3])
    found = chaos.differences(SimpleNamespace(here=here), 1, [lagging])

    assert len(found) == 13
    assert found[0] == "faults is ['entry 3'], not []"
    assert found[-1] == "watcher 1 saw 2 events, the log has 3"
