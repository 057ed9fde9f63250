"""Syntheses about what is no more: a score was moved while they were written, or the debate was played again."""

import asyncio
from contextlib import asynccontextmanager

import pytest
from django.utils import timezone

from judging.engine import attempt, conclusion, conductor, lifecycle
from judging.engine.db_threads import in_thread
from judging.engine.lifecycle import rerun
from judging.formats.criterion import results
from judging.formats.spec import Limits
from judging.models import Call, CallUnderWay, Synthesis
from judging.pages import transcript
from judging.providers import provider
from scoring.models import Evaluation
from tests import acts, factories, playing
from tests.judging.delayed_answer import held
from tests.playing import ruling, script

pytestmark = pytest.mark.django_db
LAST = "synthesise"


def concluded_while(act, *, answers=()):
    """A debate that is played; while its first synthesis is written, somebody acts."""
    debate = playing.debate([*answers, *script([[ruling("1")]])], rounds=1)
    about = {"thread_id": debate.threads.get().pk, "debate_id": debate.pk}

    async def both(late):
        await conductor.play_thread(**about)
        first = asyncio.create_task(conclusion.conclude(debate_id=debate.pk))
        await late.asked.wait()
        await in_thread(act)(debate)
        await conductor.play_thread(**about)
        late.let_go.set()
        await first

    with held(lambda request: request.purpose == LAST) as late:
        asyncio.run(both(late))
    debate.refresh_from_db()
    return debate


def override(_debate):
    order = factories.order(Evaluation.objects.get(), factories.moderator())
    acts.override(order=order, value="3", now=timezone.now())


def play_again_in_vain(debate):
    enough = {"debate_id": debate.pk, "by": None, "reason": "That is enough of it.", "now": timezone.now()}
    lifecycle.stop(**enough)
    rerun(debate_id=debate.pk, by=factories.moderator(), reason="It was cut short.", now=timezone.now())
    lifecycle.stop(**enough)


@pytest.mark.parametrize(
    ("act", "overall", "decided"),
    [
        pytest.param(override, "3.00", "3.00", id="a score was moved"),
        pytest.param(play_again_in_vain, "6.00", None, id="played again"),
    ],
)
def test_a_synthesis_about_what_is_no_more_is_kept_as_a_late_call_and_asked_for_again(act, overall, decided):
    debate = concluded_while(act)

    assert list(Call.objects.filter(purpose=LAST).order_by("pk").values_list("outcome", "attempt")) == [
        ("superseded", 1), ("used", 2),
    ]  # fmt: skip
    numbers = Synthesis.objects.get().numbers
    assert (debate.status, numbers["overall"]["after"]) == ("concluded", overall)
    assert [row["override"] for row in numbers["criteria"]] == [decided]


def test_a_synthesis_that_failed_before_its_debate_was_played_again_does_not_fail_the_new_one():
    broken = {"purpose": LAST, "attempt": 1, "error": "gone", "permanent": True}

    debate = concluded_while(play_again_in_vain, answers=[broken])

    assert debate.status == "concluded"
    assert list(Call.objects.filter(purpose=LAST).order_by("pk").values_list("outcome")) == [("failed",), ("used",)]


def test_the_last_words_of_an_earlier_run_are_not_those_of_a_rerun_that_was_stopped_before_its_own():
    debate = playing.debate(script([[ruling("1")]]), rounds=1)
    asyncio.run(conductor.play_thread(thread_id=debate.threads.get().pk, debate_id=debate.pk))
    asyncio.run(conclusion.conclude(debate_id=debate.pk))
    before = (results.document(debate=debate), transcript.newest(debate=debate).overall)

    rerun(debate_id=debate.pk, by=factories.moderator(), reason="It was cut short.", now=timezone.now())
    asyncio.run(conductor.play_thread(thread_id=debate.threads.get().pk, debate_id=debate.pk))
    lifecycle.stop(debate_id=debate.pk, by=None, reason="That is enough of it.", now=timezone.now())

    debate.refresh_from_db()
    after = results.document(debate=debate)
    assert (before[0]["synthesis"], before[0]["synthesisOverall"], before[1]) == ("It is so.", "7.00", "7.00")
    assert (after["synthesis"], after["synthesisOverall"], transcript.newest(debate=debate)) == (None, None, None)
    assert debate.status == "concluded"


def test_a_job_that_comes_late_puts_no_question_about_a_debate_that_goes_on(monkeypatch):
    debate = playing.debate(script([[ruling("1")]]), rounds=1)
    asked = []
    monkeypatch.setattr(conclusion, "ended_as", lambda **about: asked.append(about) or about["half_played"])

    asyncio.run(conclusion.conclude(debate_id=debate.pk))

    assert asked == []


def test_a_synthesis_that_stood_in_a_queue_is_not_asked_for_once_its_debate_is_paused(monkeypatch):
    debate = playing.debate(script([[ruling("1")]]), rounds=1, limits=Limits(calls=9))
    asyncio.run(conductor.play_thread(thread_id=debate.threads.get().pk, debate_id=debate.pk))
    monkeypatch.setattr(attempt, "PERMIT_LASTS", -1)

    @asynccontextmanager
    async def until_it_is_paused():
        await in_thread(lifecycle.pause)(debate_id=debate.pk, by=None, now=timezone.now())
        yield

    monkeypatch.setattr(provider("scripted"), "room", lambda _request: until_it_is_paused())
    asyncio.run(conclusion.conclude(debate_id=debate.pk))

    debate.refresh_from_db()
    assert (debate.status, Call.objects.filter(purpose=LAST).count()) == ("paused", 0)
    assert CallUnderWay.objects.count() == 0
