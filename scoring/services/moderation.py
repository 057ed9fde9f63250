"""What a moderator may do to a score. Each action is one function; admin, API and commands all call these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction

from debates import stream
from debates.errors import Invalid, NotAllowedNow, NotFound
from debates.models import Debate
from debates.rules import IN_PLAY
from debates.types import ENDED, News, Status, ThreadStatus
from scoring import selectors
from scoring.errors import Frozen, NotPermitted, Stale
from scoring.kinds import ActorKind, EntryKind, HeldChoice
from scoring.models import Evaluation, Fact, ScoreChange
from scoring.rules import fold
from scoring.rules.fold import State
from scoring.rules.instruments import range_of
from scoring.rules.numbers import decimal_of
from scoring.services import accounts
from scoring.services.entries import (
    Author,
    Posted,
    actor_of,
    parameters_of,
    post,
    reason_record,
    state_after,
    state_of,
    text,
)
from scoring.types import Instrument


@dataclass(frozen=True, slots=True)
class Order:
    """Who asks for an action on one evaluation, why, and which state they were looking at.

    Shape: ``seen`` is the ``moderation_version`` on the page or in the If-Match header; a freeze needs none.
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


# -- building blocks -------------------------------------------------------------------------------------------------


def permitted(*, by: User | AnonymousUser, permission: str) -> None:
    """Refuse whoever may not do this.

    Shape: ``permission`` is a codename of this app, or one of another with its label before a dot.
    Raises: ``NotPermitted`` naming the permission.
    """
    if not by.has_perm(permission if "." in permission else f"scoring.{permission}"):
        raise NotPermitted(f"{by.get_username() or 'An anonymous visitor'} lacks the permission {permission}.")


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
    if versioned and order.seen != evaluation.moderation_version:
        raise Stale(selectors.who_moved_it(evaluation=evaluation, seen=order.seen or 0))
    return evaluation


def movable(*, evaluation: Evaluation) -> State:
    """Return the state of an evaluation that may move now.

    Raises: ``Frozen``.
    """
    state = state_of(evaluation)
    if state.frozen:
        raise Frozen(f"{evaluation} is frozen since {evaluation.frozen_at:%Y-%m-%d %H:%M} UTC. Unfreeze it first.")
    return state


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


def _write(*, evaluation: Evaluation, author: Author, kind: EntryKind, state: State, event: str, **about: Any) -> Step:
    posted = post(
        evaluation=evaluation, kind=kind, state=state, author=author, parameters=parameters_of(evaluation), **about
    )
    return Step(posted.entry, tell(evaluation=evaluation, posted=posted, event=event))


def freeze_step(*, evaluation: Evaluation, author: Author) -> Step:
    """Freeze a locked evaluation."""
    state = fold.frozen(movable(evaluation=evaluation))
    return _write(evaluation=evaluation, author=author, kind=EntryKind.FREEZE, state=state, event="score:frozen")


def override_step(*, evaluation: Evaluation, author: Author, value: object) -> Step:
    """Put a locked evaluation under an override.

    Raises: ``Invalid`` for a value outside the instrument's scale or with more than 2 places; ``Frozen``.
    """
    low, high = range_of(Instrument(evaluation.instrument))
    wanted = decimal_of(value, name="value", low=low, high=high, places=2)
    state = fold.overridden(movable(evaluation=evaluation), value=wanted)
    return _write(evaluation=evaluation, author=author, kind=EntryKind.OVERRIDE, state=state, event="score:overridden")


def lift_step(*, evaluation: Evaluation, author: Author) -> Step:
    """Lift the override of a locked evaluation.

    Raises: ``Invalid`` when there is none; ``Frozen``.
    """
    state = movable(evaluation=evaluation)
    if state.override is None:
        raise Invalid("There is no override to lift.")
    return _write(
        evaluation=evaluation,
        author=author,
        kind=EntryKind.OVERRIDE_LIFTED,
        state=fold.lifted(state),
        event="score:override_lifted",
    )


def strike_step(*, evaluation: Evaluation, author: Author, facts: Sequence[int]) -> Step:
    """Take facts out of the basis of a locked evaluation.

    Raises: ``Invalid`` unless every one of them counts now; ``Frozen``.
    """
    state = movable(evaluation=evaluation)
    _strikable(evaluation=evaluation)
    wanted = fold.ordered(facts)
    if not wanted or not set(wanted) <= set(state.basis):
        raise Invalid(f"facts must be among those that count now: {list(state.basis)}; got {list(facts)}.")
    return _write(
        evaluation=evaluation,
        author=author,
        kind=EntryKind.STRIKE,
        state=fold.struck(state, facts=wanted),
        event="score:struck",
        facts=list(wanted),
    )


