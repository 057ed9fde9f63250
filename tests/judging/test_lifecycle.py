"""Pausing, stopping, cancelling and the queue: what takes effect when, and what is left afterwards."""

import pytest
from django.db import transaction
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from debates.errors import Invalid, NotAllowedNow, NotFound
from debates.models import Debate, Event, Thread
from debates.types import Conduct
from judging.engine import calls, lifecycle, play, queue, selectors
from judging.engine.calls import CallResult
from judging.engine.creation import create_draft
from judging.errors import Superseded
from judging.formats.criterion.spec import CriterionSpec
from judging.formats.registry import format_of
from judging.formats.spec import Limits
from judging.models import Call, Claim
from judging.types import Completion, Outcome
from scoring import verify
from scoring.errors import Frozen, NotPermitted
from scoring.models import Evaluation
from tests import acts, factories, playing
from tests.playing import ruling, script

pytestmark = pytest.mark.django_db
ELSEWHERE = {"conducted_by": Conduct.EXTERNAL, "initial": {"P1": ("5", "0.5")}}
THREE = script([[ruling("1")]] * 3)


def now():
    return timezone.now()


def answered(board, brief, *, text="{}"):
    step = format_of(brief.format).next_step(brief=brief, board=board)
    request = format_of(brief.format).request(brief=brief, board=board, ask=step, attempt=1)
    voice = brief.voices[step.role]
    return step, CallResult(request, voice.provider, voice.id, 1, Outcome.USED, Completion(text, "script"))


def test_a_cancelled_debate_is_played_no_further_and_its_late_answers_are_only_paid_for():
    debate = playing.debate(THREE)
    brief = selectors.brief(debate.pk)
    board = play.claim(thread_id=debate.threads.get().pk, now=now())
    step, done = answered(board, brief)
    lifecycle.cancel(debate_id=debate.pk, by=None, now=now())

    with pytest.raises(Superseded):
        play.record(brief=brief, board=board, ask=step, answer=(), answered=done, now=now())
    calls.record_late(brief=brief, board=board, answered=done, now=now())
    playing.work()

    assert [call.outcome for call in Call.objects.all()] == ["superseded"]
    assert Evaluation.objects.get(debate=debate).final_score is None
    assert Thread.objects.get(debate=debate).status == "cancelled"


def test_only_the_newest_claim_may_write():
    debate = playing.debate(THREE)
    brief = selectors.brief(debate.pk)
    thread_id = debate.threads.get().pk
    early = play.claim(thread_id=thread_id, now=now())
    late = play.claim(thread_id=thread_id, now=now())
    step, done = answered(early, brief)

    with pytest.raises(Superseded):
        play.record(brief=brief, board=early, ask=step, answer=(), answered=done, now=now())
    assert play.record(brief=brief, board=late, ask=step, answer=(), answered=done, now=now()) is not None
    assert Call.objects.count() == 1


def test_a_doubled_job_finds_nothing_to_do():
    debate = playing.debate(THREE)
    queue.play(thread_ids=[debate.threads.get().pk], debate_id=debate.pk)

    playing.work()

    assert Evaluation.objects.get(debate=debate).debate_round_count == 3
    assert Call.objects.filter(outcome="used").count() == 10


def test_a_request_that_is_rolled_back_leaves_no_job():
    debate = playing.debate(THREE)
    before = ProcrastinateJob.objects.count()

    with transaction.atomic():
        queue.play(thread_ids=[debate.threads.get().pk], debate_id=debate.pk)
        transaction.set_rollback(True)

    assert ProcrastinateJob.objects.count() == before


def test_the_sweep_asks_again_for_threads_and_debates_whose_job_is_lost():
    debate = playing.debate(THREE)
    ProcrastinateJob.objects.all().delete()

    assert queue.ask_again(now=timezone.now()) == 1
    assert queue.ask_again(now=timezone.now()) == 0
    playing.work()

    debate.refresh_from_db()
    assert debate.status == "concluded"


@pytest.mark.parametrize("status", ["scheduled", "concluding"])
def test_the_sweep_asks_again_for_a_debate_that_is(status):
    debate = playing.debate(THREE)
    ProcrastinateJob.objects.all().delete()
    Debate.objects.filter(pk=debate.pk).update(status=status)

    assert queue.ask_again(now=timezone.now()) == 1


