"""One action on many scores: previewed as a table, done whole or not at all. Overrides are decided one by one."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction

from debates import event_log
from debates.errors import DomainError, Invalid, NotFound
from debates.models import Debate
from debates.services import rights
from debates.services.idempotency import UseCase
from debates.types import News
from scoring import selectors
from scoring.enums import BulkAction, EntryKind, HeldChoice
from scoring.errors import BulkRefused, Stale
from scoring.models import Evaluation
from scoring.services import accounts, actions, conflicts, previews
from scoring.services.actions import Intent, Known, action_of
from scoring.services.entries import Author
from scoring.services.previews import Preview
from scoring.services.steps import Asked, Done, author_of, take, warn_whole

CAP = 500
OPENED = 1
"""The sequence of every account's first entry, which a bulk rollback goes back to."""
GONE = "There is no such evaluation."

Rows = Sequence[tuple[int, int | None]]
"""(evaluation id, moderation version seen) pairs; a freeze needs no version, because it must win every race."""


class Refused(TypedDict):
    """Why one score refuses, as ``BulkRefused.details["refused"]`` lists it."""

    id: int
    evaluation: str | None
    name: str
    code: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkOrder(Asked):
    """Who asks for one action on many scores, why, and which states they were looking at."""

    action: BulkAction
    rows: Rows
    choice: HeldChoice | None = None
    reason_code: str = "bulk"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a preview: what would become of a score, or why it would refuse the whole."""

    evaluation_id: int
    evaluation: Evaluation | None
    preview: Preview | None = None
    refusal: DomainError | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Scores of a debate that somebody may not act on, how many, and why not."""

    debate: Debate
    number: int
    why: str


def intent_of(*, action: BulkAction, choice: HeldChoice | None) -> Intent:
    """Return a bulk action as an action on one score.

    Raises: ``Invalid`` for a choice that is missing or means nothing here.
    """
    if (action is BulkAction.UNFREEZE) != (choice is not None):
        raise Invalid(
            "What is held is applied or discarded by an unfreeze: name which, and for nothing else.", field="held"
        )
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


def preview(
    *, action: BulkAction, rows: Rows, choice: HeldChoice | None = None, by: User | AnonymousUser | None = None
) -> list[Line]:
    """Show what an action would do to many scores, by ascending id; a line says so where a score would refuse.

    Shape: ``by`` is who would act: the scores of debates in which they are a party refuse.

    Raises: ``Invalid`` for none or more than 500, one named twice, or a choice that does not fit.
    Source: docs/reference/moderation.md, "Bulk".
    """
    intent, seen = intent_of(action=action, choice=choice), versions(rows)
    evaluations = previews.read(evaluations=list(seen))
    hindered = hindrances(action=action, evaluations=evaluations, seen=seen, by=by)
    lines = {}
    for row, outcome in zip(evaluations, previews.table(evaluations=evaluations, intent=intent), strict=True):
        refused, foreseen = (outcome, None) if isinstance(outcome, DomainError) else (None, outcome)
        lines[row.pk] = Line(row.pk, row, foreseen, hindered[row.pk] or refused)
    return [lines.get(pk) or Line(pk, None, refusal=NotFound(GONE)) for pk in sorted(seen)]


def hindrances(
    *,
    action: BulkAction,
    evaluations: Sequence[Evaluation],
    seen: Mapping[int, int | None],
    by: User | AnonymousUser | None,
) -> dict[int, DomainError | None]:
    """Return what hinders somebody on each of some scores, whatever the action would do there, or nothing."""
    kept_out = rights.refused(by=by, debates=[row.debate_id for row in evaluations])
    lost = conflicts.lost(by=by, evaluations=evaluations, kind=EntryKind(action.value))
    return {
        row.pk: kept_out.get(row.debate_id)
        or stale(evaluation=row, seen=seen[row.pk], action=action)
        or lost.get(row.pk)
        for row in evaluations
    }


def without_conflicts(*, rows: Rows, by: User | AnonymousUser) -> tuple[Rows, list[LeftOut]]:
    """Return the scores without those of debates that somebody does not moderate, and what was left out and why.

    Source: docs/reference/conflicts.md, "Many scores at once".
    """
    debate_of = dict(Evaluation.objects.filter(pk__in=[pk for pk, _ in rows]).values_list("pk", "debate_id"))
    kept_out = rights.refused(by=by, debates=debate_of.values())
    kept = [(pk, seen) for pk, seen in rows if debate_of.get(pk) not in kept_out]
    numbers = Counter(debate_of[pk] for pk, _ in rows if debate_of.get(pk) in kept_out)
    debates = Debate.objects.filter(pk__in=numbers).order_by("pk")
    return kept, [LeftOut(debate, numbers[debate.pk], kept_out[debate.pk].message) for debate in debates]


