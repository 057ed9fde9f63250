"""Pausing, going on and stopping, wherever a debate is."""

import asyncio

import pytest
from django.db import connection
from django.utils import timezone
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob

from debates.errors import Invalid, NotAllowedNow
from debates.models import Debate, Thread
from judging.engine import assessment, conclusion, conductor, lifecycle, play, queue, reviews, selectors, tasks
from judging.engine.db_threads import in_thread
from judging.engine.lifecycle import actions_open
from judging.engine.reviews import Decision
from judging.formats.registry import format_of
from judging.models import Call, Review, Synthesis
from judging.providers.scripted import Scripted
from judging.types import Permit, Purpose
from judging.views.debate import CONDUCTING
from scoring import verify
from scoring.models import Alert, Evaluation
from tests import factories, playing
from tests.judging.delayed_answer import asks, held, meanwhile
from tests.judging.formats.open.playing import played as played_open
from tests.judging.formats.open.scripts import script as open_script
from tests.judging.formats.panel.play import alone
from tests.judging.formats.panel.play import played as played_panel
from tests.judging.test_lifecycle import answered
from tests.playing import ruling, script

pytestmark = pytest.mark.django_db(transaction=True)
ONE = script([[ruling("1")]])
THREE = script([[ruling("1")]] * 3)
ASSESS = {"purpose": "assess", "answer": {"score": "6", "confidence": "0.5", "reasoning": "So."}}


def now():
    return timezone.now()


def pause(debate):
    lifecycle.pause(debate_id=debate.pk, by=None, now=now())


def resume(debate):
    lifecycle.resume(debate_id=debate.pk, by=None, now=now())


def status(debate):
    debate.refresh_from_db()
    return debate.status


def while_it_answers(which, act):
    """Work; while the first such call is under way, act, and let another worker do at once what that asks for."""

    def worker():
        return playing.until_idle(app.with_connector(app.connector.get_worker_connector()))

    async def both(late):
        async with asyncio.timeout(60), asyncio.TaskGroup() as group:
            group.create_task(worker())
            await late.asked.wait()
            await in_thread(act)()
            await worker()
            late.let_go.set()

    with held(which) as late:
        asyncio.run(both(late))


def test_a_paused_debate_is_not_claimed_and_goes_on_after_resume():
    debate = playing.debate(THREE)
    lifecycle.pause(debate_id=debate.pk, by=None, now=now())
    playing.work()
    assert Call.objects.count() == 0

    lifecycle.resume(debate_id=debate.pk, by=None, now=now())
    playing.work()

    assert Evaluation.objects.get(debate=debate).final_score == 9


def test_a_call_that_was_in_flight_when_the_debate_was_paused_is_kept():
    debate = playing.debate(THREE)
    brief = selectors.brief(debate.pk)
    thread = debate.threads.get()
    board = play.claim(thread_id=thread.pk, now=now())
    step, done = answered(board, brief)
    lifecycle.pause(debate_id=debate.pk, by=None, now=now())

    answer = format_of("criterion").read(brief=brief, board=board, ask=step, text='{"challenges": []}')
    going_on = play.record(brief=brief, board=board, ask=step, answer=answer, answered=done, now=now())

    assert going_on is None
    assert Call.objects.get().outcome == "used"


def test_stopping_concludes_at_once_and_what_has_counted_stays():
    debate = playing.debate(
        [*script([[ruling("1")]], thread="P1"), {"thread": "P2", "error": "busy"}], criteria=["P1", "P2"], rounds=1
    )
    asyncio.run(conductor.play_thread(thread_id=debate.threads.get(key="P1").pk, debate_id=debate.pk))

    lifecycle.stop(debate_id=debate.pk, by=None, reason="the hall closes", now=now())
    playing.work()

    debate.refresh_from_db()
    assert (debate.status, debate.partial, debate.partial_reason) == ("concluded", True, "stopped")
    assert debate.stop_reason == "the hall closes"
    assert dict(Evaluation.objects.values_list("key", "final_score")) == {"P1": 7, "P2": 6}


# -- before play and after it ----------------------------------------------------------------------------------------