def reinstate_step(*, evaluation: Evaluation, author: Author, facts: Sequence[int]) -> Step:
    """Put facts of this run back into the basis of a locked evaluation.

    Raises: ``Invalid`` unless every one belongs to this run and does not count now; ``Frozen``.
    """
    state = movable(evaluation=evaluation)
    _strikable(evaluation=evaluation)
    wanted = fold.ordered(facts)
    out = set(Fact.objects.filter(evaluation=evaluation, run_number=state.run).values_list("pk", flat=True))
    out -= set(state.basis)
    if not wanted or not set(wanted) <= out:
        raise Invalid(f"facts must be among those of this run that do not count: {sorted(out)}; got {list(facts)}.")
    return _write(
        evaluation=evaluation,
        author=author,
        kind=EntryKind.REINSTATE,
        state=fold.reinstated(state, facts=wanted),
        event="score:reinstated",
        facts=list(wanted),
    )


def _strikable(*, evaluation: Evaluation) -> None:
    if evaluation.instrument == Instrument.STANDING.value:
        raise Invalid("A standing is one snapshot; its parts cannot be struck.")


def rollback_step(*, evaluation: Evaluation, author: Author, target: int) -> Step:
    """Take a locked evaluation, whose debate is locked too, back to an earlier entry.

    Raises: ``Invalid`` unless ``target`` is an earlier entry; ``NotAllowedNow`` across runs in play; ``Frozen``.
    """
    state = movable(evaluation=evaluation)
    entry = ScoreChange.objects.filter(evaluation=evaluation, sequence=target).first()
    if entry is None or target >= evaluation.version:
        raise Invalid(f"target must be an earlier entry, 1 to {evaluation.version - 1}; got {target}.")
    if entry.run_number != state.run and Status(evaluation.debate.status) in IN_PLAY:
        raise NotAllowedNow("A rollback to another run waits until the debate is no longer in play.")
    ever = ScoreChange.objects.filter(evaluation=evaluation, run_number=entry.run_number, counted_after=True).exists()
    return _write(
        evaluation=evaluation,
        author=author,
        kind=EntryKind.ROLLBACK,
        state=fold.rolled_back(target=state_after(entry), ever_counted=ever),
        event="score:rolled_back",
        target_sequence=target,
    )


def unfreeze_step(*, evaluation: Evaluation, author: Author, choice: HeldChoice) -> list[Step]:
    """Unfreeze a locked evaluation, applying or discarding what was held, and fall back where nothing counts.

    Raises: ``NotAllowedNow`` unless it is frozen.
    """
    before = state_of(evaluation)
    if not before.frozen:
        raise NotAllowedNow(f"{evaluation} is not frozen.")
    state = fold.unfrozen(
        before,
        instrument=Instrument(evaluation.instrument),
        choice=choice,
        newest=selectors.newest_of(facts=before.held),
    )
    steps = [
        _write(
            evaluation=evaluation,
            author=author,
            kind=EntryKind.UNFREEZE,
            state=state,
            event="score:unfrozen",
            facts=list(before.held),
            held_choice=choice.value,
        )
    ]
    evaluation.thread.refresh_from_db(fields=["status"])
    if not state.counted and ThreadStatus(evaluation.thread.status) in ENDED:
        news = accounts.fall_back(evaluation=evaluation, reason_code="ended_while_frozen")
        steps.append(Step(ScoreChange.objects.get(evaluation=evaluation, sequence=evaluation.version), list(news)))
    return steps


# -- use cases -------------------------------------------------------------------------------------------------------


def _run(
    *,
    order: Order,
    permission: str,
    now: datetime,
    act: Callable[[Evaluation, Author], Sequence[Step]],
    versioned: bool = True,
) -> Done:
    permitted(by=order.by, permission=permission)
    evaluation = locked(order=order, versioned=versioned)
    author = author_of(order=order)
    steps = act(evaluation, author)
    stream.append(debate_id=evaluation.debate_id, news=[one for step in steps for one in step.news], now=now)
    return Done(evaluation=evaluation, entries=tuple(step.entry for step in steps))


