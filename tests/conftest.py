"""What every test may lean on."""

from collections.abc import Iterator

import pytest
from django.conf import settings

from config import embedded


@pytest.fixture(scope="session")
def django_db_modify_db_settings() -> Iterator[None]:
    """Wake the embedded server before the test database is made; hold it as long as the tests run."""
    if settings.EMBEDDED_ROOT is None:
        yield
        return
    cluster = embedded.Cluster(settings.EMBEDDED_ROOT)
    cluster.ensure()
    yield
    cluster.release()
