"""Overrides that are so large that a second person has to approve them. Until then nothing moves.

Source: docs/reference/moderation.md, "A second person".
"""

from datetime import datetime

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction

from debates import event_log
from debates.decimals import in_places
from debates.errors import DomainError, NotAllowedNow, NotFound
from debates.printable import clock
from debates.services import rights
from debates.services.idempotency import UseCase
from scoring import selectors
from scoring.constraint_errors import LOST_BY_ASKER
from scoring.enums import ActorKind, ApprovalState, EntryKind
from scoring.errors import ActedOnIt, SamePerson, Stale
from scoring.models import Actor, Approval, Evaluation, Reason
from scoring.services import accounts, actions, conflicts
from scoring.services.actions import Intent
from scoring.services.entries import Author, actor_of, approval_news, reason_record
from scoring.services.steps import Done, take

APPROVES = "scoring.approve_override"
OWN_REQUEST = "You asked for this override yourself; somebody else has to approve it."
NO_LONGER = "Whoever asked for this override may not override any more; refuse it and ask anew."
ERASED = "The words of this request were erased; refuse it and ask anew."


@transaction.atomic(savepoint=False)
def request(*, evaluation: Evaluation, author: Author, value: object, now: datetime) -> Approval:
    """Ask a second person to approve an override of a locked evaluation, and tell moderators of it.

    Raises: ``Invalid``, ``Frozen``; ``ActedOnIt`` for who lost an appeal there;
    ``NotAllowedNow`` while another request waits.
    """
    asked_for = actions.override_value(evaluation=evaluation, value=value)
    actions.movable(evaluation)
    asker = author.actor.user if author.actor else None
    if refusal := conflicts.lost_by_name(by=asker, evaluations=[evaluation], kind=EntryKind.OVERRIDE):
        raise refusal
    waiting = evaluation.approvals.filter(state=ApprovalState.WAITING.value).select_related("requested_by").first()
    if waiting is not None:
        raise NotAllowedNow(
            f"{waiting.requested_by} has asked for {in_places(waiting.value)} already, and that waits for a second"
            " person. It has to be approved, refused or taken back first."
        )
    assert author.actor is not None  # noqa: S101 -- who asks is a person
    assert author.reason is not None  # noqa: S101 -- as above
    approval = Approval.objects.create(
        evaluation=evaluation,
        value=asked_for,
        value_seen=evaluation.value,
        seen=evaluation.moderation_version,
        door=author.kind.value,
        reason_code=author.reason_code,
        idempotency_key=author.idempotency_key,
        requested_by=author.actor,
        because=author.reason,
        requested_at=now,
    )
    news = approval_news(approval=approval, evaluation=evaluation)
    event_log.append(debate_id=evaluation.debate_id, news=[news], now=now)
    return approval


@UseCase
def approve(*, approval_id: int, by: User | AnonymousUser, reason: str, now: datetime, note: str = "") -> Done:
    """Approve an override that somebody else asked for: it is written now, as theirs, and names who approved it.

    Raises: ``NotPermitted``, ``SamePerson``, ``NotFound``, ``NotAllowedNow`` once decided or void, where whoever asked
    may not override any more, or where the words of the request were erased; ``ActedOnIt`` where either lost an appeal
    there; ``Stale``, ``Invalid`` for a short reason.
    """
    rights.permitted(by=by, permission=APPROVES)
    decider = actor_of(by)
    asker = Approval.objects.filter(pk=approval_id).values_list("requested_by__user", flat=True).first()
    rights.stays_open(account_id=asker)  # the entry is theirs, and nothing is locked yet
    evaluation, waiting = _waiting(approval_id=approval_id)
    if waiting.requested_by.user_id == by.pk:
        raise SamePerson(OWN_REQUEST)
    rights.may_moderate(by=by, debates=[evaluation.debate_id])
    if refusal := hindrance(approval=waiting, evaluation=evaluation, by=by):
        raise refusal
    author = Author(
        kind=ActorKind(waiting.door),
        actor=waiting.requested_by,
        reason=waiting.because,
        reason_code=waiting.reason_code,
        idempotency_key=waiting.idempotency_key,
        approval=waiting,
    )
    override = Intent(EntryKind.OVERRIDE, value=waiting.value)
    [step] = take(evaluation=evaluation, author=author, intent=override)
    waiting.entry = step.entry
    because = reason_record(reason, note=note)
    _decide(approval=waiting, state=ApprovalState.APPROVED, by=decider, because=because, now=now)
    news = [*step.news, approval_news(approval=waiting, evaluation=evaluation)]
    event_log.append(debate_id=evaluation.debate_id, news=news, now=now)
    return Done(evaluation, [step])


