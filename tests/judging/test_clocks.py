"""Workers whose clocks are wrong: what a right one began is played to its end, and jobs rest no longer for it."""

import asyncio
from datetime import timedelta
from itertools import count

import pytest
from django.db.models import F
from django.utils import timezone
from procrastinate import utils
from procrastinate.contrib.django.models import ProcrastinateJob

from debates.models import Round
from judging.engine import lifecycle, queue
from scoring import verify
from tests import playing
from tests.judging.formats.open import playing as open_debates
from tests.judging.formats.open.scripts import script as talk
from tests.judging.formats.panel.play import AGREEING, alone, panel
from tests.playing import ruling, script

pytestmark = pytest.mark.django_db(transaction=True)
RULINGS = [[ruling("1")], [ruling("-0.5")]]


def criterion():
    return playing.debate(script(RULINGS), rounds=2)


def table():
    return open_debates.started(provider="scripted", script=talk(), exchanges=1)


def judges():
    return panel(alone(*AGREEING))


@pytest.fixture
def clock(monkeypatch):
    """Set the clocks of this process wrong by so much."""
    right, inner = timezone.now, utils.utcnow

    def shift(by: timedelta) -> None:
        monkeypatch.setattr(timezone, "now", lambda: right() + by)
        monkeypatch.setattr(utils, "utcnow", lambda: inner() + by)

    return shift


@pytest.mark.parametrize("seconds", [-1, -10, 7200])
@pytest.mark.parametrize("start", [criterion, table, judges])
def test_a_debate_is_played_to_its_end_by_a_worker_whose_clock_is_wrong(start, seconds, clock):
    debate = start()
    clock(timedelta(seconds=seconds))

    playing.work()

    debate.refresh_from_db()
    assert (debate.status, debate.problem) == ("concluded", "")
    assert debate.concluded_at >= debate.started_at
    assert verify.verify(debate_id=debate.pk).faults == ()


@pytest.mark.parametrize(("starter", "worker"), [(3, 0), (0, 3)])
def test_a_clock_that_is_days_ahead_starts_and_concludes_a_debate(starter, worker, clock):
    right, draft = timezone.now(), playing.draft(script(RULINGS), rounds=2)
    clock(timedelta(days=starter))
    lifecycle.start(debate_id=draft.pk, by=None, now=timezone.now())
    clock(timedelta(days=worker))

    playing.work()

    draft.refresh_from_db()
    assert (draft.status, draft.problem) == ("concluded", "")
    assert draft.started_at <= draft.concluded_at < right + timedelta(days=1, minutes=5)
    assert verify.verify(debate_id=draft.pk).faults == ()


@pytest.mark.parametrize("start", [criterion, table, judges])
def test_each_look_at_a_clock_may_be_earlier_than_the_one_before(start, monkeypatch):
    right, looks = timezone.now, count()
    monkeypatch.setattr(timezone, "now", lambda: right() - timedelta(seconds=next(looks)))
    debate = start()

    playing.work()

    debate.refresh_from_db()
    assert (debate.status, debate.problem) == ("concluded", "")
    assert Round.objects.filter(thread__debate=debate, closed_at__lt=F("opened_at")).count() == 0
    assert verify.verify(debate_id=debate.pk).faults == ()


def test_a_job_that_a_clock_two_hours_ahead_puts_back_waits_no_two_hours(clock):
    queue.prepare(debate_id=1)
    job = ProcrastinateJob.objects.get(task_name=queue.PREPARE)
    ProcrastinateJob.objects.filter(pk=job.pk).update(status="doing")
    right = timezone.now()
    clock(timedelta(hours=2))

    async def put_back() -> None:
        fetching = queue.fetching()
        async with fetching.open_async():
            await fetching.job_manager.retry_job_by_id_async(job.pk, timezone.now() + timedelta(seconds=8))

    asyncio.run(put_back())

    job.refresh_from_db()
    assert timedelta(0) < job.scheduled_at - right < timedelta(hours=1)
