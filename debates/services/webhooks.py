"""Webhooks: registered, given new secrets, disabled; and their deliveries: claimed, sent, settled, sent again."""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType

import structlog
from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.db.models import Exists, OuterRef

from debates import catalogue, selectors, sending, signing
from debates.errors import Invalid, NotAllowedNow, NotFound
from debates.models import Debate, Delivery, Event, Webhook
from debates.sending import Answer
from debates.services.rights import permitted
from debates.types import DeliveryState, HookState

log = structlog.get_logger(__name__)
MOST_EACH = 50
"""Webhooks of one owner that hear at the same time: each is one more row to write for every event."""
LEASE = timedelta(seconds=60)
LINES_KEPT = 100
"""Attempts that a delivery remembers, the newest; whoever sends it again and again forgets the first."""
FORMER_SECRET_LASTS = timedelta(hours=24)
AT_ONCE, AT_ONCE_EACH, LOOKED_AT = 16, 4, 50
NOT_BUSY: Mapping[int, int] = MappingProxyType({})
GONE = 410


def new_secret() -> str:
    """Return a secret of 32 random bytes."""
    return signing.PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


@transaction.atomic(durable=True)
def register(
    *, owner: User, url: str, now: datetime, types: Sequence[str] = (), debate: Debate | None = None
) -> tuple[Webhook, str]:
    """Have an address told of events, and return it with its secret.

    Shape: no ``types`` means all; no ``debate`` means every debate that a list shows to the owner, who asks.
    Raises: ``NotPermitted``; ``Invalid`` for an address that is not sent to, or a type that is none; ``NotAllowedNow``
    when 50 of the owner's are active.
    Source: docs/reference/webhooks.md.
    """
    permitted(by=owner, permission="debates.add_webhook")
    try:
        sending.target(url, allowed=settings.WEBHOOK_HOSTS)
    except sending.Refused as error:
        raise Invalid(f"url: {error}") from error
    strange = sorted(set(types) - set(catalogue.TYPES))
    if strange:
        raise Invalid(f"types: {strange[0]!r} is no type of event.")
    check_room(owner=owner)
    secret = new_secret()
    made = Webhook.objects.create(
        owner=owner, url=url, types=sorted(set(types)), debate=debate, secret=secret, created_at=now
    )
    return made, secret


def check_room(*, owner: User) -> None:
    """Refuse an owner who has as many active webhooks as one may have.

    Raises: ``NotAllowedNow``.
    """
    if Webhook.objects.filter(owner=owner, state=HookState.ACTIVE.value).count() >= MOST_EACH:
        raise NotAllowedNow(f"{owner} has {MOST_EACH} active webhooks, as many as there may be; disable one first.")


def owned(*, webhook_id: int, by: User | AnonymousUser) -> Webhook:
    """Lock a webhook that is one's own, or that one may change.

    Raises: ``NotFound``.
    """
    found = Webhook.objects.select_for_update(no_key=True, of=("self",)).filter(pk=webhook_id).first()
    if found is None or not (found.owner_id == by.pk or by.has_perm("debates.change_webhook")):
        raise NotFound("There is no such webhook.")
    return found


@transaction.atomic(durable=True)
def rotate(*, webhook_id: int, by: User | AnonymousUser, now: datetime) -> tuple[Webhook, str]:
    """Give a webhook a new secret; for a day deliveries are signed with the former one as well.

    Raises: ``NotFound``.
    """
    webhook = owned(webhook_id=webhook_id, by=by)
    webhook.former_secret, webhook.former_until = webhook.secret, now + FORMER_SECRET_LASTS
    webhook.secret = new_secret()
    webhook.save(update_fields=["secret", "former_secret", "former_until"])
    return webhook, webhook.secret


@transaction.atomic(durable=True)
def disable(*, webhook_id: int, by: User | AnonymousUser, now: datetime) -> Webhook:
    """Tell a webhook nothing more; what waits for it is given up.

    Raises: ``NotFound``, ``NotAllowedNow`` once it is disabled.
    """
    webhook = owned(webhook_id=webhook_id, by=by)
    if webhook.state == HookState.DISABLED.value:
        raise NotAllowedNow("This webhook is disabled already.")
    shut(webhook=webhook, because=f"disabled by {by.get_username()}", now=now)
    return webhook


