"""An endpoint of our own, and settings that lead to it."""

import asyncio
from decimal import Decimal

import pytest

from judging.providers import endpoints
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
    served.headers.clear()
    served.counted.clear()
    served.most_at_once = 0
    settings.LLM_ENDPOINTS = {"main": row(served.url)}
    return served


def taken_to_answer():
    """Have every model of the settings taken for one that has answered lately: what it does is for later."""
    for endpoint in endpoints.endpoints().values():
        for model in {endpoint.model, *endpoint.models.values()}:
            asyncio.run(endpoints.remember_answer(endpoint, model))


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
