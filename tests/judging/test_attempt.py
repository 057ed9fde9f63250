"""The loop that asks: when it asks again and after how long, what it writes down, and why it gives up."""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest
from django.db import DataError, IntegrityError, InternalError, NotSupportedError, OperationalError, ProgrammingError
from procrastinate.exceptions import ConnectorException

from debates.errors import Invalid
from judging.engine import attempt, judgement_cache
from judging.engine.attempt import Outdated, Question, Unanswered, outcome_of
from judging.engine.db_threads import NotConnected
from judging.engine.judgement_cache import Withheld
from judging.errors import AnswerRejected, ProviderError, Stuck, Superseded
from judging.formats.state import Voice
from judging.types import Completion, Ending, Material, Permit, Prompt, Purpose, Request

ARBITER = Voice(id=1, role="arbiter", name="Arbiter", provider="in-memory", model="")
BUSY = ProviderError("busy", permanent=False, retry_after=0.001)
WRONG_KEY = ProviderError("wrong key", permanent=True)
LOST = "The call could not be written down: Invalid."


@pytest.mark.parametrize(
    ("failure", "attempt", "pause"),
    [
        pytest.param(None, 1, 0.0, id="none"),
        pytest.param(AnswerRejected("no number"), 1, 0.0, id="of no use"),
        pytest.param(ProviderError("busy", permanent=False), 1, 0.5, id="first"),
        pytest.param(ProviderError("busy", permanent=False), 3, 2.0, id="third"),
        pytest.param(ProviderError("busy", permanent=False), 20, 60.0, id="grows no further"),
        pytest.param(ProviderError("busy", permanent=False, retry_after=300), 1, 300, id="as told"),
        pytest.param(ProviderError("busy", permanent=False, retry_after=900), 1, 900, id="as long as may be told"),
        pytest.param(ProviderError("busy", permanent=False, retry_after=901), 1, None, id="too long"),
        pytest.param(ProviderError("wrong key", permanent=True, retry_after=5), 1, None, id="for good"),
    ],
)
def test_a_provider_is_asked_again_when_it_said_or_later_each_time(failure, attempt, pause):
    assert outcome_of(failure, attempt=attempt)[2] == pause


@dataclass
class Notebook:
    """An asker that writes down in memory; an error among ``recordings`` is raised when it is about to be written."""

    recordings: list = field(default_factory=list)
    refuses_after: int = 99
    lost = "call"
    written: list = field(default_factory=list)
    asked: list = field(default_factory=list)
    problems: list = field(default_factory=list)
    permit: Callable[[], Permit] = lambda: Permit.ASK

    def begin(self, *, attempt, now):
        if attempt > self.refuses_after:
            raise Withheld(Permit.SPENT)
        request = Request(
            purpose=Purpose.SUM_UP,
            prompt=Prompt("sum_up", 1, ""),
            messages=(),
            schema={},
            material=Material("", ""),
            attempt=attempt,
        )
        return Question(request, ARBITER, read=self.read, permit=self.permit)

    def read(self, text):
        if text == "mute":
            raise AnswerRejected("There is nothing in it.")
        return text

    def record(self, *, answered, answer, now):
        self.write("used", answered)
        return f"{answer}, written down"

    def record_failure(self, *, answered, last, now):
        self.write(f"{answered.outcome}{', last' if last else ''}", answered)

    def write(self, what, answered):
        error = self.recordings.pop(0) if self.recordings else None
        if error is not None:
            raise error
        self.written.append((answered.request.attempt, what))
        self.problems.append(answered.problem)


def here(function):
    """What waits for no thread, because it needs no connection."""

    async def at_once(*args, **named):
        return function(*args, **named)

    return at_once


def ask(monkeypatch, asker, *answers, room=None):
    """Ask somebody who gives these answers, one after the other, or fails; one that can be called has it happen."""
    left = list(answers)

    async def complete(request):
        answer = left.pop(0)
        asker.asked.append((request.again, request.longer))
        if callable(answer):
            answer = await answer()
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, Completion) else Completion(text=answer, model="here")

    anywhere = contextlib.AsyncExitStack()
    somebody = SimpleNamespace(
        room=lambda request: room or anywhere, deadline=lambda request: 60, complete=complete, advice="Ask another."
    )
    monkeypatch.setattr(attempt, "provider", lambda name: somebody)
    monkeypatch.setattr(attempt, "in_thread", here)
    return asyncio.run(attempt.ask(asker))


