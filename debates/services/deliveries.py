"""Deliveries to webhooks: claimed in bundles, sent while no transaction is open, settled or tried again later."""

import json
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.db import DataError, IntegrityError, connection, transaction
from django.db.models import Exists, F, OuterRef

from debates import event_log, selectors, signing, webhook_client
from debates.models import Delivery, Webhook
from debates.printable import Fields
from debates.services.webhooks import LEASE, UNSIGNED, former, shut
from debates.sharing import BUNDLE_MILLISECONDS, MOST_IN_A_BUNDLE, Recipient
from debates.types import WEBHOOK_TEST, DeliveryState, HookState
from debates.webhook_client import Answer

log = logging.getLogger(__name__)
LINES_KEPT = 100
"""Attempts that a delivery remembers, the newest; whoever sends it again and again forgets the first."""
GONE = 410
UNSIGNED_FOR = timedelta(days=5)
"""How long a delivery waits that nothing can be signed with: as long as mail does whose words do not open."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """A delivery that is about to be sent: everything that is needed without the database."""

    delivery_id: int
    url: str
    body: bytes
    headers: dict[str, str]


@dataclass(frozen=True, slots=True)
class Bundle:
    """Deliveries of one webhook to be sent one after another; ``more`` says that others may wait besides."""

    parcels: tuple[Parcel, ...]
    more: bool


NOTHING = Bundle((), more=False)


def waiting(*, now: datetime) -> list[Recipient]:
    """Return the webhooks for which something is due."""
    due = Delivery.objects.filter(webhook=OuterRef("pk"), state=DeliveryState.WAITING.value, due_at__lte=now)
    hooks = Webhook.objects.filter(Exists(due)).order_by("pk").values_list("pk", "owner_id", "url")
    return [Recipient(hook, owner, urlsplit(url).hostname or "") for hook, owner, url in hooks]


@transaction.atomic(durable=True)
def claim(*, webhook_id: int, most: int, now: datetime) -> Bundle:
    """Take what is due for one webhook for a minute, the oldest first; if its worker dies, it is due again after it.

    What the owner of the webhook may not read any more is withheld.
    """
    rows = Delivery.objects.select_for_update(skip_locked=True, no_key=True, of=("self",))
    due = rows.filter(webhook=webhook_id, state=DeliveryState.WAITING.value, due_at__lte=now).order_by("due_at", "pk")
    deliveries = list(due.select_related("webhook__owner", "event__debate")[:MOST_IN_A_BUNDLE])
    if not deliveries:
        return NOTHING
    webhook, more = deliveries[0].webhook, len(deliveries) == MOST_IN_A_BUNDLE
    if webhook.state != HookState.ACTIVE.value:  # it may be disabled while an event is being written
        settle(deliveries=deliveries, state=DeliveryState.DEAD, now=now)
        return Bundle((), more=more)
    readable = readable_by_owner(webhook=webhook, deliveries=deliveries)
    settle(deliveries=[row for row in deliveries if row.pk not in readable], state=DeliveryState.WITHHELD, now=now)
    allowed = [row for row in deliveries if row.pk in readable]
    if not webhook.secret:  # sealed under a secret key that this process has yet to be given, or the site has no more
        _put_off(allowed, now=now)
        return Bundle((), more=more)
    claimed = allowed[:most]
    Delivery.objects.filter(pk__in=[row.pk for row in claimed]).update(attempts=F("attempts") + 1, due_at=now + LEASE)
    epoch = event_log.epoch()
    parcels = tuple(parcel(delivery=row, epoch=epoch, now=now) for row in claimed)
    return Bundle(parcels, more=more or len(allowed) > most)


def _put_off(deliveries: Sequence[Delivery], *, now: datetime) -> None:
    """Let what cannot be signed here wait for a process that can sign it; no attempt is counted, for none is made."""
    line = {"at": now.isoformat(), "status": None, "milliseconds": 0, "problem": UNSIGNED}
    for row in deliveries:
        is_new = not row.log or row.log[-1]["problem"] != UNSIGNED
        given_up = not is_new and now >= datetime.fromisoformat(row.log[-1]["at"]) + UNSIGNED_FOR
        if is_new or given_up:
            log.warning(Fields("delivery is not signed", delivery=str(row.public_id), given_up=given_up, why=UNSIGNED))
            row.log = [*row.log, line][-LINES_KEPT:]
        row.due_at = now + LEASE
        if given_up:
            row.state, row.due_at, row.settled_at = DeliveryState.DEAD.value, None, now
    _write_all(deliveries)


def readable_by_owner(*, webhook: Webhook, deliveries: Sequence[Delivery]) -> set[int]:
    """Return which deliveries of a webhook are tests, or of events that its owner may read now."""
    if not webhook.owner.is_active:
        return set()
    readable = selectors.readable_deliveries(visitor=webhook.owner)
    return set(readable.filter(pk__in=[row.pk for row in deliveries]).values_list("pk", flat=True))


def parcel(*, delivery: Delivery, epoch: UUID, now: datetime) -> Parcel:
    """Return a delivery as it is sent: signed with every secret that is good now."""
    webhook = delivery.webhook
    good = [webhook.secret, *(secret for secret, _ in reversed(former(webhook=webhook, now=now)))]
    body = json.dumps(message(delivery=delivery, epoch=epoch), ensure_ascii=False, separators=(",", ":")).encode()
    headers = signing.headers(id=f"msg_{delivery.public_id.hex}", at=now, body=body, secrets=good)
    return Parcel(delivery.pk, webhook.url, body, headers)


def message(*, delivery: Delivery, epoch: UUID) -> dict[str, object]:
    """Return an event, or a test, as a webhook is told of it: ids and numbers."""
    event = delivery.event
    if event is None:
        assert delivery.tested_at is not None  # noqa: S101 -- delivery_is_of_an_event_or_a_test
        about = {"webhook": str(delivery.webhook.public_id)}
        asked = delivery.tested_at.isoformat()
        return {"type": WEBHOOK_TEST, "timestamp": asked, "debate": None, "seq": None, "epoch": None, "data": about}
    return {
        "type": event.type,
        "timestamp": event.at.isoformat(),
        "debate": str(event.debate.public_id),
        "seq": event.seq,
        "epoch": str(epoch),
        "data": event.data,
    }


def sent(bundle: Bundle) -> dict[int, Answer]:
    """Send the deliveries of a bundle over one connection, and return what came of each that was sent.

    No transaction is open meanwhile. The rest is left where it takes longer than a bundle should, or the address is
    gone.
    """
    answers: dict[int, Answer] = {}
    enough = time.monotonic() + BUNDLE_MILLISECONDS / 1000
    with webhook_client.Receiver(url=bundle.parcels[0].url, allowed=settings.WEBHOOK_HOSTS) as receiver:
        for item in bundle.parcels:
            answers[item.delivery_id] = answer = receiver.post(body=item.body, headers=item.headers)
            if answer.status == GONE or time.monotonic() > enough:
                break
    return answers


@transaction.atomic(durable=True)
def record(*, bundle: Bundle, answers: Mapping[int, Answer], luck: float, now: datetime) -> None:
    """Write down what came of each attempt: delivered, to be tried again later, or given up; what was not sent is due.

    A webhook whose address says that it is gone is disabled, unless to a test, or it was moved or disabled meanwhile; a
    test is tried once.

    Units: ``luck`` is 0..1 and spreads what is tried again.
    """
    gone = [delivery_id for delivery_id, answer in answers.items() if answer.status == GONE]
    hooks = Webhook.objects.select_for_update(no_key=True, of=("self",)).filter(
        deliveries__in=gone, deliveries__event__isnull=False, url=bundle.parcels[0].url, state=HookState.ACTIVE.value
    )
    closed = list(hooks) if gone else []
    all_of_it = [item.delivery_id for item in bundle.parcels]  # locked at once, in the order in which all lock them
    locked = Delivery.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=all_of_it).order_by("pk")
    rows = list(locked)
    for row in rows:
        if row.pk in answers:
            _attempted(delivery=row, answer=answers[row.pk], luck=luck, now=now)
        elif row.state == DeliveryState.WAITING.value and row.attempts:
            row.attempts, row.due_at = row.attempts - 1, now
    _write_all(rows)
    for webhook in closed:
        shut(webhook=webhook, because="it answered 410 Gone", now=now)


def _attempted(*, delivery: Delivery, answer: Answer, luck: float, now: datetime) -> None:
    line = {"at": now.isoformat(), "status": answer.status, "milliseconds": answer.milliseconds}
    delivery.log = [*delivery.log, {**line, "problem": answer.problem}][-LINES_KEPT:]
    if not answer.problem:
        delivery.state, delivery.due_at, delivery.settled_at = DeliveryState.DELIVERED.value, None, now
    elif delivery.state == DeliveryState.WAITING.value:
        log.warning(
            Fields("delivery failed", delivery=str(delivery.public_id), attempt=delivery.attempts, why=answer.problem)
        )
        if delivery.attempts >= signing.MOST_ATTEMPTS or delivery.event_id is None:
            delivery.state, delivery.due_at, delivery.settled_at = DeliveryState.DEAD.value, None, now
        else:
            delivery.due_at = now + signing.pause(attempts=delivery.attempts, luck=luck)


# One statement for a bundle: by the ORM, row by row or as cases, writing down costs more than sending.
WRITE = """
    UPDATE debates_delivery delivery SET state = row.state, attempts = row.attempts, due_at = row.due_at,
        settled_at = row.settled_at, log = row.log::jsonb
    FROM unnest(%s::bigint[], %s::text[], %s::int[], %s::timestamptz[], %s::timestamptz[], %s::text[])
        AS row (id, state, attempts, due_at, settled_at, log)
    WHERE delivery.id = row.id
"""


def _write_all(rows: Sequence[Delivery]) -> None:
    """Write down a bundle, or where that is refused, each delivery for itself: one hinders no other."""
    try:
        with transaction.atomic():
            _write(rows)
    except (DataError, IntegrityError):
        for row in rows if len(rows) > 1 else ():
            _write_all([row])
        if len(rows) == 1:
            log.exception(Fields("could not write down a delivery", delivery=str(rows[0].public_id)))


def _write(rows: Sequence[Delivery]) -> None:
    columns = [(row.pk, row.state, row.attempts, row.due_at, row.settled_at, json.dumps(row.log)) for row in rows]
    if columns:
        with connection.cursor() as cursor:
            cursor.execute(WRITE, [list(column) for column in zip(*columns, strict=True)])


def settle(*, deliveries: Sequence[Delivery], state: DeliveryState, now: datetime) -> None:
    """Settle locked deliveries."""
    if deliveries:
        rows = Delivery.objects.filter(pk__in=[row.pk for row in deliveries])
        rows.update(state=state.value, due_at=None, settled_at=now)
