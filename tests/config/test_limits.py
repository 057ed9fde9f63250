"""Nobody waits for a row for ever: whoever holds one and does nothing is let go, who waits is told to come again."""

import threading

import pytest
from django.db import DatabaseError, OperationalError, connection, transaction
from django.utils import timezone

from config import database_settings
from scoring.models import Evaluation
from tests import acts, factories, fork_server
from tests.crash.harness import Stage, migrated_server
from tests.schema.attacks import run


def test_what_is_asked_of_the_server_is_in_milliseconds():
    asked = database_settings.limited(lock_seconds=0.5, idle_seconds=60)

    assert asked == "-c lock_timeout=500 -c idle_in_transaction_session_timeout=60000"


def test_an_address_keeps_options_of_its_own():
    place = database_settings.named("postgresql://moot_app@localhost/moot?options=-c%20work_mem%3D8MB")

    held = database_settings.held(place, pooled=0, limits="-c lock_timeout=500")

    assert held["OPTIONS"]["options"] == "-c lock_timeout=500 -c work_mem=8MB"


SHOW = (
    "from django.db import connection; cursor = connection.cursor();"
    " cursor.execute(\"SELECT current_user, current_setting('lock_timeout'),"
    " current_setting('idle_in_transaction_session_timeout')\"); print(*cursor.fetchone())"
)


@pytest.mark.parametrize(("role", "told"), [("app", "moot_app 10s 1min"), ("owner", "moot_owner 0 0")])
def test_the_owner_may_take_its_time(role, told):
    with migrated_server() as server:
        here = Stage(server=server).environment | {"MOOT_DATABASE_ROLE": role}
        done = fork_server.run("-c", f"import django; django.setup(); {SHOW}", environment=here)

    assert (done.returncode, done.stdout.strip()) == (0, told)


@pytest.mark.django_db(transaction=True)
def test_a_freeze_is_told_to_come_again_while_a_stopped_process_holds_its_score_and_goes_on_once_that_is_let_go():
    evaluation = factories.criterion(initial="6")
    order = factories.order(evaluation, factories.moderator(), seen=None)
    holds, ended = threading.Event(), threading.Event()
    told: list[str] = []

    def stopped() -> None:
        try:
            with transaction.atomic():
                run("SET LOCAL idle_in_transaction_session_timeout = '2s'")
                Evaluation.objects.select_for_update().get(pk=evaluation.pk)
                holds.set()
                ended.wait(timeout=120)
                Evaluation.objects.get(pk=evaluation.pk)
        except DatabaseError as error:
            told.append(type(error).__name__)
        finally:
            connection.close()

    process = threading.Thread(target=stopped)
    process.start()
    assert holds.wait(timeout=120)
    try:
        run("SET lock_timeout = '200ms'")
        with pytest.raises(OperationalError, match="lock timeout"):
            acts.freeze(order=order, now=timezone.now())
        run("SET lock_timeout = '60s'")
        acts.freeze(order=order, now=timezone.now())
    finally:
        run("RESET lock_timeout")
        ended.set()
        process.join()

    assert Evaluation.objects.get(pk=evaluation.pk).frozen_at is not None
    assert told in (["InternalError"], ["OperationalError"])
