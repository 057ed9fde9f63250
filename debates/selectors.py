"""Reading debates."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, tzinfo
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser, User
from django.db import connection, connections, transaction
from django.db.models import Case, Exists, F, Func, OuterRef, Q, QuerySet, Subquery, TextField, Value, When
from django.db.models.functions import Now

from debates import replica, rules
from debates.models import (
    ApiKey,
    AwaitedTurn,
    Ballot,
    Debate,
    Delivery,
    Event,
    Membership,
    Participant,
    Profile,
    Round,
    Turn,
)
from debates.types import FORFEIT, Audience, AwaitedState, MemberRole, Role, Status, ThreadStatus, TurnKind, Visibility

Visitor = AbstractBaseUser | AnonymousUser
WITH_ADDRESS = (Visibility.PUBLIC.value, Visibility.UNLISTED.value)


@contextmanager
def one_moment() -> Iterator[None]:
    """Read everything inside as of its first query: what is committed meanwhile is not seen.

    Inside somebody's transaction that transaction decides what is seen. Where ``replica.allowed`` says so, it is read
    from the replica.
    """
    with replica.reading() as using:
        if connections[using].in_atomic_block:
            yield
            return
        with transaction.atomic(using=using):
            with connections[using].cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


def people_with_rights() -> QuerySet[User]:
    """Return who may do anything that not everybody may who takes part in a debate."""
    in_group = Exists(User.groups.through.objects.filter(user=OuterRef("pk")))
    permitted = Exists(User.user_permissions.through.objects.filter(user=OuterRef("pk")))
    return User.objects.filter(Q(is_staff=True) | Q(is_superuser=True) | in_group | permitted)


def has_rights(*, user: User) -> bool:
    return people_with_rights().filter(pk=user.pk).exists()


def among(people: QuerySet[User]) -> Exists:
    """Return whether somebody of a query is among certain people."""
    return Exists(people.filter(pk=OuterRef("pk")))


def valid_keys(*, now: datetime | Now) -> QuerySet[ApiKey]:
    """Return the keys that are good: not revoked, not over, their owners still active."""
    lasting = Q(expires_at__isnull=True) | Q(expires_at__gt=now)
    return ApiKey.objects.filter(lasting, revoked_at=None, owner__is_active=True)


def listed_debates() -> QuerySet[Debate]:
    """Return the debates that anybody may find, newest first."""
    return Debate.objects.filter(visibility=Visibility.PUBLIC.value).select_related("subject")


def visible_debates(*, visitor: Visitor) -> QuerySet[Debate]:
    """Return the debates that somebody may read who has their address.

    Public and unlisted ones for everybody; private ones for their creator, for who takes part or has a role, and for
    whoever may view debates.
    """
    return _readable(visitor=visitor, to_all=WITH_ADDRESS)


def findable_debates(*, visitor: Visitor) -> QuerySet[Debate]:
    """Return the debates that a list shows to somebody: of the unlisted ones their own alone.

    Whoever may view debates finds all, unlisted and private ones, too.
    """
    return _readable(visitor=visitor, to_all=(Visibility.PUBLIC.value,))


def _readable(*, visitor: Visitor, to_all: tuple[str, ...]) -> QuerySet[Debate]:
    debates = Debate.objects.select_related("subject", "head", "repeat_of")
    if not isinstance(visitor, User):
        return debates.filter(visibility__in=to_all)
    if visitor.has_perm(rules.SEES_DEBATES):
        return debates
    return debates.filter(Q(visibility__in=to_all) | concerns(visitor) | welcomes(visitor))


def concerns(user: User, *, debate: str = "") -> Q:
    """Select the debates that somebody created or has a part in; ``debate`` leads to them from another table."""
    seated = Participant.objects.filter(debate=OuterRef(f"{debate}pk"), user=user)
    roles = standing_roles(user).exclude(role=MemberRole.GUEST.value).filter(debate=OuterRef(f"{debate}pk"))
    return Q(**{f"{debate}created_by": user}) | Q(Exists(seated)) | Q(Exists(roles))


def welcomes(user: User) -> Q:
    """Select the debates that somebody has a role in, if only that of a guest."""
    return Q(Exists(standing_roles(user).filter(debate=OuterRef("pk"))))


def standing_roles(user: User) -> QuerySet[Membership]:
    """Return the roles that somebody has in debates, without those that were revoked."""
    return Membership.objects.filter(user=user, revoked_at=None)


PARTIES = """
SELECT d, moot_party(%s, d), moot_organises(%s, d) AND NOT (%s AND moot_organisers_moderate())
FROM unnest(%s::bigint[]) AS d
"""


def parties(*, user: User | AnonymousUser, debates: Sequence[int]) -> list[tuple[int, str, bool]]:
    """Return of each debate as what somebody is a party in it, or nothing, and whether it is closed to them as they
    organise it, in one query.

    Source: docs/reference/conflicts.md.
    """
    with connection.cursor() as cursor:
        cursor.execute(PARTIES, [user.pk, user.pk, settings.ORGANISERS_MODERATE, list(debates)])
        rows: list[tuple[int, str, bool]] = cursor.fetchall()
        return rows


def conducts(*, user: User, debate: Debate) -> bool:
    """Say whether somebody conducts a debate, by having created it or as its organiser."""
    organises = standing_roles(user).filter(debate=debate, role=MemberRole.ORGANISER.value)
    return debate.created_by_id == user.pk or organises.exists()


def played_out(debate: Debate) -> bool:
    """Tell whether every thread was played to its end: all that a partial debate of these lacks is closing words."""
    return set(debate.threads.values_list("status", flat=True)) == {ThreadStatus.COMPLETE.value}


def surrendered(*, debates: Collection[int]) -> set[UUID]:
    """Return the public ids of participants who have given up, and speak no more."""
    events = Event.objects.filter(debate__in=debates, type="participant:surrendered")
    return {UUID(participant) for participant in events.values_list("data__participant", flat=True)}


def kept_from_seat(*, person: str, seat: str) -> Func:
    """Return why somebody may not sit on a seat, nothing where they may, in a query that leads to both."""
    return Func(F(person), F(seat), function="moot_kept_from_seat", output_field=TextField())


KEPT_FROM_SEAT = kept_from_seat(person="participant__user", seat="participant")
"""Why whoever sits where a turn is awaited may not, in a query about awaited turns."""


def barred_judges(*, debates: Collection[int]) -> QuerySet[Any]:
    """Return who sits as a judge in some debates that last, and may not judge there because of what else they are:
    ``kept`` says what that is.
    """
    lasting = Participant.objects.filter(debate__in=debates, role=Role.JUDGE.value, replacement=None)
    kept = kept_from_seat(person="user", seat="pk")
    over = [status.value for status in rules.OVER]
    return lasting.filter(user__isnull=False).exclude(debate__status__in=over).annotate(kept=kept).exclude(kept=None)


def barred_in_time(*, debates: Collection[int]) -> QuerySet[Any]:
    """Return barred judges who can still be replaced, or for whom a debate that is no panel can still be stopped."""
    left = [status.value for status in (Status.DRAFT, Status.SCHEDULED, Status.RUNNING, Status.PAUSED)]
    barred = barred_judges(debates=debates).filter(debate__status__in=left)
    return barred.exclude(Exists(first_rounds_closed()), debate__format__in=rules.READ_ALONE_FIRST)


def first_rounds_closed() -> QuerySet[Round]:
    """Return the first rounds that are closed, in a query about participants."""
    closed = Round.objects.filter(number=0, run_number=F("thread__run_number"), closed_at__isnull=False)
    return closed.filter(thread__debate=OuterRef("debate"))


def without_first_report(*, seats: Collection[Participant]) -> set[int]:
    """Return which judges of some seats gave no report in a first round that is closed."""
    reports = Turn.objects.filter(participant=OuterRef("pk"), kind=TurnKind.REPORT.value)
    judges = Participant.objects.filter(pk__in=[seat.pk for seat in seats], role=Role.JUDGE.value)
    silent = judges.filter(Exists(first_rounds_closed()), ~Exists(reports.exclude(slot__startswith=FORFEIT)))
    return set(silent.values_list("pk", flat=True))


def repeated(*, visitor: Visitor, debate: Debate) -> Debate | None:
    """Return what a debate repeats, to those who may read that; a public debate tells no address of an unlisted one.

    Source: docs/reference/api.md, "Creating debates".
    """
    earlier = debate.repeat_of
    replica.confirm([earlier.pk] if earlier else [])
    if earlier is None or earlier.visibility == Visibility.PUBLIC.value:
        return earlier
    if earlier.visibility == Visibility.UNLISTED.value and debate.visibility != Visibility.PUBLIC.value:
        return earlier
    return earlier if findable_debates(visitor=visitor).filter(pk=earlier.pk).exists() else None


def audiences(*, visitor: Visitor, debate: Debate) -> list[str]:
    """Return whose events of a debate somebody may read."""
    person = visitor if isinstance(visitor, User) else None
    this = Debate.objects.filter(pk=debate.pk)
    concerned = person is not None and this.filter(concerns(person)).exists()
    guest = person is not None and this.filter(welcomes(person)).exists()
    names = (rules.SEES_DEBATES, rules.SEES_DESK)
    permissions = {name for name in names if person is not None and person.has_perm(name)}
    visibility = Visibility(debate.visibility)
    readable = rules.audiences(visibility=visibility, concerned=concerned, guest=guest, permissions=permissions)
    return [audience.value for audience in readable]


def sees_problem(*, visitor: Visitor, debate: Debate) -> bool:
    """Say whether somebody may read what went wrong with a debate, and why it was stopped.

    Source: docs/reference/debates.md, "Statuses".
    """
    if not isinstance(visitor, User):
        return False
    desk = any(visitor.has_perm(name) for name in ("debates.change_debate", rules.SEES_DESK))
    return desk or conducts(user=visitor, debate=debate)


def readable_events(*, visitor: Visitor) -> QuerySet[Event]:
    """Return the events that are for somebody, of debates that they may read who has their address.

    Source: ``audiences``, which says the same of one debate.
    """
    events = Event.objects.filter(debate__in=visible_debates(visitor=visitor))
    if not isinstance(visitor, User):
        return events.filter(audience=Audience.PUBLIC.value)
    if visitor.has_perm(rules.SEES_DESK):
        return events
    to_participants = Q(audience=Audience.PARTICIPANTS.value) & concerns(visitor, debate="debate__")
    return events.filter(Q(audience=Audience.PUBLIC.value) | to_participants)


def readable_deliveries(*, visitor: Visitor) -> QuerySet[Delivery]:
    """Return the deliveries of events that somebody may read, and the tests of every webhook.

    Of unlisted debates only where the webhook names one, or a list shows them.
    """
    known = Q(webhook__debate__isnull=False) | Q(event__debate__in=findable_debates(visitor=visitor))
    readable = Exists(readable_events(visitor=visitor).filter(pk=OuterRef("event")))
    return Delivery.objects.filter(Q(event__isnull=True) | known & readable)


def awaited_turns() -> QuerySet[AwaitedTurn]:
    """Return turns that were or are awaited, with their ``state`` and, as ``answer``, the id of what came of them."""
    turns = answering_turns()
    later = AwaitedTurn.objects.filter(
        SAME_ABOUT, round=OuterRef("round"), participant=OuterRef("participant"), number__gt=OuterRef("number")
    )
    here = Q(round__closed_at__isnull=True, round__run_number=F("round__thread__run_number"))
    still = here & Q(round__thread__status=ThreadStatus.AWAITING_TURN.value) & ~Exists(later)
    counts = Q(round__closed_at__isnull=False) | Q(about__isnull=False)  # until then nobody hears of a ballot
    state = Case(
        When(Exists(turns.filter(slot__startswith=FORFEIT)), then=Value(AwaitedState.FORFEITED.value)),
        When(Exists(turns) | counts & Exists(ballots_given()), then=Value(AwaitedState.SPOKEN.value)),
        When(still & Q(round__thread__debate__status=Status.RUNNING.value), then=Value(AwaitedState.WAITING.value)),
        When(still & Q(round__thread__debate__status=Status.PAUSED.value), then=Value(AwaitedState.PAUSED.value)),
        default=Value(AwaitedState.OVER.value),
    )
    rows = AwaitedTurn.objects.select_related("round__thread__debate", "participant", "about__participant")
    rows = rows.defer("round__thread__debate__parameters")
    return rows.annotate(state=state, answer=Subquery(turns.values("public_id")[:1]))


def unanswered(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Return those of some awaited turns to which no ballot was given, and may be by who sits there: for them, and for
    nobody else.
    """
    left: QuerySet[Any] = rows.alias(kept=KEPT_FROM_SEAT).filter(~Exists(ballots_given()), kept=None)
    return left


