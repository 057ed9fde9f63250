"""Who waits for a connection is served however busy the pool is, and told soon where nobody is served."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import OperationalError, connections

from config.postgresql import base
from config.postgresql.base import DatabaseWrapper

pytestmark = pytest.mark.django_db
NOBODY_SECONDS = 0.3
ALIAS = "busy"


@pytest.fixture
def pooled() -> Iterator[dict[str, Any]]:
    """The tests' database by another name, with a pool of one connection."""
    settings = connections["default"].settings_dict
    pool = {"pool": {"min_size": 1, "max_size": 1, "timeout": NOBODY_SECONDS}}
    yield settings | {"CONN_MAX_AGE": 0, "OPTIONS": settings["OPTIONS"] | pool}
    DatabaseWrapper(settings | {"OPTIONS": pool}, ALIAS).close_pool()


def use(settings: dict[str, Any], *, seconds: float) -> str:
    """Take a connection, keep it for a while and give it back."""
    wrapper = DatabaseWrapper(settings, ALIAS)
    wrapper.inc_thread_sharing()
    try:
        with wrapper.cursor() as cursor:
            cursor.execute("SELECT 'served'")
            time.sleep(seconds)
            return cursor.fetchone()[0]
    finally:
        wrapper.close()


def test_the_settings_have_it():
    assert isinstance(connections["default"], DatabaseWrapper)


def test_everybody_is_served_in_the_end_while_others_are(pooled):
    with ThreadPoolExecutor(20) as threads:
        served = list(threads.map(lambda _: use(pooled, seconds=NOBODY_SECONDS / 4), range(20)))

    assert served == ["served"] * 20


def test_who_waits_while_nobody_is_served_is_told_so(pooled):
    wrapper = DatabaseWrapper(pooled, ALIAS)
    wrapper.ensure_connection()
    try:
        time.sleep(NOBODY_SECONDS)
        with pytest.raises(OperationalError, match="couldn't get a connection"):
            use(pooled, seconds=0)
    finally:
        wrapper.close()


def test_nobody_waits_for_ever(pooled, monkeypatch):
    monkeypatch.setattr(base, "LONGEST_WAIT", NOBODY_SECONDS)
    with ThreadPoolExecutor(10) as threads:
        answers = [threads.submit(use, pooled, seconds=NOBODY_SECONDS / 3) for _ in range(10)]

    assert {type(answer.exception()) for answer in answers} == {type(None), OperationalError}