def test_the_sweep_asks_for_nothing_twice_that_goes_on_while_it_looks(monkeypatch):
    debate, left_alone = playing.debate(THREE), queue.left_alone
    jobs, debates = ProcrastinateJob.objects.all(), Debate.objects.filter(pk=debate.pk)
    jobs.update(status="aborted")
    debates.update(status="paused")

    def resumed_meanwhile(**about):
        alone = left_alone(**about)
        jobs.update(status="todo")
        debates.update(status="running")
        return alone

    monkeypatch.setattr(queue, "left_alone", resumed_meanwhile)

    assert queue.ask_again(now=timezone.now()) == 0


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_budget_in_calls_is_never_overspent_by_threads_that_play_at_once():
    codes = [f"P{number}" for number in range(1, 9)]
    debate = playing.debate(THREE, criteria=codes, limits=Limits(calls=20))

    playing.work()

    assert Call.objects.filter(thread__isnull=False).count() <= 20
    debate.refresh_from_db()
    assert (debate.status, debate.partial_reason) == ("concluded", "budget_spent")
    assert sum(Claim.objects.values_list("reserved_calls", flat=True)) == 0
    assert Event.objects.filter(type="budget:status").last().data["calls"] == Call.objects.count()


@pytest.mark.parametrize(
    ("limits", "rounds"),
    [
        pytest.param({"money": "0.30"}, 1, id="money, equality stops"),
        pytest.param({"money": "0.31"}, 1, id="money, a further round would not fit"),
        pytest.param({"money": "0.60"}, 2, id="money, two rounds"),
        pytest.param({"tokens": 90}, 1, id="tokens"),
    ],
)
def test_a_budget_in_money_or_tokens_ends_play_after_what_was_committed(limits, rounds):
    from decimal import Decimal

    costly = [{**one, "cost": "0.10", "tokens_in": 20, "tokens_out": 10} for one in THREE]
    limits = {key: Decimal(value) if isinstance(value, str) else value for key, value in limits.items()}
    debate = playing.debate(costly, limits=Limits(**limits))

    playing.work()

    assert Evaluation.objects.get(debate=debate).debate_round_count == rounds
    debate.refresh_from_db()
    assert debate.partial_reason == "budget_spent"


def test_a_transient_failure_is_tried_again_and_both_calls_are_kept():
    debate = playing.debate([{"purpose": "defend", "attempt": 1, "error": "busy"}, *script([[ruling("1")]])], rounds=1)

    playing.work()

    assert Evaluation.objects.get(debate=debate).final_score == 7
    assert list(Call.objects.filter(purpose="defend").values_list("attempt", "outcome")) == [(1, "failed"), (2, "used")]


def test_a_frozen_score_holds_the_rounds_that_are_played_meanwhile():
    debate = playing.debate(THREE)
    evaluation = Evaluation.objects.get(debate=debate)
    acts.freeze(order=factories.order(evaluation, factories.moderator(), seen=None), now=now())

    playing.work()

    evaluation.refresh_from_db()
    assert (evaluation.final_score, len(evaluation.held), evaluation.debate_complete) == (None, 3, True)
    assert verify.verify().faults == ()


def test_a_frozen_score_is_not_rerun():
    debate = playing.debate(script([[ruling("1")]]), rounds=1)
    playing.work()
    alice = factories.moderator()
    evaluation = Evaluation.objects.get(debate=debate)
    acts.freeze(order=factories.order(evaluation, alice, seen=None), now=now())

    with pytest.raises(Frozen, match="P1"):
        lifecycle.rerun(debate_id=debate.pk, by=alice, reason=factories.REASON, now=now())


def test_a_debate_of_which_nothing_was_assessed_is_not_rerun():
    debate = factories.debate(status="concluded")

    with pytest.raises(NotAllowedNow, match="Nothing of this debate was assessed, so nothing of it can be played"):
        lifecycle.rerun(debate_id=debate.pk, by=factories.moderator(), reason=factories.REASON, now=now())


def test_some_criteria_are_rerun_and_the_others_left_alone():
    debate = playing.debate(script([[ruling("1")]]), criteria=["P1", "P2"], rounds=1)
    playing.work()

    lifecycle.rerun(debate_id=debate.pk, by=factories.moderator(), reason=factories.REASON, now=now(), criteria=["P2"])
    playing.work()

    assert dict(Evaluation.objects.values_list("key", "run_number")) == {"P1": 1, "P2": 2}


def test_what_was_cancelled_and_not_played_again_makes_its_debate_partial_and_stays_not_evaluated():
    debate = playing.debate(script([[ruling("1")]]), criteria=["P1", "P2"], rounds=1)
    lifecycle.cancel(debate_id=debate.pk, by=None, now=now())

    lifecycle.rerun(debate_id=debate.pk, by=factories.moderator(), reason=factories.REASON, now=now(), criteria=["P2"])
    playing.work()

    debate.refresh_from_db()
    assert (debate.status, debate.partial_reason) == ("concluded", "cancelled")
    assert dict(Evaluation.objects.values_list("key", "final_score")) == {"P1": None, "P2": 7}


