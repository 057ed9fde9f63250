"""Judgements that are known already are made once, whoever wants them, and only usable ones are kept."""

import asyncio
import io
import threading
from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.db import OperationalError, connections
from django.utils import timezone

from debates.models import Debate
from judging.engine import judgement_cache, locks, selectors
from judging.engine.judgement_cache import Held, Withheld
from judging.formats import prompts
from judging.models import CachedJudgement, Call, ResponseEvaluation
from judging.types import Completion, Permit, Purpose, Request
from tests.judging.formats.open.playing import played
from tests.judging.formats.open.scripts import FAIR, script
from tests.judging.heuristics.adherence.responses import scene

pytestmark = pytest.mark.django_db(transaction=True)
ANSWER = Completion(text='{"so": "it is"}', model="judge-1", tokens_in=10, cost=Decimal("0.5"))


def request(words="Mira is right about the ward.", purpose=Purpose.EVALUATE):
    shown = scene(words)
    prompt, _, _ = prompts.load(purpose)
    messages = prompts.messages(purpose=purpose, material=shown)
    return Request(purpose=purpose, prompt=prompt, messages=messages, schema={}, material=shown)


SOURCE = ["http://here/v1", "judge"]


class Judge:
    """Somebody who counts how often they are asked, and answers as soon as something is so."""

    def __init__(self, *, until=lambda: None, fails=False):
        self.asked, self.until, self.fails, self.called = 0, until, fails, threading.Event()

    async def answer(self):
        self.asked += 1
        self.called.set()
        await asyncio.to_thread(self.until)
        if self.fails:
            raise TimeoutError
        return ANSWER


class Waiting:
    """Who has found that somebody else is making a judgement, and waits for it."""

    def __init__(self, look):
        self.holders, self.changed, self.usual = set(), threading.Condition(), look

    def look(self, *, held, now):
        found = self.usual(held=held, now=now)
        if found is not None and not found.text:
            with self.changed:
                self.holders.add(held.holder)
                self.changed.notify_all()
        return found

    def reached(self, many):
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.holders) >= many, timeout=60)


@pytest.fixture
def waiting(monkeypatch):
    seen = Waiting(judgement_cache.look)
    monkeypatch.setattr(judgement_cache, "look", seen.look)
    return seen


async def wanted(judge, about=None, *, usable=True, again=None):
    completion, held = await judgement_cache.complete(
        request=about or request(), provider="openai", source=lambda: SOURCE, ask=judge.answer, again=again
    )
    await judgement_cache.settle(held=held, completion=completion, usable=usable)
    return completion


def want(judge, about=None, **how):
    return asyncio.run(wanted(judge, about, **how))


def test_the_same_request_is_asked_once_and_costs_nothing_the_second_time():
    judge = Judge()

    first, second = want(judge), want(judge)

    assert judge.asked == 1
    assert (second.text, second.model) == (first.text, first.model)
    assert (first.known, second.known, second.cost) == (False, True, Decimal(0))


def test_two_responses_with_the_same_first_100_characters_get_two_judgements():
    judge, beginning = Judge(), "The same beginning, word for word, for more than a hundred characters in all. " * 2

    want(judge, request(beginning + "Yes."))
    want(judge, request(beginning + "No."))

    assert judge.asked == 2


def test_the_same_request_from_four_workers_at_once_makes_one_call(waiting):
    judge, told = Judge(until=lambda: waiting.reached(3)), []

    def work():
        told.append(want(judge))
        connections.close_all()

    workers = [threading.Thread(target=work) for _ in range(4)]
    for one in workers:
        one.start()
    for one in workers:
        one.join(90)

    assert judge.asked == 1
    assert {one.text for one in told} == {ANSWER.text}
    assert sorted(one.known for one in told) == [False, True, True, True]


def test_an_answer_that_was_of_no_use_is_not_kept():
    judge = Judge()

    want(judge, usable=False)
    want(judge)

    assert judge.asked == 2


@pytest.fixture
def refusing(monkeypatch):
    """A database that lets no judgement be kept or given up, as one whose row somebody holds for too long."""

    def refuse(**_about):
        raise OperationalError("canceling statement due to lock timeout")

    for service in ("keep", "release"):
        monkeypatch.setattr(judgement_cache, service, refuse)


@pytest.mark.usefixtures("refusing")
@pytest.mark.parametrize("usable", [True, False])
def test_an_answer_that_cannot_be_kept_for_others_is_an_answer(usable):
    assert want(Judge(), usable=usable) == ANSWER


