"""Invitations: a link lets somebody in, to the site, or to a role or a seat of a debate; and roles are ended."""

import logging
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import Group, User
from django.db import transaction
from django.db.models import Count, F, QuerySet
from django.urls import reverse

from debates import event_log, rules, selectors
from debates.errors import ConflictOfInterest, Invalid, NotAllowedNow, NotFound, NotPermitted
from debates.mail import outbox, recipients
from debates.models import Acceptance, Debate, Invitation, Membership, Participant
from debates.models.access import digest_of
from debates.models.people import MOST_PLACES
from debates.printable import Fields, clock
from debates.services.idempotency import UseCase
from debates.services.rights import Asker, conducts, may_conduct, may_sit, may_take_role, permitted
from debates.types import Conduct, Kind, MailKind, MemberRole, News, Status

log = logging.getLogger(__name__)
INVITES = "debates.add_invitation"
GOOD_FOR = timedelta(days=7)
LONGEST = timedelta(days=90)
MOST_OPEN = 500
"""So many invitations that are still good one person may have."""
MOST_MAILED, MOST_TO_ONE = 200, 3
"""So many invitations by mail one person may make in a day, and so many of them to one address."""
LONGEST_ADDRESS = 254
"""Characters of the longest mail address that is stored."""
NO_GOOD = "This invitation is none of ours, or it is over."
MAKER_GONE = "Whoever gave you this invitation may not invite any more. Ask somebody else."


@dataclass(frozen=True, slots=True)
class Offer:
    """What somebody is invited to. Without a debate it is the site, perhaps with a group of it."""

    debate: Debate | None = None
    role: MemberRole | None = None
    seat: Participant | None = None
    group: Group | None = None
    email: str = ""
    places: int = 1
    good_for: timedelta = GOOD_FOR


@transaction.atomic
def issue(*, offer: Offer, by: Asker, now: datetime) -> tuple[Invitation, str]:
    """Make an invitation and return it with its text, for a link that is shown now and never again.

    An invitation to a seat ends those before it.

    Raises: ``NotPermitted`` unless one may conduct the debate, or invite to the site, and to a group unless one gives
    rights; ``Invalid``; ``NotAllowedNow`` for a seat that is taken, or where an engine
    or a program elsewhere speaks; and beside too many that are good.
    """
    may_invite(offer=offer, by=by)
    if not (1 <= offer.places <= MOST_PLACES and timedelta(0) < offer.good_for <= LONGEST):
        raise Invalid(f"An invitation is for 1 to {MOST_PLACES} people, and good for {LONGEST.days} days at most.")
    if offer.places > 1 and (offer.email or offer.seat or offer.group):
        raise Invalid("An invitation for several people is to no one address, to no seat and to no group.")
    if by is not None:
        User.objects.select_for_update(no_key=True).get(pk=by.pk or 0)  # limits hold for whoever asks twice at a time
    with_room = Invitation.objects.annotate(came=Count("acceptances")).filter(came__lt=F("places"))
    still_good = with_room.filter(revoked_at=None, expires_at__gt=now)
    if by is not None and still_good.filter(created_by=by.pk).count() >= MOST_OPEN:
        raise NotAllowedNow(f"{MOST_OPEN} of your invitations are still good. Revoke some first.")
    if offer.email and by is not None:
        _refuse_floods(email=offer.email, by=by.pk, now=now)
    if offer.seat is not None:
        _free(offer.seat)
        Invitation.objects.filter(seat=offer.seat, revoked_at=None).update(revoked_at=now, revoked_by=_person(by))
    text = secrets.token_urlsafe(24)
    invitation = Invitation.objects.create(
        debate=offer.debate,
        role=offer.role.value if offer.role else "",
        seat=offer.seat,
        group=offer.group,
        email=offer.email,
        digest=digest_of(text),
        places=offer.places,
        created_by=_person(by),
        created_at=now,
        expires_at=now + offer.good_for,
    )
    if invitation.email:
        outbox.due(
            kind=MailKind.INVITATION,
            about=invitation.public_id,
            address=invitation.email,
            secret=path_of(invitation, text),
            debate_id=invitation.debate_id,
            now=now,
        )
    log.info(Fields("invited", invitation=str(invitation.public_id), by=by.pk if by else "operator"))
    return invitation, text


invite = UseCase(issue)


def _person(by: Asker) -> User | None:
    return by if isinstance(by, User) else None


def _refuse_floods(*, email: str, by: int | None, now: datetime) -> None:
    mailed = Invitation.objects.filter(created_by=by, created_at__gt=now - timedelta(days=1)).exclude(email="")
    if mailed.filter(email__iexact=email).count() >= MOST_TO_ONE:
        raise NotAllowedNow("This address was invited by you several times within a day. Pass a link on yourself.")
    if mailed.count() >= MOST_MAILED:
        raise NotAllowedNow(f"You invited {MOST_MAILED} people by mail within a day. Go on tomorrow, or pass links on.")


def path_of(invitation: Invitation, text: str) -> str:
    """Return the address of the page on which somebody comes by an invitation, without the host."""
    return reverse("take-seat" if invitation.seat_id else "invitation", args=[text])