def test_a_rollback_to_an_earlier_run_waits_until_the_debate_has_ended():
    debate = playing.debate(script([[ruling("1")]]), rounds=1)
    playing.work()
    alice = factories.moderator()
    lifecycle.rerun(debate_id=debate.pk, by=alice, reason=factories.REASON, now=now())
    evaluation = Evaluation.objects.get(debate=debate)

    with pytest.raises(NotAllowedNow, match="another run"):
        acts.roll_back(order=factories.order(evaluation, alice), target=2, now=now())

    playing.work()
    acts.roll_back(order=factories.order(evaluation, alice), target=2, now=now())
    evaluation.refresh_from_db()
    assert (evaluation.run_number, evaluation.final_score) == (1, 7)
    lifecycle.rerun(debate_id=debate.pk, by=alice, reason=factories.REASON, now=now())
    evaluation.refresh_from_db()
    assert evaluation.run_number == 3


@pytest.mark.parametrize(
    ("action", "more"),
    [
        pytest.param("pause", {}, id="pause"),
        pytest.param("resume", {}, id="resume"),
        pytest.param("stop", {"reason": ""}, id="stop"),
        pytest.param("retry_synthesis", {}, id="retry"),
    ],
)
def test_a_draft_cannot_be(action, more):
    spec = CriterionSpec(title="T", subject="Words.", rubric=playing.rubric("P1"))
    debate = create_draft(spec=spec, by=None, now=now())

    with pytest.raises(NotAllowedNow):
        getattr(lifecycle, action)(debate_id=debate.pk, by=None, now=now(), **more)


@pytest.mark.parametrize("action", ["start", "pause", "resume", "cancel", "retry_synthesis"])
def test_somebody_without_the_right_may_not(action):
    debate = playing.debate(THREE)

    with pytest.raises(NotPermitted, match="change_debate"):
        getattr(lifecycle, action)(debate_id=debate.pk, by=factories.person("bob"), now=now())


def test_an_unknown_debate_is_not_found():
    with pytest.raises(NotFound):
        lifecycle.pause(debate_id=10**9, by=None, now=now())


@pytest.mark.parametrize(
    ("change", "names"),
    [
        pytest.param({"title": " "}, "title must not be empty", id="no title"),
        pytest.param({"subject": ""}, "subject must not be empty", id="no subject"),
        pytest.param({"subject": "x" * 200_001}, "at most 200000 characters", id="long subject"),
        pytest.param({"rounds": 0}, "rounds must be a whole number from 1 to 5", id="no rounds"),
        pytest.param({"rounds": 6}, "rounds must be a whole number from 1 to 5", id="six rounds"),
        pytest.param({"criteria": ["X9"]}, "X9 is not in the rubric; it has P1", id="unknown criterion"),
        pytest.param({"criteria": ["P1", "P1"]}, "named more than once", id="criterion twice"),
        pytest.param({"personas": ["clown"]}, "personas must be some of skeptic", id="unknown persona"),
        pytest.param({"personas": ["skeptic", "skeptic"]}, "personas: skeptic is named more than once", id="twice"),
        pytest.param({**ELSEWHERE, "provider": "oracle"}, "provider: without effect", id="a provider elsewhere"),
        pytest.param({**ELSEWHERE, "ballot_seconds": 9}, "ballot_seconds: without effect", id="a time elsewhere"),
        pytest.param({"provider": "oracle"}, "provider must be one of .*; got .oracle", id="unknown provider"),
        pytest.param({"provider": "scripted"}, "script must not be empty", id="no script"),
        pytest.param({"providers": {"jester": "heuristic"}}, "'jester' is no role", id="unknown role"),
        pytest.param({"model": "m", "providers": {"jester": "oracle"}}, "'jester' is no role", id="one beside a model"),
        pytest.param({"initial": {"P1": ("11", "0.5")}}, "P1: initial score must be a number from 1 to 10", id="score"),
        pytest.param({"initial": {"P1": ("5", "2")}}, "P1: initial confidence must be", id="confidence"),
        pytest.param({"initial": {"P2": ("5", "0.5")}}, "every played criterion and no other", id="other criterion"),
        pytest.param({"score_updates": "never"}, "score_updates must be one of", id="updates"),
        pytest.param({"limits": Limits(calls=0)}, "limits: calls must be a whole number", id="no calls"),
    ],
)
def test_a_debate_that_cannot_be_is_refused_by_field_and_leaves_nothing(change, names):
    spec = CriterionSpec(**{"title": "T", "subject": "Words.", "rubric": playing.rubric("P1"), **change})

    with pytest.raises(Invalid, match=names):
        create_draft(spec=spec, by=None, now=now())

    assert Debate.objects.count() == 0