@pytest.mark.usefixtures("refusing")
def test_why_a_call_failed_is_said_where_the_judgement_cannot_be_given_up():
    with pytest.raises(TimeoutError):
        want(Judge(fails=True))


def test_a_call_that_failed_leaves_the_judgement_to_the_next():
    judge = Judge(fails=True)
    with pytest.raises(TimeoutError):
        want(judge)

    assert CachedJudgement.objects.count() == 0
    assert want(Judge()).known is False


@pytest.mark.parametrize("permit", [Permit.SPENT, Permit.LEAVE])
def test_who_waited_in_vain_for_another_asks_for_a_permit_and_asks_nobody_without_it(permit, waiting):
    failing, judge, asked_again = Judge(until=lambda: waiting.reached(1), fails=True), Judge(), []

    async def again():
        asked_again.append(permit)
        return permit

    async def both():
        first = asyncio.create_task(wanted(failing, again=again))
        await asyncio.to_thread(failing.called.wait, 60)
        second = asyncio.create_task(wanted(judge, again=again))
        return await asyncio.gather(first, second, return_exceptions=True)

    failed, refused = asyncio.run(both())

    assert isinstance(failed, TimeoutError)
    assert (type(refused), refused.permit) == (Withheld, permit)
    assert (failing.asked, judge.asked, asked_again) == (1, 0, [permit])
    assert CachedJudgement.objects.count() == 0


def test_a_known_answer_that_cannot_be_used_any_more_is_forgotten():
    want(Judge())

    want(unneeded := Judge(), usable=False)
    want(judge := Judge())

    assert (unneeded.asked, judge.asked) == (0, 1)


def test_a_word_that_could_not_be_said_is_said_again(settings):
    settings.HEARTBEAT_SECONDS, said = 0.01, []

    async def say():
        said.append(len(said))
        if len(said) == 1:
            raise ValueError

    async def work():
        async with locks.renewed(say):
            async with asyncio.timeout(60):
                while len(said) < 3:  # noqa: ASYNC110 -- what is counted has no event
                    await asyncio.sleep(0.01)

    asyncio.run(work())

    assert said[:3] == [0, 1, 2]


def test_a_judgement_whose_maker_died_is_taken_over_when_its_lease_has_ended():
    key = judgement_cache.digest(request=request(), provider="openai", source=SOURCE)
    dead, now, lease = Held(key, "dead"), timezone.now(), locks.lease()

    assert judgement_cache.look(held=dead, now=now) is None
    judgement_cache.renew(held=dead, now=now + timedelta(seconds=5))
    waiting = judgement_cache.look(held=Held(key, "next"), now=now + lease + timedelta(seconds=1))
    over = judgement_cache.look(held=Held(key, "next"), now=now + lease + timedelta(seconds=6))

    assert (waiting.text, waiting.known) == ("", True)
    assert over is None
    kept = []
    for held in (dead, Held(key, "next")):
        judgement_cache.keep(held=held, completion=ANSWER)
        kept.append(CachedJudgement.objects.get().answer)
    assert kept == ["", ANSWER.text]


def test_only_judgements_of_fairness_are_kept():
    judge = Judge()

    want(judge, request(purpose=Purpose.RESPOND))
    want(judge, request(purpose=Purpose.RESPOND))

    assert (judge.asked, CachedJudgement.objects.count()) == (2, 0)


def test_what_is_known_can_be_forgotten():
    out = io.StringIO()
    want(Judge())

    call_command("clear_judgements", stdout=out)

    assert out.getvalue() == "Forgot 1 judgements.\n"
    assert want(again := Judge()).known is False
    assert again.asked == 1


@pytest.mark.slow
def test_a_debate_that_was_held_before_is_judged_without_a_call_and_without_budget():
    answers = script({"purpose": "evaluate", "answer": FAIR, "cost": "0.25", "tokens_in": 100})
    first = played(provider="scripted", script=answers, exchanges=2)
    second = played(provider="scripted", script=answers, exchanges=2)

    def calls(debate: Debate):
        return set(Call.objects.filter(debate=debate, purpose="evaluate").values_list("known", "cost"))

    assert calls(first) == {(False, Decimal("0.25"))}
    assert calls(second) == {(True, Decimal(0))}
    assert selectors.spending(debate=second).spent.calls == selectors.spending(debate=first).spent.calls - 4
    assert set(ResponseEvaluation.objects.filter(turn__debate=second).values_list("from_cache", flat=True)) == {True}
    judged = ResponseEvaluation.objects.order_by("id")
    totals = [list(judged.filter(turn__debate=one).values_list("fact__amount", flat=True)) for one in (first, second)]
    assert totals[0] == totals[1]
