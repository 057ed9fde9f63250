"""Overrides that are so large that a second person has to approve them. Until then nothing moves."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from django.contrib.auth.models import AnonymousUser, User

from debates import event_log
from debates.errors import NotAllowedNow, NotFound
from debates.services.idempotency import UseCase
from scoring import selectors
from scoring.enums import ActorKind, ApprovalState
from scoring.errors import NeedsSecondPerson, SamePerson, Stale
from scoring.models import Actor, Approval, Evaluation
from scoring.services import accounts, plans
from scoring.services.entries import Author, actor_of, approval_news, reason_record, text
from scoring.services.steps import Done, Order, author_of, locked, override_step, permitted

OWN_REQUEST = "You asked for this override yourself; somebody else has to approve it."
ERASED = "The words of this request were erased; refuse it and ask anew."


@UseCase
def request_or_override(*, order: Order, value: object, now: datetime) -> Done | Approval:
    """Set a score by hand, or ask a second person to approve it where the change is that large. Doors call this.

    Units: ``value`` on the instrument's scale, at most 2 places.
    Raises: ``NotPermitted``, ``NotFound``, ``Stale``, ``Invalid``, ``Frozen``; ``NotAllowedNow`` while another request
    waits.
    Source: docs/reference/moderation.md, "A second person".
    """
    permitted(by=order.by, permission="override_evaluation")
    author = author_of(order=order)
    evaluation = locked(order=order)
    try:
        step = override_step(evaluation=evaluation, author=author, value=value)
    except NeedsSecondPerson:
        asked_for = plans.wanted_value(evaluation=evaluation, value=value)
        approval = request_step(evaluation=evaluation, author=author, value=asked_for, now=now)
    else:
        event_log.append(debate_id=evaluation.debate_id, news=step.news, now=now)
        return Done(evaluation=evaluation, entries=(step.entry,))
    told = approval_news(approval=approval, evaluation=evaluation)
    event_log.append(debate_id=evaluation.debate_id, news=[told], now=now)
    return approval


def request_step(*, evaluation: Evaluation, author: Author, value: Decimal, now: datetime) -> Approval:
    """Write down a request for a second person on a locked evaluation.

    Raises: ``Frozen``; ``NotAllowedNow`` while another request waits.
    """
    plans.movable(evaluation=evaluation)
    waiting = evaluation.approvals.filter(state=ApprovalState.WAITING.value).select_related("requested_by").first()
    if waiting is not None:
        raise NotAllowedNow(
            f"{waiting.requested_by} has asked for {text(waiting.value)} already, and that waits for a second person."
            " It has to be approved, refused or taken back first."
        )
    assert author.actor is not None  # noqa: S101 -- who asks is a person
    assert author.reason is not None  # noqa: S101 -- as above
    return Approval.objects.create(
        evaluation=evaluation,
        value=value,
        value_seen=evaluation.value,
        seen=evaluation.moderation_version,
        door=author.kind.value,
        reason_code=author.reason_code,
        idempotency_key=author.idempotency_key,
        requested_by=author.actor,
        because=author.reason,
        requested_at=now,
    )


@UseCase
def approve(*, approval_id: int, by: User | AnonymousUser, reason: str, now: datetime) -> Done:
    """Approve an override that somebody else asked for: it is written now, as theirs, and names who approved it.

    Raises: ``NotPermitted``, ``SamePerson``, ``NotFound``, ``NotAllowedNow`` once decided or void, or where the words
    of the request were erased; ``Stale``, ``Invalid`` for a short reason.
    Source: docs/reference/moderation.md, "A second person".
    """
    permitted(by=by, permission="approve_override")
    decider = actor_of(by)
    evaluation, waiting = _waiting(approval_id=approval_id)
    if waiting.requested_by.user_id == by.pk:
        raise SamePerson(OWN_REQUEST)
    if waiting.seen != evaluation.moderation_version:
        raise Stale(selectors.who_moved_it(evaluation=evaluation, seen=waiting.seen))
    if not waiting.because.text:
        raise NotAllowedNow(ERASED)
    author = Author(
        kind=ActorKind(waiting.door),
        actor=waiting.requested_by,
        reason=waiting.because,
        reason_code=waiting.reason_code,
        idempotency_key=waiting.idempotency_key,
        approval=waiting,
    )
    step = override_step(evaluation=evaluation, author=author, value=waiting.value)
    waiting.entry = step.entry
    _decide(approval=waiting, state=ApprovalState.APPROVED, by=decider, reason=reason, now=now)
    told = [*step.news, approval_news(approval=waiting, evaluation=evaluation)]
    event_log.append(debate_id=evaluation.debate_id, news=told, now=now)
    return Done(evaluation=evaluation, entries=(step.entry,))


@UseCase
def refuse(*, approval_id: int, by: User | AnonymousUser, reason: str, now: datetime) -> Approval:
    """Refuse an override that waits, or take back one's own. The score has not moved and does not.

    Raises: ``NotPermitted``, ``NotFound``, ``NotAllowedNow`` once decided or void, ``Invalid`` for a short reason.
    """
    decider = actor_of(by)
    evaluation, waiting = _waiting(approval_id=approval_id)
    if waiting.requested_by.user_id != by.pk:
        permitted(by=by, permission="approve_override")
    _decide(approval=waiting, state=ApprovalState.REFUSED, by=decider, reason=reason, now=now)
    told = approval_news(approval=waiting, evaluation=evaluation)
    event_log.append(debate_id=evaluation.debate_id, news=[told], now=now)
    return waiting


def _waiting(*, approval_id: int) -> tuple[Evaluation, Approval]:
    """Lock an evaluation, and then the request on it that is still to be decided."""
    asked = Approval.objects.filter(pk=approval_id).first()
    if asked is None:
        raise NotFound("There is no such request.")
    [evaluation] = accounts.lock(evaluations=[asked.evaluation_id])
    rows = Approval.objects.select_for_update(no_key=True, of=("self",))
    waiting = rows.select_related("requested_by", "because", "entry").get(pk=approval_id)
    if waiting.state != ApprovalState.WAITING.value:
        raise NotAllowedNow(how_it_ended(waiting))
    return evaluation, waiting


def how_it_ended(approval: Approval) -> str:
    """Say, for people, what became of a request that waits no more."""
    when = f"at {approval.decided_at:%Y-%m-%d %H:%M:%S} UTC"
    if approval.state != ApprovalState.VOID.value:
        return f"This request was {approval.state} by {approval.decided_by} {when}."
    entry = approval.entry
    assert entry is not None  # noqa: S101 -- approval_decided_says_who_why_and_where
    return (
        f"This request is void: {entry.actor or entry.actor_kind} wrote entry {entry.sequence}"
        f" ({entry.get_kind_display()}) {when}. Ask anew, looking at the score as it is."
    )


def _decide(*, approval: Approval, state: ApprovalState, by: Actor, reason: str, now: datetime) -> None:
    approval.state, approval.decided_at = state.value, now
    approval.decided_by, approval.decided_because = by, reason_record(reason)
    approval.save(update_fields=["state", "decided_by", "decided_because", "decided_at", "entry"])
