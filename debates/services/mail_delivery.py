"""The outbox is emptied: each mail is marked as being sent before it is handed over, and as sent after.

Whoever dies between the two leaves a mail of which nobody knows whether it arrived: it is said to be uncertain, and not
sent again, so that none comes twice. One that has not been marked is sent by whoever lives.
"""

import logging
from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction

from debates import event_log
from debates.errors import DomainError, NotAllowedNow, NotFound
from debates.mail import messages, preferences
from debates.mail.texts import Unopened, Withdrawn
from debates.mail_backend import Handed, Handing
from debates.models import Mail, MailStop, Profile
from debates.printable import Fields
from debates.services import invitations
from debates.services.idempotency import UseCase
from debates.services.rights import Asker, permitted
from debates.types import MailKind, MailState

log = logging.getLogger(__name__)
MOST_AT_ONCE = 50
SHORTEST_PAUSE, LONGEST_PAUSE = timedelta(seconds=5), timedelta(minutes=10)
TRIED_FOR = timedelta(days=5)
"""How long after it was due a mail is tried again that its server puts off, or that does not open. One for which there
is no server waits."""
STEPS = 6
"""So many answers of a server a handing over waits for, each as long as ``EMAIL_TIMEOUT``."""
UNKNOWN = "The worker ended while this was handed over; it may have arrived."
NOT_WRITTEN = "It could not be written; the log says why."
PERMISSION = "debates.change_mail"


def lease() -> timedelta:
    """Return how long handing a mail over may take: after it, whoever did it is taken for dead."""
    return timedelta(seconds=STEPS * settings.EMAIL_TIMEOUT)


def pause_after(attempts: int) -> timedelta:
    """Return how long a mail waits after so many attempts: twice as long after each."""
    doubled: int = 2 ** min(max(attempts - 1, 0), 10)
    return min(LONGEST_PAUSE, SHORTEST_PAUSE * doubled)


def waiting(*, now: datetime) -> list[int]:
    """Return what is to be handed over now, the oldest first."""
    rows = Mail.objects.filter(state=MailState.DUE.value, next_attempt_at__lte=now).order_by("next_attempt_at", "pk")
    return list(rows.values_list("pk", flat=True)[:MOST_AT_ONCE])


@transaction.atomic(durable=True)
def claim(*, mail_id: int, now: datetime) -> EmailMultiAlternatives | None:
    """Mark a mail as being sent and return it as it is to be handed over, once; nothing where it is not to be sent."""
    rows = Mail.objects.select_for_update(skip_locked=True, no_key=True, of=("self",)).select_related("person")
    mail = rows.filter(pk=mail_id, state=MailState.DUE.value, next_attempt_at__lte=now).first()
    if mail is None:
        return None
    try:
        message = messages.message(mail, now=now)
        if mail.kind == MailKind.INVITATION.value:
            invitations.refuse_over(public_id=mail.about, now=now)
    except (Withdrawn, DomainError) as reason:
        if isinstance(reason, Unopened) and now < mail.due_at + TRIED_FOR:
            _put_off([mail], problem=str(reason), now=now)
        else:
            settle(mail, MailState.WITHDRAWN, now=now, problem=str(reason))
        return None
    mail.state, mail.handed_over_at, mail.attempts = MailState.SENDING.value, now, mail.attempts + 1
    mail.save(update_fields=["state", "handed_over_at", "attempts"])
    return message


@transaction.atomic(durable=True)
def record(*, mail_id: int, outcome: Handed, now: datetime) -> None:
    """Write down what became of a mail that was handed over; one that was put off is tried again later, for five days.

    Somebody else may have called it uncertain meanwhile: what is known now counts.
    """
    rows = Mail.objects.select_for_update(no_key=True, of=("self",))
    mail = rows.filter(pk=mail_id, state__in=[MailState.SENDING.value, MailState.UNCERTAIN.value]).first()
    if mail is None:
        return
    if outcome.handing is Handing.LATER and mail.state == MailState.SENDING.value and now < mail.due_at + TRIED_FOR:
        mail.state, mail.next_attempt_at = MailState.DUE.value, now + pause_after(mail.attempts)
        mail.handed_over_at, mail.problem = None, outcome.problem
        mail.save(update_fields=["state", "next_attempt_at", "handed_over_at", "problem"])
        log.warning(Fields("mail put off", mail=str(mail.public_id), attempt=mail.attempts, why=outcome.problem))
        return
    settle(mail, ENDS[outcome.handing], now=now, problem=outcome.problem)


ENDS = {
    Handing.TAKEN: MailState.SENT,
    Handing.LATER: MailState.REFUSED,
    Handing.REFUSED: MailState.REFUSED,
    Handing.UNCERTAIN: MailState.UNCERTAIN,
}


def settle(mail: Mail, state: MailState, *, now: datetime, problem: str = "") -> None:
    """Settle a locked mail: its address is forgotten; what did not go well is said in the log."""
    mail.state, mail.settled_at, mail.problem, mail.address = state.value, now, problem, ""
    mail.secret = ""
    mail.save(update_fields=["state", "settled_at", "problem", "address", "secret"])
    if state in {MailState.REFUSED, MailState.UNCERTAIN, MailState.BOUNCED}:
        log.warning(Fields(f"mail {state.value}", mail=str(mail.public_id), kind=mail.kind, why=problem))


