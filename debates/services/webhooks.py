"""Webhooks: registered, updated, given new secrets, disabled, deleted. ``services.deliveries`` sends what they hear."""

import base64
import json
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User

from debates import event_log, event_schemas, signing, webhook_client
from debates.errors import Invalid, NotAllowedNow, NotFound
from debates.models import Debate, Delivery, Webhook
from debates.printable import clock
from debates.services.idempotency import UseCase
from debates.services.rights import permitted
from debates.types import DeliveryState, HookState

REGISTERS, CHANGES = "debates.add_webhook", "debates.change_webhook"
BY_MODERATOR = "disabled by a moderator"
MOST_EACH = 50
"""Webhooks of one owner that hear at the same time: each is one more row to write for every event."""
LEASE = timedelta(seconds=60)
"""How long a worker may hold a delivery that it has claimed."""
UNSIGNED = "its secret does not open: rotate it, unless the site's key is being changed"
WAS_UNSIGNED = "its secret did not open; it was sent again since"
FORMER_SECRET_LASTS = timedelta(hours=24)
MOST_FORMER = 5
"""Former secrets that are good at the same time: each is one more signature in every delivery."""


def new_secret() -> str:
    """Return a secret of 32 random bytes."""
    return signing.PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


@UseCase
def register(
    *, owner: User, url: str, now: datetime, types: Sequence[str] = (), debate: Debate | None = None
) -> tuple[Webhook, str]:
    """Have an address told of events, and return it with its secret.

    Shape: no ``types`` means all; no ``debate`` means every debate that a list shows to the owner, who asks.
    Raises: ``NotPermitted``; ``Invalid`` for an address that is not sent to, or a type that is none; ``NotAllowedNow``
    when 50 of the owner's are active.
    Source: docs/reference/webhooks.md.
    """
    permitted(by=owner, permission=REGISTERS)
    check_target(url=url, types=types)
    check_room(owner=owner)
    secret = new_secret()
    webhook = Webhook.objects.create(
        owner=owner, url=url, types=sorted(set(types)), debate=debate, secret=secret, created_at=now
    )
    return webhook, secret


def check_target(*, url: str, types: Sequence[str]) -> None:
    """Refuse an address that is not sent to, and a type that is none.

    Raises: ``Invalid``.
    """
    try:
        webhook_client.target(url, allowed=settings.WEBHOOK_HOSTS)
    except webhook_client.Refused as error:
        raise Invalid(f"url: {error}", field="url") from error
    strange = sorted(set(types) - set(event_schemas.TYPES))
    if strange:
        raise Invalid(f"types: {strange[0]!r} is no type of event.", field="types")


def check_room(*, owner: User) -> None:
    """Refuse an owner who has as many active webhooks as one may have.

    Raises: ``NotAllowedNow``.
    """
    User.objects.select_for_update(no_key=True).get(pk=owner.pk)  # the limit holds for whoever asks twice at a time
    if Webhook.objects.filter(owner=owner, state=HookState.ACTIVE.value).count() >= MOST_EACH:
        raise NotAllowedNow(f"{owner} has {MOST_EACH} active webhooks, as many as there may be; disable one first.")


def owned(*, webhook_id: int, by: User | AnonymousUser) -> Webhook:
    """Lock a webhook that is one's own, whatever one may do else, or that one may change.

    Raises: ``NotFound``.
    """
    webhook = Webhook.objects.select_for_update(no_key=True, of=("self",)).filter(pk=webhook_id).first()
    if webhook is None or not may_end(webhook=webhook, by=by):
        raise NotFound("There is no such webhook.")
    return webhook


def may_end(*, webhook: Webhook, by: User | AnonymousUser) -> bool:
    """Say whether somebody may disable and delete a webhook."""
    return webhook.owner_id == by.pk or by.has_perm(CHANGES)


def may_disable(*, webhook: Webhook, by: User | AnonymousUser) -> bool:
    """Say whether a webhook is yet to be disabled: by others than its owner also where that one may enable it again."""
    if webhook.state != HookState.DISABLED.value:
        return True
    return webhook.owner_id != by.pk and webhook.disabled_because != BY_MODERATOR


