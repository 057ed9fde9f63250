"""Turns of people and of other programs: awaited until a deadline, then spoken or forfeited, whichever comes first.
What somebody is writing is kept until it is said, on all their devices.

What is awaited, and until when, is a row that is never edited; the turn that answers it says what became of it. All of
it is written with the thread locked, so that of a turn, a second turn and a forfeit at the same moment one counts.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from debates import event_log
from debates.errors import Invalid, NotAllowedNow, NotFound
from debates.models import AwaitedTurn, Ballot, Debate, Participant, Thread, Turn, TurnDraft
from debates.printable import clock
from debates.rules import IN_PLAY, OVER
from debates.selectors import KEPT_FROM_SEAT, Visitor, answering_turns, ballots_given
from debates.services.idempotency import UseCase
from debates.services.rights import may_conduct
from debates.types import BALLOTS, DEADLINE, ENDED, FORFEIT, NO_ANSWER, News, Role, Status, ThreadStatus, TurnKind
from judging.engine import ballots, calls, play, queue, selectors
from judging.engine.locks import held_thread, lock_debate, lock_thread
from judging.errors import NotYourTurn, TooLate, TurnTaken
from judging.formats import spec
from judging.formats.open import parsing
from judging.formats.registry import format_of
from judging.formats.state import Await, Brief, ThreadState
from scoring.errors import NotPermitted
from scoring.models import Conflict

LONGEST_AHEAD = timedelta(days=30)
DEBATE_OVER = "Nothing more is said in this debate; it is over."


@transaction.atomic(durable=True)
def begin(*, brief: Brief, board: ThreadState, awaited: Sequence[Await], now: datetime) -> None:
    """Let a thread wait for somebody, or for several at once, who have so much time; nothing happens where the debate
    is not running.

    Raises: ``Superseded``.
    """
    thread = held_thread(board)
    if thread.debate.status != Status.RUNNING.value:
        return
    seats = Participant.objects.filter(pk__in=[each.participant for each in awaited]).order_by("pk")
    list(seats.select_for_update(no_key=True))  # who takes one meanwhile is written to, here or there
    news = calls.last_budget_news(debate=thread.debate)
    if brief.has_limit:
        calls.release_reservation(thread=thread)
    rows = [
        AwaitedTurn.objects.create(
            round_id=board.round_id,
            participant_id=each.participant,
            about_id=each.about or None,
            kind=each.kind.value,
            at=now,
            deadline=now + timedelta(seconds=each.seconds),
        )
        for each in awaited
    ]
    thread.status = ThreadStatus.AWAITING_TURN.value
    thread.save(update_fields=["status"])
    news += [awaited_news(thread=thread, awaited=row) for row in rows]
    event_log.append(debate_id=brief.debate_id, news=news, now=now)


def renew(*, thread: Thread, now: datetime) -> list[News]:
    """Give those whom a locked thread waits for the whole time anew, after a pause in which nobody could speak.

    Those who have given a ballot are asked no more, and get the time all the same: nobody hears who they are.
    """
    return [
        await_again(thread=thread, last=last, at=now, deadline=now + (last.deadline - last.at))
        for last in untaken(thread=thread)
    ]


def await_again(*, thread: Thread, last: AwaitedTurn, at: datetime, deadline: datetime) -> News:
    """Give the time for an awaited turn of a locked thread anew: from when, and until when."""
    row = AwaitedTurn.objects.create(
        round_id=last.round_id,
        participant_id=last.participant_id,
        about_id=last.about_id,
        kind=last.kind,
        number=last.number + 1,
        at=at,
        deadline=deadline,
    )
    return awaited_news(thread=thread, awaited=row)


def awaited_news(*, thread: Thread, awaited: AwaitedTurn) -> News:
    return News(
        "turn:awaited",
        {
            "awaited": str(awaited.public_id),
            "criterion": thread.key,
            "round": awaited.round.number,
            "participant": str(awaited.participant.public_id),
            "kind": awaited.kind,
            "deadline": awaited.deadline.isoformat(),
            **({"about": str(awaited.about.public_id)} if awaited.about else {}),
        },
    )


def give_place(*, thread: Thread, judge: Participant, successor: Participant, now: datetime) -> list[News]:
    """Await a ballot of whoever has the place of a judge in a locked thread, and of that judge no more; everybody has
    the whole time anew.
    """
    [left] = [row for row in untaken(thread=thread) if row.participant_id == judge.pk]
    Turn.objects.create(
        debate_id=thread.debate_id, thread=thread, round_id=left.round_id, participant=judge, kind=left.kind,
        slot=f"{FORFEIT}:{judge.pk}", text="", at=now,
    )  # fmt: skip
    deadline = now + (left.deadline - left.at)
    row = AwaitedTurn.objects.create(
        round_id=left.round_id, participant=successor, kind=left.kind, at=now, deadline=deadline
    )
    others = [row for row in untaken(thread=thread) if row.participant_id != successor.pk]
    news = [await_again(thread=thread, last=other, at=now, deadline=deadline) for other in others]
    return [*news, awaited_news(thread=thread, awaited=row)]


def newest(*, thread: Thread) -> AwaitedTurn:
    """Return what a thread that waits is waiting for."""
    rows = AwaitedTurn.objects.select_related("round", "participant")
    rows = rows.filter(round__thread=thread, round__run_number=thread.run_number)
    return rows.latest("round__number", "id")  # by id alone all that was ever awaited is read, from its end


def untaken(*, thread: Thread) -> list[AwaitedTurn]:
    """Return what a thread waits for as everybody may know: of each seat the newest turn that was not taken.

    Of a seat that judges single responses it is one for each response.
    """
    rows = AwaitedTurn.objects.select_related("round", "participant", "about")
    counts = Q(about__isnull=False) & Exists(ballots_given())  # as soon as it is given, for everybody to see
    rows = rows.filter(~Exists(answering_turns()), ~counts, round=newest(thread=thread).round_id)
    return list(rows.order_by("participant_id", "about_id", "-id").distinct("participant_id", "about_id"))


def outstanding(*, thread: Thread) -> list[AwaitedTurn]:
    """Return what a locked thread waits for: of each seat the newest turn that was not taken, and has no ballot."""
    rows = untaken(thread=thread)
    ballots = Ballot.objects.filter(round__in={row.round_id for row in rows})
    with_ballot = set(ballots.values_list("participant_id", "about_id"))
    return [row for row in rows if (row.participant_id, row.about_id) not in with_ballot]


# -- speaking --------------------------------------------------------------------------------------------------------


@UseCase
def speak(*, seat_id: int, by: Visitor, text: str, now: datetime, awaited: UUID | None = None, seen: int = 0) -> Turn:
    """Take the turn of a seat and let the debate go on. Saying the same again returns the turn that was taken.

    Shape: ``awaited`` names the turn that the words were written for; without it they are for the newest of the seat,
    or else, word for word what it said last, that turn sent again.
    ``seen`` is the key of the draft that they go on from, if they do: what is kept beside them, in other words, stays.
    Raises: ``NotFound``; ``NotPermitted`` for somebody else's seat; ``Invalid`` for words that cannot be a turn;
    ``NotYourTurn``, ``TurnTaken``, ``TooLate``; ``NotAllowedNow`` while the debate is paused or once it is over.
    Source: docs/reference/open-debates.md, "People and other programs".
    """
    seat = own_seat(seat_id=seat_id, by=by)
    words = parsing.by_hand(text)
    thread = lock_thread(asked_for(seat=seat, awaited=awaited).round.thread_id)
    newest = asked_for(seat=seat, awaited=awaited)  # once more: another may have become the newest before the lock
    if newest.kind in BALLOTS:
        raise NotAllowedNow("Who judges gives a ballot, and does not speak.")
    said = answer_to(newest)
    spoken = said if awaited is not None else Turn.objects.filter(participant=seat).exclude(text="").last()
    if spoken is not None and spoken.text == words:
        return spoken
    if awaited is None:
        refuse_when_over(thread=thread)  # of a turn that is named it says more what became of that
    if said is not None:
        raise gone(said=said, named=awaited is not None)
    refuse_when_over(thread=thread)
    refuse_unless_awaited(thread=thread, now=now)
    Participant.objects.select_for_update(no_key=True).get(pk=seat.pk)  # no draft of it is kept meanwhile
    news = go_on(thread=thread, awaited=[newest], text=words, now=now)
    for draft in TurnDraft.objects.filter(participant=seat):
        if draft.pk == seen or parsing.tidied(draft.text) == words:
            draft.delete()
    event_log.append(debate_id=thread.debate_id, news=news, now=now)
    return Turn.objects.get(round_id=newest.round_id, participant_id=seat.pk, kind=newest.kind)


def own_seat(*, seat_id: int, by: Visitor) -> Participant:
    """Return a seat, to who sits there.

    Raises: ``NotFound``, ``NotPermitted``.
    """
    seat = Participant.objects.filter(pk=seat_id).first()
    if seat is None:
        raise NotFound("There is no such participant.")
    if seat.user_id is None or not isinstance(by, User) or seat.user_id != by.pk:
        raise NotPermitted("Only who sits there speaks here; this is not your seat.")
    return seat


def asked_for(*, seat: Participant, awaited: UUID | None) -> AwaitedTurn:
    """Return the awaited turn of a seat that somebody named, or its newest.

    Raises: ``NotFound``; where nothing was ever awaited from the seat ``NotYourTurn``, or ``NotAllowedNow`` once its
    debate is over.
    """
    rows = AwaitedTurn.objects.select_related("round", "participant", "about").filter(participant=seat).order_by("-id")
    row = rows.first() if awaited is None else rows.filter(public_id=awaited).first()
    if row is not None:
        return row
    if awaited is not None:
        raise NotFound("There is no such awaited turn of this seat.")
    if Status(seat.debate.status) not in IN_PLAY:
        raise NotAllowedNow(DEBATE_OVER)
    raise NotYourTurn("It is not your turn yet.")


def answer_to(awaited: AwaitedTurn) -> Turn | None:
    """Return what became of an awaited turn, if anything has: what was said, or a forfeit, which has no words."""
    rows = Turn.objects.filter(round_id=awaited.round_id, participant_id=awaited.participant_id, kind=awaited.kind)
    return (rows.filter(answers=awaited.about_id) if awaited.kind == TurnKind.JUDGEMENT.value else rows).first()


def refuse_when_over(*, thread: Thread) -> None:
    """Refuse words in a debate, or in a thread of it, in which nothing is said any more.

    Raises: ``NotAllowedNow``.
    """
    going_on = Thread.objects.filter(debate=thread.debate_id).exclude(status__in=[status.value for status in ENDED])
    if Status(thread.debate.status) not in IN_PLAY or not going_on.exists():
        raise NotAllowedNow(DEBATE_OVER)
    if ThreadStatus(thread.status) in ENDED:
        raise NotAllowedNow("This part of the debate has ended; nothing more is said in it.")


def gone(*, said: Turn, named: bool) -> NotAllowedNow:
    """Return the refusal of words for a turn that was taken or forfeited; ``named``: they were meant for just that."""
    if said.slot.startswith(FORFEIT):
        return TooLate("The time for this turn was up. It was forfeited, and the debate has gone on.")
    if named:
        return TurnTaken("You have spoken in this turn already; what was said stays said.")
    return NotYourTurn("It is not your turn. What you said last was taken down.")


def refuse_unless_awaited(*, thread: Thread, now: datetime) -> None:
    """Refuse words for a turn that a locked thread does not wait for now.

    Raises: ``NotAllowedNow`` while the debate is paused, ``NotYourTurn``, ``TooLate``.
    """
    if thread.debate.status == Status.PAUSED.value:
        raise NotAllowedNow("The debate is paused. When it is resumed, you have the whole time anew.")
    if thread.status != ThreadStatus.AWAITING_TURN.value:
        raise NotYourTurn("It is not your turn.")
    deadline = newest(thread=thread).deadline
    if now > deadline:
        raise TooLate(f"The time for this turn was up at {clock(deadline, pattern='%H:%M:%S')}.")


def go_on(
    *, thread: Thread, awaited: Sequence[AwaitedTurn], text: str | None, now: datetime, because: str = DEADLINE
) -> list[News]:
    """Write what came of awaited turns, and have the locked thread played on as soon as that is committed.

    Shape: ``because`` says of no words why there are none.
    """
    news: list[News] = []
    for row in awaited:
        brief, board = board_of(thread=thread, awaited=row)
        step = replace(ballots.step_of(row), because=because)
        news += format_of(brief.format).record_awaited(brief=brief, board=board, awaited=step, text=text, now=now)
    play_on(thread=thread)
    return news


def board_of(*, thread: Thread, awaited: AwaitedTurn) -> tuple[Brief, ThreadState]:
    """Return what is known of a locked thread in the round in which a turn is awaited."""
    brief = selectors.brief(thread.debate_id)
    board: ThreadState = format_of(brief.format).thread_state(thread=thread, number=awaited.round.number)
    return brief, replace(board, round_id=awaited.round_id)


def play_on(*, thread: Thread) -> None:
    """Have a locked thread that waits for nobody any more played on as soon as that is committed."""
    thread.status = ThreadStatus.PLAYING.value
    thread.save(update_fields=["status"])
    queue.play(thread_ids=[thread.pk], debate_id=thread.debate_id)


# -- moving a deadline -----------------------------------------------------------------------------------------------


@UseCase
def move_deadline(*, debate_id: int, by: User | None, deadline: datetime, now: datetime) -> Debate:
    """Move the deadline of whom a running debate waits for, before it has passed: for all of them alike, earlier or
    later. Those who have given a ballot are among them, so that nobody hears who they are.

    Raises: ``NotFound``, ``NotPermitted``, ``ConflictOfInterest``; ``NotAllowedNow`` where nobody is awaited;
    ``TooLate`` once it has passed; ``Invalid`` for a deadline that is not in the next 30 days.
    """
    debate = lock_debate(debate_id)
    may_conduct(by=by, debate=debate)
    may_move_deadline(debate=debate)
    if not now < deadline <= now + LONGEST_AHEAD:
        raise Invalid("The deadline must be in the future, and at most 30 days ahead.", field="deadline")
    news: list[News] = []
    for thread_id in sorted(waiting_threads(debate=debate).values_list("pk", flat=True)):
        thread = lock_thread(thread_id)
        if thread.status != ThreadStatus.AWAITING_TURN.value:
            continue
        if now >= newest(thread=thread).deadline:
            raise TooLate("The deadline has passed, and is not moved any more.")
        news += [
            await_again(thread=thread, last=last, at=last.at, deadline=deadline) for last in untaken(thread=thread)
        ]
    event_log.append(debate_id=debate.pk, news=news, now=now)
    return debate


def may_move_deadline(*, debate: Debate) -> None:
    """Refuse to move a deadline where there is none.

    Raises: ``NotAllowedNow``.
    """
    if debate.status == Status.PAUSED.value:
        raise NotAllowedNow("The debate is paused, and its clock stands still; resume it before you move a deadline.")
    if debate.status != Status.RUNNING.value or not waiting_threads(debate=debate).exists():
        raise NotAllowedNow("Nobody is awaited in this debate now, so there is no deadline to move.")


def waiting_threads(*, debate: Debate) -> QuerySet[Thread]:
    return Thread.objects.filter(debate=debate, status=ThreadStatus.AWAITING_TURN.value)


def deadline_of(debate: Debate) -> datetime | None:
    """Return until when somebody is awaited in a debate, where somebody is."""
    thread = waiting_threads(debate=debate).order_by("position").first()
    return newest(thread=thread).deadline if thread is not None else None


# -- letting the time pass -------------------------------------------------------------------------------------------


def overdue(*, now: datetime) -> Mapping[int, int]:
    """Return the threads of running debates in which the time of whom they wait for is up, with their debates."""
    newest_first = awaited_in_thread().order_by("-round__number", "-id")  # as in ``newest``
    last = Subquery(newest_first.values("deadline")[:1])
    late = running_and_waiting().annotate(deadline=last).filter(deadline__lte=now)
    return dict(late.values_list("pk", "debate_id"))


def waiting_in_vain() -> Mapping[int, int]:
    """Return the threads of running debates that wait for nobody but who may not judge, with their debates."""
    return dict(threads_in_vain().values_list("pk", "debate_id"))


def threads_in_vain() -> QuerySet[Thread]:
    """Return the threads of running debates that wait for nobody but who may not judge, nor be replaced.

    Nobody is replaced outside of panels: until one deadline of theirs has passed since a conflict was declared there is
    time to release such a judge.
    While others are awaited nothing is forfeited, for that would say who has given a sealed ballot and who has not.
    Source: docs/reference/conflicts.md#judging
    """
    left = awaited_in_thread().filter(~Exists(answering_turns()), ~Exists(ballots_given()))
    irreplaceable = Q(kind=TurnKind.REPORT.value, round__number__gt=0, round__closed_at__isnull=True)
    let_one_pass = Q(kind=TurnKind.JUDGEMENT.value) & Exists(judgements_let_pass())
    barred = Case(When(irreplaceable | let_one_pass, then=KEPT_FROM_SEAT))  # the dearest question, asked of few
    others = left.values("round__thread").annotate(others=Count("pk") - Count(barred)).values("others")
    return running_and_waiting().annotate(others=Subquery(others)).filter(others=0)


def running_and_waiting() -> QuerySet[Thread]:
    waiting = Thread.objects.filter(status=ThreadStatus.AWAITING_TURN.value, debate__status=Status.RUNNING.value)
    return waiting.order_by()


def awaited_in_thread() -> QuerySet[AwaitedTurn]:
    """Return what was ever awaited in the newest run of a thread, in a query about threads."""
    return AwaitedTurn.objects.filter(round__thread=OuterRef("pk"), round__run_number=OuterRef("run_number"))


def judgements_let_pass() -> QuerySet[AwaitedTurn]:
    """Return the judgements whose deadline somebody let pass in the same run of a debate, in a query about awaited
    turns: where a declared conflict keeps them from judging, since the first that stands.
    """
    declared = Conflict.objects.filter(debate=OuterRef("participant__debate"), person=OuterRef("participant__user"))
    standing = declared.filter(withdraws=None, withdrawal=None).order_by("at")
    forfeits = answering_turns().filter(slot__startswith=FORFEIT, at__gte=OuterRef("deadline"))
    judgements = AwaitedTurn.objects.filter(participant=OuterRef("participant"), kind=TurnKind.JUDGEMENT.value)
    judgements = judgements.filter(Exists(forfeits), round__run_number=OuterRef("round__run_number"))
    return judgements.filter(deadline__gt=Coalesce(Subquery(standing.values("at")[:1]), F("at")))


@transaction.atomic(durable=True)
def forfeit(*, thread_id: int, now: datetime) -> bool:
    """Let those forfeit a turn whose time is up, or who alone are awaited and may not judge, and let the debate go on;
    say whether it was so.
    """
    thread = lock_thread(thread_id)
    because = waits_no_longer(thread=thread, now=now)
    if because:
        news = go_on(thread=thread, awaited=outstanding(thread=thread), text=None, now=now, because=because)
        event_log.append(debate_id=thread.debate_id, news=news, now=now)
    return bool(because)


def waits_no_longer(*, thread: Thread, now: datetime) -> str:
    """Return why a locked thread waits no longer, if so: its time is up, or who alone is awaited may not judge."""
    is_waiting = thread.debate.status == Status.RUNNING.value and thread.status == ThreadStatus.AWAITING_TURN.value
    if is_waiting and now >= newest(thread=thread).deadline:
        return DEADLINE
    return NO_ANSWER if threads_in_vain().filter(pk=thread.pk).exists() else ""


@transaction.atomic(durable=True)
def break_off(*, thread_id: int, debate_id: int, problem: str, now: datetime) -> None:
    """End a thread in which a turn is overdue whose forfeit cannot be written down."""
    debate = lock_debate(debate_id)
    thread = lock_thread(thread_id)
    if waits_no_longer(thread=thread, now=now):
        news = play.end_unrecorded(debate=debate, thread=thread, problem=problem)
        event_log.append(debate_id=debate_id, news=news, now=now)


LONGEST, LONGEST_BALLOT = 32_000, 400_000


class SavedElsewhere(NotAllowedNow):
    """Another device has saved since; ``draft`` is the key of what it saved, 0 where it left nothing."""

    code = "saved_elsewhere"


@UseCase
def save_draft(
    *,
    seat_id: int,
    by: Visitor,
    text: str,
    seen: int,
    now: datetime,
    awaited: UUID | None = None,
    before: Collection[str] = (),
) -> TurnDraft | None:
    """Keep what is written for a seat, in place of what was kept before; nothing where it is empty.

    Shape: ``seen`` is the key of the draft that these words go on from, 0 where there was none; ``awaited`` names the
    turn or the ballot that they are for. ``before`` are words that the same page sent, and was not answered.
    Raises: ``NotFound``, ``NotPermitted`` for somebody else's seat; ``Invalid`` for what cannot be stored;
    ``SavedElsewhere``; ``NotAllowedNow`` for what was said last, for a turn that was spoken, for a ballot that is not
    awaited, or for words once the debate is over: others of it may have been erased.
    """
    seat = own_seat(seat_id=seat_id, by=by)
    debate = lock_debate(seat.debate_id)
    Participant.objects.select_for_update(no_key=True, of=("self",)).get(pk=seat.pk)
    judges = seat.role == Role.JUDGE.value
    place = ballots.place_awaited(seat=seat, awaited=awaited) if judges else ""
    if not judges and text.strip() and Status(debate.status) in OVER:
        raise NotAllowedNow(DEBATE_OVER)
    draft = TurnDraft.objects.filter(participant=seat, place=place).first()
    last = Turn.objects.filter(participant=seat).order_by("-pk").first()
    if last is not None and last.text and last.text == parsing.tidied(text):
        raise NotAllowedNow("This was said already; no draft of it is kept.")
    newest = draft.pk if draft else 0
    rows = AwaitedTurn.objects.filter(participant=seat)
    row = rows.filter(public_id=awaited).first() if awaited is not None and not judges else None
    said = answer_to(row) if row else None
    if said is not None and said.text and (newest != seen or not seen):
        raise NotAllowedNow("The turn that this was written for was spoken already; no draft for it is kept.")
    if newest != seen and (draft.text if draft else "") not in {text, *before}:
        raise SavedElsewhere("This draft was changed on another device since.", draft=newest)
    words = spec.text_of(text, name="draft", longest=LONGEST_BALLOT if judges else LONGEST) if text.strip() else ""
    TurnDraft.objects.filter(participant=seat, place=place).delete()
    return TurnDraft.objects.create(participant=seat, place=place, text=words, saved_at=now) if words else None
