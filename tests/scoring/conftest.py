"""Scores are proved here by themselves; what judging proves beside them is broken on purpose in its own tests."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client

from scoring import verify
from scoring.models import Evaluation
from tests import factories
from tests.moderators import client_of


@pytest.fixture(autouse=True, scope="module")
def nothing_else_is_proved() -> Iterator[None]:
    """Leave out what judging proves: nobody judged for these facts, so that no judgement stands behind them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verify, "_further", [])
        yield


@pytest.fixture
def alice() -> User:
    return factories.moderator()


@pytest.fixture
def client(alice: User) -> Client:
    return client_of(alice)


@pytest.fixture
def score() -> Evaluation:
    """A score of 6 that counted +1 and then -0.5."""
    evaluation = factories.criterion()
    factories.count(evaluation, "1")
    factories.count(evaluation, "-0.5")
    return evaluation


@pytest.fixture
def evaluation(alice: User) -> Evaluation:
    """A score of 9 from two rounds, and Alice, who may do everything."""
    evaluation = factories.criterion()
    factories.count(evaluation, "1")
    factories.count(evaluation, "2")
    return evaluation