def may_invite(*, offer: Offer, by: Asker) -> None:
    """Refuse whoever may not let anybody in to this.

    Raises: ``NotPermitted``; ``Invalid`` for what is to nothing.
    """
    if offer.debate is not None:
        if (offer.role is None) == (offer.seat is None) or offer.group is not None:
            raise Invalid("One is invited to a debate for one role, or for one seat.")
        may_conduct(by=by, debate=offer.debate)
        return
    permitted(by=by, permission=INVITES)
    if offer.group is not None and not gives_rights(by):
        raise NotPermitted("Only a superuser invites to a group of the site: it gives rights.")


def gives_rights(by: Asker) -> bool:
    """Say whether somebody may let others into groups of the site: only who has all rights, or anybody gained some."""
    return by is None or (by.is_active and by.is_superuser)


def _free(seat: Participant) -> None:
    rows = Participant.objects.select_related("debate").select_for_update(no_key=True, of=("self",))
    row = rows.get(pk=seat.pk)
    _refuse_in_vain(row)
    if row.kind == Kind.ENGINE.value:
        raise NotAllowedNow("Here an engine speaks; it needs no seat.")
    if row.debate.conducted_by == Conduct.EXTERNAL.value:
        raise NotAllowedNow("This debate is conducted elsewhere: its program speaks here.")
    if row.user_id is not None:
        raise NotAllowedNow("This seat is taken.")


def is_over_for_good(debate: Debate) -> bool:
    """Say whether the seats of a debate are no longer given away."""
    started = debate.started_at is not None
    return rules.over_for_good(format_=debate.format, status=Status(debate.status), started=started)


def _refuse_in_vain(seat: Participant) -> None:
    for why in in_vain([seat]).values():
        raise NotAllowedNow(why)


def in_vain(seats: Collection[Participant] | QuerySet[Participant]) -> dict[int, str]:
    """Return why nobody sits down any more on some of these seats, free as they may be, in two queries."""
    gone = selectors.surrendered(debates={seat.debate_id for seat in seats})
    why = {seat.pk: f"{seat.name} has given up, and speaks no more." for seat in seats if seat.public_id in gone}
    alone = [seat for seat in seats if seat.debate.format in rules.READ_ALONE_FIRST]
    missed = selectors.without_first_report(seats=alone) if alone else set()
    nothing = "judged nothing in the first round, and is asked for no ballot any more."
    why |= {seat.pk: f"{seat.name} {nothing}" for seat in alone if seat.pk in missed}
    over = "This debate is over: nobody speaks or judges in it any more."
    return why | {seat.pk: over for seat in seats if is_over_for_good(seat.debate)}


def invited(*, text: str, now: datetime, by: Asker = None) -> Invitation:
    """Return an invitation that is good, or that this person came by.

    Raises: ``Invalid`` for one that is forged, over, revoked, or of somebody who may not invite any more;
    ``NotAllowedNow`` where everybody has come whom it was for, and for a seat where nobody speaks any more.
    """
    invitation = Invitation.objects.select_related(*RELATED).filter(digest=digest_of(text)).first()
    if invitation is None:
        raise Invalid(NO_GOOD)
    if not came(invitation=invitation, by=by):
        _good(invitation, now=now)
    return invitation


RELATED = ("debate", "seat__debate", "group", "created_by")


def refuse_over(*, public_id: str, now: datetime) -> None:
    """Refuse an invitation by which nobody comes any more.

    Raises: as ``invited``.
    """
    _good(Invitation.objects.select_related(*RELATED).get(public_id=public_id), now=now)


def came(*, invitation: Invitation, by: Asker) -> bool:
    """Say whether somebody came by an invitation already."""
    return isinstance(by, User) and invitation.acceptances.filter(user=by).exists()


def _good(invitation: Invitation, *, now: datetime) -> None:
    if invitation.acceptances.count() >= invitation.places:
        several = invitation.places > 1
        raise NotAllowedNow(
            "Everybody has come whom this invitation was for."
            if several
            else "This invitation was used; it is good once."
        )
    if invitation.revoked_at is not None:
        raise Invalid("This invitation was revoked. Ask whoever gave it to you for another.")
    if invitation.expires_at <= now:
        raise Invalid(f"This invitation was good until {clock(invitation.expires_at)}. Ask for another.")
    if invitation.seat is not None:
        _refuse_in_vain(invitation.seat)
    if not maker_may_invite(invitation):
        raise Invalid(MAKER_GONE)


def maker_may_invite(invitation: Invitation) -> bool:
    """Say whether whoever made an invitation may still let others in to this."""
    maker = invitation.created_by
    try:
        may_invite(offer=_offer_of(invitation), by=maker)
    except ConflictOfInterest:
        pass  # its maker became a party since, and what they did before stands
    except NotPermitted:
        return False
    return maker is None or maker.is_active


def _offer_of(invitation: Invitation) -> Offer:
    return Offer(
        debate=invitation.debate,
        role=MemberRole(invitation.role) if invitation.role else None,
        seat=invitation.seat,
        group=invitation.group,
    )


