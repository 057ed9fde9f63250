"""A debate played to its end in one process: with the housekeeping of a worker, and an end in any case."""

import asyncio

import pytest
from django.db import transaction
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from debates import event_log
from debates.models import Debate, Event
from debates.types import News
from judging.engine import tasks
from tests import playing
from tests.playing import ruling, script

pytestmark = pytest.mark.django_db(transaction=True)
ONE = script([[ruling("1")]])


def test_a_thread_whose_job_is_lost_is_asked_for_again(settings):
    settings.STALLED_SECONDS, settings.HEARTBEAT_SECONDS = 1.0, 0.3
    debate = playing.debate(ONE, rounds=1)
    ProcrastinateJob.objects.all().delete()

    asyncio.run(asyncio.wait_for(tasks.play_to_the_end(debate_id=debate.pk, tell=lambda event: None), timeout=30))

    assert Debate.objects.get().status == "concluded"


async def silent():
    """End at once, having done nothing."""


async def broken():
    raise ConnectionError("The server is gone.")


@pytest.mark.parametrize(
    ("work", "ends_with"), [(silent, tasks.WorkEnded), (broken, ConnectionError)], ids=["silently", "loudly"]
)
def test_watching_ends_when_the_work_ends(work, ends_with):
    debate = playing.debate(ONE, rounds=1)

    async def watch():
        await tasks._watch(debate_id=debate.pk, tell=lambda event: None, tasks=[asyncio.create_task(work())])

    with pytest.raises(ends_with):
        asyncio.run(asyncio.wait_for(watch(), timeout=20))


def test_every_event_is_passed_on_once_and_in_order():
    debate = playing.debate(ONE, rounds=1)
    seen = []

    asyncio.run(tasks.play_to_the_end(debate_id=debate.pk, tell=lambda event: seen.append(event.seq)))

    assert seen == list(range(1, len(seen) + 1))
    assert Debate.objects.get().status == "concluded"


def test_every_event_is_passed_on_however_many_there_are_when_the_debate_has_ended():
    debate = playing.debate(ONE, rounds=1)
    playing.work()
    with transaction.atomic():
        many = [News("debate:paused", {})] * (2 * tasks.MOST_NEWS)
        event_log.append(debate_id=debate.pk, news=many, now=timezone.now())
    seen = []

    asyncio.run(tasks._watch(debate_id=debate.pk, tell=lambda event: seen.append(event.seq), tasks=[]))

    assert len(seen) == Event.objects.filter(debate=debate).count() > 2 * tasks.MOST_NEWS
