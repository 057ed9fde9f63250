"""Which events somebody is written to about, and who that is."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from debates.mail.outbox import due
from debates.models import AwaitedTurn, Debate, EventHead, Mail, Membership, Participant
from debates.selectors import KEPT_FROM_SEAT, awaited_turns, unanswered
from debates.types import AwaitedState, Kind, MailKind, MailState, MemberRole, News, Status

AWAITED, FORFEITED, REVIEW = "turn:awaited", "turn:forfeited", "review:opened"
CONCLUDED, CHANGED = "debate:concluded", "result:changed"
OCCASIONS = frozenset({AWAITED, FORFEITED, REVIEW, CONCLUDED, CHANGED})
DECIDES_REVIEWS = "judging.resolve_review"
COLLECTED_FOR = timedelta(minutes=2)
"""How long a mail about a change waits for the changes that come with it."""
SHORTEST_WITH_REMINDER = timedelta(hours=1)
LONGEST_BEFORE = timedelta(days=1)


def write_mail(*, debate_id: int, news: Sequence[News], now: datetime) -> None:
    """Have those written to whom events of a debate concern, in the transaction of these events."""
    types = {event.type for event in news}
    if types.isdisjoint(OCCASIONS):
        return
    for event in news:
        if event.type == AWAITED:
            about_awaited(awaited_of(event), now=now)
        elif event.type == FORFEITED:
            to_speaker(MailKind.FORFEITED, awaited_of(event), now=now)
        elif event.type == REVIEW:
            people = User.objects.with_perm(DECIDES_REVIEWS).filter(is_staff=True).values_list("pk", flat=True)
            due(kind=MailKind.WAITING, about=event.data["review"], people=people, debate_id=debate_id, now=now)
    if CONCLUDED in types:
        about_end(debate_id=debate_id, now=now)
    elif CHANGED in types:
        about_change(debate_id=debate_id, now=now)


def awaited_of(event: News) -> AwaitedTurn | None:
    """Return the awaited turn that an event names, or the newest of its participant, where a person sits there."""
    named = event.data.get("awaited")
    if named is None:
        return of_people().filter(participant__public_id=event.data["participant"]).order_by("-id").first()
    return of_people().filter(public_id=named).first()


def of_people() -> QuerySet[AwaitedTurn]:
    """Return the awaited turns of people who may take them."""
    rows = AwaitedTurn.objects.filter(participant__kind=Kind.HUMAN.value, participant__user__isnull=False)
    return rows.alias(kept=KEPT_FROM_SEAT).filter(kept=None).select_related("participant")


def about_seat(seat: Participant, *, now: datetime) -> None:
    """Say to somebody who has just taken a seat what waits for them there."""
    here = unanswered(awaited_turns().filter(participant=seat.pk))
    waiting = here.filter(state=AwaitedState.WAITING.value)
    for row in of_people().filter(pk__in=waiting.values("pk")).order_by("deadline", "pk"):
        about_awaited(row, now=now)


def about_awaited(awaited: AwaitedTurn | None, *, now: datetime) -> None:
    """Say that it is somebody's turn, and again before the time is up, where there is time enough for that."""
    to_speaker(MailKind.TURN, awaited, now=now)
    if awaited is None or (time := awaited.deadline - awaited.at) < SHORTEST_WITH_REMINDER:
        return
    soon = awaited.deadline - min(time / 4, LONGEST_BEFORE)
    if soon > now:  # a deadline may be moved to be that near
        to_speaker(MailKind.REMINDER, awaited, now=now, at=soon)


def to_speaker(kind: MailKind, awaited: AwaitedTurn | None, *, now: datetime, at: datetime | None = None) -> None:
    """Write to who sits where a turn is or was awaited."""
    seat = awaited.participant if awaited is not None else None
    if awaited is not None and seat is not None and (person := seat.user_id) is not None:
        due(kind=kind, about=awaited.public_id, people=[person], debate_id=seat.debate_id, now=now, at=at)


def about_end(*, debate_id: int, now: datetime) -> None:
    """Say that a debate is concluded; once more where it was played again since."""
    occasion = numbered(debate_id)
    if occasion is not None:
        people = concerned(debate_id=debate_id)
        due(kind=MailKind.CONCLUDED, about=occasion, people=people, debate_id=debate_id, now=now)


def about_change(*, debate_id: int, now: datetime) -> None:
    """Say that a moderator changed what a concluded debate came to, once for the changes of two minutes."""
    if not Debate.objects.filter(pk=debate_id, status=Status.CONCLUDED.value).exists():
        return
    occasion = numbered(debate_id)
    if occasion is None:
        return
    kind = MailKind.CHANGED
    waits = Mail.objects.filter(kind=kind.value, debate=debate_id, state=MailState.DUE.value)
    people = concerned(debate_id=debate_id).exclude(pk__in=waits.values("person"))
    due(kind=kind, about=occasion, people=people, debate_id=debate_id, now=now, after=COLLECTED_FOR)


def numbered(debate_id: int) -> str | None:
    """Return a name for what happens in a debate just now: its id, and how many events came before."""
    head = EventHead.objects.filter(debate=debate_id).values_list("debate__public_id", "seq").first()
    return None if head is None else f"{head[0]}:{head[1]}"


def concerned(*, debate_id: int) -> QuerySet[User, int]:
    """Return whom the result of a debate is told: who made it, who sits in it, and who has a role in it but guests.

    Whoever was replaced as a judge is told nothing more, for a role either, unless they conduct it.
    """
    seats = Participant.objects.filter(debate=debate_id, kind=Kind.HUMAN.value, user__isnull=False)
    seated, left = seats.filter(replacement=None), seats.exclude(replacement=None)
    creator = Debate.objects.filter(pk=debate_id, created_by__isnull=False)
    members = Membership.objects.filter(debate=debate_id, revoked_at=None).exclude(role=MemberRole.GUEST.value)
    members = members.exclude(~Q(role=MemberRole.ORGANISER.value), user__in=left.values("user"))
    ids = seated.values("user").union(creator.values("created_by"), members.values("user"))
    return User.objects.filter(pk__in=ids, is_active=True).values_list("pk", flat=True)
