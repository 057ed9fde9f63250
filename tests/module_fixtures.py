"""A world for a whole module: made once, read by many tests, rolled back at the module's end.

What a test adds to it is rolled back with the test.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.signals import request_finished, request_started
from django.db import close_old_connections, connection, transaction
from pytest_django.plugin import DjangoDbBlocker


def nested() -> transaction.Atomic:
    """A transaction in which durable services run, as they do in Django's own tests."""
    atomic = transaction.atomic()
    atomic._from_testcase = True
    return atomic


@contextmanager
def rolled_back(blocker: DjangoDbBlocker) -> Iterator[None]:
    """Hold a transaction open in which services and requests work as in a test of Django's own."""
    signals = (request_started, request_finished)
    for signal in signals:  # it would end the transaction
        signal.disconnect(close_old_connections)
    try:
        with blocker.unblock(), nested():
            assert connection.settings_dict["NAME"].startswith("test_"), "ask for django_db_setup"
            yield
            transaction.set_rollback(True)
    finally:
        for signal in signals:
            signal.connect(close_old_connections)