@UseCase
def refuse(*, approval_id: int, by: User | AnonymousUser, reason: str, now: datetime, note: str = "") -> Approval:
    """Refuse an override that waits, or take back one's own. The score has not moved and does not.

    Raises: ``NotPermitted``, ``NotFound``, ``NotAllowedNow`` once decided or void, ``Invalid`` for a short reason.
    """
    decider = actor_of(by)
    evaluation, waiting = _waiting(approval_id=approval_id)
    if waiting.requested_by.user_id != by.pk:
        rights.permitted(by=by, permission=APPROVES)
    rights.may_moderate(by=by, debates=[evaluation.debate_id])
    because = reason_record(reason, note=note)
    _decide(approval=waiting, state=ApprovalState.REFUSED, by=decider, because=because, now=now)
    news = approval_news(approval=waiting, evaluation=evaluation)
    event_log.append(debate_id=evaluation.debate_id, news=[news], now=now)
    return waiting


def hindrance(*, approval: Approval, evaluation: Evaluation, by: User | AnonymousUser) -> DomainError | None:
    """Return why somebody can only refuse a request: for who asked, what moved, erased words, or a lost appeal."""
    asker = approval.requested_by.user
    if asker is None or not asker.has_perm("scoring.override_evaluation"):
        return NotAllowedNow(NO_LONGER)
    if refusal := rights.refused(by=asker, debates=[evaluation.debate_id]).get(evaluation.debate_id):
        return refusal
    if conflicts.lost(by=asker, evaluations=[evaluation], kind=EntryKind.OVERRIDE):
        return ActedOnIt(LOST_BY_ASKER)
    if approval.seen != evaluation.moderation_version:
        return Stale(selectors.who_moved_it(evaluation=evaluation, seen=approval.seen))
    if not approval.because.text:
        return NotAllowedNow(ERASED)
    return conflicts.lost(by=by, evaluations=[evaluation], kind=EntryKind.OVERRIDE).get(evaluation.pk)


def _waiting(*, approval_id: int) -> tuple[Evaluation, Approval]:
    """Lock an evaluation, and then the request on it that is still to be decided."""
    unlocked = Approval.objects.filter(pk=approval_id).first()
    if unlocked is None:
        raise NotFound("There is no such request.")
    [evaluation] = accounts.lock_with_debates(evaluations=[unlocked.evaluation_id])
    rows = Approval.objects.select_for_update(no_key=True, of=("self",))
    waiting = rows.select_related("requested_by__user", "because", "entry").get(pk=approval_id)
    if waiting.state != ApprovalState.WAITING.value:
        raise NotAllowedNow(how_it_ended(waiting))
    return evaluation, waiting


def how_it_ended(approval: Approval) -> str:
    """Say, for people, what became of a request that waits no more."""
    when = f"at {clock(approval.decided_at, pattern='%Y-%m-%d %H:%M:%S')}"
    if approval.state != ApprovalState.VOID.value:
        return f"This request was {approval.state} by {approval.decided_by} {when}."
    entry = approval.entry
    assert entry is not None  # noqa: S101 -- approval_decided_says_who_why_and_where
    return (
        f"This request is void: {entry.actor or entry.actor_kind} wrote entry {entry.sequence}"
        f" ({entry.get_kind_display()}) {when}. Ask anew, looking at the score as it is."
    )


def _decide(*, approval: Approval, state: ApprovalState, by: Actor, because: Reason, now: datetime) -> None:
    approval.state, approval.decided_at = state.value, now
    approval.decided_by, approval.decided_because = by, because
    approval.save(update_fields=["state", "decided_by", "decided_because", "decided_at", "entry"])
