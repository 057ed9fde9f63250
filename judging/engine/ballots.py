"""Ballots of judges who are no engine: given until a deadline, once, and sealed until the round closes.

A ballot is what a model answers, read by the same reader. While its round is open nobody but its author reads it, no
event tells of it, and the thread seems to wait for everybody; with the last one, or when the time is up, the round is
closed as one in which models alone judge.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User

from debates.errors import Invalid, NotAllowedNow
from debates.models import AwaitedTurn, Ballot, Participant, Thread, TurnDraft
from debates.selectors import Visitor
from debates.services import rights
from debates.services.idempotency import UseCase
from debates.types import Status, ThreadStatus, TurnKind
from judging.engine import human_turns
from judging.engine.locks import lock_thread
from judging.errors import AnswerRejected, BallotGiven, TooLate
from judging.formats.registry import format_of
from judging.types import Bench


@UseCase
def give(*, seat_id: int, by: Visitor, answer: str, now: datetime, awaited: UUID | None = None) -> Ballot:
    """Give the ballot of a seat, once, or amend it where the policy lets. The same again returns what was given.

    Shape: ``answer`` is JSON, as a model answers; ``awaited`` names the turn that it was written for.
    Raises: ``NotFound``; ``NotPermitted`` for somebody else's seat; ``Invalid`` for what no judge may answer, naming
    the place; ``NotYourTurn``, ``BallotGiven``, ``TooLate``; ``ConflictOfInterest``; ``NotAllowedNow`` while the debate
    is paused, or once it is over.
    Source: docs/reference/panels.md#ballots
    """
    seat = human_turns.own_seat(seat_id=seat_id, by=by)
    thread = lock_thread(human_turns.asked_for(seat=seat, awaited=awaited).round.thread_id)
    newest = human_turns.asked_for(seat=seat, awaited=awaited)  # once more: another may have become the newest
    refuse_speakers(newest)
    given = of(newest)
    if given is not None and given.answer == answer:
        return given
    human_turns.refuse_when_over(thread=thread)
    if given is not None and not may_be_amended(newest):
        raise BallotGiven("Your ballot of this round was given already; it stays as it is.")
    if human_turns.answer_to(newest) is not None:
        raise TooLate("The time for this ballot was up. You abstain in this round, and the panel has gone on.")
    human_turns.refuse_unless_awaited(thread=thread, now=now)
    assert isinstance(by, User)  # noqa: S101 -- it is their seat
    rights.may_sit(by=by, seat=seat)
    brief, board = human_turns.board_of(thread=thread, awaited=newest)
    try:
        format_of(brief.format).read_ballot(brief=brief, board=board, participant=seat.pk, text=answer)
    except AnswerRejected as refusal:
        raise Invalid(refusal.message) from refusal
    number = 1 + (given.number if given else 0)
    ballot = Ballot.objects.create(round_id=newest.round_id, participant=seat, number=number, answer=answer, at=now)
    TurnDraft.objects.filter(participant=seat).delete()
    if not human_turns.outstanding(thread=thread):
        human_turns.play_on(thread=thread)
    return ballot


def of(awaited: AwaitedTurn) -> Ballot | None:
    """Return the ballot that answers an awaited turn, if it was given: its last version."""
    rows = Ballot.objects.filter(round_id=awaited.round_id, participant_id=awaited.participant_id)
    return rows.order_by("number").last()


def may_be_amended(awaited: AwaitedTurn) -> bool:
    """Say whether the policy lets a ballot be amended until its round closes."""
    panel = awaited.participant.debate.parameters.get("panel")
    return panel is not None and bool(panel["policy"]["amend"])


def refuse_speakers(awaited: AwaitedTurn) -> None:
    """Refuse ballots where somebody is to speak.

    Raises: ``NotAllowedNow``.
    """
    if awaited.kind != TurnKind.REPORT.value:
        raise NotAllowedNow("From this seat one speaks; no ballot is given.")


@dataclass(frozen=True, slots=True)
class BallotPaper:
    """What a judge has before them: what is judged, until when, and the ballot that they gave, if they did.

    Shape: ``bench`` is nothing where no ballot is awaited any more, and none may be amended.
    """

    awaited: AwaitedTurn
    bench: Bench | None
    given: Ballot | None


def paper(*, seat: Participant, awaited: UUID | None = None) -> BallotPaper | None:
    """Return what whoever sits on a seat may read to judge; nothing where no ballot was ever awaited there.

    It is for them alone.
    """
    rows = AwaitedTurn.objects.select_related("round__thread__debate", "participant")
    rows = rows.filter(participant=seat, kind=TurnKind.REPORT.value).order_by("-id")
    row = rows.first() if awaited is None else rows.filter(public_id=awaited).first()
    if row is None:
        return None
    given = of(row)
    if not is_open(row) or (given is not None and not may_be_amended(row)):
        return BallotPaper(row, None, given)
    thread = row.round.thread
    brief, board = human_turns.board_of(thread=thread, awaited=row)
    bench = format_of(brief.format).bench(brief=brief, board=board, participant=seat.pk)
    return BallotPaper(row, bench, given)


def is_open(awaited: AwaitedTurn) -> bool:
    """Say whether a ballot may still be given, now or when a paused debate goes on."""
    thread: Thread = awaited.round.thread
    plays = thread.debate.status in {Status.RUNNING.value, Status.PAUSED.value}
    waits = thread.status == ThreadStatus.AWAITING_TURN.value and thread.run_number == awaited.round.run_number
    return plays and waits and human_turns.answer_to(awaited) is None


def awaits(*, seat: Participant) -> bool:
    """Say whether a ballot of a seat is awaited, or may be amended."""
    row = AwaitedTurn.objects.select_related("round__thread__debate").filter(participant=seat).order_by("-id").first()
    return row is not None and is_open(row) and (of(row) is None or may_be_amended(row))
