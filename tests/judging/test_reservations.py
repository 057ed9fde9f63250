"""What threads set aside of a budget: it is theirs until they have used it, and never more than they still need."""

import asyncio
from decimal import Decimal

import pytest
from django.utils import timezone

from debates.models import Debate, Thread
from judging.engine import assessment as engine_assessment
from judging.engine import attempt, calls, conclusion, conductor, lifecycle, locks, play, selectors
from judging.engine.calls import CallResult
from judging.formats.open.spec import Judging
from judging.formats.registry import format_of
from judging.formats.spec import Limits
from judging.models import Call, Claim, Verdict
from judging.rules.adherence import Accountability
from judging.types import Completion, EffectSource, Outcome, Permit, Purpose
from tests import playing
from tests.judging import arbiter_seats
from tests.judging.delayed_answer import asks, meanwhile
from tests.judging.formats.open.playing import played as played_open
from tests.judging.formats.open.scripts import script as open_script
from tests.judging.formats.panel.play import alone, played
from tests.judging.formats.responses.batches import judged, lines, marks
from tests.playing import ruling, script

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
ASSESS = {"purpose": "assess", "answer": {"score": "6", "confidence": "0.5", "reasoning": "So."}}
ONE = script([[ruling("1")]])


def assessment(brief, key):
    """An assessment as it comes back from a provider."""
    ask, request = format_of(brief.format).assessment(brief=brief, keys=[key], attempt=1)
    said = Completion(text='{"score": "6", "confidence": "0.5", "reasoning": "So."}', model="scripted")
    return CallResult(
        request=request,
        provider="scripted",
        participant_id=brief.voice(ask).id,
        milliseconds=1,
        outcome=Outcome.USED,
        completion=said,
    )


def test_an_assessment_that_comes_late_takes_nothing_from_the_round_that_is_played():
    debate = playing.debate([ASSESS, *ONE], initial={}, limits=Limits(calls=9), rounds=1)
    brief, [waiting] = selectors.brief(debate.pk), engine_assessment.to_assess(debate_id=debate.pk)
    engine_assessment.permit(brief=brief, waiting=waiting, purpose=Purpose.ASSESS, now=timezone.now())
    asyncio.run(engine_assessment.prepare(debate_id=debate.pk))
    play.claim(thread_id=waiting.thread_id, now=timezone.now())

    engine_assessment.record(brief=brief, waiting=waiting, answered=assessment(brief, "P1"), now=timezone.now())

    assert Claim.objects.get().reserved_calls == 3


def test_a_thread_that_does_not_begin_holds_nothing_back_from_the_others():
    debate = playing.debate([ASSESS], criteria=["P1", "P2"], initial={}, limits=Limits(calls=9))
    brief = selectors.brief(debate.pk)
    for waiting in engine_assessment.to_assess(debate_id=debate.pk):
        engine_assessment.permit(brief=brief, waiting=waiting, purpose=Purpose.ASSESS, now=timezone.now())
    first = engine_assessment.to_assess(debate_id=debate.pk)[0]
    engine_assessment.record(brief=brief, waiting=first, answered=assessment(brief, "P1"), now=timezone.now())
    lost = [engine_assessment.Unassessed("P2", lifecycle.NOT_ASSESSED, "It broke.")]

    engine_assessment.begin(brief=brief, problems=lost, now=timezone.now())

    assert Thread.objects.get(key="P2").status == "failed"
    assert sum(Claim.objects.values_list("reserved_calls", flat=True)) == 0


@pytest.mark.parametrize(
    "said",
    [
        pytest.param({"cost": "600000"}, id="twice that is more money than a column holds"),
        pytest.param({"tokens_in": 2 * 10**9, "tokens_out": 2 * 10**9}, id="more tokens than a column holds"),
    ],
)
def test_a_debate_with_a_limit_of_calls_goes_on_whatever_a_call_costs(said):
    debate = playing.debate([{**answer, **said} for answer in ONE], rounds=1, limits=Limits(calls=90))
    thread = debate.threads.get()

    asyncio.run(conductor.play_thread(thread_id=thread.pk, debate_id=debate.pk))

    thread.refresh_from_db()
    assert (thread.status, list(Call.objects.values_list("outcome", flat=True))) == ("complete", ["used"] * 3)


def test_a_judge_who_is_asked_again_needs_one_call_and_not_those_of_judges_who_have_answered():
    busy = {"thread": "Judge 3", "round": 0, "attempt": 1, "error": "busy"}
    slow = [{**one, "seconds": 0.3 if one["thread"] == "Judge 3" else 0} for one in alone(*[("4", "4")] * 3)]
    answers = [{**busy, "seconds": 0.3}, *slow]

    judged = played(answers, limits=Limits(calls=4))

    assert Call.objects.filter(debate=judged, purpose="analyse").count() == 4
    assert Thread.objects.get(debate=judged).ended_because == "consensus"
    assert Debate.objects.get(pk=judged.pk).partial_reason == "budget_spent"  # of which the report is short


