"""Rescore sets: a bulk action that is previewed and kept first, and applied or cancelled later.

Source: docs/reference/moderation.md, "Rescore sets".
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet

from debates.decimals import in_places
from debates.errors import Invalid, NotAllowedNow, NotFound
from debates.printable import clock
from debates.services import rights
from debates.services.idempotency import UseCase
from scoring.enums import ActorKind, BulkAction, HeldChoice, ReasonCode, RescoreState
from scoring.models import Evaluation, RescoreSet
from scoring.services import bulk
from scoring.services.actions import action_of
from scoring.services.bulk import Line, Rows
from scoring.services.entries import Author, actor_of, reason_record
from scoring.services.steps import Done


@UseCase
def stage(
    *,
    action: BulkAction,
    rows: Rows,
    reason: str,
    by: User | AnonymousUser,
    now: datetime,
    choice: HeldChoice | None = None,
    note: str = "",
    reason_code: str = "",
) -> RescoreSet:
    """Keep what a bulk action would do, old against new, to be applied or cancelled later. Nothing moves or is told.

    Raises: ``NotPermitted``, ``Invalid``, ``BulkRefused`` naming every score that would refuse and why.
    """
    rights.permitted(by=by, permission=action_of(action).permission)
    actor, because = actor_of(by), reason_record(reason, note=note)
    bulk.hold_debates(evaluations=list(bulk.versions(rows)))  # else an erasure would pass by the names that are read
    lines = bulk.preview(action=action, rows=rows, choice=choice, by=by)
    bulk.refuse(lines)
    return RescoreSet.objects.create(
        action=action.value,
        choice=choice.value if choice else "",
        reason_code=reason_code,
        lines=[line_of(line) for line in lines],
        staged_by=actor,
        because=because,
        staged_at=now,
    )


def line_of(line: Line) -> dict[str, Any]:
    """Return a line of a preview as a set keeps it: whose it is, the version shown, and old against new."""
    assert line.evaluation is not None  # noqa: S101 -- lines that refuse are not kept
    assert line.preview is not None  # noqa: S101 -- as above
    now, then = line.preview.now, line.preview.then
    return {
        "id": line.evaluation_id,
        "evaluation": str(line.evaluation.public_id),
        "name": str(line.evaluation),
        "seen": line.evaluation.moderation_version,
        "value_before": in_places(now.value),
        "value_after": in_places(then.value),
        "computed_before": in_places(now.computed),
        "computed_after": in_places(then.computed),
        "confidence_before": in_places(now.confidence),
        "confidence_after": in_places(then.confidence),
    }


def rows_of(rescore_set: RescoreSet) -> Rows:
    """Return what a set is about as a bulk action takes it, with the versions that were shown."""
    return [(line["id"], line["seen"]) for line in rescore_set.lines]


def lines_now(rescore_set: RescoreSet, *, by: User | AnonymousUser | None = None) -> Sequence[Line]:
    """Preview a set again as things stand: rounds that the engine counted since show here, and who would refuse."""
    choice = HeldChoice(rescore_set.choice) if rescore_set.choice else None
    return bulk.preview(action=BulkAction(rescore_set.action), rows=rows_of(rescore_set), choice=choice, by=by)


@UseCase
def apply(
    *,
    set_id: int,
    by: User | AnonymousUser,
    now: datetime,
    leave_out: Collection[int] = (),
    door: ActorKind = ActorKind.MODERATOR,
) -> list[Done]:
    """Apply a staged set whole, but for what is left out, as whoever applies it, for the reason it was staged for.

    Shape: ``leave_out`` are evaluations of the set that stay as they are; the set keeps which.
    Raises: ``NotFound``, ``NotPermitted``, ``Invalid`` for a score that is not in the set or where none is left,
    ``NotAllowedNow`` once decided or where its words were erased, ``BulkRefused`` naming the scores that somebody moved
    since or that refuse otherwise; the set then stays staged.
    """
    actor = actor_of(by)
    staged = staged_set(set_id=set_id)
    rights.permitted(by=by, permission=action_of(staged.action).permission)
    if why := erased(staged):
        raise NotAllowedNow(why)
    rows = kept(rescore_set=staged, leave_out=leave_out)
    code = staged.reason_code or ReasonCode.RESCORE_SET.value
    author = Author(kind=door, actor=actor, reason=staged.because, reason_code=code)
    choice = HeldChoice(staged.choice) if staged.choice else None
    taken = bulk.take_all(action=BulkAction(staged.action), choice=choice, rows=rows, author=author, by=by)
    staged.state, staged.decided_by, staged.decided_at = RescoreState.APPLIED.value, author.actor, now
    staged.left_out = sorted(set(leave_out))
    staged.save(update_fields=["state", "decided_by", "decided_at", "left_out"])
    bulk.announce(taken=taken, now=now)
    return taken


def kept(*, rescore_set: RescoreSet, leave_out: Collection[int]) -> Rows:
    """Return what a set is about without the scores that are left out.

    Raises: ``Invalid`` for a score that is not in the set, or where none is left.
    """
    rows = rows_of(rescore_set)
    strange = set(leave_out) - {pk for pk, _ in rows}
    if strange:
        raise Invalid(f"leave_out must name scores of this set; {len(strange)} of {len(set(leave_out))} are not in it.")
    left = [(pk, seen) for pk, seen in rows if pk not in leave_out]
    if not left:
        raise Invalid("Nothing is left to apply; cancel the set instead.")
    return left


@UseCase
def cancel(*, set_id: int, by: User | AnonymousUser, reason: str, now: datetime, note: str = "") -> RescoreSet:
    """Cancel a staged set: nothing moves and nothing is told.

    Raises: ``NotFound``, ``NotPermitted``, ``NotAllowedNow`` once decided, ``Invalid`` for a short reason.
    """
    actor = actor_of(by)
    staged = staged_set(set_id=set_id)
    rights.permitted(by=by, permission=action_of(staged.action).permission)
    rights.may_moderate(by=by, debates=debates_of(staged))
    staged.state, staged.decided_by, staged.decided_at = RescoreState.CANCELLED.value, actor, now
    staged.decided_because = reason_record(reason, note=note)
    staged.save(update_fields=["state", "decided_by", "decided_because", "decided_at"])
    return staged


def debates_of(rescore_set: RescoreSet) -> QuerySet[Evaluation, int]:
    """Return the debates whose scores a set is about."""
    concerned = Evaluation.objects.filter(pk__in=[pk for pk, _ in rows_of(rescore_set)])
    return concerned.values_list("debate_id", flat=True)


def erased(rescore_set: RescoreSet) -> str:
    """Say why a set whose words were erased is not applied; nothing while they are there."""
    return "" if rescore_set.because.text else "The words of this set were erased; cancel it and stage it anew."


def staged_set(*, set_id: int) -> RescoreSet:
    """Lock a set that is still to be decided. It is locked before anything else.

    Raises: ``NotFound``, ``NotAllowedNow`` once it was applied or cancelled.
    """
    rows = RescoreSet.objects.select_for_update(no_key=True, of=("self",))
    staged = rows.filter(pk=set_id).first()
    if staged is None:
        raise NotFound("There is no such rescore set.")
    if staged.state != RescoreState.STAGED.value:
        raise NotAllowedNow(how_it_ended(staged))
    return staged


def how_it_ended(rescore_set: RescoreSet) -> str:
    """Say, for people, what became of a set that is staged no more."""
    when = f"at {clock(rescore_set.decided_at)}"
    return f"This set was {rescore_set.state} by {rescore_set.decided_by} {when}; it changes no more."
