"""Ballots of judges who are no engine: given until a deadline, once, and sealed until they count; and replacing such a
judge.

A ballot is what a model answers, read by the same reader. One on a panel, and a ruling, counts when its round closes:
until then nobody but its author reads it, no event tells of it, and the thread seems to wait for everybody; with the
last one, or when the time is up, the round is closed as one in which models alone judge. A judgement of a single
response counts at once, as that of a model does.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet

from debates import event_log
from debates.errors import Invalid, NotAllowedNow, NotFound
from debates.models import AwaitedTurn, Ballot, Debate, Participant, Thread, TurnDraft
from debates.selectors import Visitor, awaited_turns, unanswered, visible_debates
from debates.services import rights
from debates.services.idempotency import UseCase
from debates.types import BALLOTS, AwaitedState, Kind, News, Role, Status, ThreadStatus, TurnKind
from judging.engine import human_turns
from judging.engine.locks import lock_debate, lock_thread
from judging.errors import AnswerRejected, BallotGiven, NotYourTurn, TooLate
from judging.formats import parsing
from judging.formats.registry import format_of
from judging.formats.state import Await
from judging.types import BallotMaterial
from scoring.models import ReplacedJudge
from scoring.services import conflicts
from scoring.services.entries import actor_of, reason_record


@UseCase
def give(
    *,
    seat_id: int,
    by: Visitor,
    answer: str,
    now: datetime,
    awaited: UUID | None = None,
    seen: int = 0,
    typed: str = "",
) -> Ballot:
    """Give the ballot of a seat, once, or amend it where the policy lets. The same again returns what was given.

    Shape: ``answer`` is JSON, as a model answers; ``awaited`` names the turn that it was written for. ``seen`` is the
    key of the draft that it goes on from, if it does, and ``typed`` what a draft of it would be: any other stays.
    Raises: ``NotFound``; ``NotPermitted`` for somebody else's seat; ``Invalid`` for what no judge may answer, naming
    the place; ``NotYourTurn``, ``BallotGiven``, ``TooLate``; ``ConflictOfInterest``; ``NotAllowedNow`` while the debate
    is paused, once it is over, or once one was replaced.
    Source: docs/reference/panels.md#ballots
    """
    seat = human_turns.own_seat(seat_id=seat_id, by=by)
    refuse_replaced(seat)
    thread = lock_thread(human_turns.asked_for(seat=seat, awaited=awaited).round.thread_id)
    newest = human_turns.asked_for(seat=seat, awaited=awaited)  # once more: another may have become the newest
    refuse_replaced(seat)
    if newest.kind not in BALLOTS:
        raise NotAllowedNow("From this seat one speaks; no ballot is given.")
    earlier = of(newest)
    if earlier is not None and earlier.answer == answer:
        return earlier
    if awaited is None:
        human_turns.refuse_when_over(thread=thread)  # of a ballot that is named it says more what became of that
    assert isinstance(by, User)  # noqa: S101 -- it is their seat
    rights.may_sit(by=by, seat=seat)
    refuse_late(newest, thread=thread, earlier=earlier)
    human_turns.refuse_when_over(thread=thread)
    human_turns.refuse_unless_awaited(thread=thread, now=now)
    brief, board = human_turns.board_of(thread=thread, awaited=newest)
    format_, step = format_of(brief.format), step_of(newest)
    try:
        format_.read_ballot(brief=brief, board=board, awaited=step, text=answer)
        parsing.refuse_cut_or_invisible(parsing.answer_of(answer), most=format_.most_in_ballot)
    except AnswerRejected as refusal:
        raise Invalid(refusal.message, field=("answer", *refusal.path), words=refusal.words) from refusal
    Participant.objects.select_for_update(no_key=True).get(pk=seat.pk)  # no draft of it is kept meanwhile
    ballot = Ballot.objects.create(
        round_id=newest.round_id,
        participant=seat,
        about_id=newest.about_id,
        number=1 + (earlier.number if earlier else 0),
        answer=answer,
        at=now,
    )
    draft = draft_of(newest)
    if draft is not None and (draft.pk == seen or draft.text == typed):
        draft.delete()
    news = format_.count_ballot(brief=brief, board=board, awaited=step, text=answer, now=now)
    if not human_turns.outstanding(thread=thread):
        human_turns.play_on(thread=thread)
    event_log.append(debate_id=thread.debate_id, news=news, now=now)
    return ballot


def refuse_late(awaited: AwaitedTurn, *, thread: Thread, earlier: Ballot | None) -> None:
    """Refuse a ballot beside the one that was given, or one for a round that takes none any more.

    Raises: ``BallotGiven``, ``NotYourTurn``, ``TooLate``.
    """
    if earlier is not None and not may_be_amended(awaited):
        raise BallotGiven("This ballot of yours was given already; it stays as it is.")
    if earlier is not None and awaited.round.closed_at is not None:
        raise BallotGiven("This round is closed; your ballot counted as it was given.")
    if awaited.round.run_number != thread.run_number:
        raise NotYourTurn("That was played again since; this ballot was for what was before.")
    if human_turns.answer_to(awaited) is not None:
        raise TooLate("No ballot is awaited here any more: it was forfeited, and the debate has gone on.")


def of(awaited: AwaitedTurn) -> Ballot | None:
    """Return the ballot that answers an awaited turn, if it was given: its last version."""
    return versions(awaited).order_by("number").last()


def versions(awaited: AwaitedTurn) -> QuerySet[Ballot]:
    rows = Ballot.objects.filter(round_id=awaited.round_id, participant_id=awaited.participant_id)
    return rows.filter(about=awaited.about_id)


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

    Where none is named, it is the most urgent of those that are awaited, or else the last that was. One that is named
    as it was awaited before is the same ballot, until when it is awaited now. It is for them alone.
    """
    rows = AwaitedTurn.objects.select_related("round__thread__debate", "participant", "about")
    rows = rows.filter(participant=seat, kind__in=BALLOTS).order_by("-id")
    if awaited is None:
        row = next(iter(waiting(seat=seat)), None) or rows.first()
    else:
        row = rows.filter(public_id=awaited).first()
    if row is None:
        return None
    row = rows.filter(round=row.round_id, about=row.about_id).latest("id")  # its time may have been given anew
    ballot = of(row)
    if not is_open(row) or (ballot is not None and not may_be_amended(row)):
        return BallotPaper(row, None, ballot)
    return BallotPaper(row, bench_of(row), ballot)