@pytest.mark.parametrize(
    ("answers", "outcome", "written"),
    [
        pytest.param(["yes"], "yes, written down", [(1, "used")], id="at once"),
        pytest.param(
            ["mute", BUSY, "yes"], "yes, written down", [(1, "rejected"), (2, "failed"), (3, "used")], id="at last"
        ),
        pytest.param(
            ["mute", "mute", BUSY], Unanswered(problem="busy"), [(1, "rejected"), (2, "rejected"), (3, "failed, last")],
            id="never",
        ),
        pytest.param([WRONG_KEY], Unanswered(problem="wrong key"), [(1, "failed, last")], id="for good"),
    ],
)  # fmt: skip
def test_every_call_is_written_down_until_one_is_used_or_the_attempts_are(
    monkeypatch, settings, answers, outcome, written
):
    settings.PROVIDER_RETRIES = 2
    asker = Notebook()

    assert ask(monkeypatch, asker, *answers) == outcome

    assert asker.written == written


@pytest.mark.parametrize(
    ("recordings", "outcome", "written"),
    [
        pytest.param(
            [Invalid("No.")], Unanswered(problem="The answer could not be written down: Invalid."),
            [(1, "failed, last")], id="the answer",
        ),
        pytest.param([Invalid("No.")] * 2, Unanswered(problem=LOST, recorded=False), [], id="nothing"),
        pytest.param([Outdated()], "two, written down", [(2, "used")], id="about what is no more"),
        pytest.param([Outdated()] * 3, Unanswered(Permit.LEAVE), [], id="about what is no more each time"),
    ],
)  # fmt: skip
def test_what_cannot_be_written_down_is_not_asked_for_again_unless_it_has_changed(
    monkeypatch, settings, recordings, outcome, written
):
    settings.PROVIDER_RETRIES = 2
    asker = Notebook(recordings=list(recordings))

    assert ask(monkeypatch, asker, "one", "two", "three") == outcome

    assert asker.written == written


def busy_database(state):
    error = OperationalError()
    error.__cause__ = type("FromTheServer", (Exception,), {"sqlstate": state})()
    return error


@pytest.mark.parametrize(
    ("answer", "written"),
    [pytest.param("yes", "used", id="used"), pytest.param("mute", "rejected, last", id="refused")],
)
def test_what_was_answered_is_written_down_a_little_later_where_the_database_would_not_wait(
    monkeypatch, settings, answer, written
):
    settings.PROVIDER_RETRIES = 0
    monkeypatch.setattr(attempt, "WRITE_AGAIN_AFTER", (0, 0))
    asker = Notebook(recordings=[busy_database("55P03"), NotConnected("connection refused")])

    ask(monkeypatch, asker, answer)

    assert (len(asker.asked), asker.written) == (1, [(1, written)])


@pytest.mark.parametrize(
    ("errors", "raised", "left"),
    [
        pytest.param([busy_database("55P03")] * 4, Stuck, 1, id="it never waits long enough"),
        pytest.param([busy_database("53100")] * 4, Stuck, 1, id="its disk is full"),
        pytest.param([OSError("too many open files")] * 2, Stuck, 1, id="this machine is at its end"),
        pytest.param([ConnectorException()] * 2, Stuck, 1, id="no job can be asked for"),
        pytest.param([NotConnected()] * 4, NotConnected, 1, id="it is not there"),
        pytest.param([busy_database("57P01")] * 2, OperationalError, 1, id="it may be written already"),
    ],
)
@pytest.mark.parametrize("answer", ["yes", "mute"])
def test_what_cannot_be_written_down_for_now_is_left_to_a_later_job(monkeypatch, answer, errors, raised, left):
    monkeypatch.setattr(attempt, "WRITE_AGAIN_AFTER", (0, 0))
    asker = Notebook(recordings=list(errors))

    with pytest.raises(raised):
        ask(monkeypatch, asker, answer)

    assert (len(asker.asked), len(asker.recordings), asker.written) == (1, left, [])


