"""Judgements that were made before, kept by a digest of everything that went into them."""

import asyncio
import hashlib
import json
import logging
import uuid
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from django.db import Error, transaction
from django.utils import timezone

from judging.engine import locks
from judging.engine.calls import storable
from judging.engine.db_threads import in_thread
from judging.models import CachedJudgement
from judging.types import Completion, Permit, Purpose, Request

log = logging.getLogger(__name__)

# By what a judgement is known again: a digest of everything that it depends on.


VERSION = 4


def digest(*, request: Request, provider: str, source: Sequence[str], repetition: int = 1) -> str:
    """Return the digest of a request: what is shown, word for word, to whom, under which prompt, and how it is asked.

    Shape: sha256 in hexadecimal; ``source`` is who answers for the provider, such as a model at its address. Which
    debate asks, and after how many failures, is not in it; ``repetition`` tells apart judgements that are wanted
    several times.
    Source: docs/explanation/judging.md#judgements-that-are-known-already
    """
    material = {
        "version": VERSION,
        "purpose": request.purpose.value,
        "prompt": [request.prompt.name, request.prompt.version, request.prompt.digest],
        "messages": [[message.role, message.text] for message in request.messages],
        "schema": request.schema,
        "provider": [provider, *source],
        "temperature": str(request.temperature),
        "max_output_tokens": request.max_output_tokens,
        "repetition": repetition,
        "material": repr(request.material),
    }
    return hashlib.sha256(json.dumps(material, sort_keys=True, default=str).encode("utf-8", "replace")).hexdigest()


# Judgements that are known already: looked up, made once however many want them, and kept when they were usable.


KEPT = frozenset({Purpose.EVALUATE})
"""Purposes whose answers depend on nothing but what is shown."""
LOOK_AGAIN = 0.1


@dataclass(frozen=True, slots=True)
class Held:
    """The right to make a judgement that others may be waiting for; ``holder`` is empty where it is known already."""

    digest: str
    holder: str


class Withheld(Exception):
    """A call that waited for somebody else's answer may not be made any more; ``permit`` says why."""

    def __init__(self, permit: Permit) -> None:
        super().__init__(permit.value)
        self.permit = permit


async def complete(
    *,
    request: Request,
    provider: str,
    source: Callable[[], Sequence[str]],
    ask: Callable[[], Awaitable[Completion]],
    again: Callable[[], Awaitable[Permit]] | None = None,
) -> tuple[Completion, Held | None]:
    """Return the answer to a request: what is known, or what is asked now, alone, while others wait for it.

    Who has waited in vain for somebody else's answer asks ``again`` for a permit: meanwhile the debate may have been
    paused, or the budget spent.

    Shape: ``source`` tells who answers, and is asked only about answers that are kept; with the answer comes what must
    be settled once it has been read.
    Raises: ``Withheld`` when that permit is refused; what ``source``, ``ask`` and ``again`` raise.
    """
    if request.purpose not in KEPT:
        return await ask(), None
    key = digest(request=request, provider=provider, source=source(), repetition=request.reading)
    held = Held(key, uuid.uuid4().hex)
    known, waited = await wait_for(held)
    if known is not None:
        return known, Held(held.digest, holder="")
    try:
        async with locks.renewed(lambda: in_thread(renew)(held=held, now=timezone.now())):
            if waited and again is not None:
                require_permit(await again())
            return await ask(), held
    except BaseException:
        with unless_the_database_refuses():
            await in_thread(release)(held=held)
        raise


def require_permit(permit: Permit) -> None:
    """Go on only with a permit to ask.

    Raises: ``Withheld``.
    """
    if permit is not Permit.ASK:
        raise Withheld(permit)


async def wait_for(held: Held) -> tuple[Completion | None, bool]:
    """Wait until a judgement is known, or ours to make; say which, and whether somebody else was making it before."""
    waited = False
    while True:
        known = await in_thread(look)(held=held, now=timezone.now())
        if known is None or known.text:
            return known, waited
        waited = True
        await asyncio.sleep(LOOK_AGAIN)


@transaction.atomic(durable=True)
def renew(*, held: Held, now: datetime) -> None:
    CachedJudgement.objects.filter(digest=held.digest, holder=held.holder).update(lease_until=locks.ends(now))


@transaction.atomic(durable=True)
def look(*, held: Held, now: datetime) -> Completion | None:
    """Return what is known; an empty answer while somebody else is making it; nothing when it is ours to make."""
    row, created = CachedJudgement.objects.select_for_update().get_or_create(
        digest=held.digest, defaults={"holder": held.holder, "lease_until": locks.ends(now), "at": now}
    )
    if created:
        return None
    if row.answer:
        return Completion(text=row.answer, model=row.model, known=True)
    if row.lease_until is not None and row.lease_until > now:
        return Completion(text="", model="", known=True)
    row.holder, row.lease_until = held.holder, locks.ends(now)
    row.save(update_fields=["holder", "lease_until"])
    return None


async def settle(*, held: Held | None, completion: Completion | None, usable: bool) -> None:
    """Keep an answer that was usable for whoever wants the same; forget one that was not, however long it was known."""
    if held is None:
        return
    with unless_the_database_refuses():
        if completion is None or not completion.text or not usable:
            await in_thread(release)(held=held)
        elif not completion.known:
            await in_thread(keep)(held=held, completion=completion)


@contextmanager
def unless_the_database_refuses() -> Iterator[None]:
    """Go on without: whoever waits for a judgement makes it when the lease is over, and the answer at hand counts."""
    try:
        yield
    except Error as problem:
        log.warning("A judgement is not kept for others, or not given up before its lease is over: %s", problem)


@transaction.atomic(durable=True)
def keep(*, held: Held, completion: Completion) -> None:
    """Write down a usable answer, if it is still ours to give."""
    mine = CachedJudgement.objects.filter(digest=held.digest, holder=held.holder)
    said = {"answer": storable(completion.text), "model": storable(completion.model)[:120]}
    mine.update(**said, holder="", lease_until=None)


@transaction.atomic(durable=True)
def release(*, held: Held) -> None:
    """Let a judgement be made anew: one that we did not make, or a known one that was of no use."""
    CachedJudgement.objects.filter(digest=held.digest, holder=held.holder).delete()


@transaction.atomic(durable=True)
def clear() -> int:
    """Forget every judgement that is known; return how many. Those that are being made stay."""
    gone, _ = CachedJudgement.objects.exclude(answer="").delete()
    return gone
