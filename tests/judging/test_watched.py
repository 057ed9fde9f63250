"""A debate that is played while somebody looks goes on with each look, and spends nothing without."""

import asyncio
import threading
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob

from debates.errors import Invalid
from debates.models import AwaitedTurn
from judging.engine import conductor, lifecycle, queue
from judging.engine.creation import create_draft
from judging.formats.open import transcripts
from judging.models import Call
from tests.judging.test_pace import do_next, waiting
from tests.playing import work
from tests.project.source_files import ROOT
from tests.scoring.concurrency import at_once
from tests.texts import WITHOUT_COLLECTED_FILES, address

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
PACE = 5


@pytest.fixture
def sample():
    """The sample that is played live, started and left alone."""
    cache.clear()
    spec = transcripts.read_sample((ROOT / "samples/open/night-work.json").read_text(encoding="utf-8"))
    debate = create_draft(spec=spec, by=None, now=timezone.now())
    lifecycle.start(debate_id=debate.pk, by=None, now=timezone.now())
    do_next(debate)
    debate.refresh_from_db()
    yield debate
    cache.clear()


def calls(debate):
    return Call.objects.filter(debate=debate).count()


def test_without_a_look_nothing_is_spent_and_nothing_waits(sample):
    asked = queue.ask_again(now=timezone.now())

    assert (sample.status, calls(sample), asked) == ("running", 0, 0)
    assert not ProcrastinateJob.objects.filter(status="todo").exists()


def test_a_look_has_one_step_asked_for_and_each_step_the_next_while_somebody_looks(sample):
    for _ in range(3):
        assert Client().get(address(sample)).status_code == 200
    assert len(waiting(sample)) == 1

    do_next(sample)
    do_next(sample)

    assert calls(sample) == 2
    [job] = waiting(sample)
    assert (job.scheduled_at - timezone.now()).total_seconds() > PACE - 3


def test_it_rests_once_nobody_looks_any_more_and_goes_on_with_the_next_look(sample):
    Client().get(address(sample))
    do_next(sample)
    cache.clear()

    do_next(sample)

    assert (calls(sample), waiting(sample)) == (1, [])
    Client().get(f"{address(sample)}parts/?of=standing&since=0")
    do_next(sample)
    assert calls(sample) == 2


@pytest.mark.slow
def test_with_somebody_looking_it_comes_to_its_end(sample):
    for _ in range(500):
        sample.refresh_from_db()
        queue.note_onlooker(debate=sample)
        if not waiting(sample):
            break
        do_next(sample)
    work()

    sample.refresh_from_db()
    assert sample.status == "concluded"
    assert sample.parameters["pace"] == PACE


def test_a_look_that_comes_as_a_step_ends_for_lack_of_one_has_the_next_step_asked_for(sample):
    queue.note_onlooker(debate=sample)
    cache.clear()
    [job] = waiting(sample)
    ProcrastinateJob.objects.filter(pk=job.pk).update(status="doing")
    asyncio.run(conductor.play_thread(**job.args))
    queue.note_onlooker(debate=sample)
    ProcrastinateJob.objects.all().delete()
    assert calls(sample) == 0

    asked = queue.ask_again(now=timezone.now())

    assert (asked, len(waiting(sample))) == (1, 1)


def test_a_look_asks_for_nothing_of_what_has_just_failed(sample):
    queue.note_onlooker(debate=sample)
    for status in ("doing", "failed"):
        ProcrastinateJob.objects.filter(args__debate_id=sample.pk).update(status=status)

    queue.note_onlooker(debate=sample)

    assert waiting(sample) == []


def test_a_look_asks_for_nothing_where_somebody_is_awaited(sample):
    thread, now = sample.threads.get(), timezone.now()
    AwaitedTurn.objects.create(
        round=thread.rounds.create(number=1, run_number=1, opened_at=now),
        participant=sample.participants.create(role="chair", kind="human", name="Otto", position=9),
        kind="response",
        at=now,
        deadline=now + timedelta(hours=1),
    )
    sample.threads.update(status="awaiting_turn")

    queue.note_onlooker(debate=sample)

    assert waiting(sample) == []


def test_looking_at_any_other_debate_asks_for_nothing(sample):
    other = create_draft(
        spec=transcripts.read_sample((ROOT / "samples/open/free-trams.json").read_text(encoding="utf-8")),
        by=None,
        now=timezone.now(),
    )
    lifecycle.start(debate_id=other.pk, by=None, now=timezone.now())
    ProcrastinateJob.objects.all().delete()

    Client().get(address(other))

    assert not ProcrastinateJob.objects.exists()


def test_a_step_that_nobody_watches_claims_nothing(sample):
    Client().get(address(sample))
    cache.clear()
    fences = list(sample.threads.values_list("fence", flat=True))

    do_next(sample)

    assert list(sample.threads.values_list("fence", flat=True)) == fences


def test_what_is_played_while_somebody_looks_takes_a_pace():
    spec = transcripts.read_sample((ROOT / "samples/open/night-work.json").read_text(encoding="utf-8"))

    with pytest.raises(Invalid, match="takes a pace"):
        create_draft(spec=replace(spec, pace=0), by=None, now=timezone.now())


class BothAtOnce:
    """Asks for work once two have come to ask, or one has waited in vain."""

    def __init__(self):
        self.both = threading.Barrier(2)

    def configure_task(self, *names, **options):
        with suppress(threading.BrokenBarrierError):
            self.both.wait(timeout=2)
        return app.configure_task(*names, **options)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_of_two_who_look_at_the_same_moment_one_asks(sample, monkeypatch):
    """Two seconds: it waits for a second that does not come."""
    monkeypatch.setattr(queue, "app", BothAtOnce())

    at_once(*[lambda: queue.note_onlooker(debate=sample)] * 2)

    assert len(waiting(sample)) == 1
