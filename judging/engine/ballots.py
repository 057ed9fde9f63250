"""Ballots of judges who are no engine: given until a deadline, once, and sealed until they count.

A ballot is what a model answers, read by the same reader. One on a panel, and a ruling, counts when its round closes:
until then nobody but its author reads it, no event tells of it, and the thread seems to wait for everybody; with the
last one, or when the time is up, the round is closed as one in which models alone judge. A judgement of a single
response counts at once, as that of a model does.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User

from debates import event_log
from debates.errors import Invalid, NotAllowedNow
from debates.models import AwaitedTurn, Ballot, Participant, Thread, TurnDraft
from debates.selectors import Visitor, awaited_turns, unanswered
from debates.services import rights
from debates.services.idempotency import UseCase
from debates.types import BALLOTS, AwaitedState, Status, ThreadStatus, TurnKind
from judging.engine import human_turns
from judging.engine.locks import lock_thread
from judging.errors import AnswerRejected, BallotGiven, NotYourTurn, TooLate
from judging.formats.registry import format_of
from judging.formats.state import Await
from judging.types import BallotMaterial


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
        raise BallotGiven("This ballot of yours was given already; it stays as it is.")
    if human_turns.answer_to(newest) is not None:
        raise TooLate("The time for this ballot was up. It was forfeited, and the debate has gone on.")
    human_turns.refuse_unless_awaited(thread=thread, now=now)
    assert isinstance(by, User)  # noqa: S101 -- it is their seat
    rights.may_sit(by=by, seat=seat)
    brief, board = human_turns.board_of(thread=thread, awaited=newest)
    format_, step = format_of(brief.format), step_of(newest)
    try:
        format_.read_ballot(brief=brief, board=board, awaited=step, text=answer)
    except AnswerRejected as refusal:
        raise Invalid(refusal.message) from refusal
    ballot = Ballot.objects.create(
        round_id=newest.round_id,
        participant=seat,
        about_id=newest.about_id,
        number=1 + (given.number if given else 0),
        answer=answer,
        at=now,
    )
    TurnDraft.objects.filter(participant=seat, place=place_of(newest)).delete()
    news = format_.count_ballot(brief=brief, board=board, awaited=step, text=answer, now=now)
    if not human_turns.outstanding(thread=thread):
        human_turns.play_on(thread=thread)
    event_log.append(debate_id=thread.debate_id, news=news, now=now)
    return ballot


def of(awaited: AwaitedTurn) -> Ballot | None:
    """Return the ballot that answers an awaited turn, if it was given: its last version."""
    rows = Ballot.objects.filter(round_id=awaited.round_id, participant_id=awaited.participant_id)
    return rows.filter(about=awaited.about_id).order_by("number").last()


def may_be_amended(awaited: AwaitedTurn) -> bool:
    """Say whether the policy lets a ballot be amended until its round closes."""
    panel = awaited.participant.debate.parameters.get("panel")
    return panel is not None and bool(panel["policy"]["amend"])


def step_of(awaited: AwaitedTurn) -> Await:
    return Await(awaited.participant_id, TurnKind(awaited.kind), about=awaited.about_id or 0)


def place_of(awaited: AwaitedTurn) -> str:
    """Return what the draft of a ballot is kept under: one ballot, however often its time is given anew."""
    return f"{awaited.round_id}:{awaited.about_id or ''}"


def draft_of(awaited: AwaitedTurn) -> TurnDraft | None:
    return TurnDraft.objects.filter(participant=awaited.participant_id, place=place_of(awaited)).first()


def place_awaited(*, seat: Participant, awaited: UUID | None) -> str:
    """Return what the draft of a ballot is kept under that is awaited of a seat, or may be amended.

    Raises: ``NotYourTurn`` where none is, or that which is named is not.
    """
    rows = (
        AwaitedTurn.objects.select_related("round__thread__debate", "participant__debate")
        .filter(participant=seat)
        .order_by("-id")
    )
    row = rows.first() if awaited is None else rows.filter(public_id=awaited).first()
    if row is None or not is_open(row) or (of(row) is not None and not may_be_amended(row)):
        raise NotYourTurn("No ballot of yours is awaited; no draft of it is kept.")
    return place_of(row)


def waiting(*, seat: Participant) -> list[AwaitedTurn]:
    """Return the ballots that are awaited of a seat, or will be when a paused debate goes on, the most urgent first."""
    rows = unanswered(awaited_turns()).filter(participant=seat, kind__in=BALLOTS)
    return list(rows.filter(state__in=(AwaitedState.WAITING, AwaitedState.PAUSED)).order_by("deadline", "id"))


def refuse_speakers(awaited: AwaitedTurn) -> None:
    """Refuse ballots where somebody is to speak.

    Raises: ``NotAllowedNow``.
    """
    if awaited.kind not in BALLOTS:
        raise NotAllowedNow("From this seat one speaks; no ballot is given.")


@dataclass(frozen=True, slots=True)
class BallotPaper:
    """What a judge has before them: what is judged, until when, and the ballot that they gave, if they did.

    Shape: ``bench`` is nothing where no ballot is awaited any more, and none may be amended.
    """

    awaited: AwaitedTurn
    bench: BallotMaterial | None
    given: Ballot | None


def paper(*, seat: Participant, awaited: UUID | None = None) -> BallotPaper | None:
    """Return what whoever sits on a seat may read to judge; nothing where no ballot was ever awaited there.

    Where none is named, it is the most urgent of those that are awaited, or else the last that was. It is for them
    alone.
    """
    rows = AwaitedTurn.objects.select_related("round__thread__debate", "participant", "about")
    rows = rows.filter(participant=seat, kind__in=BALLOTS).order_by("-id")
    if awaited is None:
        row = next(iter(waiting(seat=seat)), None) or rows.first()
    else:
        row = rows.filter(public_id=awaited).first()
    if row is None:
        return None
    given = of(row)
    if not is_open(row) or (given is not None and not may_be_amended(row)):
        return BallotPaper(row, None, given)
    thread = row.round.thread
    brief, board = human_turns.board_of(thread=thread, awaited=row)
    bench = format_of(brief.format).bench(brief=brief, board=board, awaited=step_of(row))
    return BallotPaper(row, bench, given)


def is_open(awaited: AwaitedTurn) -> bool:
    """Say whether a ballot may still be given, now or when a paused debate goes on."""
    thread: Thread = awaited.round.thread
    plays = thread.debate.status in {Status.RUNNING.value, Status.PAUSED.value}
    waits = thread.status == ThreadStatus.AWAITING_TURN.value and thread.run_number == awaited.round.run_number
    return plays and waits and awaited.round.closed_at is None and human_turns.answer_to(awaited) is None
