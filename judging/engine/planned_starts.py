"""Drafts before play: started at a time, held again from a copy, withdrawn."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction

from debates.errors import DomainError, Invalid, NotAllowedNow
from debates.mail import outbox
from debates.models import Debate
from debates.printable import Fields
from debates.rules import IN_PLAY
from debates.services import visibility
from debates.services.idempotency import UseCase
from debates.services.rights import may_conduct, permitted
from debates.types import Conduct, MailKind, Status, Visibility
from judging.engine import lifecycle, new_debates
from judging.engine.lifecycle import find_debate
from judging.formats.registry import format_of
from judging.models import NewDebate, PlannedStart

log = logging.getLogger(__name__)
FURTHEST = timedelta(days=366)
LONGEST_PROBLEM = 500
TRIED_FOR = timedelta(hours=1)
"""How long a draft is tried whose time has come; then it is given up."""
BROKEN = "Something went wrong that the server's log has more about."


@UseCase
def plan(*, debate_id: int, by: User, starts_at: datetime, now: datetime) -> PlannedStart:
    """Have a draft start by itself at a time; a time that was planned before is forgotten.

    Raises: ``NotFound``, ``NotPermitted``, ``NotAllowedNow`` once it has started; ``Invalid`` for a time that is past,
    or more than a year ahead.
    """
    debate = _draft(debate_id=debate_id, by=by)
    if debate.conducted_by == Conduct.EXTERNAL.value:
        raise NotAllowedNow("This debate is conducted elsewhere; its client starts it.")
    if starts_at <= now:
        raise Invalid("This time is past. Choose one that is ahead, or start the debate now.", field="starts_at")
    if starts_at > now + FURTHEST:
        raise Invalid("This time is more than a year ahead.", field="starts_at")
    PlannedStart.objects.filter(debate=debate).delete()
    return PlannedStart.objects.create(debate=debate, starts_at=starts_at, created_by=by)


@UseCase
def unplan(*, debate_id: int, by: User) -> None:
    """Have a draft wait again until somebody starts it.

    Raises: ``NotFound``, ``NotPermitted``, ``NotAllowedNow`` once it has started.
    """
    PlannedStart.objects.filter(debate=_draft(debate_id=debate_id, by=by)).delete()


@UseCase
def withdraw(*, debate_id: int, by: User, now: datetime) -> Debate:
    """Withdraw a draft: it is cancelled, and from now on private. Its rows stay, for a log has no gaps.

    Raises: ``NotFound``, ``NotPermitted``, ``NotAllowedNow`` once it has started.
    """
    debate = _draft(debate_id=debate_id, by=by)
    PlannedStart.objects.filter(debate=debate).delete()
    visibility.change.service(debate_id=debate.pk, by=by, visibility=Visibility.PRIVATE, now=now)
    return lifecycle.cancel.service(debate_id=debate.pk, by=by, now=now)


@UseCase
def copy(*, debate_id: int, by: User) -> NewDebate:
    """Begin a new debate with all that this one asks for; one that has ended is held again.

    Raises: ``NotFound``, ``NotPermitted`` unless one may make debates and conduct this one.
    """
    permitted(by=by, permission=new_debates.MAY_CREATE)
    debate = find_debate(debate_id=debate_id)
    may_conduct(by=by, debate=debate)
    format_ = format_of(debate.format)
    body = format_.request_of(debate=debate)
    over = debate.status != Status.DRAFT.value and Status(debate.status) not in IN_PLAY
    if over and "repeat_of" in format_.serializer().fields:
        body["repeat_of"] = str(debate.public_id)
    return new_debates.begin.service(format_name=debate.format, by=by, body=body, copied_from=debate)


@UseCase
def edit(*, debate_id: int, by: User, now: datetime) -> NewDebate:
    """Begin a new debate with all that a draft asks for, and take the draft back.

    Raises: as ``copy`` and ``withdraw``.
    """
    new = copy.service(debate_id=debate_id, by=by)
    withdraw.service(debate_id=debate_id, by=by, now=now)
    return new


def _draft(*, debate_id: int, by: User) -> Debate:
    debate = find_debate(debate_id=debate_id)
    may_conduct(by=by, debate=debate)
    if debate.status != Status.DRAFT.value:
        raise NotAllowedNow(f"This is for a draft; the debate is {debate.status.replace('_', ' ')}.")
    return debate


def planner(row: PlannedStart) -> User:
    """Return in whose name a draft starts: theirs who planned it, if they still may.

    Raises: ``NotAllowedNow`` where they are gone.
    """
    if row.created_by is None or not row.created_by.is_active:
        raise NotAllowedNow("Whoever planned this start is not here any more. Plan it anew.")
    return row.created_by


def start_due(*, now: datetime) -> Sequence[int]:
    """Start every draft whose time has come, and return which; what cannot start says why, and is tried for an hour.

    A debate that was started, cancelled or erased meanwhile is planned no more.
    """
    started = []
    due = PlannedStart.objects.filter(starts_at__lte=now, given_up_at=None)
    for row in due.select_related("debate", "created_by"):
        if not PlannedStart.objects.filter(pk=row.pk, starts_at=row.starts_at).exists():
            continue  # it was planned anew, or not at all, while those before it were started
        try:
            lifecycle.start(debate_id=row.debate_id, by=planner(row), now=now)
            started.append(row.debate_id)
        except DomainError as refusal:
            put_off(planned=row, problem=refusal.message, now=now)
        except Exception:  # one that cannot start hinders no other
            log.exception(Fields("could not start what was planned", debate=row.debate_id))
            put_off(planned=row, problem=BROKEN, now=now)
    PlannedStart.objects.exclude(debate__status=Status.DRAFT.value).delete()
    return started


@transaction.atomic(durable=True)
def put_off(*, planned: PlannedStart, problem: str, now: datetime) -> None:
    """Say why a draft could not start; once it was tried for an hour, give it up, and write to who planned it."""
    rows = PlannedStart.objects.select_for_update(no_key=True, of=("self",))
    row = rows.filter(pk=planned.pk, starts_at=planned.starts_at, given_up_at=None).first()
    if row is None:
        return  # planned anew, or given up by another worker
    row.problem = problem[:LONGEST_PROBLEM]
    if now >= row.starts_at + TRIED_FOR:
        row.given_up_at = now
        people = [row.created_by_id] if row.created_by_id else []
        about = f"{planned.debate.public_id}:{row.starts_at:%Y%m%dT%H%M%S}"
        outbox.due(kind=MailKind.NOT_STARTED, about=about, people=people, debate_id=row.debate_id, now=now)
    row.save(update_fields=["problem", "given_up_at"])