def bench_of(awaited: AwaitedTurn) -> BallotMaterial:
    """Return what whoever owes a ballot, or gave it, judged by."""
    brief, board = human_turns.board_of(thread=awaited.round.thread, awaited=awaited)
    return format_of(brief.format).bench(brief=brief, board=board, awaited=step_of(awaited))


def is_open(awaited: AwaitedTurn) -> bool:
    """Say whether a ballot may still be given, now or when a paused debate goes on, by who sits there."""
    thread: Thread = awaited.round.thread
    plays = thread.debate.status in {Status.RUNNING.value, Status.PAUSED.value}
    waits = thread.status == ThreadStatus.AWAITING_TURN.value and thread.run_number == awaited.round.run_number
    is_left = plays and waits and awaited.round.closed_at is None and human_turns.answer_to(awaited) is None
    return is_left and not rights.kept_from_seat(user_id=awaited.participant.user_id, seat=awaited.participant)


# -- replacing a judge -----------------------------------------------------------------------------------------------


STRIKES = "scoring.strike_evaluation"


@UseCase
def replace_judge(
    *, participant_id: int, by: User | AnonymousUser, reason: str, now: datetime, note: str = ""
) -> Participant:
    """Replace a judge who is no engine before they report, and return the free seat in their place.

    A ballot that they gave is struck: it stays, and counts no more. Where ballots are awaited, everybody who is awaited
    has the whole time anew, so that nobody hears who has given one, and whoever comes has it too.

    Raises: ``NotFound``; ``NotPermitted`` unless one conducts the debate or may strike what judges gave;
    ``ConflictOfInterest``; ``Invalid`` for a short reason; ``NotAllowedNow`` as ``may_be_replaced``.
    Source: docs/reference/panels.md#replacing-a-judge
    """
    actor = actor_of(by)
    debate, judge = _judge_of(participant_id=participant_id, by=by)
    rights.may_moderate(by=by, debates=[debate.pk])
    if not rights.conducts(by=by, debate=debate):
        rights.permitted(by=by, permission=STRIKES)
    debate = lock_debate(debate.pk)
    thread = lock_thread(_panel_thread(debate).pk)
    judge.refresh_from_db()
    may_be_replaced(judge=judge, debate=debate, thread=thread)
    number = 1 + Participant.objects.filter(debate=debate, role=judge.role).count()
    successor = Participant.objects.create(
        debate=debate, role=judge.role, kind=judge.kind, name=f"Judge {number}", position=judge.position
    )
    because = reason_record(reason, note=note)
    replaced = ReplacedJudge.objects.create(
        debate=debate, judge=judge, successor=successor, by=actor, because=because, at=now
    )
    data = {
        "replaced": str(replaced.public_id),
        "participant": str(judge.public_id),
        "successor": str(successor.public_id),
        **conflicts.organiser_mark(by=by, debate_id=debate.pk),
    }
    news = [News("judge:replaced", data)]
    if thread.status == ThreadStatus.AWAITING_TURN.value:
        news += human_turns.give_place(thread=thread, judge=judge, successor=successor, now=now)
    event_log.append(debate_id=debate.pk, news=news, now=now)
    return successor


