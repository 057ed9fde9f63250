"""Before every call: the budget, a cancellation, a pause."""

import asyncio
from decimal import Decimal

import pytest
from django.utils import timezone

from debates.models import Debate, Event, Thread
from judging.engine import assessment, calls, conclusion, conductor, lifecycle, play, queue, selectors
from judging.engine.assessment import Waiting
from judging.engine.calls import CallResult
from judging.formats.registry import format_of
from judging.formats.spec import Limits
from judging.formats.state import Finish
from judging.models import Call, Claim, Synthesis
from judging.types import Completion, Outcome, Permit, Purpose
from scoring.models import Alert, Evaluation
from tests import playing
from tests.judging.delayed_answer import asks, meanwhile
from tests.playing import ruling, script

pytestmark = pytest.mark.django_db(transaction=True)
ASSESS = {"purpose": "assess", "answer": {"score": "6", "confidence": "0.5", "reasoning": "So."}}
ONE = script([[ruling("1")]])


def now():
    return timezone.now()


def told(kind):
    return [event.data for event in Event.objects.filter(type=kind).order_by("seq")]


# -- the budget ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [0, 0.05], ids=["one after the other", "at the same time"])
def test_assessments_end_with_the_budget_exactly(seconds):
    codes = [f"P{number}" for number in range(1, 7)]
    slow = {**ASSESS, "seconds": seconds} if seconds else ASSESS
    debate = playing.debate([slow, *ONE], criteria=codes, initial={}, limits=Limits(calls=4), rounds=1)

    playing.work()

    debate.refresh_from_db()
    assert Call.objects.count() == 4
    assert (debate.status, debate.partial, debate.partial_reason) == ("concluded", True, "budget_spent")
    assert set(Thread.objects.values_list("ended_because", flat=True)) == {"budget_spent"}
    assert list(Evaluation.objects.values_list("final_score", flat=True)) == [6, 6, 6, 6]
    assert not Alert.objects.filter(code="judge_failed").exists()
    assert sum(Claim.objects.values_list("reserved_calls", flat=True)) == 0


def test_a_budget_in_money_ends_the_assessments():
    dear = {**ASSESS, "cost": "0.10"}
    debate = playing.debate([dear, *ONE], criteria=["P1", "P2"], initial={}, limits=Limits(money=Decimal("0.10")))
    brief, waiting = selectors.brief(debate.pk), assessment.to_assess(debate_id=debate.pk)

    first, second = (asyncio.run(assessment.assess_threads(brief=brief, waiting=[one])) for one in waiting)

    assert (first, second.because) == (None, "budget_spent")
    assert Call.objects.count() == 1


def test_a_debate_that_spent_everything_on_failed_assessments_has_failed():
    bad = {"purpose": "assess", "error": "busy"}
    debate = playing.debate([bad], initial={}, limits=Limits(calls=1))

    playing.work()

    debate.refresh_from_db()
    assert (debate.status, debate.problem) == ("failed", "The budget was spent before any criterion was assessed.")
    assert Call.objects.count() == 1
    assert told("debate:failed") == [{"because": "budget_spent"}]


def test_no_synthesis_is_asked_for_when_the_budget_is_spent():
    debate = playing.debate(ONE, rounds=1, limits=Limits(calls=3))

    playing.work()

    debate.refresh_from_db()
    assert (Call.objects.count(), Synthesis.objects.count()) == (3, 0)
    assert (debate.status, debate.partial, debate.partial_reason) == ("concluded", True, "budget_spent")
    assert Evaluation.objects.get().final_score == 7


def test_the_synthesis_is_not_tried_again_beyond_the_budget():
    bad = {"purpose": "synthesise", "error": "busy"}
    debate = playing.debate([bad, *ONE], rounds=1, limits=Limits(calls=4))

    playing.work()

    debate.refresh_from_db()
    assert (Call.objects.count(), debate.status, debate.partial_reason) == (4, "concluded", "budget_spent")


def test_a_further_attempt_is_made_only_where_the_rest_of_the_round_still_fits():
    busy = {"purpose": "challenge", "attempt": 1, "error": "busy"}
    debate = playing.debate([busy, *ONE], rounds=1, limits=Limits(calls=3))

    playing.work()

    assert list(Call.objects.values_list("purpose", flat=True)) == ["challenge", "synthesise"]
    assert Thread.objects.get(debate=debate).ended_because == "budget_spent"


def test_the_last_word_about_the_budget_counts_every_call():
    debate = playing.debate([ASSESS, *ONE], criteria=["P1", "P2"], initial={}, rounds=1, limits=Limits(calls=50))

    playing.work()

    assert told("budget:status")[-1]["calls"] == Call.objects.filter(debate=debate).count() == 9


def test_an_assessment_tells_how_the_budget_stands():
    debate = playing.debate([ASSESS], initial={}, limits=Limits(calls=50))
    brief, [waiting] = selectors.brief(debate.pk), assessment.to_assess(debate_id=debate.pk)

    asyncio.run(assessment.assess_threads(brief=brief, waiting=[waiting]))

    assert [one["calls"] for one in told("budget:status")] == [1]


def test_a_late_answer_is_told_to_the_budget():
    debate = playing.debate(ONE, limits=Limits(calls=50))
    brief, thread = selectors.brief(debate.pk), debate.threads.get()
    board = play.claim(thread_id=thread.pk, now=now())
    lifecycle.cancel(debate_id=debate.pk, by=None, now=now())

    calls.record_late(brief=brief, board=board, answered=answer_to(brief, board), now=now())

    assert told("budget:status")[-1]["calls"] == 1


