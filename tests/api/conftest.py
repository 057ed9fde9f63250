"""A receiver of webhooks for the tests that want one."""

from collections.abc import Iterator

import pytest

from tests.api.receiving import Receiver


@pytest.fixture
def receiver(settings) -> Iterator[Receiver]:
    settings.WEBHOOK_HOSTS = ["localhost"]
    made = Receiver()
    yield made
    made.close()
