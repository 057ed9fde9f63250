"""An endpoint of our own, and settings that lead to it."""

from decimal import Decimal

import pytest

from tests.providers import endpoint as loopback


@pytest.fixture(scope="session")
def served():
    with loopback.running() as server:
        yield server


@pytest.fixture
def endpoint(served, settings):
    """Return the endpoint with nothing remembered; the answers come by tool."""
    served.asked.clear()
    served.keys.clear()
    served.counted.clear()
    served.most_at_once = 0
    settings.LLM_ENDPOINTS = {"main": row(served.url)}
    return served


def row(url, **changes):
    return {
        "base_url": url,
        "key": "sk-secret-1234",
        "model": "good",
        "models": {},
        "prices": {"good": (Decimal("2"), Decimal("10"))},
        "concurrency": 4,
        "deadline": 5.0,
        "mode": "tool",
        **changes,
    }