@pytest.mark.parametrize("dear", [1, 2, 3])
def test_all_who_were_asked_at_once_are_heard_whoever_of_them_spends_the_budget(dear):
    answers = [
        {**answer, "tokens_out": 900 if number == dear else 100, "seconds": 1 + 0.2 * number}
        for number, answer in enumerate(alone(*[("4", "4")] * 3), start=1)
    ]

    judged = played(answers, limits=Limits(tokens=1000))

    assert list(Call.objects.filter(debate=judged).values_list("outcome", flat=True)) == ["used"] * 3
    assert Thread.objects.get(debate=judged).ended_because == "consensus"


def test_responses_that_are_judged_when_another_spends_the_budget_are_judged_and_no_further_one_is_asked_for():
    answers = [
        {"thread": f"r-{number}", "answer": marks("20", "20", "20", "20"), "tokens_out": 1000 if number == 1 else 10,
         "seconds": 1 + 0.1 * number}
        for number in range(1, 7)
    ]  # fmt: skip

    batch = judged(lines(6), provider="scripted", script=answers, judge_concurrency=4, limits=Limits(tokens=1000))

    outcomes = Call.objects.filter(debate=batch).order_by("about").values_list("about", "outcome")
    assert list(outcomes) == [(str(number), "used") for number in range(1, 5)]
    assert batch.partial_reason == "budget_spent"


@pytest.mark.parametrize("busy_after", [0.2, 0.6])
def test_a_judge_is_asked_again_where_the_others_leave_room_for_it_whoever_answers_first(busy_after):
    busy = {"thread": "Judge 1", "round": 0, "attempt": 1, "error": "busy", "seconds": busy_after}
    waits, tokens = {"Judge 1": 0, "Judge 2": 0.1, "Judge 3": 0.5}, {"Judge 1": 400, "Judge 2": 400, "Judge 3": 100}
    answers = [
        {**answer, "tokens_out": tokens[answer["thread"]], "seconds": waits[answer["thread"]]}
        for answer in alone(*[("4", "4")] * 3)
    ]

    judged = played([busy, *answers], limits=Limits(tokens=1000))

    assert Call.objects.filter(debate=judged, purpose="analyse", outcome="used").count() == 3
    assert Thread.objects.get(debate=judged).ended_because == "consensus"


def test_a_round_of_which_nothing_came_ends_once_nobody_may_be_asked_again():
    busy = [{"thread": f"Judge {judge}", "round": 0, "error": "busy"} for judge in (1, 2, 3)]

    judged = played(busy, limits=Limits(calls=3))

    assert list(Call.objects.filter(debate=judged).values_list("outcome", flat=True)) == ["failed"] * 3
    assert Thread.objects.get(debate=judged).ended_because == "budget_spent"


def test_calls_as_dear_as_those_before_them_never_pass_a_limit_within_a_round():
    dear = [{**answer, "cost": "0.05", "seconds": 0.2} for answer in ONE]
    debate = playing.debate(dear, criteria=["P1", "P2", "P3"], rounds=1, limits=Limits(money=Decimal("0.20")))

    playing.work()

    debate.refresh_from_db()
    assert sum(Call.objects.values_list("cost", flat=True)) <= Decimal("0.20")
    assert (debate.status, debate.partial_reason) == ("concluded", "budget_spent")


@pytest.mark.parametrize("speaker", ["Mira", "Konrad"])
def test_no_judge_is_asked_about_a_response_that_spent_the_budget(speaker):
    dear = {"purpose": "respond", "thread": speaker, "cost": "0.10", "answer": {"text": "It is safe.", "quotes": []}}

    debate = played_open(provider="scripted", script=open_script(dear), limits=Limits(money=Decimal("0.10")))

    last = Call.objects.filter(debate=debate).order_by("id").last()
    assert (last.purpose, last.cost) == ("respond", Decimal("0.10"))
    assert debate.partial_reason == "budget_spent"


def test_openings_that_spend_the_budget_exactly_are_closed_with_where_everybody_stands():
    debate = played_open(provider="scripted", script=open_script(), limits=Limits(calls=3))

    assert Call.objects.filter(debate=debate).count() == 3
    assert Thread.objects.get(debate=debate).rounds_played == 1
    assert debate.partial_reason == "budget_spent"


