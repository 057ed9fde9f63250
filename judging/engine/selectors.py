"""Reading what judging keeps: what a debate is played with, what it spent, how far it is, and what comes next."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from debates.models import Debate, Event, Participant, Round, Thread
from debates.rules import OVER
from debates.types import ENDED, Kind, Role, Status, ThreadStatus
from judging.formats.base import Format, Summary
from judging.formats.debate_lookup import read_brief
from judging.formats.registry import format_of
from judging.formats.state import Acting, Ask, Brief, ThreadState
from judging.models import Call, CallUnderWay, Claim
from judging.rules.budget import Amounts
from judging.types import Outcome
from scoring.models import Erasure, ReplacedJudge


@lru_cache(maxsize=64)
def _kept(debate_id: int, _replaced: int) -> Brief:
    return read_brief(debate_id)


def brief(debate_id: int) -> Brief:
    """Return what does not change about a started debate, kept in memory until one of its judges is replaced."""
    kept = _kept(debate_id, 0)
    if not any(voice.role is Role.JUDGE and voice.kind is not Kind.ENGINE for voice in kept.everybody):
        return kept
    return _kept(debate_id, ReplacedJudge.objects.filter(debate=debate_id).count())


def was_erased(debate_id: int) -> bool:
    """Say whether words of a debate were erased: all, one voice's, or those of a person who has a seat in it."""
    return debate_id in erased_among([debate_id])


def erased_among(debates: Collection[int]) -> set[int]:
    own = Erasure.objects.filter(debate__in=debates).values_list("debate_id", flat=True)
    people = Erasure.objects.filter(user__isnull=False).values("user")
    theirs = Participant.objects.filter(debate__in=debates, user__in=people).values_list("debate_id", flat=True)
    return set(own.union(theirs))


def judging_seats(*, debate_id: int) -> QuerySet[Participant]:
    """Return the seats from which people and programs judge a debate, also those that nobody has taken yet."""
    return Participant.objects.filter(debate=debate_id, role=Role.JUDGE.value).exclude(kind=Kind.ENGINE.value)


def is_sealed(call: Call) -> bool:
    """Say whether what an engine answered that judges on a panel is kept from everybody, like the ballots beside it.

    Source: docs/decisions/0057-what-engines-answered-beside-ballots-is-sealed.md
    """
    if call.participant.role != Role.JUDGE.value or not call.raw_answer:
        return False
    played = Round.objects.filter(thread=call.thread_id, run_number=call.run_number, number=call.round_number)
    plays = played.filter(closed_at=None).exclude(thread__status__in=ENDED).exists()
    return plays and judging_seats(debate_id=call.debate_id).exists()


def is_problem_sealed(*, board: ThreadState, ask: Ask, problem: str) -> bool:
    """Say whether a problem is that of an answer by somebody who judges on a panel beside people or programs.

    A judge may be asked several questions of a round at once, so the newest call need not be the one that was in vain.
    """
    asked = Call.objects.filter(thread=board.thread_id, run_number=board.run, round_number=board.number)
    judged = asked.filter(participant=ask.participant, participant__role=Role.JUDGE.value)
    in_vain = judged.filter(outcome=Outcome.REJECTED.value, problem=problem).first()
    return in_vain is not None and judging_seats(debate_id=in_vain.debate_id).exists()


def script_is_sealed(debate: Debate, *, copied_by: int | None = None) -> bool:
    """Say whether the answers of a script are kept from everybody: they tell of an open round, and of those to come.

    Shape: ``copied_by`` is who asks for them as part of a copy; whoever created the debate brought them.
    Source: docs/decisions/0057-what-engines-answered-beside-ballots-is-sealed.md
    """
    if copied_by is not None and copied_by == debate.created_by_id:
        return False
    return debate.status not in OVER and judging_seats(debate_id=debate.pk).exists()


@dataclass(frozen=True, slots=True)
class Spending:
    """What a debate may spend, has spent, and has set aside for rounds in flight; and its dearest call so far."""

    limits: Amounts
    spent: Amounts
    reserved: Amounts
    dearest: Amounts


def spending(*, debate: Debate, besides: Thread | None = None) -> Spending:
    """Return the budget of a debate; ``besides`` leaves out what one thread has set aside."""
    tokens = F("tokens_in") + F("tokens_out")
    paid = Q(known=False)
    calls = Call.objects.filter(debate=debate).aggregate(
        calls=Count("id", filter=paid),
        tokens=Coalesce(Sum(tokens, filter=paid), 0),
        money=Coalesce(Sum("cost", filter=paid), Decimal(0)),
        most=Coalesce(Max(tokens), 0),
        top=Coalesce(Max("cost"), Decimal(0)),
    )
    dearest = Amounts(calls=1, tokens=calls.pop("most"), money=calls.pop("top"))
    claims = Claim.objects.filter(thread__debate=debate)
    if besides is not None:
        claims = claims.exclude(thread=besides)
    held = claims.aggregate(
        calls=Coalesce(Sum("reserved_calls"), 0),
        tokens=Coalesce(Sum("reserved_tokens"), 0),
        money=Coalesce(Sum("reserved_money"), Decimal(0)),
    )
    return Spending(
        limits=Amounts(calls=debate.limit_calls, tokens=debate.limit_tokens, money=debate.limit_money),
        spent=Amounts(**calls),
        reserved=Amounts(**held),
        dearest=dearest,
    )