def test_a_cancelled_debate_has_its_last_word_about_the_budget():
    debate = playing.debate(ONE, limits=Limits(calls=50))
    brief, thread = selectors.brief(debate.pk), debate.threads.get()
    board = play.claim(thread_id=thread.pk, now=now())
    for _ in range(2):  # the second within half a second is not told
        calls.record_late(brief=brief, board=board, answered=answer_to(brief, board), now=now())
    assert told("budget:status")[-1]["calls"] == 1

    lifecycle.cancel(debate_id=debate.pk, by=None, now=now())

    assert told("budget:status")[-1]["calls"] == 2


# -- cancelling and pausing ------------------------------------------------------------------------------------------


def cancel(debate):
    lifecycle.cancel(debate_id=debate.pk, by=None, now=now())


def test_a_cancelled_debate_asks_for_none_of_the_assessments_that_still_wait(settings):
    settings.ROUNDS_AT_ONCE = 1
    codes = ["P1", "P2", "P3"]
    debate = playing.debate([ASSESS], criteria=codes, initial={})

    meanwhile(asks("assess"), assessment.prepare(debate_id=debate.pk), lambda: cancel(debate))

    assert Call.objects.count() == 1


def test_a_cancelled_debate_is_not_asked_for_its_synthesis_again():
    bad = {"purpose": "synthesise", "error": "busy"}
    debate = playing.debate([bad, *ONE], rounds=1)
    asyncio.run(conductor.play_thread(thread_id=debate.threads.get().pk, debate_id=debate.pk))

    meanwhile(asks("synthesise"), conclusion.conclude(debate_id=debate.pk), lambda: cancel(debate))

    debate.refresh_from_db()
    assert (Call.objects.filter(purpose="synthesise").count(), debate.status) == (1, "cancelled")


def answer_to(brief, board, outcome=Outcome.USED):
    format_ = format_of(brief.format)
    step = format_.next_step(brief=brief, board=board)
    voice = brief.voices[step.role]
    request = format_.request(brief=brief, board=board, ask=step, attempt=1)
    problem = "" if outcome is Outcome.USED else "busy"
    return CallResult(request, voice.provider, voice.id, 1, outcome, Completion("{}", "script"), problem)


@pytest.mark.parametrize(
    ("act", "allowed"),
    [
        pytest.param(lambda debate: None, Permit.ASK, id="goes on"),
        pytest.param(lambda debate: lifecycle.pause(debate_id=debate.pk, by=None, now=now()), Permit.LEAVE, id="pause"),
    ],
)
def test_a_failure_says_why_no_further_attempt_is_made(act, allowed):
    debate = playing.debate(ONE, limits=Limits(calls=50))
    brief = selectors.brief(debate.pk)
    board = play.claim(thread_id=debate.threads.get().pk, now=now())
    act(debate)

    failed = answer_to(brief, board, Outcome.FAILED)
    assert play.record_failure(brief=brief, board=board, answered=failed, now=now()) is allowed
    assert play.permit(brief=brief, board=board, now=now()) is allowed


def test_a_debate_paused_and_resumed_while_a_call_failed_does_not_end_for_its_budget():
    busy = {"purpose": "challenge", "attempt": 1, "error": "busy"}
    debate = playing.debate([busy, *ONE], rounds=1)

    meanwhile(
        asks("challenge"),
        conductor.play_thread(thread_id=debate.threads.get().pk, debate_id=debate.pk),
        lambda: lifecycle.pause(debate_id=debate.pk, by=None, now=now()),
    )
    lifecycle.resume(debate_id=debate.pk, by=None, now=now())
    assert Thread.objects.get().ended_because == ""


def test_a_spent_budget_is_why_a_failed_call_is_not_repeated():
    debate = playing.debate(ONE, limits=Limits(calls=3))
    brief = selectors.brief(debate.pk)
    board = play.claim(thread_id=debate.threads.get().pk, now=now())

    failed = answer_to(brief, board, Outcome.FAILED)

    assert play.record_failure(brief=brief, board=board, answered=failed, now=now()) is Permit.SPENT
    assert Claim.objects.get().reserved_calls == 0


def test_a_thread_that_ended_meanwhile_is_not_ended_again():
    debate = playing.debate(ONE)
    brief = selectors.brief(debate.pk)
    board = play.claim(thread_id=debate.threads.get().pk, now=now())
    lifecycle.cancel(debate_id=debate.pk, by=None, now=now())

    with pytest.raises(conductor.Superseded):
        play.permit(brief=brief, board=board, now=now())
    with pytest.raises(conductor.Superseded):
        play.finish_thread(brief=brief, board=board, end=Finish("judge_failed", partial=True), now=now())


def test_a_permit_for_an_assessment_is_refused_once_the_debate_has_started():
    debate = playing.debate(ONE)
    queue.prepare(debate_id=debate.pk)
    thread = debate.threads.get()

    about = {"brief": selectors.brief(debate.pk), "waiting": Waiting(thread.pk, "P1"), "purpose": Purpose.ASSESS}
    allowed, _ = assessment.permit(**about, now=now())

    assert allowed is Permit.LEAVE
    assert Debate.objects.get().status == "running"
