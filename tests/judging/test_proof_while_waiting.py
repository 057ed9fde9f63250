"""The proof of debates that count at the end: facts may wait for their entry, but not for ever and not elsewhere."""

import asyncio

import pytest
from django.db import connection
from django.utils import timezone

from judging.engine import conductor, lifecycle, play, selectors
from scoring import verify
from scoring.models import Fact
from tests import playing
from tests.playing import ruling, script

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
STRAY = (
    "INSERT INTO scoring_fact SELECT id + 1000, gen_random_uuid(), run_number, kind, amount, impact, weight, parts,"
    " at, evaluation_id, participant_id, round_id FROM scoring_fact LIMIT 1"
)


def played_one_round(updates):
    """A debate of two rounds of which one was judged."""
    debate = playing.debate(script([[ruling("1")]] * 2), rounds=2, score_updates=updates)
    board = play.claim(thread_id=debate.threads.get().pk, now=timezone.now())
    for _ in range(3):
        board = asyncio.run(conductor.take_step(brief=selectors.brief(debate.pk), board=board))
    return debate


def faults():
    return [fault.what for fault in verify.verify().faults]


def insert_a_stray_fact():
    """Insert as somebody would who can switch the guards off."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE scoring_fact DISABLE TRIGGER fact_10_fits")
        cursor.execute(STRAY)
        cursor.execute("ALTER TABLE scoring_fact ENABLE ALWAYS TRIGGER fact_10_fits")


def test_facts_that_will_be_counted_at_the_end_are_no_fault_while_play_goes_on():
    played_one_round("at_end")

    assert Fact.objects.count() == 1
    assert faults() == []


def test_facts_that_a_cancelled_debate_will_never_count_are_no_fault():
    debate = played_one_round("at_end")

    lifecycle.cancel(debate_id=debate.pk, by=None, now=timezone.now())

    assert faults() == []


def test_facts_of_a_thread_whose_end_cannot_be_written_down_are_no_fault():
    debate = played_one_round("at_end")

    board = play.claim(thread_id=debate.threads.get().pk, now=timezone.now())
    play.break_off_thread(debate_id=debate.pk, board=board, problem="It cannot be kept.", now=timezone.now())

    assert debate.threads.get().ended_because == "not_recorded"
    assert faults() == []


def test_a_fact_that_no_entry_counts_is_a_fault_where_every_round_counts_at_once():
    played_one_round("per_round")

    insert_a_stray_fact()

    assert "facts were brought by no entry" in faults()


def test_a_fact_that_came_after_the_end_is_a_fault():
    played_one_round("at_end")
    playing.work()
    assert faults() == []

    insert_a_stray_fact()

    assert "facts were brought by no entry" in faults()