def all_played(answers=ONE):
    """A debate whose one thread has ended, and which is concluding."""
    debate = playing.debate(answers, rounds=1)
    asyncio.run(conductor.play_thread(thread_id=debate.threads.get().pk, debate_id=debate.pk))
    assert status(debate) == "concluding"
    return debate


def test_a_debate_that_is_being_assessed_is_paused_before_the_next_assessment_and_goes_on_with_it():
    debate = playing.debate([ASSESS, *ONE], initial={}, rounds=1)
    lifecycle.pause(debate_id=debate.pk, by=None, now=now())
    playing.work()
    assert (status(debate), Call.objects.count()) == ("paused", 0)

    lifecycle.resume(debate_id=debate.pk, by=None, now=now())
    assert status(debate) == "scheduled"
    playing.work()

    assert (status(debate), Evaluation.objects.get().final_score) == ("concluded", 7)


def test_a_pause_while_several_are_assessed_together_has_nothing_begin_without_what_their_answer_lacks(monkeypatch):
    several = {"assessments": [{"criterion": "P1", "quotes": [], **ASSESS["answer"]}]}
    answers = [{"purpose": "assess_several", "answer": several}, ASSESS, *ONE]
    debate = playing.debate(answers, criteria=["P1", "P2"], initial={}, rounds=1, criteria_per_assessment=2)
    looks, to_assess = [], assessment.to_assess

    def look(*, debate_id):
        looks.append(debate_id)
        if len(looks) != 2:
            return to_assess(debate_id=debate_id)
        pause(debate)
        seen = to_assess(debate_id=debate_id)
        lifecycle.resume(debate_id=debate_id, by=None, now=now())
        return seen

    monkeypatch.setattr(assessment, "to_assess", look)
    asyncio.run(assessment.prepare(debate_id=debate.pk))
    assert (status(debate), Evaluation.objects.count()) == ("scheduled", 0)

    playing.work()

    assert (status(debate), debate.partial) == ("concluded", False)
    assert list(Evaluation.objects.order_by("key").values_list("key", "initial_score")) == [("P1", 6), ("P2", 6)]


def test_a_debate_that_is_being_concluded_is_paused_before_its_synthesis():
    debate = all_played()
    lifecycle.pause(debate_id=debate.pk, by=None, now=now())
    playing.work()
    assert (status(debate), Synthesis.objects.count()) == ("paused", 0)

    lifecycle.resume(debate_id=debate.pk, by=None, now=now())
    playing.work()

    assert (status(debate), Synthesis.objects.count()) == ("concluded", 1)


def test_a_synthesis_that_was_under_way_when_its_debate_was_paused_is_paid_for_and_asked_for_again():
    debate = all_played()

    meanwhile(asks("synthesise"), conclusion.conclude(debate_id=debate.pk), lambda: pause(debate))
    assert status(debate) == "paused"
    ProcrastinateJob.objects.all().delete()  # the one that was played here
    lifecycle.resume(debate_id=debate.pk, by=None, now=now())
    playing.work()

    assert status(debate) == "concluded"
    told = Call.objects.filter(purpose="synthesise").order_by("pk").values_list("outcome", flat=True)
    assert list(told) == ["superseded", "used"]


@pytest.mark.parametrize(
    ("purpose", "waits"),
    [
        pytest.param("assess", lambda: playing.debate([ASSESS, *ONE], initial={}, rounds=1), id="an assessment"),
        pytest.param("challenge", lambda: playing.debate(ONE, rounds=1), id="a step of a thread"),
        pytest.param("synthesise", all_played, id="a synthesis"),
    ],
)
def test_a_call_that_is_under_way_while_its_debate_is_paused_and_resumed_is_used_and_made_once(purpose, waits):
    debate = waits()

    while_it_answers(asks(purpose), lambda: (pause(debate), resume(debate)))
    playing.work()

    assert status(debate) == "concluded"
    assert list(Call.objects.filter(purpose=purpose).values_list("outcome", flat=True)) == ["used"]