SAME_ABOUT = Q(about=OuterRef("about")) | Q(about__isnull=True)
"""A seat judges either single responses or what has no single turn; so nothing else of it has no ``about``."""


def rounds_judged(*, by: Visitor) -> QuerySet[Round]:
    """Return the open rounds in which somebody judges, who is to hear nothing of what others judge there."""
    judges = Q(thread__debate__participants__user=by.pk, thread__debate__participants__role=Role.JUDGE.value)
    rows = Round.objects.filter(judges, run_number=F("thread__run_number"), closed_at=None)
    return rows.exclude(thread__debate__status__in=rules.OVER)


def ballots_given() -> QuerySet[Ballot]:
    """Return the ballots that answer an awaited turn, in a query about awaited turns."""
    return Ballot.objects.filter(SAME_ABOUT, round=OuterRef("round"), participant=OuterRef("participant"))


def answering_turns() -> QuerySet[Turn]:
    """Return the turns that answer an awaited turn, in a query about awaited turns: said, or forfeited."""
    turns = Turn.objects.filter(round=OuterRef("round"), participant=OuterRef("participant"), kind=OuterRef("kind"))
    of_response = Q(answers=OuterRef("about")) | Q(answers__isnull=True)
    return turns.filter(~Q(kind=TurnKind.JUDGEMENT.value) | of_response)


