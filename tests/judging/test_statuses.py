"""Statuses change in one place, by one table, and what was wrong before does not outlive what follows."""

import asyncio
import re

import pytest
from django.utils import timezone

from debates.models import Debate, Event
from judging.engine import conclusion, conductor, lifecycle, selectors
from judging.models import Call
from tests import factories, playing
from tests.judging.delayed_answer import asks, meanwhile
from tests.playing import ruling, script
from tests.project.source_files import ROOT

pytestmark = pytest.mark.django_db
ONE = script([[ruling("1")]])
SETS = re.compile(r"\bdebate\.status = |update\(status=|defaults=\{\"status\"")


def now():
    return timezone.now()


def test_only_one_place_in_the_code_sets_the_status_of_a_debate():
    files = [file for app in ("debates", "scoring", "judging") for file in (ROOT / app).rglob("*.py")]

    assert [file.name for file in files if SETS.search(file.read_text(encoding="utf-8"))] == ["locks.py"]


def failed_synthesis():
    debate = playing.debate([{"purpose": "synthesise", "error": "gone", "permanent": True}, *ONE], rounds=1)
    playing.work()
    debate.refresh_from_db()
    assert (debate.status, debate.problem) == ("failed", "The synthesis failed: gone")
    return debate


@pytest.mark.parametrize(
    "again",
    [
        pytest.param(lambda one: lifecycle.retry_synthesis(debate_id=one.pk, by=None, now=now()), id="retry"),
        pytest.param(
            lambda one: lifecycle.rerun(debate_id=one.pk, by=factories.moderator(), reason=factories.REASON, now=now()),
            id="rerun",
        ),
    ],
)
def test_what_was_wrong_is_forgotten_when_a_debate_is_tried_again(again):
    debate = failed_synthesis()

    again(debate)

    assert Debate.objects.get().problem == ""


def test_a_synthesis_that_is_tried_again_is_told_of_as_one_after_a_pause():
    debate = failed_synthesis()

    lifecycle.retry_synthesis(debate_id=debate.pk, by=None, now=now())
    lifecycle.pause(debate_id=debate.pk, by=None, now=now())
    lifecycle.resume(debate_id=debate.pk, by=None, now=now())

    events = Event.objects.filter(debate=debate, type__startswith="debate:").order_by("seq")
    assert list(events.values_list("type", "data"))[-5:] == [
        ("debate:resumed", {"concluding": True}), ("debate:concluding", {}),
        ("debate:paused", {}), ("debate:resumed", {}), ("debate:concluding", {}),
    ]  # fmt: skip


def test_why_a_debate_was_stopped_outlives_a_synthesis_that_fails_and_is_tried_again():
    fails = {"purpose": "synthesise", "error": "gone", "permanent": True}
    debate = playing.debate([fails, *script([[ruling("1")]], thread="P1")], criteria=["P1", "P2"], rounds=1)
    asyncio.run(conductor.play_thread(thread_id=debate.threads.get(key="P1").pk, debate_id=debate.pk))
    lifecycle.stop(debate_id=debate.pk, by=None, reason="The hall closes.", now=now())
    playing.work()
    debate.refresh_from_db()
    assert (debate.status, debate.problem) == ("failed", "The synthesis failed: gone")
    assert debate.stop_reason == "The hall closes."

    lifecycle.retry_synthesis(debate_id=debate.pk, by=None, now=now())
    conclusion.without_words(brief=selectors.brief(debate.pk), now=now())

    debate.refresh_from_db()
    assert (debate.status, debate.partial_reason, debate.problem) == ("concluded", "stopped", "")
    assert debate.stop_reason == "The hall closes."


def test_a_synthesis_that_fails_in_a_rerun_is_booked_under_the_rerun():
    debate = failed_synthesis()
    lifecycle.rerun(debate_id=debate.pk, by=factories.moderator(), reason=factories.REASON, now=now())

    playing.work()

    assert list(Call.objects.filter(purpose="synthesise").values_list("run_number", flat=True)) == [1, 2]


def test_a_paused_debate_of_which_nothing_is_left_to_play_concludes_when_it_is_stopped():
    debate = playing.debate(ONE, rounds=1)

    meanwhile(
        asks("judge"),
        conductor.play_thread(thread_id=debate.threads.get().pk, debate_id=debate.pk),
        lambda: lifecycle.pause(debate_id=debate.pk, by=None, now=now()),
    )
    assert debate.threads.get().status == "complete"

    lifecycle.stop(debate_id=debate.pk, by=None, reason="It is enough.", now=now())

    assert Debate.objects.get().status == "concluded"