@transaction.atomic(durable=True)
def put_off(*, mail_ids: Collection[int], problem: str, now: datetime) -> None:
    """Try mails again later that could not be handed to anybody: for as long as it takes, more rarely."""
    rows = Mail.objects.select_for_update(skip_locked=True, no_key=True).filter(state=MailState.DUE.value)
    _put_off(list(rows.filter(pk__in=mail_ids, next_attempt_at__lte=now).order_by("pk")), problem=problem, now=now)


@transaction.atomic(durable=True)
def put_off_unwritten(*, mail_id: int, problem: str, now: datetime) -> None:
    """Try a mail again later whose words could not be found, for five days: it may be a fault of ours, mended then."""
    rows = Mail.objects.select_for_update(skip_locked=True, no_key=True).filter(state=MailState.DUE.value)
    for mail in rows.filter(pk=mail_id, next_attempt_at__lte=now):
        if now < mail.due_at + TRIED_FOR:
            _put_off([mail], problem=problem, now=now)
        else:
            settle(mail, MailState.REFUSED, now=now, problem=problem)


def _put_off(mails: Collection[Mail], *, problem: str, now: datetime) -> None:
    for mail in mails:
        mail.attempts += 1
        mail.next_attempt_at, mail.problem = now + pause_after(mail.attempts), problem
    Mail.objects.bulk_update(mails, ["attempts", "next_attempt_at", "problem"])


@transaction.atomic(durable=True)
def give_up_on_lost(*, now: datetime) -> int:
    """Call those mails uncertain that somebody was handing over who has died; return how many."""
    rows = Mail.objects.select_for_update(skip_locked=True, no_key=True).filter(state=MailState.SENDING.value)
    lost = list(rows.filter(handed_over_at__lt=now - lease()).order_by("pk"))
    for mail in lost:
        settle(mail, MailState.UNCERTAIN, now=now, problem=UNKNOWN)
    return len(lost)


@transaction.atomic(durable=True)
def bounced(*, public_id: UUID, problem: str, now: datetime) -> Mail | None:
    """Write down once that a mail came back that its server had taken; nothing where it is not known, or was not sent.

    Raises: ``NotAllowedNow`` while it is not yet written down that its server took it.
    """
    known = [MailState.SENDING.value, MailState.SENT.value, MailState.UNCERTAIN.value, MailState.BOUNCED.value]
    rows = Mail.objects.select_for_update(no_key=True, of=("self",)).filter(public_id=public_id, state__in=known)
    mail = rows.first()
    if mail is not None and mail.state == MailState.SENDING.value:
        raise NotAllowedNow("This mail is still being handed over; bring the report again.")
    if mail is not None and mail.state != MailState.BOUNCED.value:
        settle(mail, MailState.BOUNCED, now=now, problem=problem)
    return mail


# -- by people -------------------------------------------------------------------------------------------------------


@UseCase
def send_again(*, mail_id: int, by: Asker, now: datetime) -> Mail:
    """Send a mail once more of which it is not known whether it arrived, or that was refused.

    Raises: ``NotPermitted``, ``NotFound``, ``NotAllowedNow``.
    """
    permitted(by=by, permission=PERMISSION)
    mail = Mail.objects.select_for_update(no_key=True, of=("self",)).filter(pk=mail_id).first()
    if mail is None:
        raise NotFound("There is no such mail.")
    if mail.state not in AGAIN:
        raise NotAllowedNow(f"A mail is sent again where it is uncertain or was refused; this one is {mail.state}.")
    if mail.person_id is None:
        raise NotAllowedNow("Its address is forgotten. Have it asked for anew.")
    mail.state, mail.attempts = MailState.DUE.value, 0
    mail.due_at, mail.next_attempt_at = now, event_log.dated(now, days=0)
    mail.handed_over_at, mail.settled_at = None, None
    mail.save(update_fields=["state", "due_at", "next_attempt_at", "attempts", "handed_over_at", "settled_at"])
    return mail


AGAIN = [MailState.UNCERTAIN.value, MailState.REFUSED.value]


@UseCase
def choose(*, switch: preferences.Switch, wants_mail: bool) -> None:
    """Send somebody mail of a kind from now on, or none; an address, any mail or none."""
    profile = switch.profile
    if profile is None and wants_mail:
        MailStop.objects.filter(digest__in=switch.digests).delete()
    elif profile is None:
        stops = [MailStop(digest=digest) for digest in switch.digests]
        MailStop.objects.bulk_create(stops, ignore_conflicts=True)
    else:
        profile = Profile.objects.select_for_update(no_key=True).get(user=profile.user_id)
        others = [name for name in profile.unwanted_mail if name != switch.kind.value]
        profile.unwanted_mail = others if wants_mail else sorted([*others, switch.kind.value])
        profile.save(update_fields=["unwanted_mail"])
        if wants_mail and switch.kind is MailKind.INVITATION:
            preferences.stops_of(profile.user).delete()