def stale(*, evaluation: Evaluation, seen: int | None, action: BulkAction) -> DomainError | None:
    """Return the refusal of a look that is out of date, or of a version that is missing."""
    if seen is None:
        return Invalid("Say which moderation_version you saw.") if action_of(action).versioned else None
    if seen == evaluation.moderation_version:
        return None
    return Stale(selectors.who_moved_it(evaluation=evaluation, seen=seen))


@UseCase
def act(*, order: BulkOrder, now: datetime) -> list[Done]:
    """Do one action to many scores, to all of them or to none.

    Raises: ``NotPermitted``, ``Invalid`` (cap, reason, choice), ``BulkRefused`` naming who refuses and why.
    Source: docs/reference/moderation.md, "Bulk".
    """
    rights.permitted(by=order.by, permission=action_of(order.action).permission)
    versions(order.rows)
    author = author_of(order=order)
    taken = take_all(action=order.action, choice=order.choice, rows=order.rows, author=author, by=order.by)
    announce(taken=taken, now=now)
    return taken


@transaction.atomic(savepoint=False)
def take_all(
    *, action: BulkAction, choice: HeldChoice | None, rows: Rows, author: Author, by: User | AnonymousUser
) -> list[Done]:
    """Lock many scores in the order that everybody keeps, and do one action to all of them.

    Raises: ``Invalid``; ``BulkRefused`` naming every score that refuses and why.
    """
    intent, seen = intent_of(action=action, choice=choice), versions(rows)
    if action is BulkAction.ROLLBACK or choice is HeldChoice.APPLY:
        hold_debates(evaluations=list(seen))
    evaluations = accounts.lock_with_debates(evaluations=seen)
    known = actions.known_of(evaluations=evaluations, intent=intent)
    hindered = hindrances(action=action, evaluations=evaluations, seen=seen, by=by)
    lines = [
        Line(row.pk, row, refusal=hindered[row.pk] or _refusal(evaluation=row, intent=intent, known=known))
        for row in evaluations
    ]
    refuse([*lines, *(Line(pk, None, refusal=NotFound(GONE)) for pk in sorted(seen.keys() - hindered.keys()))])
    taken = [Done(row, take(evaluation=row, author=author, intent=intent, known=known)) for row in evaluations]
    warn_whole(taken=taken, choice=intent.choice)
    return taken


def hold_debates(*, evaluations: Sequence[int]) -> None:
    """Lock the debates of evaluations by ascending id: none begins to play, ends, or is looked at whole meanwhile."""
    ids = Evaluation.objects.filter(pk__in=evaluations).values("debate_id")
    list(Debate.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=ids).order_by("pk"))


def _refusal(*, evaluation: Evaluation, intent: Intent, known: Known) -> DomainError | None:
    try:
        actions.plan_of(evaluation=evaluation, intent=intent, known=known)
    except DomainError as refusal:
        return refusal
    return None


def refuse(lines: Sequence[Line]) -> None:
    """Refuse the whole where any score refuses.

    Raises: ``BulkRefused``; its ``details["refused"]`` is a list of ``Refused``.
    """
    refused = [
        Refused(
            id=line.evaluation_id,
            evaluation=str(line.evaluation.public_id) if line.evaluation else None,
            name=str(line.evaluation or f"evaluation {line.evaluation_id}"),
            code=line.refusal.code,
            why=line.refusal.message,
        )
        for line in lines
        if line.refusal
    ]
    if not refused:
        return
    named = "; ".join(f"{row['name']}: {row['why']}" for row in refused[:10])
    more = f"; and {len(refused) - 10} more" if len(refused) > 10 else ""
    raise BulkRefused(
        f"Nothing was done, because {len(refused)} of {len(lines)} refuse: {named}{more}", refused=refused
    )


def announce(*, taken: Sequence[Done], now: datetime) -> None:
    """Append the events of many scores, once for each debate, by ascending debate id: the last thing to do."""
    by_debate: dict[int, list[News]] = {}
    for row in taken:
        by_debate.setdefault(row.evaluation.debate_id, []).extend(news for step in row.steps for news in step.news)
    for debate_id, news in sorted(by_debate.items()):
        event_log.append(debate_id=debate_id, news=news, now=now)