@pytest.mark.parametrize(("silent_for", "asked"), [(0, 0), (60, 1)], ids=["alive", "dead"])
@pytest.mark.parametrize(
    "waits",
    [
        pytest.param(lambda: playing.debate([ASSESS, *ONE], initial={}, rounds=1), id="an assessment"),
        pytest.param(lambda: playing.debate(ONE, rounds=1), id="a step of a thread"),
        pytest.param(all_played, id="a synthesis"),
    ],
)
def test_what_a_worker_was_at_is_asked_for_again_at_once_where_its_heart_stopped(settings, waits, silent_for, asked):
    settings.STALLED_SECONDS = 30
    debate = waits()
    with connection.cursor() as cursor:
        beat = "NOW() - make_interval(secs => %s)"
        cursor.execute(f"INSERT INTO procrastinate_workers (last_heartbeat) VALUES ({beat}) RETURNING id", [silent_for])
        cursor.execute("UPDATE procrastinate_jobs SET status = 'doing', worker_id = %s", cursor.fetchone())

    pause(debate)
    resume(debate)

    assert ProcrastinateJob.objects.filter(status="todo").count() == asked
    asyncio.run(rescue())
    left = list(ProcrastinateJob.objects.values_list("task_name", flat=True))
    assert len(left) == len(set(left)), "that of the dead worker is not tried again beside it"


@pytest.mark.django_db(transaction=True)
def test_of_two_equal_jobs_of_dead_workers_one_is_handed_on():
    conclude = queue.app.configure_task(queue.CONCLUDE, queue=queue.ROUNDS)
    _, newer = conclude.defer(debate_id=1), conclude.defer(debate_id=1)
    ProcrastinateJob.objects.filter(task_name=queue.CONCLUDE).update(status="doing")

    asyncio.run(rescue())

    [left] = ProcrastinateJob.objects.filter(args={"debate_id": 1})
    assert (left.status, left.pk) == ("todo", newer), "the older never counts, so two who look at once agree"


async def rescue():
    async with queue.fetching().open_async() as fetching:
        await tasks.rescue(fetching=fetching)


def test_a_debate_that_was_played_again_is_concluded_although_the_synthesis_of_before_is_still_awaited():
    debate = all_played()

    def play_again():
        enough = {"debate_id": debate.pk, "by": None, "reason": "That is enough of it.", "now": now()}
        lifecycle.stop(**enough)
        alice = factories.moderator()
        lifecycle.rerun(debate_id=debate.pk, by=alice, reason="It was cut short.", now=now())
        lifecycle.stop(**enough)

    while_it_answers(asks("synthesise"), play_again)

    assert status(debate) == "concluded"
    told = Call.objects.filter(purpose="synthesise").order_by("pk").values_list("outcome", flat=True)
    assert list(told) == ["used", "superseded"]


def test_an_assessment_that_was_answered_meanwhile_is_not_asked_for_by_who_has_waited_with_it():
    debate = playing.debate([ASSESS, *ONE], initial={}, rounds=1)
    brief, [waiting] = selectors.brief(debate.pk), assessment.to_assess(debate_id=debate.pk)
    late = assessment.AssessmentAsker(brief=brief, waiting=[waiting]).begin(attempt=1, now=now())
    asyncio.run(assessment.assess_threads(brief=brief, waiting=[waiting]))

    doubled = asyncio.run(assessment.assess_threads(brief=brief, waiting=[waiting]))

    assert (late.permit(), doubled, Call.objects.count()) == (Permit.LEAVE, Permit.LEAVE, 1)


@pytest.mark.slow
def test_a_review_that_is_settled_during_a_pause_concludes_the_debate_when_it_goes_on():
    judged, alice = played_panel(alone(None, None, None)), factories.moderator()
    assert judged.status == "awaiting_review"
    lifecycle.pause(debate_id=judged.pk, by=None, now=now())
    review = Review.objects.get()
    reviews.claim(review_id=review.pk, by=alice, now=now())
    decisions = {code: Decision("3", "No judge could be read.") for code in review.disputed}

    last = judged.events.order_by("seq").last().seq
    offered = [actions_open(Debate.objects.get(pk=judged.pk))]
    reviews.settle(review_id=review.pk, by=alice, decisions=decisions, now=now())
    offered.append(actions_open(Debate.objects.get(pk=judged.pk)))
    types = judged.events.filter(seq__gt=last).values_list("type", flat=True)
    assert status(judged) == "paused"
    assert [lifecycle.STOP in actions for actions in offered] == [False, True]
    assert any(type.startswith(CONDUCTING.stirred_by) for type in types)  # an open page offers it, too
    lifecycle.resume(debate_id=judged.pk, by=None, now=now())
    playing.work()

    assert status(judged) == "concluded"


