"""No transaction is open while a provider, a receiver of webhooks or a mail server is asked."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from django.db import connection, connections, transaction
from django.utils import timezone

from debates.mail import outbox
from debates.models import Debate
from debates.types import MailKind
from judging.engine import tasks
from judging.engine.db_threads import in_thread
from judging.providers import provider
from judging.types import Completion, Request
from tests import factories, playing
from tests.api.webhook_receiver import Receiver, happen, hook
from tests.judging.formats.open import playing as open_playing
from tests.judging.formats.open.scripts import script as open_script
from tests.judging.formats.panel import play as panel_play
from tests.judging.formats.responses import batches
from tests.mail.conftest import sink
from tests.mail.sink import Sink
from tests.playing import ruling, script

__all__ = ["sink"]
pytestmark = pytest.mark.django_db(transaction=True)
IDLE = """SELECT pid, xact_start FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
AND state LIKE 'idle in transaction%'"""
PATIENCE = 5.0
"""How many seconds somebody else's transaction may last between two of its statements, on a machine that is busy."""


class Probe:
    """Looks, each time that somebody outside is asked, whether a transaction waits for the answer: one that waits for
    nothing else goes on meanwhile, one that is held open stays.
    """

    def __init__(self) -> None:
        self.looks, self.held, self.patience = 0, 0, PATIENCE
        self.line, self.lock = connection.copy(), threading.Lock()
        self.line.inc_thread_sharing()

    def idle(self) -> set[tuple[object, ...]]:
        with self.lock, self.line.cursor() as cursor:
            cursor.execute(IDLE)
            return set(cursor.fetchall())

    def look(self) -> None:
        end, stay = time.monotonic() + self.patience, self.idle()
        while stay and time.monotonic() < end:
            time.sleep(0.02)
            stay &= self.idle()
        self.looks += 1
        self.held += bool(stay)


@pytest.fixture
def probe(monkeypatch) -> Iterator[Probe]:
    """A probe by which the scripted provider looks before each of its answers."""
    made, scripted = Probe(), provider("scripted")
    usual = scripted.complete

    async def complete(request: Request) -> Completion:
        await asyncio.to_thread(made.look)
        return await usual(request)

    monkeypatch.setattr(scripted, "complete", complete)
    yield made
    made.line.close()


def criterion() -> Debate:
    debate = playing.debate(script([[ruling("1")], [ruling("-0.5")]]), criteria=("P1", "P2"), rounds=2)
    playing.work()
    return debate


def table() -> Debate:
    return open_playing.played(provider="scripted", script=open_script(), exchanges=2)


def panel() -> Debate:
    return panel_play.played(panel_play.alone(*panel_play.APART))


def responses() -> Debate:
    answers = [{"answer": batches.marks("15", "10", "20", "18")}]
    return batches.judged(batches.lines(6), provider="scripted", script=answers)


@pytest.mark.parametrize("play", [criterion, table, panel, responses])
def test_no_transaction_is_open_while_a_provider_is_asked(probe, play):
    debate = play()

    assert Debate.objects.get(pk=debate.pk).status != "running"
    assert probe.looks > 2
    assert probe.held == 0


def test_no_transaction_is_open_while_a_receiver_of_webhooks_is_asked(probe, settings):
    settings.WEBHOOK_HOSTS = ["localhost"]
    receiver = Receiver()
    receiver.look = probe.look
    made, _ = hook(receiver)
    happen(factories.debate())

    until(tasks.tell_webhooks, lambda: made.deliveries.filter(state="delivered").exists())
    receiver.close()

    assert (probe.looks, probe.held) == (1, 0)


def test_no_transaction_is_open_while_a_mail_server_is_asked(probe, sink: Sink):
    sink.look = probe.look
    konrad = factories.person("konrad", email="konrad@example.org")
    debate = factories.debate(status="concluded", created_by=konrad)
    outbox.due(kind=MailKind.CONCLUDED, about="1", people=[konrad.pk], debate_id=debate.pk, now=timezone.now())

    asyncio.run(tasks.send_due_mail())

    assert (probe.looks, probe.held, len(sink.mails)) == (1, 0, 1)


def test_a_transaction_that_is_held_open_would_be_seen(probe):
    probe.patience = 0.1

    with transaction.atomic():
        Debate.objects.exists()
        probe.look()
    probe.look()

    assert (probe.looks, probe.held) == (2, 1)


def until(work: Callable[[], object], reached: Callable[[], bool]) -> None:
    """Have a worker do something over and over until something is reached."""

    async def both() -> None:
        working = asyncio.create_task(work())
        async with asyncio.timeout(60):
            while not await in_thread(reached)():  # noqa: ASYNC110 -- the database tells
                await asyncio.sleep(0.05)
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        await in_thread(connections.close_all)()

    asyncio.run(both())