def test_a_ruling_of_a_person_counts_where_the_calls_before_it_have_spent_the_budget():
    debate = arbiter_seats.waits(rounds=arbiter_seats.ROUNDS[:1], limits=Limits(calls=2))
    ada = arbiter_seats.sit(debate)

    arbiter_seats.rule(debate, ada, arbiter_seats.ROUNDS[0])
    playing.work()

    thread = Thread.objects.get(debate=debate)
    assert (thread.rounds_played, thread.ended_because) == (1, "all_rounds_played")
    assert Verdict.objects.filter(round__thread=thread).count() == len(arbiter_seats.ROUNDS[0])
    assert Debate.objects.get(pk=debate.pk).partial_reason == "budget_spent"  # of which the synthesis is short


def test_a_round_in_which_nothing_is_pressed_needs_no_further_call():
    dear = {"purpose": "press", "round": 2, "cost": "0.10", "answer": {"presses": []}}
    debate = playing.debate([dear, *script([[ruling("1")]])], rounds=2, limits=Limits(money=Decimal("0.10")))

    playing.work()

    assert Thread.objects.get(debate=debate).rounds_played == 2


@pytest.mark.parametrize(
    ("options", "calls"),
    [
        ({"judging": Judging.QUICK, "effects": EffectSource.WORDS}, 1 + 2 * 2),
        ({"judging": Judging.QUICK, "persuasion": False}, 1 + 2 * 2),
        ({"interjections": False}, 1 + 2 * 3),
        ({"accountability": Accountability.RELAXED}, 1 + 2 * 3),
    ],
)
def test_an_exchange_sets_aside_only_what_the_options_of_its_debate_may_ask(options, calls):
    debate = played_open(provider="scripted", script=open_script(), exchanges=1, limits=Limits(calls=calls), **options)

    assert Thread.objects.get(debate=debate).rounds_played == 2
    assert Call.objects.filter(debate=debate).count() == calls


def test_an_assessment_that_stood_in_a_queue_is_not_asked_for_once_its_debate_is_paused(settings, monkeypatch):
    settings.ROUNDS_AT_ONCE = 3
    debate = playing.debate([ASSESS, *ONE], criteria=["P1", "P2"], initial={}, limits=Limits(calls=9))
    narrow = asyncio.Semaphore(1)

    monkeypatch.setattr(attempt.provider("scripted"), "room", lambda _request: narrow)
    monkeypatch.setattr(attempt, "PERMIT_LASTS", -1)  # whatever has waited for room asks again

    meanwhile(
        asks("assess"),
        engine_assessment.prepare(debate_id=debate.pk),
        lambda: lifecycle.pause(debate_id=debate.pk, by=None, now=timezone.now()),
    )

    assert Call.objects.count() == 1
    assert sum(Claim.objects.values_list("reserved_calls", flat=True)) == 0


# -- jobs that are doubled -------------------------------------------------------------------------------------------


def twice(what, **about):
    async def both():
        await asyncio.gather(what(**about), what(**about))

    asyncio.run(both())


def concluding_debate(limits):
    slow = {**playing.SYNTHESIS, "seconds": 0.4}
    debate = playing.debate([slow, *ONE], rounds=1, limits=limits)
    asyncio.run(conductor.play_thread(thread_id=debate.threads.get().pk, debate_id=debate.pk))
    return debate


def test_two_that_conclude_at_once_never_pass_a_limit_on_calls():
    debate = concluding_debate(Limits(calls=4))

    twice(conclusion.conclude, debate_id=debate.pk)

    debate.refresh_from_db()
    assert (debate.status, debate.partial, Call.objects.count()) == ("concluded", False, 4)
    assert Claim.objects.get().reserved_calls == 0


def test_two_that_assess_at_once_never_pass_a_limit_on_calls():
    debate = playing.debate([{**ASSESS, "seconds": 0.4}, *ONE], initial={}, rounds=1, limits=Limits(calls=1))

    twice(engine_assessment.prepare, debate_id=debate.pk)

    playing.work()
    assert Call.objects.count() == 1
    assert Thread.objects.get().ended_because == "budget_spent"  # it has begun, and nothing is left to play with


def test_a_synthesis_is_waited_for_only_as_long_as_somebody_says_that_it_comes():
    debate, start, lease = concluding_debate(Limits(calls=4)), timezone.now(), locks.lease()
    brief = selectors.brief(debate.pk)

    def permit(after):
        return conclusion.permit(brief=brief, now=start + after)

    (first, under_way), (second, _) = permit(0 * lease), permit(0.9 * lease)
    calls.renew_call(under_way=under_way, now=start + 0.9 * lease)
    (third, _), (fourth, _) = permit(1.8 * lease), permit(2 * lease)

    assert [first, second, third, fourth] == [Permit.ASK, Permit.LEAVE, Permit.LEAVE, Permit.ASK]