def may_use(*, webhook: Webhook, by: User | AnonymousUser) -> bool:
    """Say whether somebody may have a webhook told: their own only while they may register one."""
    return by.has_perm(CHANGES) or (webhook.owner_id == by.pk and by.has_perm(REGISTERS))


def may_enable(*, webhook: Webhook, by: User | AnonymousUser) -> bool:
    """Say whether somebody may have a disabled webhook told again: not its owner, where a moderator disabled it."""
    return by.has_perm(CHANGES) or (may_use(webhook=webhook, by=by) and webhook.disabled_because != BY_MODERATOR)


def usable(*, webhook_id: int, by: User | AnonymousUser) -> Webhook:
    """Lock a webhook that one may have told.

    Raises: ``NotFound``, ``NotPermitted``.
    """
    webhook = owned(webhook_id=webhook_id, by=by)
    if not may_use(webhook=webhook, by=by):
        permitted(by=by, permission=REGISTERS)
    return webhook


@UseCase
def rotate(*, webhook_id: int, by: User | AnonymousUser, now: datetime) -> tuple[Webhook, str]:
    """Give a webhook a new secret; for a day deliveries are signed with the former one as well, each for its own day.

    Raises: ``NotFound``, ``NotPermitted``, ``NotAllowedNow`` while five former ones are good.
    """
    webhook = usable(webhook_id=webhook_id, by=by)
    good = former(webhook=webhook, now=now)
    if webhook.secret:  # nothing is signed with one that does not open
        good.append((webhook.secret, now + FORMER_SECRET_LASTS))
    if len(good) > MOST_FORMER:
        raise NotAllowedNow(f"{MOST_FORMER} former secrets are still good, the first until {clock(good[0][1])}.")
    webhook.former_secret = json.dumps([[secret, until.isoformat()] for secret, until in good]) if good else ""
    webhook.former_until = good[-1][1] if good else None
    webhook.secret = new_secret()
    webhook.save(update_fields=["secret", "former_secret", "former_until"])
    return webhook, webhook.secret


def former(*, webhook: Webhook, now: datetime) -> list[tuple[str, datetime]]:
    """Return the former secrets that are still good, and until when, the oldest first."""
    kept = json.loads(webhook.former_secret or "[]")
    return [(secret, at) for secret, until in kept if (at := datetime.fromisoformat(until)) > now]


@UseCase
def update(
    *, webhook_id: int, by: User | AnonymousUser, url: str | None = None, types: Sequence[str] | None = None
) -> Webhook:
    """Have a webhook told at another address, or of other types, from now on; what is given as nothing stays.

    Raises: ``NotFound``, ``NotPermitted``, ``Invalid`` as ``register``.
    """
    webhook = usable(webhook_id=webhook_id, by=by)
    webhook.url = url if url is not None else webhook.url
    webhook.types = sorted(set(types)) if types is not None else webhook.types
    check_target(url=webhook.url, types=webhook.types)
    webhook.save(update_fields=["url", "types"])
    return webhook


@UseCase
def disable(*, webhook_id: int, by: User | AnonymousUser, now: datetime) -> Webhook:
    """Tell a webhook nothing more; what waits for it is given up. A moderator keeps disabled what its owner disabled.

    Raises: ``NotFound``, ``NotAllowedNow`` once it is disabled.
    """
    webhook = owned(webhook_id=webhook_id, by=by)
    if not may_disable(webhook=webhook, by=by):
        raise NotAllowedNow("This webhook is disabled already.")
    shut(webhook=webhook, because="disabled by its owner" if webhook.owner_id == by.pk else BY_MODERATOR, now=now)
    return webhook


@UseCase
def enable(*, webhook_id: int, by: User | AnonymousUser) -> Webhook:
    """Tell a disabled webhook of what happens from now on.

    Raises: ``NotFound``, ``NotPermitted``, also where a moderator disabled it, ``NotAllowedNow`` unless it is disabled,
    and when 50 others of its owner are active.
    """
    webhook = usable(webhook_id=webhook_id, by=by)
    if webhook.state != HookState.DISABLED.value:
        raise NotAllowedNow("This webhook is not disabled.")
    if not may_enable(webhook=webhook, by=by):
        permitted(by=by, permission=CHANGES)
    check_room(owner=webhook.owner)
    webhook.state, webhook.disabled_because = HookState.ACTIVE.value, ""
    webhook.save(update_fields=["state", "disabled_because"])
    return webhook


