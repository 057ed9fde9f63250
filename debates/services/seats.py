"""Seats: a participant that is no engine is taken by a person, with an invitation that is good once."""

from datetime import datetime

from django.contrib.auth.models import User
from django.utils import timezone

from debates.errors import Invalid, NotFound
from debates.models import Participant
from debates.services import invitations
from debates.services.idempotency import UseCase
from debates.services.rights import Asker, may_conduct


@UseCase
def invite(*, participant_id: int, by: Asker, now: datetime | None = None) -> str:
    """Return a new invitation to a free seat, as text for a link; those before it are good no more.

    Raises: ``NotFound``, ``NotPermitted`` unless one may conduct the debate, ``NotAllowedNow`` for an engine's seat,
    one that is taken, or one of a debate that is conducted elsewhere.
    """
    seat = Participant.objects.select_related("debate").filter(pk=participant_id).first()
    if seat is None:
        raise NotFound("There is no such participant.")
    may_conduct(by=by, debate=seat.debate)
    offer = invitations.Offer(debate=seat.debate, seat=seat)
    return invitations.issue(offer=offer, by=by, now=now or timezone.now())[1]


def invited(*, invitation: str, by: Asker = None) -> Participant:
    """Return the seat that an invitation is to: one that is free, or that this person took with it.

    Raises: as ``invitations.invited``; ``Invalid`` for an invitation to something else.
    """
    seat = invitations.invited(text=invitation, now=timezone.now(), by=by).seat
    if seat is None:
        raise Invalid(invitations.NO_GOOD)
    return seat


@UseCase
def take(*, invitation: str, by: User) -> Participant:
    """Take a seat with an invitation, for oneself and one's API keys. Who took it with that gets it again.

    Raises: as ``invited``; ``NotAllowedNow`` when it was taken.
    """
    seat = invited(invitation=invitation, by=by)
    invitations.let_in(text=invitation, by=by, now=timezone.now())
    seat.refresh_from_db()
    return seat
