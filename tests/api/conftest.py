"""What tests of the API share: nobody has asked too often, and a receiver of webhooks for those that want one."""

from collections.abc import Iterator

import pytest
from django.core.cache import caches

from tests.api.webhook_receiver import Receiver, Silent


@pytest.fixture(autouse=True)
def _fresh_pace():
    caches["pace"].clear()


@pytest.fixture
def receiver(settings) -> Iterator[Receiver]:
    settings.WEBHOOK_HOSTS = ["localhost"]
    made = Receiver()
    yield made
    made.close()


@pytest.fixture
def silent(settings) -> Iterator[Silent]:
    settings.WEBHOOK_HOSTS = ["localhost"]
    made = Silent()
    yield made
    made.close()
