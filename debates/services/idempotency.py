"""A request under its caller's own key is done once, however often it is sent: key, effect and answer are one
transaction (docs/decisions/0010-a-key-is-written-with-its-effect.md)."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

from django.contrib.auth.models import User
from django.db import OperationalError, connection, transaction

from debates import sealing
from debates.errors import Invalid, NotAllowedNow
from debates.models import ApiKey, IdempotencyKey
from debates.services.rights import keep_open

P = ParamSpec("P")
R = TypeVar("R")
SALT = "Idempotency-Key"
PATIENCE = "10s"
LOCK_NOT_AVAILABLE = "55P03"


class StillRunning(NotAllowedNow):
    """The same request, under the same key, is being done right now."""

    code = "still_running"

    def __init__(self) -> None:
        super().__init__("The request with this Idempotency-Key is still being done. Ask again in a moment.")


class AnotherRequest(Invalid):
    """The key was used for something else."""

    code = "idempotency_key_reused"

    def __init__(self) -> None:
        super().__init__("This Idempotency-Key was used for another request.")


class DoneBefore(Exception):
    """The request was done before; this is what was answered then."""

    def __init__(self, *, status: int, body: str) -> None:
        super().__init__()
        self.status = status
        self.body = body


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """A request that is to be done once: whose, under which key, and how its answer is written down.

    Shape: ``digest`` is what two requests must share to be the same; keys are told apart by person and API key;
    ``render`` makes of what the use case returns the status and the body of the answer.
    """

    owner: User
    api_key: ApiKey | None
    key: str
    digest: str
    at: datetime
    render: Callable[[Any], tuple[int, str]]

    def claim(self) -> list[int]:
        """Write the key down, and return its rows; wait for whoever is just writing it.

        Raises: ``DoneBefore``, ``AnotherRequest``, ``StillRunning``.
        """
        keys = kept_names(self.key)
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT set_config('lock_timeout', %s, true)", [PATIENCE])
                cursor.execute(
                    "INSERT INTO debates_idempotencykey (owner_id, api_key_id, key, digest, status, body, at)"
                    " SELECT %s, %s, unnest(%s::text[]), %s, 0, '', %s ON CONFLICT DO NOTHING RETURNING id",
                    [self.owner.pk, self.api_key.pk if self.api_key else None, keys, self.digest, self.at],
                )
                rows = [row[0] for row in cursor.fetchall()]
                cursor.execute("SET LOCAL lock_timeout TO DEFAULT")
        except OperationalError as error:
            if getattr(error.__cause__, "sqlstate", None) != LOCK_NOT_AVAILABLE:
                raise
            raise StillRunning from error
        if len(rows) < len(keys):
            self.refuse_repetition()
            raise StillRunning  # forgotten since it was in the way: the next try is a first one
        return rows

    def refuse_repetition(self) -> None:
        """Refuse what was done before. Entry points ask first, before they read what may have changed since.

        Raises: ``DoneBefore``, ``AnotherRequest``, ``StillRunning``.
        """
        done = IdempotencyKey.objects.filter(owner_id=self.owner.pk, api_key=self.api_key, status__gt=0)
        record = done.filter(key__in=kept_names(self.key)).first()
        if record is None:
            return
        if record.digest != self.digest:
            raise AnotherRequest
        if not record.body:
            raise StillRunning  # sealed under a secret key that this process has yet to be given
        raise DoneBefore(status=record.status, body=record.body)


Refusals = Callable[[], AbstractContextManager[None]]
_refusals: list[Refusals] = []


def refuse_by(refusals: Refusals) -> Refusals:
    """Run use cases in what turns the guards that speak to callers into refusals. Used as a decorator."""
    _refusals[:] = [refusals]
    return refusals


_kept_open: ContextVar[ExitStack | None] = ContextVar("kept_open", default=None)


@contextmanager
def in_one_transaction() -> Iterator[None]:
    """Keep the transaction of the last use case that is called within open to the end.

    What is written after it, such as a line of a log, is written with it or not at all.
    """
    with ExitStack() as stack:
        token = _kept_open.set(stack)
        try:
            yield
        finally:
            _kept_open.reset(token)


@contextmanager
def durable() -> Iterator[None]:
    """Open the transaction of a use case; it ends with what is kept open around it, and at once where it is refused."""
    kept = _kept_open.get() or ExitStack()
    kept.close()  # an earlier use case is a transaction of its own
    with ExitStack() as own:
        own.enter_context(transaction.atomic(durable=True))
        for refusals in _refusals:
            own.enter_context(refusals())
        yield
        if _kept_open.get() is kept:
            kept.push(own.pop_all())


class UseCase(Generic[P, R]):
    """A service that entry points call: one durable transaction. Used as a decorator."""

    def __init__(self, service: Callable[P, R]) -> None:
        self.service = service
        update_wrapper(self, service)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.once(None, *args, **kwargs)

    def once(self, record: RequestRecord | None, /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the service, and write down in its transaction that the request was done and what is answered.

        Only what succeeds is kept: a refusal changes nothing, and the same request may succeed later.

        Raises: ``DoneBefore``, ``AnotherRequest``, ``StillRunning``, and as the service.
        Source: docs/reference/api.md, "Once".
        """
        with durable():
            keep_actors(kwargs)
            if record is None:
                return self.service(*args, **kwargs)
            rows = record.claim()
            result = self.service(*args, **kwargs)
            status, body = record.render(result)
            IdempotencyKey.objects.filter(pk__in=rows).update(body=body, status=status)
        return result


ACTORS = {"by": None, "owner": None, "order": "by", "decision": "by", "switch": "user"}
"""The arguments of use cases that say in whose name they act, and of which attribute of the argument that is."""


def keep_actors(arguments: Mapping[str, Any]) -> None:
    """Have the accounts in whose name a use case acts stay open until it has committed.

    Raises: ``NotPermitted`` where one is closed.
    """
    for name, attribute in ACTORS.items():
        argument = arguments.get(name)
        keep_open(account=getattr(argument, attribute, None) if attribute else argument)


def kept_names(key: str) -> list[str]:
    """Return what is kept of a caller's own key: enough to know it again, and none of its words.

    Shape: one under the site's secret key, and one under each former one, so that a request is known again that comes
    before and after the key was changed, to whichever process.
    """
    return sealing.digests(key, salt=SALT)


def kept_name(key: str) -> str:
    """Return what an entry of the ledger keeps of the key it was asked for under; nothing where there was none."""
    return kept_names(key)[0] if key else ""
