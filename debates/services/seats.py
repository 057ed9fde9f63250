"""Seats: a participant that is no engine is taken by a person, with a signed link that is good once."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.models import User
from django.core import signing
from django.db.models import QuerySet

from debates.errors import Invalid, NotAllowedNow, NotFound
from debates.models import Participant
from debates.services.idempotency import UseCase
from debates.services.rights import Asker, may_conduct
from debates.types import Kind

SALT = "debates.seat"
GOOD_FOR = timedelta(days=7)


@UseCase
def invite(*, participant_id: int, by: Asker) -> str:
    """Return a new invitation to a free seat, as text for a link; those before it are good no more.

    Raises: ``NotFound``, ``NotPermitted`` unless one may conduct the debate, ``NotAllowedNow`` for an engine's seat or
    one that is taken.
    """
    seat = _seat(participant_id=participant_id)
    may_conduct(by=by, debate=seat.debate)
    if seat.kind == Kind.ENGINE.value:
        raise NotAllowedNow("Here an engine speaks; it needs no seat.")
    if seat.user_id is not None:
        raise NotAllowedNow("This seat is taken.")
    seat.invitation += 1
    seat.save(update_fields=["invitation"])
    return signing.dumps([str(seat.public_id), seat.invitation], salt=SALT, compress=False)


def invited(*, invitation: str) -> Participant:
    """Return the seat that an invitation is to, whether it is free or not.

    Raises: ``Invalid`` for an invitation that is forged, over, or not the newest.
    """
    return _invited(invitation, rows=Participant.objects.select_related("debate"))


@UseCase
def take(*, invitation: str, by: User) -> Participant:
    """Take a seat with an invitation, for oneself and one's API keys.

    Raises: ``Invalid`` for an invitation that is forged, over, or not the newest; ``NotAllowedNow`` when it was taken.
    """
    seat = _invited(invitation, rows=Participant.objects.select_for_update(no_key=True, of=("self",)))
    if seat.user_id is not None:
        raise NotAllowedNow("This seat is taken; an invitation is good once.")
    seat.user = by
    seat.save(update_fields=["user"])
    return seat


def _invited(invitation: str, *, rows: QuerySet[Participant]) -> Participant:
    try:
        address, number = signing.loads(invitation, salt=SALT, max_age=GOOD_FOR)
        seat = rows.get(public_id=address)
    except (signing.BadSignature, Participant.DoesNotExist, ValueError, TypeError) as error:
        raise Invalid("This invitation is none of ours, or it is over.") from error
    if number != seat.invitation:
        raise Invalid("There is a newer invitation to this seat; this one is good no more.")
    return seat


def _seat(*, participant_id: int) -> Participant:
    rows = Participant.objects.select_for_update(no_key=True, of=("self",)).select_related("debate")
    seat = rows.filter(pk=participant_id).first()
    if seat is None:
        raise NotFound("There is no such participant.")
    return seat
