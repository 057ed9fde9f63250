"""Erasing words for good: everybody's in a debate, one voice's, or a person's everywhere. Needs the owner's role."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import structlog
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q

from debates import stream
from debates.errors import Invalid, NotAllowedNow
from debates.models import Debate, Delivery, Participant, Webhook
from debates.types import Status
from judging.services.erasing.steps import Step, of_debate, of_person, of_voices
from scoring.kinds import Scope
from scoring.models import Erasure
from scoring.services.entries import actor_of, reason_record

log = structlog.get_logger(__name__)
OVER = (Status.DRAFT, Status.CONCLUDED, Status.FAILED, Status.CANCELLED)
Target = Debate | Participant | User


@dataclass(frozen=True, slots=True)
class Order:
    """Whose words go, who says so and why."""

    target: Target
    by: User
    reason: str


def preview(*, target: Target) -> Mapping[str, int]:
    """Return how much of what would go, by its name; what has gone already is not counted."""
    found: dict[str, int] = {}
    for step in steps_for(target):
        found[step.what] = found.get(step.what, 0) + step.rows.count()
    return {what: rows for what, rows in found.items() if rows}


@transaction.atomic(durable=True)
def erase(*, order: Order) -> Erasure:
    """Take the words of a debate, a participant or a person away; scores, entries and hashes stay verifiable.

    Pages and streams that still hold the words in memory are told to forget them.

    Raises: ``Invalid`` for a reason under 10 characters; ``NotAllowedNow`` while one of the debates is not over, or for
    the last superuser, or one's own account.
    Source: docs/how-to/erase-and-retain.md.
    """
    by, because = actor_of(order.by), reason_record(order.reason)
    refuse_person(order)
    debates = [one.pk for one in lock(order.target)]
    counts = preview(target=order.target)
    erasure = Erasure.objects.create(**named(order.target), by=by, because=because, counts=counts)
    lock_outside(steps_for(order.target))
    for step in steps_for(order.target):
        step.take(step.rows)
    for debate_id in debates:
        stream.words_erased(debate_id=debate_id)
    log.info("words erased", scope=erasure.scope, erasure=str(erasure.public_id), by=by.pk, rows=sum(counts.values()))
    return erasure


def steps_for(target: Target) -> Sequence[Step]:
    """Return what goes, in order."""
    if isinstance(target, Debate):
        return list(of_debate(target))
    if isinstance(target, Participant):
        return list(of_voices([target]))
    return list(of_person(target))


def named(target: Target) -> dict[str, object]:
    """Return the columns with which an erasure names its target."""
    if isinstance(target, Debate):
        return {"scope": Scope.DEBATE.value, "debate": target}
    if isinstance(target, Participant):
        return {"scope": Scope.PARTICIPANT.value, "debate_id": target.debate_id, "participant": target}
    return {"scope": Scope.USER.value, "user": target}


def touched(target: Target) -> Q:
    """Return which debates hold words of a target."""
    if isinstance(target, Debate):
        return Q(pk=target.pk)
    if isinstance(target, Participant):
        return Q(pk=target.debate_id)
    return Q(participants__user=target) | Q(evaluations__entries__actor__user=target)


def lock(target: Target) -> list[Debate]:
    """Lock the debates that hold words of a target, by ascending id.

    Raises: ``NotAllowedNow`` while one of them is not over.
    """
    found = Debate.objects.filter(touched(target)).values("pk")
    rows = list(Debate.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=found).order_by("pk"))
    playing = [str(one.public_id) for one in rows if one.status not in OVER and _speaks(target, one)]
    if playing:
        raise NotAllowedNow(f"Not over yet: {', '.join(playing)}. Stop or cancel what is being played first.")
    return rows


def lock_outside(steps: Sequence[Step]) -> None:
    """Lock what is sent outside in the order in which all lock it: webhooks, then deliveries, each by ascending id."""
    for model in (Webhook, Delivery):
        rows = Q(pk__in=[])
        for step in steps:
            if step.rows.model is model:
                rows |= Q(pk__in=step.rows.values("pk"))
        locked = model.objects.select_for_update(of=("self",)).filter(rows).order_by("pk").values_list("pk")
        list(locked)


def _speaks(target: Target, debate: Debate) -> bool:
    return not isinstance(target, User) or debate.participants.filter(user=target).exists()


def refuse_person(order: Order) -> None:
    """Refuse what would leave nobody who could repair it.

    Raises: ``Invalid`` for one's own account, ``NotAllowedNow`` for the last superuser.
    """
    if not isinstance(order.target, User):
        return
    if order.target.pk == order.by.pk:
        raise Invalid("An erasure is signed by somebody else: their name stays with it.")
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=order.target.pk)
    if order.target.is_superuser and not others.exists():
        raise NotAllowedNow("This is the last superuser; make another first.")
