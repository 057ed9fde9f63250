"""Who erases, and a debate to erase."""

import json

import pytest
from django.contrib.auth.models import User

from debates.models import Debate
from tests import factories, playing
from tests.judging.erasure.erase import CANARY


@pytest.fixture
def alice() -> User:
    return factories.moderator("alice")


@pytest.fixture
def debate() -> Debate:
    """A debate that was played to its end, with the canary wherever somebody can write."""
    verdict = {**playing.ruling("1.5", "0.1"), "reasoning": f"As {CANARY} said."}
    answers = [
        {
            **one,
            "answer": json.loads(json.dumps(one["answer"]).replace("Because,", f"{CANARY},").replace("Why,", CANARY)),
        }
        for one in playing.script([[verdict]])
    ]
    made = playing.debate(answers, rounds=1)
    playing.work()
    made.refresh_from_db()
    assert made.status == "concluded"
    return made
