"""Playing a thread, one short transaction at a time: claim it, write what was answered, close its rounds, end it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import connection, transaction

from debates import event_log, prepared_statements
from debates.errors import NotAllowedNow
from debates.models import Debate, Round, Thread, Turn
from debates.types import ENDED, News, Status, ThreadStatus
from judging.engine import calls, queue, selectors
from judging.engine.calls import CallResult, keep_call
from judging.engine.db_threads import ALONE, Alone
from judging.engine.judgement_cache import require_permit
from judging.engine.locks import held_thread, lock_debate, lock_free_threads, lock_thread, move
from judging.formats.registry import format_of
from judging.formats.state import Ask, Brief, Finish, ThreadState
from judging.formats.turns import round_on
from judging.models import Review
from judging.models.judgements import REVIEW_WAITS
from judging.types import Permit
from scoring.models import Evaluation
from scoring.services import accounts, alerts
from scoring.types import AlertCode, Finding

SHUT = """UPDATE debates_round r SET closed_at = greatest(r.opened_at, given.at)
    FROM json_to_recordset(%s) AS given (id bigint, at timestamptz) WHERE r.id = given.id"""
"""A round closes not before it opened: the clock of whoever opened it may be ahead of ours."""
NOT_PLAYED = ENDED | {ThreadStatus.AWAITING_TURN}
"""A thread that waits for a person is played on by what ends the waiting: their turn, or its forfeit."""


@transaction.atomic(durable=True)
def claim(*, thread_id: int, now: datetime) -> ThreadState | None:
    """Take a thread, so that whoever held it before may no longer write; return its board, or nothing to do.

    A late request finds nothing to do. A doubled one takes the thread from whoever plays it: no score differs for it,
    but the call that is under way there is paid for and not used. Where the budget does not allow both that call and
    another, the thread is not taken.
    """
    debate_id = Thread.objects.values_list("debate_id", flat=True).get(pk=thread_id)
    brief = selectors.brief(debate_id)
    locked = lock_debate(debate_id) if brief.has_limit else None
    thread = lock_thread(thread_id)
    debate = locked or thread.debate
    if Status(debate.status) is not Status.RUNNING or ThreadStatus(thread.status) in NOT_PLAYED:
        return None
    thread.fence += 1
    board = format_of(brief.format).thread_state(thread=thread, number=round_number(thread=thread, brief=brief))
    claimed, news = open_next(debate=debate, thread=thread, brief=brief, board=board, follows=False, now=now)
    event_log.append(debate_id=debate_id, news=news, now=now)
    return claimed


@dataclass(frozen=True, slots=True)
class Claiming:
    """A thread that is to be claimed, and when that was asked for: what ``claim`` is given."""

    brief: Brief
    thread_id: int
    now: datetime


@transaction.atomic(durable=True)
def claim_together(claims: Sequence[Claiming]) -> list[ThreadState | Alone | None]:
    """Take threads of one debate without a limit that are asked for at the same time, as ``claim`` takes each of them.

    Which somebody else has locked, or which is asked for twice, is left to be claimed alone.
    """
    brief = claims[0].brief
    debate = Debate.from_db(connection.alias, ("id",), (brief.debate_id,))
    threads = lock_free_threads([claiming.thread_id for claiming in claims], debate=debate)
    going_on: dict[int, ThreadState | Alone | None] = dict.fromkeys(range(len(claims)), ALONE)
    taken: list[tuple[int, Thread]] = []
    for place, claiming in enumerate(claims):
        thread = threads.pop(claiming.thread_id, None)
        if thread is None or thread.debate_id != debate.pk:
            continue
        if Status(debate.status) is not Status.RUNNING or ThreadStatus(thread.status) in NOT_PLAYED:
            going_on[place] = None
            continue
        thread.fence += 1
        taken.append((place, thread))
    rounds = [(thread, round_number(thread=thread, brief=brief)) for _, thread in taken]
    boards = format_of(brief.format).thread_states(rounds=rounds)
    news: list[News] = []
    with prepared_statements.together(len(claims)):
        for (place, thread), board in zip(taken, boards, strict=True):
            going_on[place], more = open_next(
                debate=debate, thread=thread, brief=brief, board=board, follows=False, now=claims[place].now
            )
            news += more
        event_log.append(debate_id=debate.pk, news=news, now=max(claiming.now for claiming in claims))
    return list(going_on.values())


def round_number(*, thread: Thread, brief: Brief) -> int:
    return thread.rounds_played + format_of(brief.format).first_round


def next_round(
    *, debate: Debate, thread: Thread, brief: Brief, now: datetime, board: ThreadState
) -> tuple[ThreadState | None, list[News]]:
    """Open the round that follows the one just closed, as ``open_next`` does.

    Shape: ``board`` is that of the round just closed. Where the format cannot tell what follows from it, the round is
    read from the database.
    """
    format_ = format_of(brief.format)
    following = format_.next_state(board=board)
    following = following or format_.thread_state(thread=thread, number=round_number(thread=thread, brief=brief))
    return open_next(debate=debate, thread=thread, brief=brief, board=following, follows=True, now=now)


def open_next(
    *, debate: Debate, thread: Thread, brief: Brief, board: ThreadState, follows: bool, now: datetime
) -> tuple[ThreadState | None, list[News]]:
    """Open the round a locked thread is at and set its budget aside; without budget, end the thread.

    Shape: ``board`` is that of the round, ``follows`` says that one was closed just now. Returned are the board with
    the round and what to tell; no board when the thread has ended, or must wait for calls that are under way.
    """
    number = round_number(thread=thread, brief=brief)
    begins = thread.status == ThreadStatus.PENDING.value
    name = {"criterion": thread.key}
    news = [News("thread:started", {**name, "run": thread.run_number})] if begins else []
    allowed = Permit.ASK
    if brief.has_limit:
        left = format_of(brief.format).calls_left(brief=brief, board=board)
        allowed = calls.set_calls_aside(debate=debate, thread=thread, calls=left, waits=True, now=now)
    if allowed is Permit.LEAVE:
        prepared_statements.update(thread, "rounds_played")
        return None, []
    thread.status = ThreadStatus.PLAYING.value
    if allowed is Permit.SPENT:
        news += end_thread(debate=debate, thread=thread, brief=brief, because=calls.BUDGET_SPENT, partial=True)
        return None, news
    prepared_statements.update(thread, "status", "fence", "rounds_played")
    played, created = open_round(thread=thread, number=number, surely_new=begins or follows, now=now)
    if created:
        news.append(News("round:started", {**name, "round": number, "run": thread.run_number}))
    return replace(board, round_id=played.pk, parsed={}), news


def needed(*, thread: Thread, brief: Brief, board: ThreadState) -> int:
    """Return how many calls the rest of a board's round needs now.

    It is read anew: where several were asked at once, others may have answered since, and need nothing more.
    """
    format_ = format_of(brief.format)
    fresh = format_.thread_state(thread=thread, number=board.number)
    return format_.calls_left(brief=brief, board=fresh)


def open_round(*, thread: Thread, number: int, surely_new: bool, now: datetime) -> tuple[Round, bool]:
    """Return the round of a locked thread that is at this number, and whether it was opened now."""
    about = {"thread": thread, "run_number": thread.run_number, "number": number}
    if surely_new:
        [played] = prepared_statements.insert([Round(**about, opened_at=now)])
        return played, True
    return Round.objects.get_or_create(**about, defaults={"opened_at": now})


@transaction.atomic(durable=True)
def begin_call(*, brief: Brief, board: ThreadState, now: datetime) -> int:
    """Count a call that is about to be made for a debate with a limit; return by what.

    What the rest of its round may cost is set aside anew: calls may have become dearer since the last.

    Raises: ``Withheld`` when the debate is not running now, or its budget does not allow it; ``Superseded``.
    """
    debate, thread = held(brief=brief, board=board)
    require_permit(_permit(debate=debate, thread=thread, brief=brief, board=board, now=now))
    return calls.begin_call(debate_id=brief.debate_id, thread_id=board.thread_id, fence=board.fence, now=now)


@transaction.atomic(durable=True)
def record(
    *, brief: Brief, board: ThreadState, ask: Ask, answer: Any, answered: CallResult, now: datetime
) -> ThreadState | None:
    """Write down a usable answer and what follows from it; return the board to go on with, or nothing.

    Nothing means that the thread has ended, or that the debate is not running now.
    Raises: ``Superseded``, having written nothing.
    """
    step_answer = Answered(brief=brief, board=board, ask=ask, answer=answer, answered=answered, now=now)
    debate = lock_debate(brief.debate_id) if step_answer.may_move_debate else None
    thread = held_thread(board)
    debate = debate or thread.debate
    going_on, news = written(step_answer, debate=debate, thread=thread)
    event_log.append(debate_id=brief.debate_id, news=news, now=now)
    return going_on


@dataclass(frozen=True, slots=True)
class Answered:
    """A usable answer to a step, and when it came: what ``record`` is given."""

    brief: Brief
    board: ThreadState
    ask: Ask
    answer: Any
    answered: CallResult
    now: datetime

    @property
    def closes(self) -> bool:
        return format_of(self.brief.format).closes(board=self.board, ask=self.ask)

    @property
    def may_move_debate(self) -> bool:
        over = self.closes and format_of(self.brief.format).over(brief=self.brief, board=self.board)
        return self.brief.has_limit or bool(over)

    @property
    def scores(self) -> Collection[int]:
        """Return the evaluations that are locked for it, as far as is known before."""
        return format_of(self.brief.format).moves(board=self.board, ask=self.ask)


@transaction.atomic(durable=True)
def record_together(answers: Sequence[Answered]) -> list[ThreadState | Alone | None]:
    """Write down answers that came at the same time in one debate, of a thread each, as ``record`` does each of them.

    Whose thread or score somebody else has locked, or whose thread was claimed again, is left to be written down alone.
    """
    debate_id = answers[0].brief.debate_id
    moves = any(answer.may_move_debate for answer in answers)
    debate = lock_debate(debate_id) if moves else Debate.from_db(connection.alias, ("id",), (debate_id,))
    threads = lock_free_threads([answer.board.thread_id for answer in answers], debate=debate)
    going_on: dict[int, ThreadState | Alone | None] = dict.fromkeys(range(len(answers)), ALONE)
    news: list[News] = []
    scores = [pk for answer in answers if answer.board.thread_id in threads for pk in answer.scores]
    waiting = dict(threads)
    in_order = sorted(enumerate(answers), key=lambda row: (row[1].may_move_debate, row[1].board.thread_id))
    with prepared_statements.together(len(answers)), accounts.locked_ahead(evaluations=scores) as free:
        for place, answer in in_order:
            thread = waiting.pop(answer.board.thread_id, None)
            if thread is not None and thread.fence == answer.board.fence and free.issuperset(answer.scores):
                going_on[place], more = written(answer, debate=debate, thread=thread, is_last=False)
                news += more
        if any(ThreadStatus(thread.status) in ENDED for thread in threads.values()):
            news += conclude_after_last(debate=debate)
        event_log.append(debate_id=debate_id, news=news, now=max(answer.now for answer in answers))
    return list(going_on.values())


def written(
    step_answer: Answered, *, debate: Debate, thread: Thread, is_last: bool = True
) -> tuple[ThreadState | None, list[News]]:
    """Write down an answer of a locked thread, and return the board to go on with, or nothing, and what to tell."""
    brief, board, ask = step_answer.brief, step_answer.board, step_answer.ask
    answer, now = step_answer.answer, step_answer.now
    format_ = format_of(brief.format)
    closes = step_answer.closes
    call = keep_call(brief=brief, board=board, answered=step_answer.answered, now=now)
    board.parsed[call.pk] = answer
    played = round_on(board) if closes else None
    after, news = format_.write(brief=brief, board=board, ask=ask, answer=answer, call=call, round=played, now=now)
    going_on: ThreadState | None = after
    if played is not None:
        going_on, more = close(
            debate=debate, thread=thread, brief=brief, board=after, played=played, now=now, is_last=is_last
        )
        news += more
    elif brief.has_limit:
        calls.use_reservation(thread=thread)
        news += calls.budget_news(debate=debate)
        is_last_answer = not calls.are_under_way(thread=thread, now=now)  # the others are paid for, and heard
        if is_last_answer and calls.spent_out(debate=debate) and needed(thread=thread, brief=brief, board=after):
            news += end_thread(debate=debate, thread=thread, brief=brief, because=calls.BUDGET_SPENT, partial=True)
            going_on = None
    return going_on if debate.status == Status.RUNNING.value else None, news


def close(
    *,
    debate: Debate,
    thread: Thread,
    brief: Brief,
    board: ThreadState,
    played: Round,
    now: datetime,
    is_last: bool = True,
) -> tuple[ThreadState | None, list[News]]:
    """Close a round of a locked thread and open the next, or end the thread after its last."""
    prepared_statements.change(SHUT, {"id": played.pk, "at": now})
    thread.rounds_played = board.number + 1 - format_of(brief.format).first_round
    format_ = format_of(brief.format)
    data = {
        "criterion": board.key,
        "round": board.number,
        "run": board.run,
        "totalRounds": brief.rounds,
        **format_.round_event_data(board=board),
    }
    news = [News("round:complete", data)]
    because = format_.over(brief=brief, board=board)
    if because:
        return None, news + end_thread(debate=debate, thread=thread, brief=brief, because=because, is_last=is_last)
    if brief.has_limit:
        calls.release_reservation(thread=thread)
    if debate.status != Status.RUNNING.value:
        prepared_statements.update(thread, "rounds_played")
        return None, news
    following, more = next_round(debate=debate, thread=thread, brief=brief, now=now, board=board)
    if brief.has_limit:
        more += calls.budget_news(debate=debate)
    return following, news + more


@transaction.atomic(durable=True)
def close_round(*, brief: Brief, board: ThreadState, now: datetime) -> ThreadState | None:
    """Close a round that no single answer closes: in it nothing could be judged, or everybody was asked at once.

    Raises: ``Superseded``.
    """
    debate = lock_debate(brief.debate_id)
    thread = held_thread(board)
    played = round_on(board)
    after, counted = format_of(brief.format).close_round(brief=brief, board=board, round=played, now=now)
    following, news = close(debate=debate, thread=thread, brief=brief, board=after, played=played, now=now)
    event_log.append(debate_id=brief.debate_id, news=[*counted, *news], now=now)
    return following if debate.status == Status.RUNNING.value else None


@transaction.atomic(durable=True)
def look_again(*, brief: Brief, board: ThreadState) -> ThreadState | None:
    """Return a board with everything that was answered meanwhile; nothing when the debate is not running now.

    Raises: ``Superseded``.
    """
    thread = held_thread(board)
    if thread.debate.status != Status.RUNNING.value:
        return None
    fresh: ThreadState = format_of(brief.format).thread_state(thread=thread, number=board.number)
    return replace(fresh, round_id=board.round_id, parsed=board.parsed)


@transaction.atomic(durable=True)
def go_without(*, brief: Brief, board: ThreadState, ask: Ask, problem: str, now: datetime) -> bool:
    """Say whether a thread goes on without an answer that could not be had; then a moderator is told of a judge's.

    A chair of an open debate that does not answer forfeits its turn: that is told already, and no judge has failed.

    Raises: ``Superseded``, having written nothing.
    """
    debate = lock_debate(brief.debate_id)
    held_thread(board)
    format_ = format_of(brief.format)
    news = format_.without(brief=brief, board=board, ask=ask, now=now)
    if news is None:
        return False
    if not ask.of_a_chair:
        turn = format_.judged(brief=brief, board=board, ask=ask)
        news = [*news, *judge_failed(debate=debate, board=board, ask=ask, turn=turn, problem=problem)]
    event_log.append(debate_id=brief.debate_id, news=news, now=now)
    return True


SEALED = "What it answered could not be used. Why is sealed until the round is closed; its calls say it then."


def judge_failed(*, debate: Debate, board: ThreadState, ask: Ask, turn: int | None, problem: str) -> list[News]:
    """Raise that a judgement could not be had, once for each: what was asked, of whom, about which turn.

    Several judgements of one thing that cannot be had are one. What was wrong with an answer may quote it.
    """
    sealed = selectors.is_problem_sealed(board=board, ask=ask, problem=problem)
    why = SEALED if sealed else problem[:400]
    evidence = {"why": why, "round": str(board.number), "purpose": ask.purpose.value}
    if turn:
        evidence["turn"] = str(Turn.objects.values_list("public_id", flat=True).get(pk=turn))
    salt = f"{board.run}.{board.number}.{ask.purpose}.{ask.participant}.{turn or 0}"
    finding = Finding(AlertCode.JUDGE_FAILED, evidence)
    return alerts.raise_alerts(debate_id=debate.pk, findings=[finding], salt=salt)


@transaction.atomic(durable=True)
def record_failure(*, brief: Brief, board: ThreadState, answered: CallResult, now: datetime) -> Permit:
    """Write down a call that gave nothing usable, and say whether another attempt may be made.

    Raises: ``Superseded``, having written nothing.
    """
    debate, thread = held(brief=brief, board=board)
    keep_call(brief=brief, board=board, answered=answered, now=now)
    allowed = _permit(debate=debate, thread=thread, brief=brief, board=board, now=now)
    if brief.has_limit:
        event_log.append(debate_id=brief.debate_id, news=calls.budget_news(debate=debate), now=now)
    return allowed


@transaction.atomic(durable=True)
def permit(*, brief: Brief, board: ThreadState, now: datetime) -> Permit:
    """Say whether the call that a board is waiting for may be made now, after a pause in which much may have happened.

    Raises: ``Superseded``.
    """
    debate, thread = held(brief=brief, board=board)
    return _permit(debate=debate, thread=thread, brief=brief, board=board, now=now)


def held(*, brief: Brief, board: ThreadState) -> tuple[Debate, Thread]:
    """Lock the thread of a board, and before it the debate where there is a budget to keep.

    Raises: ``Superseded``.
    """
    debate = lock_debate(brief.debate_id) if brief.has_limit else None
    thread = held_thread(board)
    return debate or thread.debate, thread


def _permit(*, debate: Debate, thread: Thread, brief: Brief, board: ThreadState, now: datetime) -> Permit:
    if debate.status != Status.RUNNING.value:
        return Permit.LEAVE
    if not brief.has_limit:
        return Permit.ASK
    left = needed(thread=thread, brief=brief, board=board)
    return calls.set_calls_aside(debate=debate, thread=thread, calls=left, waits=False, now=now)


# -- ending a thread, complete or partial, and asking for the conclusion after the last --------------------------------


PLAYS = frozenset({Status.RUNNING, Status.PAUSED})
"""Where threads end; before and after, there is none to end."""
NOT_RECORDED = "not_recorded"


@transaction.atomic(durable=True)
def finish_thread(*, brief: Brief, board: ThreadState, end: Finish, now: datetime) -> None:
    """End a thread that has nothing left to play, or cannot go on; with an alert if a judge failed.

    Raises: ``Superseded``.
    """
    debate = lock_debate(brief.debate_id)
    thread = held_thread(board)
    if Status(debate.status) not in PLAYS:
        return
    news = end_thread(debate=debate, thread=thread, brief=brief, because=end.because, partial=end.partial)
    if end.alert:
        concerned = format_of(brief.format).concerned(board=board)
        evaluation = Evaluation.objects.filter(pk=concerned).first() if concerned else None
        finding = Finding(AlertCode.JUDGE_FAILED, {"why": end.alert[:400], "round": str(board.number)})
        news += alerts.raise_alerts(
            debate_id=debate.pk, evaluation=evaluation, findings=[finding], salt=f"{board.run}.{board.number}"
        )
    event_log.append(debate_id=brief.debate_id, news=news, now=now)


@transaction.atomic(durable=True)
def break_off_thread(*, debate_id: int, board: ThreadState, problem: str, now: datetime) -> None:
    """End a thread whose proper end cannot be written down.

    Raises: ``Superseded``.
    """
    debate = lock_debate(debate_id)
    thread = held_thread(board)
    if Status(debate.status) in PLAYS:
        news = end_unrecorded(debate=debate, thread=thread, problem=problem)
        event_log.append(debate_id=debate_id, news=news, now=now)


@transaction.atomic(durable=True)
def break_off_unclaimed(*, debate_id: int, thread_id: int, problem: str, now: datetime) -> None:
    """End a thread that cannot be claimed, where there is anything to claim.

    Raises: ``NotAllowedNow`` where it was claimed before: whoever plays it may be waiting for an answer.
    """
    debate = lock_debate(debate_id)
    thread = lock_thread(thread_id)
    if Status(debate.status) is Status.RUNNING and ThreadStatus(thread.status) not in NOT_PLAYED:
        if thread.status != ThreadStatus.PENDING.value:
            raise NotAllowedNow("Somebody may be playing this thread.")
        news = end_unrecorded(debate=debate, thread=thread, problem=problem)
        event_log.append(debate_id=debate_id, news=news, now=now)


def end_unrecorded(*, debate: Debate, thread: Thread, problem: str) -> list[News]:
    """End a locked thread of a locked debate and raise why; its accounts stay as they are: nobody can close them."""
    mark_over(debate=debate, thread=thread, because=NOT_RECORDED, partial=True)
    return unrecorded_news(debate=debate, problem=problem) + conclude_after_last(debate=debate)


@transaction.atomic(durable=True)
def alert_unrecorded(*, debate_id: int, problem: str, now: datetime) -> None:
    """Raise that a debate can neither go on nor end."""
    news = unrecorded_news(debate=lock_debate(debate_id), problem=problem)
    event_log.append(debate_id=debate_id, news=news, now=now)


def unrecorded_news(*, debate: Debate, problem: str) -> list[News]:
    """Raise that something that happened in a locked debate could not be written down, once for each problem."""
    finding = Finding(AlertCode.JUDGE_FAILED, {"why": problem[:400]})
    return alerts.raise_alerts(debate_id=debate.pk, findings=[finding], salt=f"{NOT_RECORDED}.{problem}")


def end_thread(
    *, debate: Debate, thread: Thread, brief: Brief, because: str, partial: bool = False, is_last: bool = True
) -> list[News]:
    """End a locked thread of a locked debate, complete or partial, and conclude the debate after the last.

    Shape: ``is_last`` is false where the caller ends others as well, and sees to the conclusion after them.
    """
    news = format_of(brief.format).end(thread=thread, brief=brief, because=because, partial=partial)
    mark_over(debate=debate, thread=thread, because=because, partial=partial)
    return news + conclude_after_last(debate=debate) if is_last else news


def mark_over(*, debate: Debate, thread: Thread, because: str, partial: bool) -> None:
    """Write down that a locked thread is over, so that nothing that comes later counts in it.

    It is complete, partial with rounds that were played, or failed without any.
    """
    cut_short = ThreadStatus.PARTIAL if thread.rounds_played else ThreadStatus.FAILED
    thread.status = (cut_short if partial else ThreadStatus.COMPLETE).value
    thread.ended_because = because
    thread.fence += 1
    prepared_statements.update(thread, "status", "ended_because", "fence", "rounds_played")
    if debate.has_limit:
        calls.release_reservation(thread=thread)


def conclude_after_last(*, debate: Debate, resumed: bool = False) -> list[News]:
    """Ask for the conclusion of a locked, running debate when no thread is left to play; a paused one waits."""
    unfinished = Thread.objects.filter(debate=debate).exclude(status__in=[status.value for status in ENDED])
    if debate.status != Status.RUNNING.value or unfinished.exists():
        return []
    news: list[News] = []
    if unsettled(debate=debate):
        move(debate=debate, to=Status.AWAITING_REVIEW, action="put before a person")
    else:
        news = concluding(debate=debate, resumed=resumed)
    return news + calls.last_budget_news(debate=debate)


def concluding(*, debate: Debate, resumed: bool = False) -> list[News]:
    """Have a locked debate concluded: by a worker, or by who conducts it elsewhere; who follows it is told."""
    move(debate=debate, to=Status.CONCLUDING, action="concluded")
    queue.conclude(debate_id=debate.pk, resumed=resumed)
    return [News("debate:concluding", {})]


def unsettled(*, debate: Debate) -> bool:
    return Review.objects.filter(REVIEW_WAITS, debate=debate).exists()
