"""Debates of every format, played and moderated once for all tests of seals."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command

from tests.judging.sealed.played_debates import everything


@pytest.fixture(scope="package")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Everything played and moderated."""
    with django_db_blocker.unblock():
        everything()
        yield
        call_command("flush", interactive=False)
