"""How a delivery is signed, after the Standard Webhooks specification, and when a failed one is tried again. Pure."""

import base64
import hashlib
import hmac
from collections.abc import Iterable
from datetime import datetime, timedelta

PREFIX = "whsec_"
FIRST_PAUSE = timedelta(seconds=5)
LONGEST_PAUSE = timedelta(hours=24)
MOST_ATTEMPTS = 14
GROWTH = 4
JITTER = 0.2


def headers(*, id: str, at: datetime, body: bytes, secrets: Iterable[str]) -> dict[str, str]:
    """Return the headers that say which message this is, when it was sent, and that it is ours.

    Shape: one signature for each secret that is good now, so that a receiver may change secrets without losing any.
    Source: docs/reference/webhooks.md, "Signatures".
    """
    stamp = str(int(at.timestamp()))
    signed = f"{id}.{stamp}.".encode() + body
    return {
        "webhook-id": id,
        "webhook-timestamp": stamp,
        "webhook-signature": " ".join(f"v1,{signature(secret=secret, signed=signed)}" for secret in secrets),
    }


def signature(*, secret: str, signed: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def pause(*, attempts: int, luck: float) -> timedelta:
    """Return how long to wait after so many failed attempts, up to a day, so that receivers are not stormed at once.

    Units: ``luck`` is 0..1.
    """
    plain: timedelta = min(LONGEST_PAUSE, FIRST_PAUSE * GROWTH ** (min(attempts, MOST_ATTEMPTS) - 1))
    spread: timedelta = plain * (1 - JITTER + 2 * JITTER * luck)
    return min(LONGEST_PAUSE, spread)