# Whoever writes events holds a shared advisory lock (the trigger ``event_05_behind``). Its key is 28015 in the upper 16
# bits, and in the others the newest id that was drawn before its own.
OLDEST_WRITER = """
    SELECT min(((classid::bigint & 65535) << 32) | objid::bigint) FROM pg_locks
    WHERE locktype = 'advisory' AND mode = 'ShareLock' AND objsubid = 1 AND (classid::bigint >> 16) = 28015
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND pid IS DISTINCT FROM pg_backend_pid()
"""


def settled_event() -> int:
    """Return the id of the newest event before which no other can appear any more; 0 while there is none.

    Ids are drawn in the order of writing and seen in the order of committing, so an id that is missing may still be
    committed. Whoever draws ids has said before, by a lock, behind which they will be, and keeps it until the end:
    where none says less by now, what is missing was committed meanwhile, and will be seen, or rolled back.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(max(id), 0) FROM debates_event")
        [newest] = cursor.fetchone()
        cursor.execute(OLDEST_WRITER)  # only now: whoever ends between the two questions is seen from here on
        [before] = cursor.fetchone()
    return int(newest if before is None else min(newest, before))


def events_after(*, debate_id: int, seq: int) -> QuerySet[Event]:
    return Event.objects.filter(debate_id=debate_id, seq__gt=seq).order_by("seq")


def zone_of(*, user_id: int) -> tzinfo:
    """Return the time zone that somebody chose; ``datetime.UTC`` itself where it is none that this machine knows."""
    name = Profile.objects.filter(user=user_id).values_list("time_zone", flat=True).first()
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, ValueError):
        return UTC