@transaction.atomic
def let_in(*, text: str, by: User, now: datetime) -> Invitation:
    """Let somebody in by an invitation, in the transaction of the caller. Nothing happens where they came before.

    Raises: as ``invited``; ``NotAllowedNow`` for a seat that is taken; ``ConflictOfInterest``.
    """
    rows = Invitation.objects.filter(digest=digest_of(text))
    # of two that one person accepts at the same moment, the later sees what they became by the other
    list(Debate.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=rows.values("debate")))
    list(Participant.objects.select_for_update(no_key=True).filter(pk__in=rows.values("seat")))
    list(rows.select_for_update(no_key=True, of=("self",)))
    invitation = invited(text=text, now=now, by=by)
    if came(invitation=invitation, by=by):
        return invitation
    Acceptance.objects.create(invitation=invitation, user=by, at=now)
    if invitation.seat is not None:
        _free(invitation.seat)
        may_come(invitation=invitation, by=by)
        Participant.objects.filter(pk=invitation.seat.pk).update(user=by)
        recipients.about_seat(invitation.seat, now=now)
    elif invitation.debate is not None:
        may_come(invitation=invitation, by=by)
        Membership.objects.get_or_create(
            debate=invitation.debate, user=by, role=invitation.role, revoked_at=None,
            defaults={"created_by": invitation.created_by, "created_at": now},
        )  # fmt: skip
    elif invitation.group is not None:
        _join(by, group=invitation.group)
    log.info(Fields("invitation accepted", invitation=str(invitation.public_id), by=by.pk))
    return invitation


def may_come(*, invitation: Invitation, by: User) -> None:
    """Refuse whoever may not take the seat or the role because of what else they are in its debate.

    Raises: ``ConflictOfInterest``.
    """
    if invitation.seat is not None:
        may_sit(by=by, seat=invitation.seat)
    elif invitation.debate is not None:
        may_take_role(by=by, debate=invitation.debate, role=MemberRole(invitation.role))


def _join(user: User, *, group: Group) -> None:
    """Put somebody into a group of the site; whoever sees the desk by it enters the admin, too."""
    user.groups.add(group)
    app, _, codename = rules.SEES_DESK.partition(".")
    if group.permissions.filter(content_type__app_label=app, codename=codename).exists():
        User.objects.filter(pk=user.pk).update(is_staff=True)


accept = UseCase(let_in)


@UseCase
def revoke(*, invitation_id: int, by: Asker, now: datetime) -> Invitation:
    """Revoke an invitation: nobody comes by it any more; who has come stays.

    Whoever revokes one that is addressed to them stays a party as long as it would have been good.

    Raises: ``NotFound`` unless one may conduct its debate, made it to the site, or gives rights; ``NotAllowedNow`` once
    it is revoked.
    """
    rows = Invitation.objects.select_for_update(no_key=True, of=("self",)).select_related("debate", "seat", "group")
    invitation = rows.filter(pk=invitation_id).first()
    if invitation is None or not may_revoke(invitation=invitation, by=by):
        raise NotFound("There is no such invitation.")
    if invitation.revoked_at is not None:
        raise NotAllowedNow("This invitation was revoked already.")
    invitation.revoked_at, invitation.revoked_by = now, _person(by)
    invitation.save(update_fields=["revoked_at", "revoked_by"])
    log.info(Fields("invitation revoked", invitation=str(invitation.public_id), by=by.pk if by else "operator"))
    return invitation


def may_revoke(*, invitation: Invitation, by: Asker) -> bool:
    """Say whether somebody may revoke an invitation: to a debate whoever conducts it, to the site its maker, too."""
    if invitation.debate is None:
        return gives_rights(by) or (by is not None and invitation.created_by_id == by.pk)
    return conducts(by=by, debate=invitation.debate)


@UseCase
def take_role(*, membership_id: int, by: Asker, now: datetime) -> Membership:
    """End a role in a debate. Whoever follows it live and may not read it any more is sent away.

    Raises: ``NotFound`` unless one may conduct the debate, or it is one's own; ``NotAllowedNow`` once it is revoked.
    """
    debates = Debate.objects.select_for_update(no_key=True, of=("self",))  # nobody shows it to others meanwhile
    debate = debates.filter(memberships=membership_id).first()
    if debate is None:
        raise NotFound("There is no such role.")
    membership = debate.memberships.select_for_update(no_key=True).get(pk=membership_id)
    is_own = isinstance(by, User) and membership.user_id == by.pk
    if not (is_own or conducts(by=by, debate=debate)):
        raise NotFound("There is no such role.")
    if membership.revoked_at is not None:
        raise NotAllowedNow("This role has ended already.")
    membership.revoked_at = now
    membership.save(update_fields=["revoked_at"])
    news = News("debate:visibility", {"visibility": debate.visibility})
    event_log.append(debate_id=debate.pk, news=[news], now=now)
    log.info(Fields("role revoked", membership=str(membership.public_id), by=by.pk if by else "operator"))
    return membership