@pytest.mark.parametrize("error", [ProgrammingError, InternalError, NotSupportedError, RecursionError, ImportError])
def test_whatever_will_never_be_over_soon_is_recorded_as_a_failed_call_and_not_asked_for_again(monkeypatch, error):
    asker = Notebook(recordings=[error()])

    outcome = ask(monkeypatch, asker, "yes")

    assert outcome == Unanswered(problem=f"The answer could not be written down: {error.__name__}.")
    assert asker.written == [(1, "failed, last")]


UNWRITABLE = [DataError, IntegrityError, InternalError, NotSupportedError, ProgrammingError, Invalid, KeyError]


def fails(error):
    def raising(**_):
        raise error("So.")

    return raising


@pytest.mark.parametrize("error", UNWRITABLE)
def test_what_cannot_be_begun_is_not_asked(monkeypatch, error):
    asker = Notebook()
    asker.begin = fails(error)

    outcome = ask(monkeypatch, asker, "yes")

    problem = f"The question could not be written down: {error.__name__}."
    assert (outcome, asker.asked) == (Unanswered(problem=problem, recorded=False), [])


@pytest.mark.parametrize("error", UNWRITABLE)
def test_what_cannot_be_permitted_anew_after_a_wait_is_not_asked(monkeypatch, error):
    monkeypatch.setattr(attempt, "PERMIT_LASTS", -1)
    asker = Notebook(permit=fails(error))

    outcome = ask(monkeypatch, asker, "yes")

    problem = f"The question could not be written down: {error.__name__}."
    assert (outcome, asker.asked) == (Unanswered(problem=problem, recorded=False), [])


@pytest.mark.parametrize("error", UNWRITABLE)
def test_what_cannot_be_looked_up_before_it_is_asked_is_not_asked(monkeypatch, error):
    monkeypatch.setattr(judgement_cache, "complete", fails(error))
    asker = Notebook()

    outcome = ask(monkeypatch, asker, "yes")

    problem = f"The question could not be written down: {error.__name__}."
    assert (outcome, asker.asked) == (Unanswered(problem=problem, recorded=False), [])


async def cancelled():
    for job in asyncio.all_tasks() - {asyncio.current_task()}:
        job.cancel()
    await asyncio.Event().wait()


@pytest.mark.parametrize("retries", [0, 2])
def test_a_call_that_is_cut_short_with_its_job_is_written_down_and_is_not_the_last(monkeypatch, settings, retries):
    settings.PROVIDER_RETRIES = retries
    asker = Notebook()

    with pytest.raises(asyncio.CancelledError):
        ask(monkeypatch, asker, cancelled)

    assert asker.written == [(1, "failed")]
    assert asker.problems == ["The worker was stopped before the answer came."]


@pytest.mark.parametrize(
    ("answer", "during", "written"),
    [("yes", "settle", "used"), ("yes", "write", "used"), ("mute", "write", "rejected, last")],
)
def test_an_answer_that_is_there_is_written_down_although_its_job_is_cancelled(
    monkeypatch, settings, answer, during, written
):
    settings.PROVIDER_RETRIES = 0
    monkeypatch.setattr(attempt, "WRITE_AGAIN_AFTER", (0.01,))
    asker = Notebook(recordings=[busy_database("55P03")])
    jobs = []

    def read(text, usual=asker.read):
        jobs.append(asyncio.current_task())
        return usual(text)

    async def settle(**_):
        if during == "settle":
            jobs[0].cancel()
            await asyncio.sleep(0)

    def cancel_and_write(what, answered, write=asker.write):
        if during == "write":
            jobs[0].cancel()
        write(what, answered)

    monkeypatch.setattr(attempt.judgement_cache, "settle", settle)
    asker.read, asker.write = read, cancel_and_write

    ask(monkeypatch, asker, answer)

    assert asker.written == [(1, written)]


