"""A world to attack, built once per module and rolled back."""

from collections.abc import Iterator, Mapping

import pytest
from django.db import connection, transaction

from tests.schema import attacks
from tests.schema.world import build


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker) -> Iterator[Mapping[str, object]]:
    outer = transaction.atomic()
    outer._from_testcase = True  # as Django's own tests do: durable services run inside it
    with django_db_blocker.unblock(), outer:
        assert connection.settings_dict["NAME"].startswith("test_"), "mark the module with django_db"
        made = build()
        attacks.commit_so_far()
        yield made
        transaction.set_rollback(True)
