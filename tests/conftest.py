"""What every test may lean on."""

import contextlib
import gc
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection, connections
from pytest_django.plugin import DjangoDbBlocker

from config import accounts, embedded
from judging.engine import db_threads
from scoring import verify
from tests import examples, kept_statements, migrated, one_connection, postgres
from tests.durations import pytest_terminal_summary
from tests.first_cases import pytest_addoption, pytest_collection_modifyitems

__all__ = ["pytest_addoption", "pytest_collection_modifyitems", "pytest_terminal_summary"]

examples.register()
kept_statements.keep()
postgres.Throwaway.durable = False
HERE = Path(__file__).parent
LEFT = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
COMMITTING = {"transactional_db", "live_server"}
MEASURED = {HERE / "config", HERE / "debates"}
gc.disable()  # all that is loaded until the tests are collected stays


def pytest_collection_finish() -> None:
    """Look for garbage from now on, and never among what was loaded to get here: that took longer than to load it."""
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True, scope="module")
def children_are_measured_where_only_they_run_a_line(request: pytest.FixtureRequest) -> Iterator[None]:
    """Take coverage from the child processes of other tests: it doubles their time and tells nothing new."""
    with pytest.MonkeyPatch.context() as patch:
        if not MEASURED & set(request.path.parents):
            patch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)
        yield


@pytest.fixture
def proof() -> Iterator[None]:
    """Prove the ledger again after whatever a test has done to it."""
    yield
    assert verify.verify().faults == ()


@pytest.fixture(autouse=True)
def async_code_works_inside_the_transaction_of_a_test(_django_db_marker: None) -> Iterator[None]:
    """Have workers and commands work on the test's connection, wherever its rows are rolled back."""
    with one_connection.one_connection() if connection.in_atomic_block else contextlib.nullcontext():
        yield


@pytest.fixture(autouse=True)
def what_is_done_behind_a_page_is_done_before_its_test_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do at once, on the test's connection, what a thread would do later: it would outlive the test's rows."""
    monkeypatch.setattr(accounts, "behind_the_page", lambda work, *about: work(*about))


@pytest.fixture(autouse=True)
def what_a_test_has_cached_goes_with_it(request: pytest.FixtureRequest, _django_db_marker: None) -> Iterator[None]:
    """Empty the cache after a test that commits: no model has its table, so Django's flush passes it by."""
    marker = request.node.get_closest_marker("django_db")
    commits = COMMITTING.intersection(request.fixturenames) or (marker and marker.kwargs.get("transaction"))
    if commits:
        request.getfixturevalue("transactional_db")  # so that its database is taken away after this
    yield
    if commits:
        cache.clear()


@pytest.fixture(scope="session")
def test_server(django_db_modify_db_settings_parallel_suffix: None) -> Iterator[None]:
    """Wake the embedded server of the tests before the test database is made; hold it as long as the tests run.

    Shape: the argument is the fixture of pytest-django that gives each process of pytest-xdist its own database.
    """
    if settings.EMBEDDED_ROOT is None:
        yield
        return
    cluster = embedded.Cluster(settings.EMBEDDED_ROOT, durable=False)
    cluster.ensure()
    yield
    cluster.release()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(test_server: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Have the test database made from one that is migrated already."""
    with django_db_blocker.unblock():
        connection.settings_dict["TEST"]["TEMPLATE"] = migrated.template()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Close every connection but ours, first of the threads that work for async code: the test database is dropped."""
    yield
    everybody = threading.Barrier(db_threads.THREADS)

    def close() -> None:
        everybody.wait(timeout=120)
        connections.close_all()

    for closed in [db_threads._pool.submit(close) for _ in range(db_threads.THREADS)]:
        closed.result()
    with django_db_blocker.unblock(), connection.cursor() as cursor:  # nor may what a server of a test has left
        cursor.execute(LEFT)
    connection.close()
