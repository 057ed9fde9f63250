"""Playing a thread, one short transaction at a time: claim it, write what was answered, end it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import transaction

from debates import stream
from debates.models import Debate, Round, Thread
from debates.types import ENDED, News, Status, ThreadStatus
from judging import queue, selectors
from judging.board import Ask, Board, Brief
from judging.errors import Superseded
from judging.formats import play_of
from judging.models import Call, Claim
from judging.rules.budget import Amounts, may_spend
from judging.types import Completion, Outcome, Purpose, Request
from scoring.models import Evaluation
from scoring.services import accounts, alerts, rounds
from scoring.services.entries import text as shown
from scoring.types import AlertCode, Finding

BUDGET_SPENT = "budget_spent"
THREAD_COLUMNS = ("key", "status", "run_number", "rounds_played", "fence", "position")


@dataclass(frozen=True, slots=True)
class Answered:
    """One call to a provider as it went: what was asked, what came, and what it was worth."""

    request: Request
    provider: str
    participant_id: int
    milliseconds: int
    outcome: Outcome
    completion: Completion | None = None
    problem: str = ""


# -- claiming --------------------------------------------------------------------------------------------------------


@transaction.atomic(durable=True)
def claim(*, thread_id: int, now: datetime) -> Board | None:
    """Take a thread, so that whoever held it before may no longer write; return its board, or nothing to do.

    A late or doubled request finds nothing to do and is harmless.
    """
    debate_id = Thread.objects.values_list("debate_id", flat=True).get(pk=thread_id)
    brief = selectors.brief(debate_id)
    debate = lock_debate(debate_id) if brief.has_limit else look_at(debate_id)
    thread = lock_thread(thread_id)
    if Status(debate.status) is not Status.RUNNING or ThreadStatus(thread.status) in ENDED:
        return None
    thread.fence += 1
    board, news = next_round(debate=debate, thread=thread, brief=brief, now=now)
    stream.append(debate_id=debate_id, news=news, now=now)
    return board


def lock_debate(debate_id: int) -> Debate:
    """Lock a debate: first in the order of locks."""
    return Debate.objects.defer("parameters").select_for_update(no_key=True, of=("self",)).get(pk=debate_id)


def look_at(debate_id: int) -> Debate:
    """Return a debate without locking it, to see where it stands."""
    return Debate.objects.defer("parameters").get(pk=debate_id)


def lock_thread(thread_id: int) -> Thread:
    """Lock a thread: after its debate, before its evaluations."""
    return (
        Thread.objects.select_for_update(no_key=True, of=("self",))
        .select_related("debate")
        .only("debate__status", *THREAD_COLUMNS)
        .get(pk=thread_id)
    )


def round_on(board: Board) -> Round:
    """Return the round of a board as a row, without reading it again: what names it never changes."""
    return Round(pk=board.round_id, thread_id=board.thread_id, run_number=board.run, number=board.number)


def next_round(
    *, debate: Debate, thread: Thread, brief: Brief, now: datetime, board: Board | None = None
) -> tuple[Board | None, list[News]]:
    """Open the round a locked thread is at and set its budget aside; without budget, end the thread.

    Shape: ``board`` is that of the round just closed, where there is one; without it the round is read from the
    database. Returned are the board of the round, or nothing when the thread has ended, and what to tell.
    """
    number = thread.rounds_played + 1
    news: list[News] = []
    if thread.status == ThreadStatus.PENDING.value:
        news.append(News("thread:started", {"criterion": thread.key, "run": thread.run_number}))
    thread.status = ThreadStatus.PLAYING.value
    played, created = open_round(thread=thread, number=number, surely_new=board is not None, now=now)
    format_ = play_of(brief.format)
    if board is None:
        board = format_.board(thread_id=thread.pk, fence=thread.fence, number=number, round_id=played.pk)
    else:
        board = format_.next_board(board=board, round_id=played.pk)
    if brief.has_limit and not set_aside(debate=debate, thread=thread, board=board, brief=brief, now=now):
        news += end(debate=debate, thread=thread, brief=brief, because=BUDGET_SPENT, partial=True, now=now)
        return None, news
    thread.save(update_fields=["status", "fence", "rounds_played"])
    if created:
        news.append(News("round:started", {"criterion": thread.key, "round": number, "run": thread.run_number}))
    return board, news


def open_round(*, thread: Thread, number: int, surely_new: bool, now: datetime) -> tuple[Round, bool]:
    """Return the round of a locked thread that is at this number, and whether it was opened now."""
    about = {"thread": thread, "run_number": thread.run_number, "number": number}
    if surely_new:
        return Round.objects.create(**about, opened_at=now), True
    return Round.objects.get_or_create(**about, defaults={"opened_at": now})


def set_aside(*, debate: Debate, thread: Thread, board: Board, brief: Brief, now: datetime) -> bool:
    """Set aside, for a locked debate with a limit, what the rest of a round may cost; say whether it fits."""
    budget = selectors.spending(debate=debate, besides=board.thread_id)
    wanted = budget.dearest.times(play_of(brief.format).calls_left(board=board))
    if not may_spend(limits=budget.limits, spent=budget.spent, reserved=budget.reserved, wanted=wanted):
        return False
    Claim.objects.update_or_create(
        thread=thread,
        defaults={
            "fence": thread.fence,
            "reserved_calls": wanted.calls or 0,
            "reserved_tokens": wanted.tokens or 0,
            "reserved_money": wanted.money or 0,
            "claimed_at": now,
        },
    )
    return True


# -- writing ---------------------------------------------------------------------------------------------------------


def held_thread(board: Board) -> Thread:
    """Lock the thread of a board.

    Raises: ``Superseded`` if it was claimed again since.
    """
    thread = lock_thread(board.thread_id)
    if thread.fence != board.fence:
        raise Superseded(f"thread {thread.pk} is at fence {thread.fence}, not {board.fence}")
    return thread


def keep_call(
    *,
    brief: Brief,
    board: Board | None,
    answered: Answered,
    now: datetime,
    run: int = 1,
    thread_id: int | None = None,
    twice: bool = False,
) -> Call:
    """Write down one call to a provider, with everything needed to understand or repeat it.

    Shape: ``twice`` says that another answer was used already, so that this one came too late.
    """
    asked, said = answered.request, answered.completion
    if twice and answered.outcome is Outcome.USED:
        answered = replace(answered, outcome=Outcome.SUPERSEDED, problem="Another answer was used already.")
    return Call.objects.create(
        debate_id=brief.debate_id,
        thread_id=board.thread_id if board else thread_id,
        run_number=board.run if board else run,
        round_number=asked.round,
        purpose=asked.purpose.value,
        attempt=asked.attempt,
        participant_id=answered.participant_id,
        prompt_name=asked.prompt.name,
        prompt_version=asked.prompt.version,
        prompt_digest=asked.prompt.digest,
        provider=answered.provider,
        model=said.model if said else asked.model,
        parameters={"temperature": str(asked.temperature), "max_output_tokens": asked.max_output_tokens},
        raw_answer=said.text.replace("\x00", "") if said else "",
        outcome=answered.outcome.value,
        problem=answered.problem,
        tokens_in=said.tokens_in if said else 0,
        tokens_out=said.tokens_out if said else 0,
        cost=said.cost if said else 0,
        milliseconds=answered.milliseconds,
        at=now,
    )


@transaction.atomic(durable=True)
def record(*, brief: Brief, board: Board, ask: Ask, answer: Any, answered: Answered, now: datetime) -> Board | None:
    """Write down a usable answer and what follows from it; return the board to go on with, or nothing.

    Nothing means that the thread has ended, or that the debate is not running now.
    Raises: ``Superseded``, having written nothing.
    """
    closes = ask.purpose is Purpose.JUDGE
    may_move_debate = brief.has_limit or (closes and may_end(brief=brief, board=board))
    debate = lock_debate(brief.debate_id) if may_move_debate else None
    thread = held_thread(board)
    debate = debate or thread.debate
    call = keep_call(brief=brief, board=board, answered=answered, now=now)
    played = round_on(board) if closes else None
    after, news = play_of(brief.format).write(
        brief=brief, board=board, ask=ask, answer=answer, call=call, round=played, now=now
    )
    going_on: Board | None = after
    if played is not None:
        going_on, more = close(debate=debate, thread=thread, brief=brief, board=after, played=played, now=now)
        news += more
    elif brief.has_limit:
        _use_reservation(thread=thread)
        news += budget_news(debate=debate)
        if spent_out(debate=debate, thread=thread):
            news += end(debate=debate, thread=thread, brief=brief, because=BUDGET_SPENT, partial=True, now=now)
            going_on = None
    stream.append(debate_id=brief.debate_id, news=news, now=now)
    return going_on if debate.status == Status.RUNNING.value else None


def spent_out(*, debate: Debate, thread: Thread) -> bool:
    """Say whether a limit is reached, so that not even one more call may be made."""
    budget = selectors.spending(debate=debate, besides=thread.pk)
    nothing = Amounts()
    return not may_spend(limits=budget.limits, spent=budget.spent, reserved=nothing, wanted=nothing)


def may_end(*, brief: Brief, board: Board) -> bool:
    """Say whether closing this round may be the end of its thread."""
    return board.number >= brief.rounds or all(point.conceded or point.reply == "concede" for point in board.points)


def _use_reservation(*, thread: Thread) -> None:
    claimed = Claim.objects.get(thread=thread)
    left = max(claimed.reserved_calls - 1, 0)
    if claimed.reserved_calls:
        claimed.reserved_tokens = claimed.reserved_tokens * left // claimed.reserved_calls
        claimed.reserved_money = claimed.reserved_money * left / claimed.reserved_calls
    claimed.reserved_calls = left
    claimed.save(update_fields=["reserved_calls", "reserved_tokens", "reserved_money"])


def close(
    *, debate: Debate, thread: Thread, brief: Brief, board: Board, played: Round, now: datetime
) -> tuple[Board | None, list[News]]:
    """Close a round of a locked thread and open the next, or end the thread after its last."""
    Round.objects.filter(pk=played.pk).update(closed_at=now)
    thread.rounds_played = board.number
    unanswered = [point.label for point in board.open if point.reply is None]
    news = [
        News(
            "round:complete",
            {
                "criterion": board.key,
                "round": board.number,
                "run": board.run,
                "totalRounds": brief.rounds,
                "score": shown(board.value),
                "unanswered": unanswered,
            },
        )
    ]
    if board.number >= brief.rounds:
        return None, news + end(debate=debate, thread=thread, brief=brief, because="all_rounds_played", now=now)
    if may_end(brief=brief, board=board) and all(point.conceded or point.reply == "concede" for point in board.points):
        return None, news + end(debate=debate, thread=thread, brief=brief, because="nothing_left_open", now=now)
    if debate.status != Status.RUNNING.value:
        thread.save(update_fields=["rounds_played"])
        return None, news
    following, more = next_round(debate=debate, thread=thread, brief=brief, now=now, board=board)
    if brief.has_limit:
        more += budget_news(debate=debate)
    return following, news + more


@transaction.atomic(durable=True)
def close_without_verdicts(*, brief: Brief, board: Board, now: datetime) -> Board | None:
    """Close a round in which nothing was answered, so that nothing can be judged.

    Raises: ``Superseded``.
    """
    debate = lock_debate(brief.debate_id)
    thread = held_thread(board)
    played = round_on(board)
    following, news = close(debate=debate, thread=thread, brief=brief, board=board, played=played, now=now)
    stream.append(debate_id=brief.debate_id, news=news, now=now)
    return following if debate.status == Status.RUNNING.value else None


@transaction.atomic(durable=True)
def record_failure(*, brief: Brief, board: Board, answered: Answered, now: datetime) -> bool:
    """Write down a call that gave nothing usable, and say whether another attempt may be made.

    Raises: ``Superseded``, having written nothing.
    """
    held_thread(board)
    keep_call(brief=brief, board=board, answered=answered, now=now)
    debate = look_at(brief.debate_id)
    if debate.status != Status.RUNNING.value:
        return False
    if not brief.has_limit:
        return True
    budget = selectors.spending(debate=debate, besides=board.thread_id)
    stream.append(debate_id=brief.debate_id, news=budget_news(debate=debate), now=now)
    return may_spend(limits=budget.limits, spent=budget.spent, reserved=budget.reserved, wanted=Amounts(calls=1))


@transaction.atomic(durable=True)
def record_late(*, brief: Brief, board: Board, answered: Answered, now: datetime) -> None:
    """Write down, for its cost, a call whose answer came after the thread was claimed by another."""
    late = replace(answered, outcome=Outcome.SUPERSEDED, problem="The thread was claimed again before the answer came.")
    keep_call(brief=brief, board=board, answered=late, now=now)


# -- ending ----------------------------------------------------------------------------------------------------------


@transaction.atomic(durable=True)
def finish(*, brief: Brief, board: Board, because: str, partial: bool, alert: str = "", now: datetime) -> None:
    """End a thread that has nothing left to play, or cannot go on; with an alert if a judge failed.

    Raises: ``Superseded``.
    """
    debate = lock_debate(brief.debate_id)
    thread = held_thread(board)
    if Status(debate.status) not in {Status.RUNNING, Status.PAUSED}:
        return
    news = end(debate=debate, thread=thread, brief=brief, because=because, partial=partial, now=now)
    if alert:
        evaluation = Evaluation.objects.select_related("debate").get(pk=board.evaluation_id)
        finding = Finding(AlertCode.JUDGE_FAILED, {"why": alert[:400], "round": str(board.number)})
        news += alerts.raise_alerts(
            debate=debate, evaluation=evaluation, found=[finding], facts=(), salt=f"{board.run}.{board.number}"
        )
    stream.append(debate_id=brief.debate_id, news=news, now=now)


def end(
    *, debate: Debate, thread: Thread, brief: Brief, because: str, now: datetime, partial: bool = False
) -> list[News]:
    """End a locked thread of a locked debate: complete or partial its score, and conclude the debate after the last.

    Rounds that have counted stay counted; where none has, the score falls back to its initial value.
    """
    news: list[News] = []
    for evaluation in accounts.lock(evaluations=thread.evaluations.values_list("pk", flat=True)):
        if brief.at_end:
            news += count_waiting(evaluation=evaluation)
        if not partial:
            news += accounts.complete(evaluation=evaluation).news
        news += accounts.fall_back(evaluation=evaluation, reason_code=because)
        news += alerts.after_thread(evaluation=evaluation)
        news.append(
            News(
                "criterion:complete",
                {
                    "evaluation": str(evaluation.public_id),
                    "criterion": evaluation.key,
                    "category": evaluation.category,
                    "originalScore": shown(evaluation.initial_score),
                    "finalScore": shown(evaluation.final_score),
                    "rounds": evaluation.debate_round_count,
                    "partial": partial,
                    "because": because,
                },
            )
        )
    thread.status = ended_as(thread=thread, partial=partial).value
    thread.ended_because = because
    thread.fence += 1
    thread.save(update_fields=["status", "ended_because", "fence", "rounds_played"])
    Claim.objects.filter(thread=thread).update(reserved_calls=0, reserved_tokens=0, reserved_money=0)
    return news + conclude_after_last(debate=debate)


def ended_as(*, thread: Thread, partial: bool) -> ThreadStatus:
    """Say how a thread ended: complete, partial with rounds that were played, or failed without any."""
    if not partial:
        return ThreadStatus.COMPLETE
    return ThreadStatus.PARTIAL if thread.rounds_played else ThreadStatus.FAILED


def count_waiting(*, evaluation: Evaluation) -> list[News]:
    """Count, in order, the rounds whose facts were kept but wait for the end of the thread."""
    news: list[News] = []
    counted = evaluation.entries.filter(run_number=evaluation.run_number, round__isnull=False)
    waiting = (
        Round.objects.filter(facts__evaluation=evaluation, run_number=evaluation.run_number)
        .exclude(pk__in=counted.values("round_id"))
        .distinct()
        .order_by("number")
    )
    for played in waiting:
        facts = list(evaluation.facts.filter(round=played).order_by("pk"))
        news += rounds.count_kept(evaluation=evaluation, round=played, facts=facts).news
    return news


def conclude_after_last(*, debate: Debate) -> list[News]:
    """Ask for the conclusion of a locked, running debate when no thread is left to play."""
    unfinished = Thread.objects.filter(debate=debate).exclude(status__in=[one.value for one in ENDED])
    if debate.status not in {Status.RUNNING.value, Status.PAUSED.value} or unfinished.exists():
        return []
    debate.status = Status.CONCLUDING.value
    debate.save(update_fields=["status"])
    queue.conclude(debate_id=debate.pk)
    return budget_news(debate=debate, last=True) if debate.has_limit else []


def budget_news(*, debate: Debate, last: bool = False) -> list[News]:
    """Return how the budget stands, unless it was told less than half a second ago and this is not the last word."""
    budget = selectors.spending(debate=debate)
    if not last and selectors.budget_told_lately(debate_id=debate.pk):
        return []
    return [
        News(
            "budget:status",
            {
                "calls": budget.spent.calls,
                "tokens": budget.spent.tokens,
                "money": shown(budget.spent.money),
                "limitCalls": budget.limits.calls,
                "limitTokens": budget.limits.tokens,
                "limitMoney": shown(budget.limits.money),
            },
        )
    ]


def is_waiting(*, brief: Brief) -> bool:
    """Say whether a debate is not running now, so that a job has nothing to do but leave."""
    return Debate.objects.values_list("status", flat=True).get(pk=brief.debate_id) != Status.RUNNING.value
