"""The conductor: plays one thread until it waits or ends. It holds no transaction while it asks, and keeps no state."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, TypeVar

from django.utils import timezone

from debates.printable import Fields
from judging.engine import attempt, calls, human_turns, play, queue, selectors
from judging.engine.attempt import REFUSED, UNSTORABLE, Question, Unanswered, gather_all, log_unwritten, try_to_write
from judging.engine.calls import CallResult
from judging.engine.db_threads import Gathering, in_thread
from judging.engine.judgement_cache import require_permit
from judging.engine.play import Answered, Claiming
from judging.errors import Superseded
from judging.formats.registry import format_of
from judging.formats.state import Ask, Await, AwaitAll, Brief, Close, Finish, ThreadState, Together
from judging.types import Permit

T = TypeVar("T")
log = logging.getLogger(__name__)


async def play_thread(*, thread_id: int, debate_id: int) -> None:
    """Play a thread from its last commit on, until it ends, waits, or somebody else has claimed it.

    At a pace, it is one step: the next is another job, after a rest, so that nobody is kept busy by resting.
    """
    brief = await in_thread(selectors.brief)(debate_id)
    pace = brief.parameters.get("pace", 0)
    if brief.parameters.get(queue.WHEN_WATCHED) and not await in_thread(queue.has_onlooker)(debate_id=debate_id):
        return  # whoever looks next asks for it; nobody who plays it meanwhile is superseded
    board = await claim(brief=brief, thread_id=thread_id)
    try:
        while board is not None:
            asks = not isinstance(format_of(brief.format).next_step(brief=brief, board=board), Close)
            board = await take_step(brief=brief, board=board)
            if pace and asks and board is not None:
                await in_thread(queue.play_on)(thread_id=thread_id, debate_id=debate_id, pace=pace)
                return
    except Superseded:
        log.info(Fields("superseded", thread=thread_id))


async def claim(*, brief: Brief, thread_id: int) -> ThreadState | None:
    """Take a thread, together with whatever else is taken in its debate at the same time where that has no limit; break
    it off where the database or a rule refuses that.

    Raises: ``Stuck`` where it cannot be broken off, or somebody may be playing it.
    """
    now = timezone.now()
    try:
        if brief.has_limit:
            return await in_thread(play.claim)(thread_id=thread_id, now=now)
        return await claims.write(Claiming(brief, thread_id, now), key=brief.debate_id)
    except REFUSED as error:
        problem = log_unwritten("claim", error)
    breaking_off = in_thread(play.break_off_unclaimed)
    ending = breaking_off(debate_id=brief.debate_id, thread_id=thread_id, problem=problem, now=now)
    await attempt.end_thread(ending, debate_id=brief.debate_id, problem=problem)
    return None


async def take_step(*, brief: Brief, board: ThreadState) -> ThreadState | None:
    """Do the next thing of a thread and return the board after it, or nothing when it is over for this job."""
    step = format_of(brief.format).next_step(brief=brief, board=board)
    comes_to: ThreadState | Finish | None = None
    match step:
        case Finish():
            comes_to = step
        case Await():
            await wait_for(brief=brief, board=board, awaited=(step,))
        case AwaitAll(awaited):
            await wait_for(brief=brief, board=board, awaited=awaited)
        case Close():
            comes_to = await close_round(brief=brief, board=board)
        case Together(asks):
            comes_to = await ask_together(brief=brief, board=board, asks=asks)
        case Ask():
            comes_to = await ask(brief=brief, board=board, step=step)
    if isinstance(comes_to, Finish):
        await finish(brief=brief, board=board, end=comes_to)
        return None
    return comes_to


async def wait_for(*, brief: Brief, board: ThreadState, awaited: Sequence[Await]) -> None:
    """Let a thread wait for somebody; break it off where that cannot be written down."""
    waiting = in_thread(human_turns.begin)(brief=brief, board=board, awaited=awaited, now=timezone.now())
    if problem := await try_to_write(waiting, what="wait for a turn"):
        await break_off(brief=brief, board=board, problem=problem)


async def close_round(*, brief: Brief, board: ThreadState) -> ThreadState | Finish | None:
    """Close a round that no single answer closes; give the thread up where what it comes to cannot be written down."""
    try:
        return await in_thread(play.close_round)(brief=brief, board=board, now=timezone.now())
    except UNSTORABLE as error:
        return judge_failed(log_unwritten("round", error))


async def ask(*, brief: Brief, board: ThreadState, step: Ask, several: bool = False) -> ThreadState | Finish | None:
    """Ask until there is a usable answer and write it down; give the thread up when the attempts are used up.

    Shape: ``several`` says that the thread is asked for other answers meanwhile.
    """
    asker = StepAsker(brief=brief, board=board, step=step)
    outcome = await attempt.ask(asker, record=None if several or brief.has_limit else asker.record_with_others)
    match outcome:
        case Unanswered(permit=Permit.SPENT):
            return Finish(calls.BUDGET_SPENT, partial=True)
        case Unanswered(permit=Permit.LEAVE):
            return None
        case Unanswered(recorded=False):
            return judge_failed(outcome.problem)
        case Unanswered():
            return await go_without(brief=brief, board=board, step=step, problem=outcome.problem)
        case _:
            return outcome


@dataclass(frozen=True, slots=True)
class StepAsker:
    """Asks for what comes next in a thread, under the claim that its board is of."""

    brief: Brief
    board: ThreadState
    step: Ask
    lost: ClassVar[str] = "call"

    def begin(self, *, attempt: int, now: datetime) -> Question:
        """The claim is the permit for the first attempt, unless there is a budget to keep."""
        brief, board, step = self.brief, self.board, self.step
        if attempt > 1 and not brief.has_limit:
            require_permit(self.permit())
        format_ = format_of(brief.format)
        return Question(
            request=format_.request(brief=brief, board=board, ask=step, attempt=attempt),
            voice=brief.voice(step),
            read=lambda text: format_.read(brief=brief, board=board, ask=step, text=text),
            permit=self.permit,
            under_way=play.begin_call(brief=brief, board=board, now=now) if brief.has_limit else None,
        )

    def permit(self) -> Permit:
        return play.permit(brief=self.brief, board=self.board, now=timezone.now())

    def record(self, *, answered: CallResult, answer: Any, now: datetime) -> ThreadState | None:
        return self.record_in_time(play.record, ask=self.step, answer=answer, answered=answered, now=now)

    async def record_with_others(self, *, answered: CallResult, answer: Any, now: datetime) -> ThreadState | None:
        """Write an answer down together with whatever else comes in its debate at the same time."""
        step_answer = Answered(self.brief, self.board, self.step, answer, answered, now)
        return await answers.write(step_answer, key=self.brief.debate_id)

    def record_failure(self, *, answered: CallResult, last: bool, now: datetime) -> None:
        require_permit(self.record_in_time(play.record_failure, answered=answered, now=now))

    def record_in_time(self, record: Callable[..., T], *, answered: CallResult, now: datetime, **more: Any) -> T:
        """Write a call down, as late where another has claimed the thread meanwhile; that one plays on in any case."""
        try:
            return record(brief=self.brief, board=self.board, answered=answered, now=now, **more)
        except Superseded:
            try:
                calls.record_late(brief=self.brief, board=self.board, answered=answered, now=now)
            except UNSTORABLE as error:
                log_unwritten("late call", error)
            raise


def record_alone(step_answer: Answered) -> ThreadState | None:
    asker = StepAsker(brief=step_answer.brief, board=step_answer.board, step=step_answer.ask)
    return asker.record(answered=step_answer.answered, answer=step_answer.answer, now=step_answer.now)


answers = Gathering(together=play.record_together, alone=record_alone)
"""What is answered in the debates that this process plays, and is not written down yet."""


claims = Gathering(
    together=play.claim_together,
    alone=lambda claiming: play.claim(thread_id=claiming.thread_id, now=claiming.now),
    at_once=1,
)
"""The threads that this process is to play, and has not claimed yet. Jobs are fetched one by one, so that more of them
come together where one transaction is under way at a time."""


def judge_failed(problem: str) -> Finish:
    """Return the end of a thread whose next answer cannot be had, or not be written down."""
    return Finish("judge_failed", partial=True, alert=problem)


async def go_without(*, brief: Brief, board: ThreadState, step: Ask, problem: str) -> ThreadState | Finish | None:
    """Go on without an answer that could not be had, where the format can; otherwise give the thread up.

    It is given up as well where what follows from the missing answer cannot be written down: to ask again would cost
    the same calls, and come to the same.
    """
    now = timezone.now()
    try:
        if await in_thread(play.go_without)(brief=brief, board=board, ask=step, problem=problem, now=now):
            return await in_thread(play.look_again)(brief=brief, board=board)
    except UNSTORABLE as error:
        problem = log_unwritten("lack of an answer", error)
    return judge_failed(problem)


async def ask_together(*, brief: Brief, board: ThreadState, asks: Sequence[Ask]) -> ThreadState | Finish | None:
    """Ask several at once, each from the same board, and return the board with what they answered.

    Where one of them could not be asked again for want of budget, the others are still heard, for they are paid for;
    then there may be room for it.
    """
    outcomes = await gather_all(ask_beside_others(brief=brief, board=board, step=step) for step in asks)
    if any(after is None for after in outcomes):
        return None
    spent = [after for after in outcomes if isinstance(after, Finish)]
    return spent[0] if len(spent) == len(asks) else await in_thread(play.look_again)(brief=brief, board=board)


async def ask_beside_others(*, brief: Brief, board: ThreadState, step: Ask) -> ThreadState | Finish | None:
    """Ask one of several; whoever gives the thread up for something else than its budget does so at once, before the
    others are asked again.
    """
    after = await ask(brief=brief, board=board, step=step, several=True)
    if isinstance(after, Finish) and after.because != calls.BUDGET_SPENT:
        await finish(brief=brief, board=board, end=after)
        return None
    return after


async def finish(*, brief: Brief, board: ThreadState, end: Finish) -> None:
    """End a thread; break it off where what its end comes to cannot be written down."""
    ending = in_thread(play.finish_thread)(brief=brief, board=board, end=end, now=timezone.now())
    if problem := await try_to_write(ending, what="end"):
        await break_off(brief=brief, board=board, problem=end.alert or problem)


async def break_off(*, brief: Brief, board: ThreadState, problem: str) -> None:
    """End a thread without what its end comes to.

    Raises: ``Stuck`` where not even that can be written down, ``Superseded``.
    """
    ending = in_thread(play.break_off_thread)(
        debate_id=brief.debate_id, board=board, problem=problem, now=timezone.now()
    )
    await attempt.end_thread(ending, debate_id=brief.debate_id, problem=problem)
