"""Answers that cannot be written down, or only in part."""

import asyncio
import json
from dataclasses import replace
from decimal import Decimal
from itertools import product

import psycopg
import pytest
from django.db import IntegrityError, InternalError, OperationalError, connection, transaction
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from debates.errors import Invalid
from debates.live import reader
from debates.models import Turn
from judging.engine import assessment, attempt, calls, conclusion, conductor, metrics, selectors
from judging.engine import play as engine_play
from judging.errors import ProviderError
from judging.formats import costs, prompts
from judging.formats.criterion import parsing as criterion_parsing
from judging.formats.criterion import play as criterion_play
from judging.formats.criterion import state
from judging.formats.open import record
from judging.models import Call
from judging.providers import provider
from judging.rules.budget import Amounts
from scoring.models import Alert
from tests import playing
from tests.judging.formats.open.playing import played as played_open
from tests.judging.formats.open.playing import started as started_open
from tests.judging.formats.open.scripts import script as open_script
from tests.judging.formats.open.scripts import weighs
from tests.playing import ruling, script

pytestmark = pytest.mark.django_db(transaction=True)
ASSESS = {"purpose": "assess", "answer": {"score": "6", "confidence": "0.5", "reasoning": "So."}}
ONE = script([[ruling("1")]])


def now():
    return timezone.now()


def test_an_answer_that_cannot_be_written_down_ends_its_thread_once():
    debate = playing.debate(ONE, rounds=1)
    thread = debate.threads.get()
    board = engine_play.claim(thread_id=thread.pk, now=now())
    Turn.objects.create(
        debate=debate, thread=thread, round_id=board.round_id, participant=debate.participants.first(),
        kind="challenge", slot="challenge:C1", text="In the way.", at=now(),
    )  # fmt: skip

    asyncio.run(conductor.play_thread(thread_id=thread.pk, debate_id=debate.pk))

    call = Call.objects.get()
    assert (call.outcome, call.problem) == ("failed", "The answer could not be written down: turn_slot_once_per_round.")
    thread.refresh_from_db()
    assert (thread.status, thread.ended_because) == ("failed", "judge_failed")


def test_a_synthesis_that_cannot_be_written_down_fails_its_debate_once():
    debate = playing.debate(ONE, rounds=1)
    asyncio.run(conductor.play_thread(thread_id=debate.threads.get().pk, debate_id=debate.pk))
    Turn.objects.create(
        debate=debate, participant=debate.participants.first(), kind="synthesis", slot="synthesis:1",
        text="In the way.", at=now(),
    )  # fmt: skip

    asyncio.run(conclusion.conclude(debate_id=debate.pk))

    debate.refresh_from_db()
    assert debate.status == "failed"
    assert debate.problem == ("The synthesis failed: The answer could not be written down: turn_slot_once_per_debate.")


TOKENS = {10**12: calls.MOST_TOKENS, 2**31 - 1: calls.MOST_TOKENS, -5: 0, 7: 7}
"""What a provider says that a question or an answer had, and what is kept of it."""
COSTS = {"1e30": calls.MOST_MONEY, "-1": Decimal(0), "NaN": Decimal(0), "0.0000015": Decimal("0.000002")}


@pytest.mark.parametrize(
    ("tokens_in", "tokens_out", "cost"),
    [*((*pair, "0") for pair in product(TOKENS, TOKENS)), *((7, 7, cost) for cost in COSTS)],
)
def test_whatever_a_provider_says_that_a_call_cost_can_be_written_down_and_summed(tokens_in, tokens_out, cost):
    said = {"tokens_in": tokens_in, "tokens_out": tokens_out, "cost": cost}
    kept_in, kept_out, kept_cost = TOKENS[tokens_in], TOKENS[tokens_out], COSTS.get(cost, Decimal(0))
    debate = playing.debate([{**ASSESS, **said}], initial={})
    brief, [waiting] = selectors.brief(debate.pk), assessment.to_assess(debate_id=debate.pk)

    asyncio.run(assessment.assess_threads(brief=brief, waiting=[waiting]))

    call, tokens = Call.objects.get(), kept_in + kept_out
    assert (call.tokens_in, call.tokens_out, call.cost) == (kept_in, kept_out, kept_cost)
    [asked] = metrics.providers(since=call.at)
    assert (asked.tokens, asked.money) == (tokens, kept_cost)
    assert selectors.spending(debate=debate).spent == Amounts(calls=1, tokens=tokens, money=kept_cost)
    assert costs.usual_of("scripted", "") == (tokens, kept_cost)