def left_under_way(*, debate: Debate, thread: Thread | None, now: datetime) -> tuple[int, int]:
    """Return how many calls of a debate are under way that no round has set aside: of a thread's own, and of others.

    A call is set aside with its round as long as the claim stands in which it was begun: for ``thread`` that is the
    claim at its fence. Without a thread all that are under way are taken for its own.
    """
    claims = Claim.objects.filter(thread__debate=debate, reserved_calls__gt=0).values_list("thread_id", "fence")
    rounds = {claim for claim in claims if thread is None or claim[0] != thread.pk}
    if thread is not None:
        rounds.add((thread.pk, thread.fence))
    alive = CallUnderWay.objects.filter(debate=debate, lease_until__gt=now).values_list("thread_id", "fence")
    alone = [call for call in alive if call not in rounds]
    own = sum(1 for thread_id, _ in alone if thread is None or thread_id == thread.pk)
    return own, len(alone) - own


def budget_told_lately(*, debate_id: int) -> bool:
    """Say whether a debate's stream told its budget within the last half second."""
    since = timezone.now() - timedelta(milliseconds=500)
    return Event.objects.filter(debate_id=debate_id, type="budget:status", at__gt=since).exists()


# -- how far a debate is: its round, who speaks or thinks now, what comes next, how it stands --------------------------


ALL = 100
STANDS_STILL: Mapping[Status, Acting] = {
    Status.DRAFT: Acting("Nothing has been said yet"),
    Status.SCHEDULED: Acting("What has to be known before the first round is found out"),
    Status.RUNNING: Acting("It is about to go on"),
    Status.AWAITING_REVIEW: Acting("A person has to decide", "the conclusion"),
    Status.CONCLUDING: Acting("The conclusion is being written"),
    Status.CONCLUDED: Acting("Everything has been said"),
    Status.FAILED: Acting("It failed"),
    Status.CANCELLED: Acting("It was cancelled"),
}
"""What is said of a debate in which nobody speaks or thinks in a round."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a debate is; ``also`` counts the threads that are played beside the one whose round it tells of.

    Units: ``percent`` is of the rounds that there may be at most.
    """

    round: str
    acting: Acting
    also: int
    percent: int
    summary: Summary


def progress(*, debate: Debate) -> Progress:
    """Return how far a debate is. Nothing is locked: whoever plays it may be a step further."""
    format_, status = format_of(debate.format), Status(debate.status)
    in_rounds = status in {Status.RUNNING, Status.PAUSED}
    opened = rounds_in_play(debate) if in_rounds else []
    summary = format_.summaries(debates=[debate]).get(debate.pk, Summary())
    if not opened:
        still = Acting("It is paused") if status is Status.PAUSED else STANDS_STILL[status]
        done = ALL if status is Status.CONCLUDED else percent(debate, format_, Fraction())
        return Progress("", still, 0, done, summary)
    newest = opened[0]
    fresh = read_brief(debate.pk)
    board = format_.thread_state(thread=newest.thread, number=newest.number)
    acting = format_.acting(brief=fresh, board=board, step=format_.next_step(brief=fresh, board=board))
    return Progress(
        round=format_.round_words(number=newest.number, rounds=debate.rounds),
        acting=Acting("It is paused", acting.now) if status is Status.PAUSED else acting,
        also=len(opened) - 1,
        percent=percent(debate, format_, played_share(format_, fresh, board)),
        summary=summary,
    )


def rounds_in_play(debate: Debate) -> list[Round]:
    """Return the open rounds of threads that go on, the one that was opened last before the others."""
    rounds = Round.objects.filter(thread__debate=debate, closed_at__isnull=True, run_number=F("thread__run_number"))
    ended = [status.value for status in ENDED]
    return list(rounds.exclude(thread__status__in=ended).select_related("thread").order_by("-opened_at", "-pk"))


def played_share(format_: Format[Any], brief: Brief, board: ThreadState) -> Fraction:
    """Return how much of a round is played, by the calls that it still takes of those of a whole one."""
    following = format_.next_state(board=board)
    whole = format_.calls_left(brief=brief, board=following) if following else 0
    left = format_.calls_left(brief=brief, board=board)
    return Fraction(max(0, whole - left), whole) if whole else Fraction()


def percent(debate: Debate, format_: Format[Any], share: Fraction) -> int:
    """Return how much of a debate is played; a thread that ended early is played as a whole, unless it is cancelled."""
    threads = list(Thread.objects.filter(debate=debate))
    rounds = debate.rounds + 1 - format_.first_round
    complete = ENDED - {ThreadStatus.CANCELLED}
    played = [rounds if thread.status in complete else min(rounds, thread.rounds_played) for thread in threads]
    whole = rounds * len(threads)
    return min(ALL - 1, int(ALL * (sum(played) + share) / whole)) if whole else 0
