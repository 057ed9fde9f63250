"""Jobs of a worker: what can never be written down is given up visibly, what is lost is asked for again; all ends."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import connection, transaction
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob
from procrastinate.jobs import Job

from debates import event_log
from debates.models import Debate, Event
from debates.types import News
from judging.engine import assessment, conclusion, conductor, lifecycle, play, queue, selectors, tasks
from judging.errors import Stuck, Superseded
from judging.formats.panel.play import PanelPlay
from judging.formats.spec import Limits
from judging.models import Call
from scoring.models import Alert
from tests import playing
from tests.judging.formats.open import people
from tests.judging.formats.open.playing import started as started_open
from tests.judging.formats.panel import play as panel_play
from tests.playing import ruling, script

pytestmark = pytest.mark.django_db(transaction=True)
ONE = script([[ruling("1")]])
ASSESS = {"purpose": "assess", "answer": {"score": "6", "confidence": "0.5", "reasoning": "So."}}
ENDED = "NEW.status IN ('complete', 'partial', 'failed')"


def sql(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


@contextmanager
def refusing(table: str, *, on: str = "INSERT", when: str = "true") -> Iterator[None]:
    """Have a table take nothing of a kind any more, by a trigger called ``nothing_more``."""
    sql(
        f"CREATE TRIGGER aa_refusing BEFORE {on} ON {table} FOR EACH ROW WHEN ({when})"
        " EXECUTE FUNCTION moot_refuse('nothing_more')"
    )
    try:
        yield
    finally:
        sql(f"DROP TRIGGER aa_refusing ON {table}")


def whys() -> list[str]:
    return sorted(Alert.objects.filter(code="judge_failed").values_list("evidence__why", flat=True))


def played_once(debate) -> None:
    """Play the only thread of a debate as its job would."""
    asyncio.run(conductor.play_thread(thread_id=debate.threads.get().pk, debate_id=debate.pk))


# -- in the conductor ------------------------------------------------------------------------------------------------


def test_a_thread_whose_end_cannot_be_written_down_ends_without_it():
    debate = playing.debate(ONE, rounds=1)

    with refusing("scoring_scorechange"):
        playing.work()

    debate.refresh_from_db()
    thread = debate.threads.get()
    assert (thread.status, thread.ended_because) == ("failed", "not_recorded")
    assert (debate.status, debate.partial_reason) == ("concluded", "not_recorded")
    assert whys() == ["The answer could not be written down: nothing_more."]
    assert Call.objects.filter(purpose="judge").count() == 1


@pytest.mark.parametrize("limits", [Limits(), Limits(calls=90)], ids=["without a limit", "with a limit"])
def test_a_thread_that_cannot_be_claimed_ends(limits):
    debate = playing.debate(ONE, rounds=1, limits=limits)

    with refusing("debates_round"):
        played_once(debate)

    thread = debate.threads.get()
    assert (thread.status, thread.ended_because) == ("failed", "not_recorded")
    assert whys() == ["The claim could not be written down: nothing_more."]
    debate.refresh_from_db()
    assert debate.status == "concluding"


def test_a_thread_that_can_neither_be_claimed_nor_end_stays_with_an_alert():
    debate = playing.debate(ONE, rounds=1)

    with refusing("debates_round"), refusing("debates_thread", on="UPDATE", when=ENDED), pytest.raises(Stuck):
        played_once(debate)

    assert debate.threads.get().status == "pending"
    assert whys() == ["The claim could not be written down: nothing_more."]


def test_a_thread_that_somebody_may_be_playing_is_not_broken_off_for_a_claim_that_is_refused():
    debate = playing.debate(ONE, rounds=1)
    play.claim(thread_id=debate.threads.get().pk, now=timezone.now())

    with refusing("debates_thread", on="UPDATE", when="NEW.fence > 1"), pytest.raises(Stuck):
        played_once(debate)

    assert debate.threads.get().status == "playing"
    assert whys() == ["The claim could not be written down: nothing_more."]


def test_what_waits_for_a_person_is_not_broken_off_for_a_claim_of_before():
    debate = people.waits()
    thread = debate.threads.get()

    play.break_off_unclaimed(debate_id=debate.pk, thread_id=thread.pk, problem="So.", now=timezone.now())

    assert (debate.threads.get().status, whys()) == ("awaiting_turn", [])


@pytest.mark.parametrize("work", ["play_thread", "prepare", "conclude"])
def test_a_job_that_breaks_before_anything_is_asked_is_given_up_with_an_alert(monkeypatch, work):
    debate = playing.debate(ONE, rounds=1)
    where = {"thread_id": debate.threads.get().pk} if work == "play_thread" else {}
    monkeypatch.setattr(selectors, "brief", lambda debate_id: {}["nobody"])
    monkeypatch.setattr(assessment, "to_assess", lambda **_: ())

    with pytest.raises(Stuck):
        asyncio.run(getattr(tasks, work)(debate_id=debate.pk, **where))

    assert whys() == ["The next step could not be written down: KeyError."]


def test_a_call_that_cannot_be_begun_ends_its_thread():
    debate = playing.debate(ONE, rounds=1, limits=Limits(calls=90))

    with refusing("judging_callunderway"):
        played_once(debate)

    assert debate.threads.get().ended_because == "judge_failed"
    assert whys() == ["The question could not be written down: nothing_more."]


def test_a_wait_that_cannot_be_written_down_ends_its_thread():
    with refusing("debates_awaitedturn"):
        debate = people.waits()

    thread = debate.threads.get()
    assert (debate.status, thread.ended_because) == ("concluded", "not_recorded")
    assert whys() == ["The wait for a turn could not be written down: nothing_more."]


def test_a_call_that_cannot_be_written_down_is_not_made_again():
    debate = playing.debate(ONE, rounds=1)

    with refusing("judging_call"):
        played_once(debate)

    thread = debate.threads.get()
    assert (thread.status, thread.ended_because) == ("failed", "judge_failed")
    assert whys() == ["The call could not be written down: nothing_more."]
    debate.refresh_from_db()
    assert debate.status == "concluding"


@pytest.mark.parametrize("silent", [False, True], ids=["with an alert", "with nothing but the log"])
def test_a_thread_that_cannot_even_be_ended_is_not_tried_again_at_once(silent):
    debate = playing.debate(ONE, rounds=1)

    with refusing("judging_call"), refusing("debates_thread", on="UPDATE", when=ENDED):
        if silent:
            with refusing("scoring_alert"), pytest.raises(Stuck):
                played_once(debate)
        else:
            with pytest.raises(Stuck):
                played_once(debate)

    assert debate.threads.get().status == "playing"
    assert whys() == ([] if silent else ["The call could not be written down: nothing_more."])


def test_a_late_call_that_cannot_be_written_down_hinders_nobody():
    debate = playing.debate(ONE, rounds=1)
    thread, brief = debate.threads.get(), selectors.brief(debate.pk)
    board = play.claim(thread_id=thread.pk, now=timezone.now())
    play.claim(thread_id=thread.pk, now=timezone.now())

    with refusing("judging_call"), pytest.raises(Superseded):
        asyncio.run(conductor.take_step(brief=brief, board=board))


def test_an_assessment_of_which_nothing_can_be_written_down_fails_the_debate():
    debate = playing.debate([ASSESS, *ONE], initial={}, rounds=1)

    with refusing("judging_call"):
        playing.work()

    debate.refresh_from_db()
    assert (debate.status, debate.problem) == ("failed", "No criterion could be assessed.")
    assert whys() == ["The call could not be written down: nothing_more."]


def test_a_debate_whose_start_cannot_be_written_down_is_left_with_an_alert():
    debate = playing.debate([ASSESS, *ONE], initial={}, rounds=1)

    with refusing("scoring_evaluation"):
        playing.work()

    debate.refresh_from_db()
    assert debate.status == "scheduled"
    assert whys() == ["The start could not be written down: nothing_more."]
    assert Call.objects.filter(purpose="assess").count() == 1


def test_a_synthesis_of_which_nothing_can_be_written_down_is_asked_for_once():
    debate = playing.debate(ONE, rounds=1)
    played_once(debate)

    with refusing("judging_call"):
        playing.work()

    debate.refresh_from_db()
    why = "The lack of a synthesis could not be written down: nothing_more."
    assert (debate.status, debate.problem) == ("failed", f"The synthesis failed: {why}")
    assert whys() == [why]


def test_a_debate_whose_budget_is_spent_and_that_cannot_be_concluded_fails():
    debate = playing.debate(ONE, rounds=1, limits=Limits(calls=3))
    played_once(debate)

    with refusing("debates_debate", on="UPDATE", when="NEW.status = 'concluded'"):
        asyncio.run(conclusion.conclude(debate_id=debate.pk))

    debate.refresh_from_db()
    why = "The question could not be written down: nothing_more."
    assert (debate.status, debate.problem, whys()) == ("failed", f"The synthesis failed: {why}", [why])


def test_a_debate_that_can_neither_be_concluded_nor_fail_stays_with_an_alert():
    debate = playing.debate(ONE, rounds=1)
    played_once(debate)

    with refusing("judging_call"), refusing("debates_debate", on="UPDATE", when="NEW.status = 'failed'"):
        playing.work()

    debate.refresh_from_db()
    assert debate.status == "concluding"
    assert whys() == ["The lack of a synthesis could not be written down: nothing_more."]


def test_a_panel_whose_closing_words_cannot_be_asked_for_fails_and_is_concluded_again(monkeypatch):
    with monkeypatch.context() as broken:
        broken.setattr(PanelPlay, "synthesis", lambda self, **about: about["nobody"])
        debate = panel_play.played(panel_play.alone(*panel_play.AGREEING))

    why = "The question could not be written down: KeyError."
    assert (debate.status, debate.problem) == ("failed", f"The synthesis failed: {why}")
    assert whys() == [why]
    lifecycle.retry_synthesis(debate_id=debate.pk, by=None, now=timezone.now())
    playing.work()
    debate.refresh_from_db()
    assert debate.status == "concluded"


# -- at a deadline ---------------------------------------------------------------------------------------------------


@pytest.fixture
def waiting(monkeypatch):
    """An open debate in which a turn is overdue, and what minds it."""
    debate = people.waits()
    later = people.awaited(debate).deadline + timedelta(seconds=1)
    monkeypatch.setattr(tasks, "timezone", SimpleNamespace(now=lambda: later))
    thread, resting = debate.threads.get(), tasks.Resting()

    def look() -> None:
        asyncio.run(tasks.let_pass(thread_id=thread.pk, debate_id=debate.pk, resting=resting))

    return SimpleNamespace(debate=debate, thread=thread, resting=resting, look=look)


def test_a_forfeit_that_cannot_be_written_down_ends_its_thread(waiting):
    with refusing("debates_turn"):
        waiting.look()

    waiting.thread.refresh_from_db()
    assert waiting.thread.ended_because == "not_recorded"
    assert whys() == ["The forfeit could not be written down: nothing_more."]
    assert waiting.resting.awake([waiting.thread.pk]) == [waiting.thread.pk]


@pytest.mark.parametrize("silent", [False, True], ids=["with an alert", "with nothing but the log"])
def test_who_cannot_even_be_given_up_is_left_alone_for_a_while(waiting, silent):
    with refusing("debates_turn"), refusing("debates_thread", on="UPDATE", when=ENDED):
        if silent:
            with refusing("scoring_alert"):
                waiting.look()
        else:
            waiting.look()

    waiting.thread.refresh_from_db()
    assert waiting.thread.status == "awaiting_turn"
    assert whys() == ([] if silent else ["The forfeit could not be written down: nothing_more."])
    assert waiting.resting.awake([waiting.thread.pk]) == []


def test_a_worker_looks_for_deadlines_and_for_those_who_alone_are_awaited_and_may_not_judge(monkeypatch):
    passed, has_both = {}, asyncio.Event()

    async def let_pass(*, thread_id, debate_id, resting):
        passed[thread_id] = debate_id
        if len(passed) == 2:
            has_both.set()

    async def mind() -> None:
        minding = asyncio.create_task(tasks.mind_deadlines())
        await asyncio.wait_for(has_both.wait(), timeout=30)
        minding.cancel()
        await asyncio.gather(minding, return_exceptions=True)

    for name in ("BETWEEN_LOOKS", "BETWEEN_LOOKS_FOR_BARRED"):
        monkeypatch.setattr(tasks, name, 0)
    looks = SimpleNamespace(overdue=lambda now: {1: 10}, waiting_in_vain=lambda: {2: 20})
    monkeypatch.setattr(tasks, "human_turns", looks)
    monkeypatch.setattr(tasks, "let_pass", let_pass)
    asyncio.run(mind())

    assert passed == {1: 10, 2: 20}


def test_each_rest_is_longer_until_something_else_happens(monkeypatch):
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(tasks, "time", SimpleNamespace(monotonic=lambda: clock.now))
    resting, rests = tasks.Resting(), []
    for _ in range(10):
        rests.append(resting.rest(1))
        assert resting.awake([1, 2]) == [2]
        clock.now += rests[-1]
        assert resting.awake([1, 2]) == [1, 2]

    assert resting.awake([2]) == [2]

    assert rests == [20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600]
    assert resting.rest(1) == 20


# -- in the queue ----------------------------------------------------------------------------------------------------


def test_the_job_of_what_is_stuck_is_given_up_at_once():
    job = Job(id=1, queue="rounds", lock=None, queueing_lock=None, task_name=queue.PLAY_THREAD, attempts=1)

    assert tasks.RetryLater().get_retry_decision(exception=Stuck("So it is."), job=job) is None


def fail_all() -> None:
    """Have every job fail, as a worker writes it down."""
    for status in ("doing", "failed"):
        sql(f"UPDATE procrastinate_jobs SET status = '{status}' WHERE status IN ('todo', 'doing')")


def test_what_a_job_has_failed_for_is_asked_for_again_after_a_rest():
    debate = started_open(exchanges=1)
    fail_all()
    now = timezone.now()

    asked = [queue.ask_again(now=now + timedelta(seconds=one)) for one in (0, 29, 31, 31)]
    fail_all()
    later = timezone.now()
    again = [queue.ask_again(now=later + timedelta(seconds=one)) for one in (31, 59, 61)]

    assert asked == [0, 0, 1, 0]
    assert again == [0, 0, 1]
    assert ProcrastinateJob.objects.filter(args__debate_id=debate.pk).count() == 3


def test_a_rest_is_an_hour_at_most():
    assert [queue.rest_after(one).total_seconds() for one in (1, 2, 3, 7, 8, 1000)] == [30, 60, 120, 1920, 3600, 3600]


def test_a_thread_whose_job_is_lost_is_asked_for_again(settings):
    settings.STALLED_SECONDS, settings.HEARTBEAT_SECONDS = 1.0, 0.3
    debate = playing.debate(ONE, rounds=1)
    ProcrastinateJob.objects.all().delete()

    asyncio.run(asyncio.wait_for(tasks.play_to_the_end(debate_id=debate.pk, tell=lambda event: None), timeout=30))

    assert Debate.objects.get().status == "concluded"


async def silent():
    """End at once, having done nothing."""


async def broken():
    raise ConnectionError("The server is gone.")


@pytest.mark.parametrize(
    ("work", "ends_with"), [(silent, tasks.WorkEnded), (broken, ConnectionError)], ids=["silently", "loudly"]
)
def test_watching_ends_when_the_work_ends(work, ends_with):
    debate = playing.debate(ONE, rounds=1)

    async def watch():
        await tasks._watch(debate_id=debate.pk, tell=lambda event: None, tasks=[asyncio.create_task(work())])

    with pytest.raises(ends_with):
        asyncio.run(asyncio.wait_for(watch(), timeout=20))


def test_every_event_is_passed_on_once_and_in_order():
    debate = playing.debate(ONE, rounds=1)
    seen = []

    asyncio.run(tasks.play_to_the_end(debate_id=debate.pk, tell=lambda event: seen.append(event.seq)))

    assert seen == list(range(1, len(seen) + 1))
    assert Debate.objects.get().status == "concluded"


def test_a_command_that_waits_for_its_debate_leaves_the_others_to_workers_who_know_their_models():
    other = playing.debate(ONE, rounds=1)
    debate = playing.debate(ONE, rounds=1)

    asyncio.run(tasks.play_to_the_end(debate_id=debate.pk, tell=lambda event: None))

    debate.refresh_from_db()
    other.refresh_from_db()
    assert (debate.status, other.status) == ("concluded", "running")
    assert list(ProcrastinateJob.objects.values_list("args__debate_id", "status")) == [(other.pk, "todo")]


def test_every_event_is_passed_on_however_many_there_are_when_the_debate_has_ended():
    debate = playing.debate(ONE, rounds=1)
    playing.work()
    with transaction.atomic():
        many = [News("debate:paused", {})] * (2 * tasks.MOST_NEWS)
        event_log.append(debate_id=debate.pk, news=many, now=timezone.now())
    seen = []

    asyncio.run(tasks._watch(debate_id=debate.pk, tell=lambda event: seen.append(event.seq), tasks=[]))

    assert len(seen) == Event.objects.filter(debate=debate).count() > 2 * tasks.MOST_NEWS