@transaction.atomic(durable=True)
def enable(*, webhook_id: int, by: User | AnonymousUser) -> Webhook:
    """Tell a disabled webhook of what happens from now on.

    Raises: ``NotFound``, ``NotAllowedNow`` unless it is disabled, and when 50 others of its owner are active.
    """
    webhook = owned(webhook_id=webhook_id, by=by)
    if webhook.state != HookState.DISABLED.value:
        raise NotAllowedNow("This webhook is not disabled.")
    check_room(owner=webhook.owner)
    webhook.state, webhook.disabled_because = HookState.ACTIVE.value, ""
    webhook.save(update_fields=["state", "disabled_because"])
    return webhook


def shut(*, webhook: Webhook, because: str, now: datetime) -> None:
    """Disable a locked webhook and give up what waits for it."""
    webhook.state, webhook.disabled_because = HookState.DISABLED.value, because[:200]
    webhook.save(update_fields=["state", "disabled_because"])
    waiting = Delivery.objects.filter(webhook=webhook, state=DeliveryState.WAITING.value)
    waiting.update(state=DeliveryState.DEAD.value, due_at=None, settled_at=now)


@transaction.atomic(durable=True)
def redeliver(*, delivery_id: int, by: User | AnonymousUser, now: datetime) -> Delivery:
    """Send a settled delivery once more, under the id it always had.

    Raises: ``NotFound``, ``NotAllowedNow`` while it waits or its webhook is disabled.
    """
    found = Delivery.objects.filter(pk=delivery_id).values_list("webhook_id", flat=True).first()
    if found is None:
        raise NotFound("There is no such delivery.")
    webhook = owned(webhook_id=found, by=by)
    delivery = Delivery.objects.select_for_update(no_key=True, of=("self",)).get(pk=delivery_id)
    if delivery.state == DeliveryState.WAITING.value or webhook.state == HookState.DISABLED.value:
        raise NotAllowedNow("This delivery waits already, or its webhook is disabled.")
    delivery.state, delivery.due_at, delivery.settled_at = DeliveryState.WAITING.value, now, None
    delivery.attempts = 0
    delivery.save(update_fields=["state", "due_at", "settled_at", "attempts"])
    return delivery


@dataclass(frozen=True, slots=True)
class Parcel:
    """A delivery that is about to be sent: everything that is needed without the database."""

    delivery_id: int
    webhook_id: int
    url: str
    body: bytes
    headers: dict[str, str]


@transaction.atomic(durable=True)
def claim(*, now: datetime, busy: Mapping[int, int] = NOT_BUSY) -> list[Parcel]:
    """Take deliveries that are due, for a minute; if their worker dies, they are due again after it.

    What the owner of a webhook may not read any more is withheld. Each webhook is looked at by itself and has its own
    places, so that none keeps the others waiting, however much waits for it and however slowly it answers.

    Shape: ``busy`` is {webhook: how many of its deliveries this worker is sending}.
    """
    taken: list[Parcel] = []
    room = AT_ONCE - sum(busy.values())
    waiting = Delivery.objects.filter(webhook=OuterRef("pk"), state=DeliveryState.WAITING.value, due_at__lte=now)
    hooks = Webhook.objects.filter(Exists(waiting)).exclude(
        pk__in=[one for one, n in busy.items() if n >= AT_ONCE_EACH]
    )
    for hook in hooks.order_by("?").values_list("pk", flat=True):
        if len(taken) >= room:
            break
        each = min(room - len(taken), AT_ONCE_EACH - busy.get(hook, 0))
        taken += taken_for(webhook_id=hook, room=each, now=now)
    return taken


