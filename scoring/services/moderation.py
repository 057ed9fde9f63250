"""What a moderator may do to a score, and to all scores of a debate. Admin, API and commands all call these."""

from collections.abc import Mapping
from datetime import datetime

from django.contrib.auth.models import AnonymousUser, User

from debates.errors import NotAllowedNow
from debates.models import Debate
from debates.rules import IN_PLAY
from debates.services import rights
from debates.services.idempotency import UseCase
from debates.services.visibility import find_debate
from debates.types import Status
from scoring.enums import ActorKind, EntryKind, HeldChoice
from scoring.errors import NeedsSecondPerson
from scoring.models import Approval, Evaluation
from scoring.services import accounts, actions, approvals, bulk, conflicts
from scoring.services.actions import ACTIONS, Intent
from scoring.services.entries import Author, actor_of, reason_record
from scoring.services.steps import Done, Order, author_of, locked, take, unmoved, warn_whole


@UseCase
def perform(*, order: Order, intent: Intent, now: datetime) -> Done | Approval:
    """Do one action to a score, with the further step that an unfreeze carries, or ask a second person to approve it.

    Shape: an ``Approval`` waits, and nothing has moved: an override alone is asked for, where the change is that large.
    Raises: ``NotPermitted``, ``ConflictOfInterest``, ``NotFound``, ``Stale``, ``Invalid``, ``Frozen``,
    ``NotAllowedNow``; ``NeedsSecondPerson``
    for whatever else would leave an override standing so far away.
    Source: docs/reference/moderation.md.
    """
    action = actions.asked_for(intent)
    rights.permitted(by=order.by, permission=action.permission)
    further = actions.carried(intent)
    if further is not None:
        rights.permitted(by=order.by, permission=further.permission)
    author = author_of(order=order)
    if EntryKind.ROLLBACK in {intent.kind, intent.then and intent.then.kind} or intent.choice is HeldChoice.APPLY:
        bulk.hold_debates(evaluations=[order.evaluation_id])
    evaluation = locked(order=order, versioned=action.versioned)
    rights.may_moderate(by=order.by, debates=[evaluation.debate_id])
    try:
        done = Done(evaluation, take(evaluation=evaluation, author=author, intent=intent))
    except NeedsSecondPerson:
        if intent.kind is not EntryKind.OVERRIDE:
            raise
        return approvals.request(evaluation=evaluation, author=author, value=intent.value, now=now)
    warn_whole(taken=[done], choice=intent.choice)
    bulk.announce(taken=[done], now=now)
    return done


def _hold_ended(*, debate_id: int) -> Debate:
    """Lock a debate that is no longer in play."""
    debate = find_debate(debate_id=debate_id)
    if Status(debate.status) in IN_PLAY:
        first = (
            "settle its review or cancel it" if debate.status == Status.AWAITING_REVIEW.value else "stop or cancel it"
        )
        stands = debate.status.replace("_", " ")
        raise NotAllowedNow(f"A debate that is {stands} is rolled back once it has ended; {first} first.")
    return debate


@UseCase
def roll_back_debate(
    *,
    debate_id: int,
    by: User | AnonymousUser,
    reason: str,
    now: datetime,
    seen: Mapping[int, int] | None = None,
    door: ActorKind = ActorKind.MODERATOR,
    note: str = "",
) -> int:
    """Take every score of a debate back to its opening, all of them or none, and return how many moved.

    Shape: ``seen`` is {evaluation: moderation version} of all its scores, from whoever has looked at them.
    Raises: ``NotPermitted``, ``NotFound``, ``NotAllowedNow`` while it is in play, ``Stale``; ``Frozen``,
    ``ActedOnIt`` naming the scores.
    """
    rights.permitted(by=by, permission=ACTIONS[EntryKind.ROLLBACK].permission)
    actor = actor_of(by)
    debate = _hold_ended(debate_id=debate_id)
    rights.may_moderate(by=by, debates=[debate.pk])
    ids = Evaluation.objects.filter(debate=debate).values_list("pk", flat=True)
    evaluations = accounts.lock_with_debates(evaluations=ids)
    unmoved(evaluations=evaluations, seen=seen)
    for refusal in conflicts.hindered(by=by, evaluations=evaluations, kind=EntryKind.ROLLBACK):
        raise refusal
    because = reason_record(reason, note=note)
    author = Author(kind=door, actor=actor, reason=because, reason_code="debate_rolled_back")
    back = Intent(EntryKind.ROLLBACK, target=1)
    taken = [Done(row, take(evaluation=row, author=author, intent=back)) for row in evaluations if row.version > 1]
    bulk.announce(taken=taken, now=now)
    return len(taken)