@pytest.fixture
def stop(monkeypatch):
    """What a worker that was asked to stop tells those who ask for it."""
    stopping = asyncio.Event()
    monkeypatch.setattr(attempt, "STOPPING", SimpleNamespace(get=lambda: stopping))
    return stopping


@pytest.mark.parametrize(
    ("retries", "ends", "written"),
    [
        pytest.param(2, pytest.raises(asyncio.CancelledError), [(1, "rejected")], id="with attempts left"),
        pytest.param(0, contextlib.nullcontext(), [(1, "rejected, last")], id="at the last attempt"),
    ],
)
def test_whoever_is_asked_to_stop_writes_down_what_comes_and_asks_no_more(
    monkeypatch, settings, stop, retries, ends, written
):
    settings.PROVIDER_RETRIES = retries
    asker = Notebook()

    async def asked_to_stop():
        stop.set()
        return "mute"

    with ends:
        ask(monkeypatch, asker, asked_to_stop, "yes")

    assert (len(asker.asked), asker.written) == (1, written)


def test_whoever_is_asked_to_stop_while_there_is_no_room_asks_nothing(monkeypatch, stop):
    asker = Notebook()

    @contextlib.asynccontextmanager
    async def room_at_last():
        stop.set()
        yield

    with pytest.raises(asyncio.CancelledError):
        ask(monkeypatch, asker, "yes", room=room_at_last())

    assert (asker.asked, asker.written) == ([], [])


def test_nobody_is_asked_without_a_permit(monkeypatch):
    asker = Notebook(refuses_after=1)

    assert ask(monkeypatch, asker, "mute") == Unanswered(Permit.SPENT)

    assert asker.written == [(1, "rejected")]


def test_a_failure_that_leaves_no_permit_ends_the_asking(monkeypatch):
    asker = Notebook(recordings=[Withheld(Permit.LEAVE)])

    assert ask(monkeypatch, asker, "mute") == Unanswered(Permit.LEAVE)


def test_whoever_was_superseded_asks_no_more(monkeypatch):
    with pytest.raises(Superseded):
        ask(monkeypatch, Notebook(recordings=[Superseded()]), "yes")


CUT = Completion(text="mute", model="here", tokens_out=1_200, ending=Ending.CUT_OFF)


def test_who_is_asked_again_is_told_what_was_wrong_with_the_last_answer(monkeypatch, settings):
    settings.PROVIDER_RETRIES = 2
    asker = Notebook()

    ask(monkeypatch, asker, "mute", BUSY, "yes")

    told = [again for again, _ in asker.asked]
    assert told[0] == ""
    assert "\u27e6There is nothing in it.\u27e7" in told[1]
    assert "Ask another." not in told[1]
    assert told[2] == told[1]
    assert asker.problems == ["There is nothing in it. Ask another.", "busy", ""]


def test_after_a_cut_off_there_is_more_room_each_time(monkeypatch, settings):
    settings.PROVIDER_RETRIES = 3
    asker = Notebook()

    ask(monkeypatch, asker, CUT, CUT, "mute", "yes")

    assert [longer for _, longer in asker.asked] == [1, 2, 4, 4]
    assert asker.problems[0].startswith("The answer was cut off after 1200 tokens, before it was whole. ")


@pytest.mark.parametrize(
    ("ending", "text", "problem"),
    [
        (Ending.WHOLE, "mute", "There is nothing in it. Ask another."),
        (Ending.REFUSED, "mute", "The model refused to answer: 'mute'. Ask another model, or"),
        (Ending.FILTERED, "mute", "A filter of the endpoint stopped the answer. Ask another model, or"),
        (Ending.CUT_OFF, "yes", ""),
    ],
)
def test_a_refusal_a_filter_and_a_cut_off_are_told_apart_from_a_wrong_shape(
    monkeypatch, settings, ending, text, problem
):
    settings.PROVIDER_RETRIES = 0
    asker = Notebook()

    ask(monkeypatch, asker, Completion(text=text, model="here", ending=ending))

    assert asker.problems[0].startswith(problem)
