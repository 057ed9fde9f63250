"""Who may do what. Services ask here themselves, whichever way somebody came."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser, User
from django.db import connection

from debates import selectors
from debates.errors import ConflictOfInterest, NotPermitted
from debates.models import Debate, Participant

CONDUCTS = "debates.change_debate"
PAUSES = "debates.pause_debate"
Asker = User | AnonymousUser | None
"""Who asks; nobody where it is the operator of the machine."""


def permitted(*, by: Asker, permission: str) -> None:
    """Refuse whoever may not do this.

    Shape: ``permission`` is a codename with the label of its app before a dot.
    Raises: ``NotPermitted`` naming the permission.
    """
    if by is not None and not by.has_perm(permission):
        lacking = permission.rpartition(".")[2]
        raise NotPermitted(f"{by.get_username() or 'An anonymous visitor'} lacks the permission {lacking}.")


def may_conduct(*, by: Asker, debate: Debate) -> None:
    """Refuse whoever may not conduct a debate: its creator may, its organisers, and whoever may change debates.

    Raises: ``NotPermitted``.
    """
    if isinstance(by, User) and selectors.conducts(user=by, debate=debate):
        return
    permitted(by=by, permission=CONDUCTS)


def may_pause(*, by: Asker, debate: Debate) -> None:
    """Refuse whoever may neither conduct a debate nor hold it up, as moderators may.

    Raises: ``NotPermitted``.
    """
    if isinstance(by, User) and by.has_perm(PAUSES):
        return
    may_conduct(by=by, debate=debate)


KEPT_FROM_SEAT = {
    "part": "You have another part in this debate, or declared a conflict of interest: nobody judges there, and who "
    "judges does not speak. Somebody else has to sit here.",
    "organises": "You created or organise this debate, and so do not judge in it. Somebody else has to.",
}
"""What ``moot_kept_from_seat`` answers, in words."""


def may_sit(*, by: User, seat: Participant) -> None:
    """Refuse whoever may not judge on a seat because of what else they are in its debate, or speak beside judging.

    Raises: ``ConflictOfInterest``.
    Source: docs/reference/conflicts.md#judging
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT moot_kept_from_seat(%s, %s)", [by.pk, seat.pk])
        [kept] = cursor.fetchone()
    if kept:
        raise ConflictOfInterest(KEPT_FROM_SEAT[kept])


def conducts(*, by: Asker, debate: Debate) -> bool:
    """Say whether somebody may conduct a debate."""
    try:
        may_conduct(by=by, debate=debate)
    except NotPermitted:
        return False
    return True
