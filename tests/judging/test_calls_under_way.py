"""Calls that are under way when the claim they were begun in is gone: they count until they are written down."""

import asyncio
import time

import pytest
from django.utils import timezone
from procrastinate.contrib.django import app

from debates.models import Debate, Thread
from judging.engine import attempt, conclusion, conductor, lifecycle, locks, play, queue, selectors
from judging.engine.db_threads import in_thread
from judging.engine.judgement_cache import Withheld
from judging.formats.spec import Limits
from judging.models import Call, CallUnderWay
from judging.types import Permit
from tests import playing
from tests.judging.delayed_answer import asks, held
from tests.judging.formats.panel.play import alone, panel
from tests.playing import ruling, script

pytestmark = pytest.mark.django_db(transaction=True)
ONE = script([[ruling("1")]])


def pause_and_resume(debate):
    lifecycle.pause(debate_id=debate.pk, by=None, now=timezone.now())
    lifecycle.resume(debate_id=debate.pk, by=None, now=timezone.now())


def stop(debate):
    lifecycle.stop(debate_id=debate.pk, by=None, reason="That is enough of it.", now=timezone.now())


def until_two_are_written_down(debate):
    for _ in range(500):
        if Call.objects.filter(debate=debate).count() == 2:
            return
        time.sleep(0.02)


def while_it_answers(debate, which, *, act, then):
    """Play a debate's only thread; while the first such call is under way, act, and let another job go on at once."""
    about = {"thread_id": debate.threads.get().pk, "debate_id": debate.pk}

    async def both(late):
        first = asyncio.create_task(conductor.play_thread(**about))
        async with asyncio.timeout(60):
            await late.asked.wait()
        await in_thread(act)(debate)
        await (conductor.play_thread(**about) if then == "play" else conclusion.conclude(debate_id=debate.pk))
        late.let_go.set()
        await first

    with held(which) as late:
        asyncio.run(both(late))


@pytest.mark.parametrize(
    "act", [pytest.param(pause_and_resume, id="paused and resumed"), pytest.param(lambda _: None, id="taken over")]
)
def test_a_round_is_not_played_again_beside_the_call_that_the_budget_has_room_for_once(act):
    debate = playing.debate(ONE, rounds=1, limits=Limits(calls=3))

    while_it_answers(debate, asks("challenge"), act=act, then="play")
    playing.work()

    debate.refresh_from_db()
    assert list(Call.objects.values_list("purpose", "outcome")) == [
        ("challenge", "used"), ("defend", "used"), ("judge", "used"),
    ]  # fmt: skip
    assert (debate.status, debate.partial_reason, CallUnderWay.objects.count()) == ("concluded", "budget_spent", 0)


def test_a_round_is_played_again_where_the_budget_has_room_for_both():
    debate = playing.debate(ONE, rounds=1, limits=Limits(calls=4))

    while_it_answers(debate, asks("challenge"), act=pause_and_resume, then="play")

    assert sorted(Call.objects.values_list("purpose", "outcome")) == [
        ("challenge", "superseded"), ("challenge", "used"), ("defend", "used"), ("judge", "used"),
    ]  # fmt: skip


def test_a_debate_that_was_stopped_waits_with_its_synthesis_for_the_last_call_that_fits():
    debate = playing.debate(ONE, rounds=1, limits=Limits(calls=3))

    while_it_answers(debate, asks("judge"), act=stop, then="conclude")
    between = Debate.objects.get(pk=debate.pk).status
    queue.ask_again(now=timezone.now())
    playing.work()

    debate.refresh_from_db()
    assert (between, debate.status, Call.objects.count()) == ("concluding", "concluded", 3)
    assert debate.partial_reason == "budget_spent, stopped"


@pytest.mark.parametrize("then", ["conclude", "play"])
def test_a_judge_who_still_answers_is_heard_where_the_budget_has_no_room_to_ask_another_again(then):
    busy = {"thread": "Judge 1", "round": 0, "attempt": 1, "error": "busy", "seconds": 1}  # once all are asked
    debate = panel([busy, *alone(*[("4", "4")] * 3)], limits=Limits(calls=3))

    while_it_answers(debate, lambda request: request.thread == "Judge 2", act=until_two_are_written_down, then=then)
    playing.work()

    debate.refresh_from_db()
    outcomes = Call.objects.order_by("participant__name").values_list("participant__name", "outcome")
    assert list(outcomes) == [("Judge 1", "failed"), ("Judge 2", "used"), ("Judge 3", "used")]
    assert (debate.status, debate.partial_reason) == ("concluded", "budget_spent")