@transaction.atomic(durable=True)
def freeze(*, order: Order, now: datetime) -> Done:
    """Freeze a score: until it is unfrozen nothing moves it. Needs no version, because it must win every race.

    Raises: ``NotPermitted``, ``NotFound``, ``Invalid`` (reason), ``Frozen``.
    """
    return _run(
        order=order,
        permission="freeze_evaluation",
        now=now,
        act=lambda evaluation, author: [freeze_step(evaluation=evaluation, author=author)],
        versioned=False,
    )


@transaction.atomic(durable=True)
def unfreeze(
    *,
    order: Order,
    choice: HeldChoice,
    now: datetime,
    then: Callable[[Evaluation, Author], Step] | None = None,
) -> Done:
    """Unfreeze a score, apply or discard what was held, and optionally take one further step in the same breath.

    Shape: ``then`` is one further step on the same locked evaluation, checked for its own permission by its maker.
    Raises: ``NotPermitted``, ``NotFound``, ``Stale``, ``Invalid``, ``NotAllowedNow``.
    """

    def act(evaluation: Evaluation, author: Author) -> list[Step]:
        steps = unfreeze_step(evaluation=evaluation, author=author, choice=choice)
        return [*steps, then(evaluation, author)] if then else steps

    return _run(order=order, permission="unfreeze_evaluation", now=now, act=act)


@transaction.atomic(durable=True)
def override(*, order: Order, value: object, now: datetime) -> Done:
    """Set a score by hand; the computed score keeps moving underneath.

    Units: ``value`` on the instrument's scale, at most 2 places.
    Raises: ``NotPermitted``, ``NotFound``, ``Stale``, ``Invalid``, ``Frozen``.
    """
    return _run(
        order=order,
        permission="override_evaluation",
        now=now,
        act=lambda evaluation, author: [override_step(evaluation=evaluation, author=author, value=value)],
    )


@transaction.atomic(durable=True)
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


@transaction.atomic(durable=True)
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


@transaction.atomic(durable=True)
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


@transaction.atomic(durable=True)
def roll_back(*, order: Order, target: int, now: datetime) -> Done:
    """Take a score back to what it was after an earlier entry; the entries in between stay in the ledger.

    Raises: ``NotPermitted``, ``NotFound``, ``Stale``, ``Invalid``, ``NotAllowedNow``, ``Frozen``.
    """
    permitted(by=order.by, permission="rollback_evaluation")
    hold_debate_of(evaluation_id=order.evaluation_id)
    return _run(
        order=order,
        permission="rollback_evaluation",
        now=now,
        act=lambda evaluation, author: [rollback_step(evaluation=evaluation, author=author, target=target)],
    )


def hold_debate_of(*, evaluation_id: int) -> Debate:
    """Lock the debate of an evaluation, so that it cannot start to play meanwhile.

    Raises: ``NotFound``.
    """
    debate = Debate.objects.select_for_update(no_key=True, of=("self",)).filter(evaluations=evaluation_id).first()
    if debate is None:
        raise NotFound("There is no such evaluation.")
    return debate


@transaction.atomic(durable=True)
def roll_back_debate(
    *, debate_id: int, by: User | AnonymousUser, reason: str, now: datetime, door: ActorKind = ActorKind.MODERATOR
) -> int:
    """Take every score of a debate back to its opening, all of them or none, and return how many moved.

    Raises: ``NotPermitted``, ``NotFound``, ``NotAllowedNow`` while it is in play, ``Frozen`` naming the frozen scores.
    """
    permitted(by=by, permission="rollback_evaluation")
    debate = Debate.objects.select_for_update(no_key=True, of=("self",)).filter(pk=debate_id).first()
    if debate is None:
        raise NotFound("There is no such debate.")
    if Status(debate.status) in IN_PLAY:
        raise NotAllowedNow(
            f"A debate that is {debate.status} is rolled back once it has ended; stop or cancel it first."
        )
    ids = Evaluation.objects.filter(debate=debate).values_list("pk", flat=True)
    evaluations = accounts.lock(evaluations=ids)
    frozen = [str(one) for one in evaluations if one.frozen_at]
    if frozen:
        raise Frozen(f"These scores are frozen: {', '.join(frozen)}. Unfreeze them first.")
    author = Author(kind=door, actor=actor_of(by), reason=reason_record(reason), reason_code="debate_rolled_back")
    steps = [rollback_step(evaluation=one, author=author, target=1) for one in evaluations if one.version > 1]
    stream.append(debate_id=debate.pk, news=[one for step in steps for one in step.news], now=now)
    return len(steps)
