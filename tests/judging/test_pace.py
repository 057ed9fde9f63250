"""A debate at a pace: one step in each rest, whoever is killed or pauses it; and nobody is kept busy by resting."""

import asyncio
from datetime import timedelta
from itertools import pairwise

import pytest
from django.db.models import F
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from debates.errors import DomainError
from debates.models import Debate, Turn
from judging.engine import conductor, lifecycle, queue
from judging.engine.creation import create_draft
from judging.formats.criterion.spec import CriterionSpec
from judging.formats.registry import format_of
from scoring import bundled
from tests import acts, factories, playing
from tests.judging.formats.open import playing as open_debates
from tests.playing import ruling, script

pytestmark = pytest.mark.django_db
ANSWERS = script([[ruling("1")], [ruling("0.5")]])
PACE = 30


def waiting(debate: Debate) -> list[ProcrastinateJob]:
    jobs = ProcrastinateJob.objects.filter(status="todo", task_name=queue.PLAY_THREAD, args__debate_id=debate.pk)
    return list(jobs.order_by(F("scheduled_at").asc(nulls_first=True), "pk"))


def do_next(debate: Debate) -> None:
    """Do the job that is next by its time, as if its time had come."""
    job = waiting(debate)[0]
    ProcrastinateJob.objects.filter(pk=job.pk).update(status="doing")
    asyncio.run(conductor.play_thread(**job.args))
    ProcrastinateJob.objects.filter(pk=job.pk).delete()


def rests(debate: Debate) -> list[float]:
    return [(later.scheduled_at - sooner.scheduled_at).total_seconds() for sooner, later in pairwise(waiting(debate))]


def test_each_job_does_one_step_and_asks_for_the_next_after_a_rest():
    debate = playing.debate(ANSWERS, rounds=2, pace=PACE)
    turns = []
    while waiting(debate):
        before = timezone.now()
        do_next(debate)
        turns.append(Turn.objects.filter(debate=debate).count())
        assert all(job.scheduled_at >= before + timedelta(seconds=PACE) for job in waiting(debate))

    assert turns == [1, 2, 2, 3, 4, 4]
    assert Debate.objects.get(pk=debate.pk).status == "concluding"


def test_threads_take_turns_one_in_each_rest():
    debate = playing.debate(ANSWERS, criteria=("P1", "P2", "P3"), rounds=2, pace=PACE)
    assert rests(debate) == [PACE, PACE]

    for _ in range(4):
        do_next(debate)
        assert len(waiting(debate)) == 3
        assert min(rests(debate)) >= PACE


def test_pausing_and_resuming_brings_no_second_job_for_a_thread():
    debate = playing.debate(ANSWERS, criteria=("P1", "P2"), rounds=2, pace=PACE)
    do_next(debate)

    for _ in range(3):
        lifecycle.pause(debate_id=debate.pk, by=None, now=timezone.now())
        lifecycle.resume(debate_id=debate.pk, by=None, now=timezone.now())

    assert len(waiting(debate)) == 2


def test_what_comes_while_it_is_paused_does_nothing():
    debate = playing.debate(ANSWERS, rounds=2, pace=PACE)
    do_next(debate)
    lifecycle.pause(debate_id=debate.pk, by=None, now=timezone.now())

    do_next(debate)

    assert Turn.objects.filter(debate=debate).count() == 1
    assert waiting(debate) == []
    lifecycle.resume(debate_id=debate.pk, by=None, now=timezone.now())
    do_next(debate)
    assert Turn.objects.filter(debate=debate).count() == 2


def test_a_step_whose_worker_died_before_it_asked_for_the_next_is_asked_for_again():
    debate = playing.debate(ANSWERS, rounds=2, pace=PACE)
    do_next(debate)
    ProcrastinateJob.objects.all().delete()

    queue.ask_again(now=timezone.now())

    assert len(waiting(debate)) == 1
    queue.ask_again(now=timezone.now())
    assert len(waiting(debate)) == 1


def test_a_freeze_holds_what_comes_at_a_pace():
    debate = playing.debate(ANSWERS, rounds=2, pace=PACE)
    evaluation = debate.evaluations.get()
    acts.freeze(order=factories.order(evaluation, factories.moderator()), now=timezone.now())
    while waiting(debate):
        do_next(debate)

    evaluation.refresh_from_db()
    assert str(evaluation.value) == "6.000000"
    assert len(evaluation.held) == 2


def test_an_open_debate_goes_on_at_its_pace_when_somebody_has_spoken():
    debate = open_debates.started(exchanges=1, pace=PACE)
    steps = 0
    while waiting(debate):
        do_next(debate)
        steps += 1

    assert steps > 6
    assert debate.parameters["pace"] == PACE


@pytest.mark.parametrize("pace", [-1, 301, "5", True])
def test_a_pace_is_whole_seconds_within_limits(pace):
    spec = CriterionSpec(title="Wells", subject="Wells.", rubric=playing.rubric("P1"), pace=pace)

    with pytest.raises(DomainError) as refused:
        create_draft(spec=spec, by=None, now=timezone.now())

    assert refused.value.field == "pace"


@pytest.mark.parametrize("format_", ["criterion", "open", "panel"])
def test_the_api_takes_a_pace_for_every_format(format_):
    bundled.store_missing(files=bundled.files())
    own = format_of(format_)
    body = own.serializer(data={**own.example, "pace": 6})

    assert body.is_valid(), body.errors
    assert own.spec_of(data=body.validated_data, readable=Debate.objects.all()).pace == 6