def test_a_call_that_nobody_renews_is_lost_with_its_worker_and_counts_no_more():
    debate = playing.debate(ONE, rounds=1, limits=Limits(calls=3))
    thread_id, start, brief = debate.threads.get().pk, timezone.now(), selectors.brief(debate.pk)
    board = play.claim(thread_id=thread_id, now=start)
    play.begin_call(brief=brief, board=board, now=start)

    early = play.claim(thread_id=thread_id, now=start + 0.9 * locks.lease())
    still = Thread.objects.get().fence
    later = play.claim(thread_id=thread_id, now=start + 1.1 * locks.lease())

    assert (early, still) == (None, board.fence)
    assert later.fence == board.fence + 1


def test_a_call_is_renewed_for_as_long_as_it_takes(settings):
    settings.HEARTBEAT_SECONDS = 0.02
    debate = playing.debate(ONE, rounds=1, limits=Limits(calls=3))
    brief, board = selectors.brief(debate.pk), play.claim(thread_id=debate.threads.get().pk, now=timezone.now())
    under_way = play.begin_call(brief=brief, board=board, now=timezone.now())
    leases_seen = set()

    async def long_enough_for_three_heartbeats():
        async with asyncio.timeout(60), attempt.counted(under_way):
            while len(leases_seen) < 3:
                leases_seen.add(await in_thread(lambda: CallUnderWay.objects.get().lease_until)())
                await asyncio.sleep(0.02)

    asyncio.run(long_enough_for_three_heartbeats())

    assert len(leases_seen) == 3


def test_no_call_of_a_debate_with_a_limit_begins_once_it_is_paused():
    debate = playing.debate(ONE, rounds=1, limits=Limits(calls=3))
    board = play.claim(thread_id=debate.threads.get().pk, now=timezone.now())
    lifecycle.pause(debate_id=debate.pk, by=None, now=timezone.now())

    with pytest.raises(Withheld) as refused:
        play.begin_call(brief=selectors.brief(debate.pk), board=board, now=timezone.now())

    assert (refused.value.permit, CallUnderWay.objects.count()) == (Permit.LEAVE, 0)


def test_a_call_that_is_cut_short_by_the_end_of_its_worker_is_in_the_books_and_counts():
    debate = playing.debate(ONE, rounds=1, limits=Limits(calls=4))
    thread = debate.threads.get()

    async def cut_short(late):
        playing_it = asyncio.create_task(conductor.play_thread(thread_id=thread.pk, debate_id=debate.pk))
        async with asyncio.timeout(60):
            await late.asked.wait()
        playing_it.cancel()
        await asyncio.wait([playing_it])
        return playing_it.cancelled()

    with held(asks("challenge")) as late:
        put_back = asyncio.run(cut_short(late))
    thread.refresh_from_db()
    between = (put_back, thread.status, list(Call.objects.values_list("purpose", "outcome", "attempt")))
    playing.work()

    assert between == (True, "playing", [("challenge", "failed", 1)])
    assert (Call.objects.count(), CallUnderWay.objects.count()) == (4, 0)
    assert Debate.objects.get().partial_reason == "budget_spent"


def test_a_worker_that_is_asked_to_stop_ends_the_call_under_way_and_leaves_the_next_to_another():
    debate = playing.debate(ONE, rounds=1)

    async def asked_to_stop(late):
        attempt.STOPPING.set(stop := asyncio.Event())
        working = asyncio.create_task(playing.until_idle(app.with_connector(app.connector.get_worker_connector())))
        async with asyncio.timeout(60):
            await late.asked.wait()
        stop.set()
        late.let_go.set()
        await working

    with held(asks("challenge")) as late:
        asyncio.run(asked_to_stop(late))
    between = list(Call.objects.values_list("purpose", "outcome"))
    playing.work()

    assert between == [("challenge", "used")]
    assert Debate.objects.get(pk=debate.pk).status == "concluded"
    assert set(Call.objects.values_list("outcome", flat=True)) == {"used"}
