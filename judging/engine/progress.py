"""How far a debate is: its round, who speaks or thinks now, what comes next, and how it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import F

from debates.models import Debate, Round, Thread
from debates.types import ENDED, Status
from judging.formats.base import Format, Summary
from judging.formats.debate_lookup import read_brief
from judging.formats.registry import format_of
from judging.formats.state import Acting, Brief, ThreadState

ALL = 100
STANDS_STILL: Mapping[Status, Acting] = {
    Status.DRAFT: Acting("Nothing has been said yet"),
    Status.SCHEDULED: Acting("What has to be known before the first round is found out"),
    Status.RUNNING: Acting("It is about to go on"),
    Status.AWAITING_REVIEW: Acting("A person has to decide", "the conclusion"),
    Status.CONCLUDING: Acting("The conclusion is being written"),
    Status.CONCLUDED: Acting("Everything has been said"),
    Status.FAILED: Acting("Play failed"),
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
    brief = read_brief(debate.pk)
    board = format_.thread_state(thread=newest.thread, number=newest.number)
    acting = format_.acting(brief=brief, board=board, step=format_.next_step(brief=brief, board=board))
    return Progress(
        round=format_.round_words(number=newest.number, rounds=debate.rounds),
        acting=Acting("It is paused", acting.now) if status is Status.PAUSED else acting,
        also=len(opened) - 1,
        percent=percent(debate, format_, played_share(format_, brief, board)),
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
    """Return how much of a debate is played; a thread that ended early is played as a whole."""
    threads = list(Thread.objects.filter(debate=debate))
    rounds = debate.rounds + 1 - format_.first_round
    played = [rounds if thread.status in ENDED else min(rounds, thread.rounds_played) for thread in threads]
    whole = rounds * len(threads)
    return min(ALL - 1, int(ALL * (sum(played) + share) / whole)) if whole else 0
