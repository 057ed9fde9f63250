"""A batch of responses while workers are killed: each is judged once, and nothing that is known is paid again."""

import random
import signal
from pathlib import Path

import pytest

from tests.crash.harness import SOAK, stage

pytestmark = pytest.mark.kills
RESPONSES, KILLS, AT_ONCE = 2_000 if SOAK else 150, 3, 10
SECONDS = 1_500
JUDGED = "SELECT count(*) FROM judging_responseevaluation"


def asked(file: Path) -> int:
    """How often the provider was asked, by its own account."""
    return len(file.read_text(encoding="utf-8").splitlines())


def test_a_batch_is_interrupted_and_resumed_within_its_budget_and_the_second_asks_nothing(tmp_path):
    """Each judgement is a transaction of its own: with two thousand, as `make soak` has it, it takes minutes."""
    luck, file = random.Random(20264), tmp_path / "asked"
    with stage(asked=file) as here:
        debate = here.act("batch", RESPONSES, RESPONSES)["debate"]
        for number in range(1, KILLS + 1):
            worker, reached = here.worker(), number * RESPONSES // 5 + luck.randrange(RESPONSES // 20)
            here.until(lambda most=reached: here.ask(JUDGED) >= most, seconds=SECONDS)
            here.end(worker, signal.SIGKILL)
        assert here.ask(JUDGED) < RESPONSES, "the kills came too late to mean anything"

        here.worker()
        here.wait_for(debate, "concluded", seconds=SECONDS)
        paid = asked(file)
        again = here.act("batch", RESPONSES, 0)["debate"]
        here.wait_for(again, "concluded", seconds=SECONDS)

        once = dict.fromkeys(("judged", "told", "opened", "completed", "used"), RESPONSES)
        whole = {"status": "concluded", "partial": False, "gapless": True, "faults": [], **once}
        first, second = here.act("batch_report", debate), here.act("batch_report", again)
        assert first.pop("paid") <= RESPONSES, "its limit"
        assert (first, second) == (whole, {**whole, "paid": 0})
        assert RESPONSES <= paid <= RESPONSES + KILLS * AT_ONCE, "only what was under way at a kill is asked again"
        assert asked(file) == paid
