"""The building blocks of moderation: who asks, whether they may, and one step per action on a locked score."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser, User

from debates.errors import Invalid, NotFound
from debates.models import Debate
from debates.services import rights
from debates.types import News, Status
from scoring import selectors
from scoring.enums import ActorKind, HeldChoice
from scoring.errors import Stale
from scoring.models import Evaluation, ScoreChange
from scoring.services import accounts, alerts, plans, second_person_rule
from scoring.services.computing import parameters_of
from scoring.services.entries import Author, Posted, actor_of, post, reason_record, text
from scoring.services.plans import Plan
from scoring.types import Instrument


@dataclass(frozen=True, slots=True)
class Order:
    """Who asks for an action on one evaluation, why, and which state they were looking at.

    Shape: ``seen`` is the ``moderation_version`` on the page or in the If-Match header; a freeze needs none, but is
    checked against one that is given.
    """

    evaluation_id: int
    by: User | AnonymousUser
    reason: str
    seen: int | None = None
    door: ActorKind = ActorKind.MODERATOR
    reason_code: str = ""
    idempotency_key: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """What an action did: the entries it wrote, in order."""

    evaluation: Evaluation
    entries: tuple[ScoreChange, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One entry and the events that tell of it."""

    entry: ScoreChange
    news: list[News]


def permitted(*, by: User | AnonymousUser, permission: str) -> None:
    """Refuse whoever may not do this.

    Shape: ``permission`` is a codename of this app, or one of another with its label before a dot.
    Raises: ``NotPermitted`` naming the permission.
    """
    rights.permitted(by=by, permission=permission if "." in permission else f"scoring.{permission}")


def author_of(*, order: Order) -> Author:
    """Keep who asks and why.

    Raises: ``Invalid`` for a reason without 10 visible characters.
    """
    return Author(
        kind=order.door,
        actor=actor_of(order.by),
        reason=reason_record(order.reason),
        reason_code=order.reason_code,
        idempotency_key=order.idempotency_key,
    )


def locked(*, order: Order, versioned: bool = True) -> Evaluation:
    """Lock the evaluation that an order is about and refuse a look that is out of date.

    Raises: ``NotFound``; ``Stale`` saying who changed what and when; ``Invalid`` when the version is missing.
    """
    found = accounts.lock(evaluations=[order.evaluation_id])
    if not found:
        raise NotFound("There is no such evaluation.")
    evaluation = found[0]
    if versioned and order.seen is None:
        raise Invalid("Say which moderation_version you saw; this action needs it.")
    if order.seen is not None and order.seen != evaluation.moderation_version:
        raise Stale(selectors.who_moved_it(evaluation=evaluation, seen=order.seen))
    return evaluation


def unmoved(*, evaluations: Sequence[Evaluation], seen: Mapping[int, int] | None) -> None:
    """Refuse a look at several locked scores that is out of date.

    Shape: ``seen`` is {evaluation: moderation version}; nothing from whoever takes the scores as they then stand.
    Raises: ``Stale`` saying who changed what and when; ``Invalid`` when a version is missing.
    """
    if seen is None:
        return
    missing = [one.key for one in evaluations if one.pk not in seen]
    if missing:
        raise Invalid(f"Say which moderation_version you saw of {', '.join(missing)}.")
    late = [one for one in evaluations if seen[one.pk] != one.moderation_version]
    if late:
        told = [f"{one}: {selectors.who_moved_it(evaluation=one, seen=seen[one.pk])}" for one in late[:5]]
        more = f" And {len(late) - 5} more." if len(late) > 5 else ""
        raise Stale(" ".join(told) + more)


def tell(*, evaluation: Evaluation, posted: Posted, event: str, **more: Any) -> list[News]:
    """Return the events of a moderator's entry: that the score moved, and what was done."""
    data = {
        "evaluation": str(evaluation.public_id),
        "criterion": evaluation.key,
        "entry": posted.entry.sequence,
        "before": text(posted.entry.value_before),
        "after": text(posted.entry.value_after),
        **more,
    }
    return [*posted.news, News(event, data)]


def write(*, evaluation: Evaluation, author: Author, plan: Plan, event: str) -> Step:
    """Write what was planned for a locked evaluation, and tell of it.

    Raises: ``NeedsSecondPerson`` where it would leave an override standing that a second person has to approve, unless
    the author brings the approval.
    """
    by = author.actor.user_id if author.actor else None
    measured = second_person_rule.may_stand(evaluation=evaluation, plan=plan, by=by, approval=author.approval)
    posted = post(
        evaluation=evaluation,
        kind=plan.kind,
        state=plan.state,
        author=author,
        parameters=parameters_of(evaluation),
        **plan.about,
        **measured.columns(),
    )
    return Step(posted.entry, tell(evaluation=evaluation, posted=posted, event=event))