def taken_for(*, webhook_id: int, room: int, now: datetime) -> list[Parcel]:
    """Take what is due for one webhook, the oldest first, up to so many deliveries."""
    rows = Delivery.objects.select_for_update(skip_locked=True, no_key=True, of=("self",))
    due = rows.filter(webhook=webhook_id, state=DeliveryState.WAITING.value, due_at__lte=now).order_by("due_at", "pk")
    taken: list[Parcel] = []
    for one in due.select_related("webhook__owner", "event__debate")[:LOOKED_AT]:
        if one.webhook.state != HookState.ACTIVE.value:  # disabled while the event was being written
            settled(delivery=one, state=DeliveryState.DEAD, now=now)
        elif not may_hear(delivery=one):
            settled(delivery=one, state=DeliveryState.WITHHELD, now=now)
        elif len(taken) < room:
            one.attempts, one.due_at = one.attempts + 1, now + LEASE
            one.save(update_fields=["attempts", "due_at"])
            taken.append(parcel(delivery=one, now=now))
    return taken


def may_hear(*, delivery: Delivery) -> bool:
    """Say whether the owner of a webhook may read an event now."""
    owner = delivery.webhook.owner
    return owner.is_active and selectors.readable_deliveries(visitor=owner).filter(pk=delivery.pk).exists()


def parcel(*, delivery: Delivery, now: datetime) -> Parcel:
    """Return a delivery as it is sent: signed with every secret that is good now."""
    webhook = delivery.webhook
    former = [webhook.former_secret] if webhook.former_until is not None and webhook.former_until > now else []
    body = json.dumps(message(event=delivery.event), ensure_ascii=False, separators=(",", ":")).encode()
    headers = signing.headers(id=f"msg_{delivery.public_id.hex}", at=now, body=body, secrets=[webhook.secret, *former])
    return Parcel(delivery.pk, webhook.pk, webhook.url, body, headers)


def message(*, event: Event) -> dict[str, object]:
    """Return an event as a webhook is told of it: ids and numbers."""
    return {
        "type": event.type,
        "timestamp": event.at.isoformat(),
        "debate": str(event.debate.public_id),
        "seq": event.seq,
        "data": event.data,
    }


def sent(given: Parcel) -> Answer:
    """Send a delivery. No transaction is open meanwhile."""
    return sending.send(url=given.url, body=given.body, headers=given.headers, allowed=settings.WEBHOOK_HOSTS)


@transaction.atomic(durable=True)
def record(*, delivery_id: int, answer: Answer, luck: float, now: datetime) -> Delivery:
    """Write down what came of an attempt: delivered, to be tried again later, or given up.

    An address that says that it is gone is disabled.

    Units: ``luck`` is 0..1 and spreads what is tried again.
    """
    found = Delivery.objects.values_list("webhook_id", flat=True).get(pk=delivery_id)
    webhook = Webhook.objects.select_for_update(no_key=True, of=("self",)).get(pk=found)
    delivery = Delivery.objects.select_for_update(no_key=True, of=("self",)).get(pk=delivery_id)
    line = {"at": now.isoformat(), "status": answer.status, "milliseconds": answer.milliseconds}
    delivery.log = [*delivery.log, {**line, "problem": answer.problem}][-LINES_KEPT:]
    delivery.save(update_fields=["log"])
    if not answer.problem:
        settled(delivery=delivery, state=DeliveryState.DELIVERED, now=now)
    elif delivery.state == DeliveryState.WAITING.value:
        _failed(delivery=delivery, webhook=webhook, answer=answer, luck=luck, now=now)
    return delivery


def _failed(*, delivery: Delivery, webhook: Webhook, answer: Answer, luck: float, now: datetime) -> None:
    log.warning("delivery failed", delivery=str(delivery.public_id), attempt=delivery.attempts, why=answer.problem)
    if answer.status == GONE:
        shut(webhook=webhook, because="it answered 410 Gone", now=now)
        delivery.refresh_from_db()
    elif delivery.attempts >= signing.MOST_ATTEMPTS:
        settled(delivery=delivery, state=DeliveryState.DEAD, now=now)
    else:
        delivery.due_at = now + signing.pause(attempts=delivery.attempts, luck=luck)
        delivery.save(update_fields=["due_at"])


def settled(*, delivery: Delivery, state: DeliveryState, now: datetime) -> None:
    """Settle a locked delivery."""
    delivery.state, delivery.due_at, delivery.settled_at = state.value, None, now
    delivery.save(update_fields=["state", "due_at", "settled_at"])
