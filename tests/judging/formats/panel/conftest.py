"""Panels whose judges are asked once."""

import pytest


@pytest.fixture
def no_pauses(settings) -> None:
    """Nobody is asked again, so nobody waits before it."""
    settings.PROVIDER_RETRIES = 0