def test_a_paused_review_is_still_waited_for_when_its_debate_goes_on():
    judged = played_panel(alone(None, None, None))
    lifecycle.pause(debate_id=judged.pk, by=None, now=now())

    lifecycle.resume(debate_id=judged.pk, by=None, now=now())

    assert status(judged) == "awaiting_review"


@pytest.mark.parametrize("waits_for", ["awaiting_review", "concluding"])
def test_what_has_been_played_goes_on_although_the_model_of_its_judges_is_gone(waits_for, monkeypatch):
    judged = played_panel(alone(None, None, None)) if waits_for == "awaiting_review" else all_played()
    lifecycle.pause(debate_id=judged.pk, by=None, now=now())
    last_words = {Purpose.REPORT, Purpose.SYNTHESISE}
    monkeypatch.setattr(
        Scripted, "preflight", lambda _, questions: ["Gone." for purpose, _ in questions if purpose not in last_words]
    )

    lifecycle.resume(debate_id=judged.pk, by=None, now=now())

    assert status(judged) == waits_for


# -- stopping --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("paused", [False, True], ids=["scheduled", "paused"])
def test_a_debate_that_is_stopped_before_anything_was_assessed_is_concluded_without_a_call(paused):
    debate = playing.debate([ASSESS, *ONE], initial={}, rounds=1)
    if paused:
        lifecycle.pause(debate_id=debate.pk, by=None, now=now())

    lifecycle.stop(debate_id=debate.pk, by=None, reason="The hall closes.", now=now())
    playing.work()

    assert (status(debate), debate.partial_reason, debate.stop_reason) == ("concluded", "stopped", "The hall closes.")
    assert (Call.objects.count(), Evaluation.objects.count()) == (0, 0)
    assert Thread.objects.get().ended_because == "stopped"


def test_a_debate_that_is_stopped_while_it_is_assessed_keeps_what_was_assessed():
    waits = {**ASSESS, "thread": "P2", "error": "busy", "permanent": True}
    del waits["answer"]
    debate = playing.debate([waits, ASSESS, *ONE], criteria=["P1", "P2"], initial={}, rounds=1)
    brief, waiting = selectors.brief(debate.pk), assessment.to_assess(debate_id=debate.pk)
    asyncio.run(assessment.assess_threads(brief=brief, waiting=waiting[:1]))

    lifecycle.stop(debate_id=debate.pk, by=None, reason="The hall closes.", now=now())
    playing.work()

    assert (status(debate), debate.partial_reason) == ("concluded", "stopped")
    assert list(Evaluation.objects.values_list("key", "final_score")) == [("P1", 6)]
    assert set(Thread.objects.values_list("status", "ended_because")) == {("failed", "stopped")}
    assert verify.verify().faults == ()


@pytest.mark.parametrize("by", ["stop", "cancel"])
def test_an_assessment_that_comes_after_its_debate_was_stopped_or_cancelled_is_paid_for_and_counts_for_nothing(by):
    debate = playing.debate([ASSESS, *ONE], initial={}, rounds=1)
    end = {
        "stop": lambda: lifecycle.stop(debate_id=debate.pk, by=None, reason="The hall closes.", now=now()),
        "cancel": lambda: lifecycle.cancel(debate_id=debate.pk, by=None, now=now()),
    }

    meanwhile(asks("assess"), assessment.prepare(debate_id=debate.pk), end[by])

    assert (Call.objects.get().outcome, Evaluation.objects.count()) == ("superseded", 0)
    assert format_of("criterion").assessed(debate_id=debate.pk) == {}


def test_an_assessment_that_comes_while_its_debate_is_paused_is_kept():
    debate = playing.debate([ASSESS, *ONE], initial={}, rounds=1)

    meanwhile(asks("assess"), assessment.prepare(debate_id=debate.pk), lambda: pause(debate))

    assert (status(debate), Call.objects.get().outcome) == ("paused", "used")