def _judge_of(*, participant_id: int, by: User | AnonymousUser) -> tuple[Debate, Participant]:
    judge = Participant.objects.filter(pk=participant_id, debate__in=visible_debates(visitor=by)).first()
    if judge is None:
        raise NotFound("There is no such participant.")
    return Debate.objects.defer("parameters").get(pk=judge.debate_id), judge


def _panel_thread(debate: Debate) -> Thread:
    if not format_of(debate.format).replaces_judges:
        raise NotAllowedNow(rights.REPLACED_ON_PANELS)
    return Thread.objects.get(debate=debate)


def may_be_replaced(*, judge: Participant, debate: Debate, thread: Thread) -> None:
    """Refuse to replace whoever is no judge from a seat, or cannot be replaced any more.

    Raises: ``NotAllowedNow``.
    """
    if judge.role != Role.JUDGE.value or judge.kind == Kind.ENGINE.value:
        raise NotAllowedNow("Only a person or a program that judges is replaced.")
    refuse_replaced(judge)
    if debate.status not in {Status.DRAFT.value, Status.RUNNING.value, Status.PAUSED.value}:
        raise NotAllowedNow("Nobody judges here any more, so nobody is replaced.")
    if thread.rounds.filter(closed_at__isnull=False).exists():
        raise NotAllowedNow(
            "What the judges read alone has become reports, and the others have seen them: nobody can take a place in "
            "that any more. What this judge gave a moderator strikes on the page of each score."
        )
    if judge.user_id is None:
        raise NotAllowedNow("Nobody sits there yet: invite somebody to this seat instead.")
    if debate.status != Status.DRAFT.value and thread.status != ThreadStatus.AWAITING_TURN.value:
        raise NotAllowedNow("Just now engines are asked. Try again once ballots are awaited.")


def irreplaceable(*, judge: Participant, debate: Debate) -> str:
    """Say why a judge cannot be replaced now, whatever the reason is; nothing where it can be."""
    try:
        may_be_replaced(judge=judge, debate=debate, thread=_panel_thread(debate))
    except NotAllowedNow as refusal:
        return refusal.message
    return ""


def refuse_replaced(judge: Participant) -> None:
    """Refuse a judge who was replaced.

    Raises: ``NotAllowedNow``.
    """
    replaced = ReplacedJudge.objects.select_related("because").filter(judge=judge).first()
    if replaced is not None:
        raise NotAllowedNow(f"{judge.name} was replaced, and judges here no more. Why: {replaced.because}")