def shut(*, webhook: Webhook, because: str, now: datetime) -> None:
    """Disable a locked webhook and give up what waits for it."""
    webhook.state, webhook.disabled_because = HookState.DISABLED.value, because[:200]
    webhook.save(update_fields=["state", "disabled_because"])
    waiting = Delivery.objects.filter(webhook=webhook, state=DeliveryState.WAITING.value).order_by("pk")
    locked = waiting.select_for_update(no_key=True).values("pk")  # in the order in which all lock them
    Delivery.objects.filter(pk__in=locked).update(state=DeliveryState.DEAD.value, due_at=None, settled_at=now)


@UseCase
def send_test(*, webhook_id: int, by: User | AnonymousUser, now: datetime) -> Delivery:
    """Tell a webhook, whatever it asked for, of a test: once, and signed as events are.

    Raises: ``NotFound``, ``NotPermitted``, ``NotAllowedNow`` while it is disabled or another test of it waits.
    Source: docs/reference/webhooks.md, "A test".
    """
    webhook = usable(webhook_id=webhook_id, by=by)
    if webhook.state == HookState.DISABLED.value:
        raise NotAllowedNow("This webhook is disabled. Enable it first.")
    if webhook.deliveries.filter(event__isnull=True, state=DeliveryState.WAITING.value).exists():
        raise NotAllowedNow("Another test of this webhook waits to be sent.")
    return Delivery.objects.create(webhook=webhook, tested_at=now, due_at=event_log.dated(now, days=0))


@UseCase
def delete(*, webhook_id: int, by: User | AnonymousUser) -> None:
    """Delete a webhook with its deliveries and their logs; what is under way is sent at most this once.

    Raises: ``NotFound``.
    """
    webhook = owned(webhook_id=webhook_id, by=by)
    delete_deliveries(webhook=webhook)
    # Only now is it locked against events that are being written: they wait for what is left, not for all of it.
    webhook = Webhook.objects.select_for_update().get(pk=webhook.pk)
    delete_deliveries(webhook=webhook)
    webhook.delete()


def delete_deliveries(*, webhook: Webhook) -> None:
    """Delete what a locked webhook was told or is to be told, locked in the order in which all lock them."""
    rows = Delivery.objects.filter(webhook=webhook).order_by("pk").select_for_update()
    Delivery.objects.filter(pk__in=rows.values("pk")).delete()


@UseCase
def redeliver(*, delivery_id: int, by: User | AnonymousUser, now: datetime) -> Delivery:
    """Send a delivery now, under the id it always had: one that is settled once more, one that failed before its time.

    Raises: ``NotFound``, ``NotPermitted``, ``NotAllowedNow`` while it is under way or due within a minute, or its
    webhook is disabled.
    """
    webhook_id = Delivery.objects.filter(pk=delivery_id).values_list("webhook_id", flat=True).first()
    if webhook_id is None:
        raise NotFound("There is no such delivery.")
    webhook = usable(webhook_id=webhook_id, by=by)
    delivery = Delivery.objects.select_for_update(no_key=True, of=("self",)).get(pk=delivery_id)
    soon = delivery.due_at is not None and delivery.due_at <= now + LEASE
    if soon or webhook.state == HookState.DISABLED.value:
        raise NotAllowedNow("This delivery is due within a minute, or its webhook is disabled.")
    delivery.state, delivery.attempts = DeliveryState.WAITING.value, 0
    delivery.due_at, delivery.settled_at = event_log.dated(now, days=0), None
    for line in delivery.log:  # where it does not open now either, it waits its whole time anew
        line["problem"] = WAS_UNSIGNED if line["problem"] == UNSIGNED else line["problem"]
    delivery.save(update_fields=["state", "due_at", "settled_at", "attempts", "log"])
    return delivery
