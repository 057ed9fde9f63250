"""Doing what was asked once, however often it is asked: a caller's own key for a request.

# Note [One transaction]
The key is written in the transaction of the effect, so that there is never one without the other. A use case is a
durable transaction of its own; ``Receipt`` is the one transaction that it may join, because the door that opens it
does nothing else in it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import OperationalError, connection, transaction
from django.utils.crypto import salted_hmac
from rest_framework.exceptions import APIException
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from debates.models import ApiKey, IdempotencyKey

HEADER = "Idempotency-Key"
REPEATED = "Idempotency-Replayed"
FORM = re.compile(r"[\x21-\x7e]{1,200}")
PATIENCE = "10s"
LOCK_NOT_AVAILABLE = "55P03"


class BadKey(APIException):
    """The key cannot be one."""

    status_code, default_code = 400, "bad_idempotency_key"
    default_detail = "Idempotency-Key must have 1 to 200 visible ASCII characters."


class StillRunning(APIException):
    """The same request, under the same key, is being done right now."""

    status_code, default_code = 409, "still_running"
    default_detail = "The request with this Idempotency-Key is still being done. Ask again in a moment."


class AnotherRequest(APIException):
    """The key was used for something else."""

    status_code, default_code = 422, "idempotency_key_reused"
    default_detail = "This Idempotency-Key was used for another request."


class Receipt(transaction.Atomic):
    """The transaction of an effect and of the note that it was done. See Note [One transaction]."""

    def __init__(self) -> None:
        super().__init__(using=None, savepoint=True, durable=False)
        # Django lets durable blocks join those of its own test cases alone; this says that they may join this one.
        self._from_testcase = True


@dataclass(frozen=True, slots=True)
class Caller:
    """Whose keys are told apart: those of one person through one API key."""

    user: User | AnonymousUser
    key: ApiKey | None
    now: datetime


def answered(request: Request, *, caller: Caller, act: Callable[[], Response]) -> Response:
    """Act and return the answer; under a key that was used before, return what was answered then.

    Only what succeeded is kept: a refusal changes nothing, and the same request may succeed later.
    Raises: ``BadKey``, ``StillRunning``, ``AnotherRequest``.
    Source: docs/reference/api.md, "Once".
    """
    name = request.headers.get(HEADER)
    if name is None or not isinstance(caller.user, User):
        return act()
    if not FORM.fullmatch(name):
        raise BadKey
    digest = digest_of(request)
    with Receipt():
        names = kept_names(name)
        rows = claimed(names=names, digest=digest, caller=caller)
        if len(rows) < len(names):
            answer = repeated(names=names, digest=digest, caller=caller)
            transaction.set_rollback(True)  # under the other keys it is not to be written down
            return answer
        response = act()
        IdempotencyKey.objects.filter(pk__in=rows).update(
            status=response.status_code, body=JSONRenderer().render(response.data).decode()
        )
    return response


def kept_names(name: str) -> list[str]:
    """Return what is kept of a caller's own key: enough to know it again, and none of its words.

    Shape: one under the site's secret key, and one under each former one, so that a request is known again that comes
    before and after the key was changed, to whichever process.
    """
    secrets = dict.fromkeys((settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))
    return [salted_hmac(HEADER, name, secret=secret, algorithm="sha256").hexdigest() for secret in secrets]


def kept_name(name: str) -> str:
    """Return what an entry of the ledger keeps of the key it was asked for under; nothing where there was none."""
    return kept_names(name)[0] if name else ""


def digest_of(request: Request) -> str:
    """Return what two requests must share to be the same: method, address, version seen, body."""
    seen = [request.headers.get(name) for name in ("If-Match", "If-None-Match")]
    parts = [request.method, request.get_full_path(), *seen, request.data]
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def claimed(*, names: Sequence[str], digest: str, caller: Caller) -> list[int]:
    """Write the key down and return its rows, but those that are there; wait for whoever is just writing one.

    Raises: ``StillRunning``.
    """
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [PATIENCE])
            cursor.execute(
                "INSERT INTO debates_idempotencykey (owner_id, api_key_id, key, digest, status, body, at)"
                " SELECT %s, %s, unnest(%s::text[]), %s, 0, '', %s ON CONFLICT DO NOTHING RETURNING id",
                [caller.user.pk, caller.key.pk if caller.key else None, list(names), digest, caller.now],
            )
            rows = [row[0] for row in cursor.fetchall()]
            cursor.execute("SET LOCAL lock_timeout TO DEFAULT")
    except OperationalError as error:
        if getattr(error.__cause__, "sqlstate", None) != LOCK_NOT_AVAILABLE:
            raise
        raise StillRunning from error
    return rows


def repeated(*, names: Sequence[str], digest: str, caller: Caller) -> Response:
    """Return what was answered to a request before.

    Raises: ``AnotherRequest``, ``StillRunning``.
    """
    rows = IdempotencyKey.objects.filter(owner_id=caller.user.pk, api_key=caller.key, key__in=names, status__gt=0)
    row = rows.first()
    if row is None:
        raise StillRunning  # forgotten since it was in the way: the next try is a first one
    if row.digest != digest:
        raise AnotherRequest
    if not row.body:
        raise StillRunning  # sealed under a secret key that this process has yet to be given
    data: Any = json.loads(row.body)
    return Response(data, status=row.status, headers={REPEATED: "true"})