def test_what_a_provider_said_went_wrong_is_cut_and_can_be_erased():
    with playing.days_ago(2):
        playing.debate([{"purpose": "challenge", "error": "z" * 5000, "permanent": True}])
        playing.work()

    call = Call.objects.get(purpose="challenge")
    assert (call.outcome, len(call.problem)) == ("failed", 200)
    assert len(Alert.objects.get(code="judge_failed").evidence["why"]) == 200
    Call.objects.filter(pk=call.pk).update(raw_answer="", problem="")
    call.refresh_from_db()
    assert call.problem == ""


def test_a_challenge_judged_twice_in_a_round_is_refused_by_name():
    debate = playing.debate(script([[ruling("1")]] * 2), rounds=2, score_updates="at_end")
    brief, thread = selectors.brief(debate.pk), debate.threads.get()
    board = engine_play.claim(thread_id=thread.pk, now=now())
    for _ in range(3):
        judged, board = board, asyncio.run(conductor.take_step(brief=brief, board=board))
    ruled = criterion_parsing.verdicts(json.dumps({"verdicts": [ruling("1")]}), labels=["C1"])
    made = state.only(ruled=ruled, call=Call.objects.last())

    with pytest.raises(Invalid) as refused, transaction.atomic():
        criterion_play.rule(brief=brief, board=judged, rulings=made, round=thread.rounds.get(number=1), now=now())

    assert refused.value.details == {"guard": "verdict_once_per_challenge_and_round"}


def refused(**about):
    raise Invalid("Nobody asks that.")


@pytest.mark.parametrize(
    ("question", "named"),
    [
        pytest.param(lambda **about: about["nobody"], "KeyError", id="by a fault of ours"),
        pytest.param(refused, "Invalid", id="by a rule"),
    ],
)
def test_a_question_that_cannot_be_put_into_words_ends_its_thread_and_is_told(monkeypatch, question, named):
    debate = playing.debate(ONE, rounds=1)
    thread = debate.threads.get()
    monkeypatch.setattr(prompts, "question", question)

    asyncio.run(conductor.play_thread(thread_id=thread.pk, debate_id=debate.pk))

    thread.refresh_from_db()
    assert (thread.status, thread.ended_because) == ("failed", "judge_failed")
    told = [value for alert in Alert.objects.all() for value in alert.evidence.values()]
    assert f"The question could not be written down: {named}." in told


NUL_AND_HALF = "un\x00speakable \ud83d"
"""What PostgreSQL takes for no text: a character that ends it, and half of another."""


def answered_by(monkeypatch, purpose, *, model="", error=None):
    """Have the scripted provider answer one question as another model, or not at all."""
    scripted = provider("scripted")
    usual = scripted.complete

    async def complete(request):
        if request.purpose == purpose and error is not None:
            raise error
        said = await usual(request)
        return replace(said, model=model) if request.purpose == purpose else said

    monkeypatch.setattr(scripted, "complete", complete)


@pytest.mark.parametrize("purpose", ["assess", "challenge", "defend", "judge", "synthesise"])
def test_words_of_a_provider_that_no_database_stores_end_in_a_recorded_problem(monkeypatch, purpose):
    answered_by(monkeypatch, purpose, error=ProviderError(NUL_AND_HALF, permanent=True))
    debate = playing.debate([ASSESS, *ONE], initial={}, rounds=1)

    playing.work()

    debate.refresh_from_db()
    assert debate.status == ("failed" if purpose in {"assess", "synthesise"} else "concluded")
    assert Call.objects.get(purpose=purpose).problem == "unspeakable ?"
    assert ProcrastinateJob.objects.count() == 0


@pytest.mark.parametrize("purpose", ["open", "respond", "evaluate", "influence", "sum_up"])
def test_a_model_whose_name_no_database_stores_is_kept_without_it(monkeypatch, purpose):
    answered_by(monkeypatch, purpose, model=NUL_AND_HALF)

    answers = open_script(weighs("Mira", "Konrad"), weighs("Konrad", "Mira"))

    debate = played_open(provider="scripted", script=answers, exchanges=1, effects="judge")

    assert debate.status == "concluded"
    assert set(Call.objects.filter(purpose=purpose).values_list("model", flat=True)) == {"unspeakable ?"}


