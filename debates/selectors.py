"""Reading debates."""

from __future__ import annotations

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Subquery, Value, When

from debates import rules
from debates.models import AwaitedTurn, Debate, Event, Participant, Turn
from debates.types import FORFEIT, AwaitedState, Status, ThreadStatus, Visibility

Visitor = AbstractBaseUser | AnonymousUser
WITH_ADDRESS = (Visibility.PUBLIC.value, Visibility.UNLISTED.value)


def listed_debates() -> QuerySet[Debate]:
    """Return the debates that anybody may find, newest first."""
    return Debate.objects.filter(visibility=Visibility.PUBLIC.value).select_related("subject")


def visible_debates(*, visitor: Visitor) -> QuerySet[Debate]:
    """Return the debates that somebody may read who has their address.

    Public and unlisted ones for everybody; private ones for their creator, for who takes part, and for whoever may view
    debates.
    """
    return _readable(visitor=visitor, to_all=WITH_ADDRESS)


def findable_debates(*, visitor: Visitor) -> QuerySet[Debate]:
    """Return the debates that a list shows to somebody: of the unlisted ones their own alone."""
    return _readable(visitor=visitor, to_all=(Visibility.PUBLIC.value,))


def _readable(*, visitor: Visitor, to_all: tuple[str, ...]) -> QuerySet[Debate]:
    debates = Debate.objects.select_related("subject", "head")
    if not isinstance(visitor, User):
        return debates.filter(visibility__in=to_all)
    if visitor.has_perm("debates.view_debate"):
        return debates
    seated = Exists(Participant.objects.filter(debate=OuterRef("pk"), user=visitor))
    return debates.filter(Q(visibility__in=to_all) | Q(created_by=visitor) | Q(seated))


def audiences(*, visitor: Visitor, debate: Debate) -> list[str]:
    """Return whose events of a debate somebody may read."""
    person = visitor if isinstance(visitor, User) else None
    found = rules.audiences(
        visibility=Visibility(debate.visibility),
        created=person is not None and debate.created_by_id == person.pk,
        takes_part=person is not None and debate.participants.filter(user=person).exists(),
        sees_all_debates=person is not None and person.has_perm("debates.view_debate"),
        sees_the_desk=person is not None and person.has_perm("scoring.view_alert"),
    )
    return [one.value for one in found]


def awaited_turns() -> QuerySet[AwaitedTurn]:
    """Return turns that were or are awaited, with their ``state`` and, as ``answer``, the id of what came of them."""
    turns = Turn.objects.filter(round=OuterRef("round"), participant=OuterRef("participant"), kind=OuterRef("kind"))
    later = AwaitedTurn.objects.filter(
        round=OuterRef("round"), participant=OuterRef("participant"), number__gt=OuterRef("number")
    )
    still = Q(round__thread__status=ThreadStatus.AWAITING_TURN.value) & ~Exists(later)
    state = Case(
        When(Exists(turns.filter(slot__startswith=FORFEIT)), then=Value(AwaitedState.FORFEITED.value)),
        When(Exists(turns), then=Value(AwaitedState.SPOKEN.value)),
        When(still & Q(round__thread__debate__status=Status.RUNNING.value), then=Value(AwaitedState.WAITING.value)),
        When(still & Q(round__thread__debate__status=Status.PAUSED.value), then=Value(AwaitedState.PAUSED.value)),
        default=Value(AwaitedState.OVER.value),
    )
    rows = AwaitedTurn.objects.select_related("round__thread__debate", "participant")
    return rows.annotate(state=state, answer=Subquery(turns.values("public_id")[:1]))


def events_after(*, debate_id: int, seq: int) -> QuerySet[Event]:
    """Return what a debate's log holds after ``seq``, in order."""
    return Event.objects.filter(debate_id=debate_id, seq__gt=seq).order_by("seq")
