"""One action on many scores: previewed as a table, done whole or not at all. Overrides are decided one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction

from debates import event_log
from debates.errors import DomainError, Invalid, NotFound
from debates.models import Debate
from debates.services.idempotency import UseCase
from scoring import selectors
from scoring.enums import ActorKind, BulkAction, EntryKind, HeldChoice
from scoring.errors import BulkRefused, Stale
from scoring.models import Evaluation
from scoring.services import accounts, plans, previews
from scoring.services.entries import Author, actor_of, reason_record
from scoring.services.plans import Intent, Known
from scoring.services.previews import Preview
from scoring.services.steps import Done, Step, freeze_step, permitted, rollback_step, unfreeze_step, warn_whole

CAP = 500
OPENED = 1
"""The sequence of every account's first entry, which a bulk rollback goes back to."""

Rows = Sequence[tuple[int, int | None]]
"""(evaluation id, moderation version seen) pairs; a freeze needs no version, because it must win every race."""

PERMISSIONS: Mapping[BulkAction, str] = {
    BulkAction.FREEZE: "freeze_evaluation",
    BulkAction.UNFREEZE: "unfreeze_evaluation",
    BulkAction.ROLLBACK: "rollback_evaluation",
}


class Refused(TypedDict):
    """Why one score refuses, as ``BulkRefused.details["refused"]`` lists it."""

    id: int
    evaluation: str | None
    name: str
    code: str
    why: str


