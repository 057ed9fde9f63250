"""What a moderator may do to a score. Each action is one function; admin, API and commands all call these."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from django.contrib.auth.models import AnonymousUser, User

from debates import event_log
from debates.errors import NotAllowedNow, NotFound
from debates.models import Debate
from debates.rules import IN_PLAY
from debates.services.idempotency import UseCase
from debates.types import Status
from scoring.enums import ActorKind, EntryKind, HeldChoice
from scoring.errors import Frozen
from scoring.models import Evaluation
from scoring.services import accounts, unfreeze_options
from scoring.services.entries import Author, actor_of, reason_record
from scoring.services.plans import Intent
from scoring.services.steps import (
    Done,
    Order,
    Step,
    author_of,
    freeze_step,
    lift_step,
    locked,
    permitted,
    reinstate_step,
    rollback_step,
    strike_step,
    unfreeze_step,
    unmoved,
    warn_whole,
)

__all__ = [
    "Done",
    "Order",
    "Step",
    "freeze",
    "hold_debate_of",
    "lift",
    "permitted",
    "reinstate",
    "roll_back",
    "roll_back_debate",
    "strike",
    "unfreeze",
]


def _run(
    *,
    order: Order,
    permission: str,
    now: datetime,
    act: Callable[[Evaluation, Author], Sequence[Step]],
    versioned: bool = True,
    holds_debate: bool = False,
) -> Done:
    permitted(by=order.by, permission=permission)
    author = author_of(order=order)
    if holds_debate:
        hold_debate_of(evaluation_id=order.evaluation_id)
    evaluation = locked(order=order, versioned=versioned)
    steps = act(evaluation, author)
    event_log.append(debate_id=evaluation.debate_id, news=[one for step in steps for one in step.news], now=now)
    return Done(evaluation=evaluation, entries=tuple(step.entry for step in steps))


@UseCase
def freeze(*, order: Order, now: datetime) -> Done:
    """Freeze a score: until it is unfrozen nothing moves it. Needs no version, because it must win every race.

    Raises: ``NotPermitted``, ``NotFound``, ``Invalid`` (reason), ``Stale`` for a version that is given, ``Frozen``.
    """
    return _run(
        order=order,
        permission="freeze_evaluation",
        now=now,
        act=lambda evaluation, author: [freeze_step(evaluation=evaluation, author=author)],
        versioned=False,
    )


@UseCase
def unfreeze(
    *,
    order: Order,
    choice: HeldChoice | None,
    now: datetime,
    then: Intent | None = None,
) -> Done:
    """Unfreeze a score, apply or discard what was held, and optionally take one further step in the same breath.

    Shape: ``choice`` is missing where nothing was held when somebody looked; ``then`` is an override, a strike or a
    rollback, and takes the permission of that action too.
    Raises: ``NotPermitted``, ``NotFound``, ``Stale``, ``Invalid``, ``NotAllowedNow``, ``NeedsSecondPerson``.
    """
    permitted(by=order.by, permission="unfreeze_evaluation")
    if then is not None:
        permitted(by=order.by, permission=unfreeze_options.permission_of(then))

    def act(evaluation: Evaluation, author: Author) -> list[Step]:
        steps = unfreeze_step(evaluation=evaluation, author=author, choice=choice)
        if then is not None:
            steps.append(unfreeze_options.step(evaluation=evaluation, author=author, intent=then))
        warn_whole(unfrozen=[(evaluation, steps)], choice=choice)
        return steps

    back = then is not None and then.kind is EntryKind.ROLLBACK
    return _run(order=order, permission="unfreeze_evaluation", now=now, act=act, holds_debate=back)


@UseCase
def lift(*, order: Order, now: datetime) -> Done:
    """Remove an override, so that the computed score counts again.

    Raises: ``NotPermitted``, ``NotFound``, ``Stale``, ``Invalid``, ``Frozen``.
    """
    return _run(
        order=order,
        permission="lift_evaluation",
        now=now,
        act=lambda evaluation, author: [lift_step(evaluation=evaluation, author=author)],
    )


@UseCase
def strike(*, order: Order, facts: Sequence[int], now: datetime) -> Done:
    """Take facts out of what counts, without deleting them.

    Raises: ``NotPermitted``, ``NotFound``, ``Stale``, ``Invalid``, ``Frozen``.
    """
    return _run(
        order=order,
        permission="strike_evaluation",
        now=now,
        act=lambda evaluation, author: [strike_step(evaluation=evaluation, author=author, facts=facts)],
    )


@UseCase
def reinstate(*, order: Order, facts: Sequence[int], now: datetime) -> Done:
    """Put struck or discarded facts back into what counts.

    Raises: ``NotPermitted``, ``NotFound``, ``Stale``, ``Invalid``, ``Frozen``.
    """
    return _run(
        order=order,
        permission="strike_evaluation",
        now=now,
        act=lambda evaluation, author: [reinstate_step(evaluation=evaluation, author=author, facts=facts)],
    )


@UseCase
def roll_back(*, order: Order, target: int, now: datetime) -> Done:
    """Take a score back to what it was after an earlier entry; the entries in between stay in the ledger.

    Raises: ``NotPermitted``, ``NotFound``, ``Stale``, ``Invalid``, ``NotAllowedNow``, ``Frozen``.
    """
    return _run(
        order=order,
        permission="rollback_evaluation",
        now=now,
        act=lambda evaluation, author: [rollback_step(evaluation=evaluation, author=author, target=target)],
        holds_debate=True,
    )


def hold_debate_of(*, evaluation_id: int) -> Debate:
    """Lock the debate of an evaluation, so that it cannot start to play meanwhile.

    Raises: ``NotFound``.
    """
    debate = Debate.objects.select_for_update(no_key=True, of=("self",)).filter(evaluations=evaluation_id).first()
    if debate is None:
        raise NotFound("There is no such evaluation.")
    return debate


def hold_ended(*, debate_id: int) -> Debate:
    """Lock a debate that is no longer in play.

    Raises: ``NotFound``, ``NotAllowedNow``.
    """
    debate = Debate.objects.select_for_update(no_key=True, of=("self",)).filter(pk=debate_id).first()
    if debate is None:
        raise NotFound("There is no such debate.")
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
) -> int:
    """Take every score of a debate back to its opening, all of them or none, and return how many moved.

    Shape: ``seen`` is {evaluation: moderation version} of all its scores, from whoever has looked at them.
    Raises: ``NotPermitted``, ``NotFound``, ``NotAllowedNow`` while it is in play, ``Stale``, ``Frozen`` naming the
    frozen scores.
    """
    permitted(by=by, permission="rollback_evaluation")
    actor = actor_of(by)
    debate = hold_ended(debate_id=debate_id)
    ids = Evaluation.objects.filter(debate=debate).values_list("pk", flat=True)
    evaluations = accounts.lock(evaluations=ids)
    unmoved(evaluations=evaluations, seen=seen)
    frozen = [str(one) for one in evaluations if one.frozen_at]
    if frozen:
        raise Frozen(f"These scores are frozen: {', '.join(frozen)}. Unfreeze them first.")
    author = Author(kind=door, actor=actor, reason=reason_record(reason), reason_code="debate_rolled_back")
    steps = [rollback_step(evaluation=one, author=author, target=1) for one in evaluations if one.version > 1]
    event_log.append(debate_id=debate.pk, news=[one for step in steps for one in step.news], now=now)
    return len(steps)