def test_a_stop_keeps_why_a_criterion_was_not_assessed_where_none_was():
    unable = {"not_assessed": {"reason": "language_not_read", "why": "This is Linear A."}}
    answers = [{**ASSESS, "thread": "P1", "answer": unable}, ASSESS, *ONE]
    debate = playing.debate(answers, criteria=["P1", "P2"], initial={}, rounds=1)
    brief, waiting = selectors.brief(debate.pk), assessment.to_assess(debate_id=debate.pk)
    asyncio.run(assessment.assess_threads(brief=brief, waiting=waiting[:1]))

    lifecycle.stop(debate_id=debate.pk, by=None, reason="The hall closes.", now=now())
    playing.work()

    threads = Thread.objects.order_by("position").values_list("status", "ended_because")
    assert list(threads) == [("failed", "language_not_read"), ("failed", "stopped")]
    assert (status(debate), Debate.objects.get().partial_reason) == ("concluded", "language_not_read, stopped")
    assert Evaluation.objects.count() == 0
    assert Alert.objects.get(code="not_assessed").evidence["criteria"] == "P1"


@pytest.mark.parametrize("paused", [False, True], ids=["concluding", "paused"])
def test_a_debate_that_is_stopped_while_it_is_concluded_goes_without_its_synthesis(paused):
    debate = all_played()
    if paused:
        lifecycle.pause(debate_id=debate.pk, by=None, now=now())

    lifecycle.stop(debate_id=debate.pk, by=None, reason="The hall closes.", now=now())
    playing.work()

    assert (status(debate), debate.partial_reason, debate.stop_reason) == ("concluded", "stopped", "The hall closes.")
    assert (Synthesis.objects.count(), Evaluation.objects.get().final_score) == (0, 7)


def test_a_stop_takes_a_reason_that_can_be_read_and_kept_whole():
    debate = playing.debate(ONE, rounds=1)

    for reason in ("Enough.", "\u200b" * 12, "x" * 501):
        with pytest.raises(Invalid, match="at least 10 visible and at most 500 characters"):
            lifecycle.stop(debate_id=debate.pk, by=None, reason=reason, now=now())

    assert status(debate) == "running"
    lifecycle.stop(debate_id=debate.pk, by=None, reason=" " + "x" * 500 + "\n", now=now())
    assert Debate.objects.get().stop_reason == "x" * 500


@pytest.mark.parametrize("paused", [False, True], ids=["waiting", "paused"])
def test_a_stop_does_not_skip_a_review(paused):
    judged = played_panel(alone(None, None, None))
    if paused:
        lifecycle.pause(debate_id=judged.pk, by=None, now=now())

    with pytest.raises(NotAllowedNow, match="Settle that, or cancel the debate"):
        lifecycle.stop(debate_id=judged.pk, by=None, reason="The hall closes.", now=now())


def test_an_open_debate_without_scores_is_concluded_again_when_its_synthesis_failed():
    mute = {"purpose": "evaluate", "answer": "I would rather not say."}
    gone = {"purpose": "sum_up", "attempt": 1, "error": "gone", "permanent": True}
    debate = played_open(provider="scripted", script=open_script(mute, gone), persuasion=False, exchanges=1)
    assert (debate.status, Evaluation.objects.count()) == ("failed", 0)

    lifecycle.retry_synthesis(debate_id=debate.pk, by=None, now=now())

    assert Debate.objects.get().status == "concluding"


def test_a_debate_of_which_nothing_was_assessed_has_no_synthesis_to_try_again():
    debate = playing.debate([{"purpose": "assess", "error": "gone", "permanent": True}], initial={})
    playing.work()
    assert status(debate) == "failed"

    with pytest.raises(NotAllowedNow, match="Only a debate whose synthesis failed"):
        lifecycle.retry_synthesis(debate_id=debate.pk, by=None, now=now())


def test_no_synthesis_is_permitted_while_a_debate_is_paused():
    debate = all_played()
    lifecycle.pause(debate_id=debate.pk, by=None, now=now())

    assert conclusion.permit(brief=selectors.brief(debate.pk), now=now()) == (Permit.LEAVE, None)