def freeze_step(*, evaluation: Evaluation, author: Author) -> Step:
    """Freeze a locked evaluation.

    Raises: ``Frozen``.
    """
    plan = plans.freeze(evaluation=evaluation)
    return write(evaluation=evaluation, author=author, plan=plan, event="score:frozen")


def override_step(*, evaluation: Evaluation, author: Author, value: object) -> Step:
    """Put a locked evaluation under an override.

    Raises: ``Invalid`` for a value outside the instrument's scale or with more than 2 places; ``Frozen``;
    ``NeedsSecondPerson`` for one so large that a second person approves it, unless the author brings the approval.
    """
    plan = plans.overridden(evaluation=evaluation, value=value)
    return write(evaluation=evaluation, author=author, plan=plan, event="score:overridden")


def lift_step(*, evaluation: Evaluation, author: Author) -> Step:
    """Lift the override of a locked evaluation.

    Raises: ``Invalid`` when there is none; ``Frozen``.
    """
    plan = plans.lift(evaluation=evaluation)
    return write(evaluation=evaluation, author=author, plan=plan, event="score:override_lifted")


def strike_step(*, evaluation: Evaluation, author: Author, facts: Sequence[int]) -> Step:
    """Take facts out of the basis of a locked evaluation.

    Raises: ``Invalid`` unless every one of them counts now; ``Frozen``; ``NeedsSecondPerson``.
    """
    plan = plans.strike(evaluation=evaluation, facts=facts)
    return write(evaluation=evaluation, author=author, plan=plan, event="score:struck")


def reinstate_step(*, evaluation: Evaluation, author: Author, facts: Sequence[int]) -> Step:
    """Put facts of this run back into the basis of a locked evaluation.

    Raises: ``Invalid`` unless every one belongs to this run and does not count now; ``Frozen``; ``NeedsSecondPerson``.
    """
    plan = plans.reinstate(evaluation=evaluation, facts=facts)
    return write(evaluation=evaluation, author=author, plan=plan, event="score:reinstated")


def rollback_step(*, evaluation: Evaluation, author: Author, target: int) -> Step:
    """Take a locked evaluation, whose debate is locked too, back to an earlier entry.

    Raises: ``Invalid`` unless ``target`` is an earlier entry; ``NotAllowedNow`` across runs in play; ``Frozen``;
    ``NeedsSecondPerson``.
    """
    plan = plans.roll_back(evaluation=evaluation, target=target)
    return write(evaluation=evaluation, author=author, plan=plan, event="score:rolled_back")


def unfreeze_step(*, evaluation: Evaluation, author: Author, choice: HeldChoice | None) -> list[Step]:
    """Unfreeze a locked evaluation, applying or discarding what was held, and fall back where nothing counts.

    Raises: ``NotAllowedNow`` unless it is frozen, and without a choice where something is held.
    """
    plan = plans.unfreeze(evaluation=evaluation, choice=choice)
    applied = set(evaluation.held) & set(plan.state.basis)
    unfrozen = write(evaluation=evaluation, author=author, plan=plan, event="score:unfrozen")
    evaluation.thread.refresh_from_db(fields=["status"])
    unfrozen.news.extend(warn(evaluation=evaluation, applied=applied))
    steps = [unfrozen]
    if plans.falls_back(evaluation=evaluation, plan=plan):
        news = accounts.fall_back(evaluation=evaluation, reason_code="ended_while_frozen")
        steps.append(Step(ScoreChange.objects.get(evaluation=evaluation, sequence=evaluation.version), list(news)))
    return steps


def warn(*, evaluation: Evaluation, applied: Collection[int]) -> list[News]:
    """Raise for a score that was just unfrozen what would have been raised had its rounds not been held.

    What is asked of a thread as a whole is asked again where that is over; only criteria are asked.
    """
    if not applied or evaluation.instrument != Instrument.CRITERION.value:
        return []
    told = alerts.after_unfreeze(evaluation=evaluation, applied=applied)
    if plans.has_ended(evaluation=evaluation):
        told += alerts.after_thread(evaluation=evaluation)
    return told


def warn_whole(*, unfrozen: Sequence[tuple[Evaluation, Sequence[Step]]], choice: HeldChoice | None) -> None:
    """Ask what is asked of a whole debate again, once for each that is concluded, when all of its scores have moved.

    What it raises is told with the last step.
    """
    if choice is not HeldChoice.APPLY:
        return
    last = {one.debate_id: steps[-1] for one, steps in unfrozen if one.instrument == Instrument.CRITERION.value}
    for debate in Debate.objects.filter(pk__in=last, status=Status.CONCLUDED.value).order_by("pk"):
        last[debate.pk].news.extend(alerts.after_debate(debate=debate))