@dataclass(frozen=True, slots=True)
class BulkOrder:
    """Who asks for one action on many scores, why, and which states they were looking at."""

    action: BulkAction
    rows: Rows
    by: User | AnonymousUser
    reason: str
    choice: HeldChoice | None = None
    door: ActorKind = ActorKind.MODERATOR
    reason_code: str = "bulk"
    idempotency_key: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a preview: what would become of a score, or why it would refuse the whole."""

    evaluation_id: int
    evaluation: Evaluation | None
    seen: int | None
    preview: Preview | None
    refusal: DomainError | None


@dataclass(frozen=True, slots=True)
class Taken:
    """What was done to one score of many."""

    evaluation: Evaluation
    steps: Sequence[Step]


def intent_of(*, action: BulkAction, choice: HeldChoice | None) -> Intent:
    """Return a bulk action as an action on one score.

    Raises: ``Invalid`` for a choice that is missing or means nothing here.
    """
    if (action is BulkAction.UNFREEZE) != (choice is not None):
        raise Invalid("choice must be apply or discard for an unfreeze, and is given for nothing else.")
    if action is BulkAction.ROLLBACK:
        return Intent(EntryKind.ROLLBACK, target=OPENED)
    return Intent(EntryKind(action.value), choice=choice)


def versions(rows: Rows) -> dict[int, int | None]:
    """Return rows as {evaluation id: version seen}.

    Raises: ``Invalid`` for none, for more than 500, for one that is named twice.
    """
    if not 1 <= len(rows) <= CAP:
        raise Invalid(f"A bulk action takes 1 to {CAP} evaluations; got {len(rows)}.")
    seen = dict(rows)
    if len(seen) < len(rows):
        raise Invalid("Name each evaluation once.")
    return seen


def preview(*, action: BulkAction, rows: Rows, choice: HeldChoice | None = None) -> list[Line]:
    """Show what an action would do to many scores, by ascending id; a line says so where a score would refuse.

    Raises: ``Invalid`` for none or more than 500, one named twice, or a choice that does not fit.
    Source: docs/reference/moderation.md, "Bulk".
    """
    intent, seen = intent_of(action=action, choice=choice), versions(rows)
    evaluations = previews.read(evaluations=list(seen))
    table = zip(evaluations, previews.table(evaluations=evaluations, intent=intent), strict=True)
    lines = {one.pk: _line(one, shown, seen[one.pk], action) for one, shown in table}
    gone = NotFound("There is no such evaluation.")
    return [lines.get(pk) or Line(pk, None, seen[pk], preview=None, refusal=gone) for pk in sorted(seen)]


def _line(evaluation: Evaluation, shown: Preview | DomainError, seen: int | None, action: BulkAction) -> Line:
    late = stale(evaluation=evaluation, seen=seen, action=action)
    refusal = late or (shown if isinstance(shown, DomainError) else None)
    return Line(evaluation.pk, evaluation, seen, None if isinstance(shown, DomainError) else shown, refusal)


def stale(*, evaluation: Evaluation, seen: int | None, action: BulkAction) -> DomainError | None:
    """Return the refusal of a look that is out of date, or of a version that is missing."""
    if seen is None:
        return None if action is BulkAction.FREEZE else Invalid("Say which moderation_version you saw.")
    if seen == evaluation.moderation_version:
        return None
    return Stale(selectors.who_moved_it(evaluation=evaluation, seen=seen))


@UseCase
def act(*, order: BulkOrder, now: datetime) -> list[Done]:
    """Do one action to many scores, to all of them or to none.

    Raises: ``NotPermitted``, ``Invalid`` (cap, reason, choice), ``BulkRefused`` naming who refuses and why.
    Source: docs/reference/moderation.md, "Bulk".
    """
    permitted(by=order.by, permission=PERMISSIONS[order.action])
    versions(order.rows)
    author = Author(
        kind=order.door,
        actor=actor_of(order.by),
        reason=reason_record(order.reason),
        reason_code=order.reason_code,
        idempotency_key=order.idempotency_key,
    )
    taken = take(action=order.action, choice=order.choice, rows=order.rows, author=author)
    return announce(taken=taken, now=now)


@transaction.atomic(savepoint=False)
def take(*, action: BulkAction, choice: HeldChoice | None, rows: Rows, author: Author) -> list[Taken]:
    """Lock many scores in the order that everybody keeps, and do one action to all of them.

    Raises: ``Invalid``; ``BulkRefused`` naming every score that refuses and why.
    """
    intent, seen = intent_of(action=action, choice=choice), versions(rows)
    if action is BulkAction.ROLLBACK:
        hold_debates(evaluations=list(seen))
    evaluations = accounts.lock(evaluations=seen)
    known = plans.known_of(evaluations=evaluations, intent=intent)
    refuse(refused=_refusing(evaluations=evaluations, seen=seen, intent=intent, known=known), of=len(seen))
    taken = [Taken(one, _steps(evaluation=one, author=author, intent=intent)) for one in evaluations]
    warn_whole(unfrozen=[(one.evaluation, one.steps) for one in taken], choice=intent.choice)
    return taken


def hold_debates(*, evaluations: Sequence[int]) -> None:
    """Lock the debates of evaluations by ascending id, so that none of them starts to play meanwhile."""
    ids = Evaluation.objects.filter(pk__in=evaluations).values("debate_id")
    list(Debate.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=ids).order_by("pk"))


def _refusing(
    *, evaluations: Sequence[Evaluation], seen: Mapping[int, int | None], intent: Intent, known: Known
) -> list[Refused]:
    found = []
    for one in evaluations:
        late = stale(evaluation=one, seen=seen[one.pk], action=BulkAction(intent.kind.value))
        refusal = late or _refusal(evaluation=one, intent=intent, known=known)
        if refusal:
            found.append(refused(evaluation=one, refusal=refusal))
    for pk in sorted(set(seen) - {one.pk for one in evaluations}):
        gone = NotFound("There is no such evaluation.")
        found.append(Refused(id=pk, evaluation=None, name=f"evaluation {pk}", code=gone.code, why=gone.message))
    return found


def _refusal(*, evaluation: Evaluation, intent: Intent, known: Known) -> DomainError | None:
    try:
        plans.plan_of(evaluation=evaluation, intent=intent, known=known)
    except DomainError as refusal:
        return refusal
    return None


def refused(*, evaluation: Evaluation, refusal: DomainError) -> Refused:
    """Return why one score refuses, for ``BulkRefused``."""
    return Refused(
        id=evaluation.pk,
        evaluation=str(evaluation.public_id),
        name=str(evaluation),
        code=refusal.code,
        why=refusal.message,
    )


def refuse(*, refused: Sequence[Refused], of: int) -> None:
    """Refuse the whole where any score refuses.

    Raises: ``BulkRefused``; its ``details["refused"]`` is a list of ``Refused``.
    """
    if not refused:
        return
    named = "; ".join(f"{one['name']}: {one['why']}" for one in refused[:10])
    more = f"; and {len(refused) - 10} more" if len(refused) > 10 else ""
    raise BulkRefused(f"Nothing was done, because {len(refused)} of {of} refuse: {named}{more}", refused=list(refused))


def _steps(*, evaluation: Evaluation, author: Author, intent: Intent) -> Sequence[Step]:
    if intent.kind is EntryKind.FREEZE:
        return [freeze_step(evaluation=evaluation, author=author)]
    if intent.choice is not None:
        return unfreeze_step(evaluation=evaluation, author=author, choice=intent.choice)
    return [rollback_step(evaluation=evaluation, author=author, target=OPENED)]


def announce(*, taken: Sequence[Taken], now: datetime) -> list[Done]:
    """Append the events of many scores, once for each debate, by ascending debate id: the last thing to do."""
    for debate_id in sorted({one.evaluation.debate_id for one in taken}):
        own = [one for one in taken if one.evaluation.debate_id == debate_id]
        event_log.append(
            debate_id=debate_id, news=[told for one in own for step in one.steps for told in step.news], now=now
        )
    return [Done(one.evaluation, tuple(step.entry for step in one.steps)) for one in taken]