def test_a_round_that_comes_to_what_cannot_be_written_down_ends_its_thread_once(monkeypatch):
    def of_no_use(**_):
        Call.objects.update(purpose="x" * 300)

    monkeypatch.setattr(record, "stand", of_no_use)

    debate = played_open(provider="scripted", script=open_script(), exchanges=1)

    thread = debate.threads.get()
    assert (thread.status, thread.ended_because) == ("failed", "judge_failed")
    assert Alert.objects.get(code="judge_failed").evidence["why"] == "The round could not be written down: DataError."


SILENT = {"purpose": "evaluate", "error": "gone", "permanent": True}


def breaks(monkeypatch, name, error):
    """Have one of the steps that write down what was judged of a response fail, whenever it is taken."""

    def of_no_use(**_):
        raise error

    monkeypatch.setattr(record, name, of_no_use)


@pytest.mark.parametrize(
    ("error", "why"),
    [
        pytest.param(KeyError("seat"), "KeyError", id="a fault of ours"),
        pytest.param(IntegrityError("refused"), "IntegrityError", id="the database"),
        pytest.param(Invalid("no such seat", guard="a_guard"), "a_guard", id="a rule"),
    ],
)
def test_what_cannot_be_gone_without_ends_its_thread_once(monkeypatch, error, why):
    breaks(monkeypatch, "unjudged", error)
    thread = started_open(provider="scripted", script=open_script(SILENT), exchanges=1).threads.get()

    asyncio.run(conductor.play_thread(thread_id=thread.pk, debate_id=thread.debate_id))

    thread.refresh_from_db()
    assert (thread.status, thread.ended_because) == ("partial", "judge_failed")
    assert Call.objects.filter(purpose="evaluate").count() == 1
    assert Alert.objects.get().evidence["why"] == f"The lack of an answer could not be written down: {why}."


def test_a_fault_of_ours_in_writing_an_answer_down_is_asked_about_once(monkeypatch):
    breaks(monkeypatch, "evaluated", TypeError("marks"))

    debate = played_open(provider="scripted", script=open_script(), exchanges=1)

    calls = Call.objects.filter(purpose="evaluate").values_list("outcome", "problem")
    assert debate.status == "concluded"
    assert list(calls) == [("failed", "The answer could not be written down: TypeError.")] * 2


def test_an_answer_is_asked_for_once_although_somebody_holds_its_thread_for_longer_than_the_database_waits(monkeypatch):
    debate, write = playing.debate(ONE, rounds=1), engine_play.record
    thread, refused, asked = debate.threads.get(), [], []
    complete = provider("scripted").complete
    other = psycopg.connect(**reader.connection_parameters())

    def hold_the_first(**step):
        with connection.cursor() as cursor:
            if not refused:
                other.execute("SELECT 1 FROM debates_thread WHERE id = %s FOR UPDATE", [thread.pk])
                cursor.execute("SET lock_timeout = '50ms'")
            try:
                return write(**step)
            except OperationalError as error:
                refused.append(error.__cause__.sqlstate)
                other.rollback()
                raise
            finally:
                cursor.execute("RESET lock_timeout")

    async def count(request):
        asked.append(request)
        return await complete(request)

    monkeypatch.setattr(provider("scripted"), "complete", count)
    monkeypatch.setattr(engine_play, "record", hold_the_first)
    monkeypatch.setattr(attempt, "WRITE_AGAIN_AFTER", (0, 0))
    with other:
        asyncio.run(conductor.play_thread(thread_id=thread.pk, debate_id=debate.pk))

    thread.refresh_from_db()
    assert (refused, thread.status) == (["55P03"], "complete")
    assert len(asked) == Call.objects.count()


def ended_for_its_pause():
    error = InternalError("terminating connection due to idle-in-transaction timeout")
    error.__cause__ = psycopg.errors.IdleInTransactionSessionTimeout()
    return error


@pytest.mark.parametrize("error", [OperationalError("the connection is closed"), ended_for_its_pause()])
def test_a_database_that_does_not_answer_ends_no_thread(monkeypatch, error):
    breaks(monkeypatch, "unjudged", error)
    thread = started_open(provider="scripted", script=open_script(SILENT), exchanges=1).threads.get()

    with pytest.raises(OperationalError):
        asyncio.run(conductor.play_thread(thread_id=thread.pk, debate_id=thread.debate_id))

    thread.refresh_from_db()
    assert thread.status == "playing"
