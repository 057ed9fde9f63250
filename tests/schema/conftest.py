"""A world to attack, built once per module and rolled back."""

from collections.abc import Iterator, Mapping

import pytest

from tests.module_fixtures import rolled_back
from tests.schema import attacks
from tests.schema.rows import build


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker) -> Iterator[Mapping[str, object]]:
    with rolled_back(django_db_blocker):
        world = build()
        attacks.commit_so_far()
        yield world
