"""Judgements that are known already: looked up, made once however many want them, and kept when they were usable."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from judging.database import in_thread
from judging.models import CachedJudgement
from judging.tables.digests import digest
from judging.types import Completion, Purpose, Request

KEPT = frozenset({Purpose.EVALUATE})
"""Purposes whose answers depend on nothing but what is shown."""
LEASE = timedelta(seconds=10)
"""How long a judgement that is being made stays so without a word from whoever makes it."""
WORD = 3.0
"""Seconds after which whoever makes a judgement says that it still does."""
LOOK_AGAIN = 0.1


@dataclass(frozen=True, slots=True)
class Held:
    """The right to make a judgement that others may be waiting for."""

    digest: str
    holder: str


async def complete(
    *, request: Request, provider: str, ask: Callable[[], Awaitable[Completion]]
) -> tuple[Completion, Held | None]:
    """Return the answer to a request: what is known, or what is asked now, alone, while others wait for it.

    Shape: with the answer comes what must be settled once it has been read; nothing for an answer that was known.
    """
    if request.purpose not in KEPT:
        return await ask(), None
    held = Held(digest(request=request, provider=provider, repetition=request.reading), uuid.uuid4().hex)
    while True:
        found = await in_thread(look)(held=held, now=timezone.now())
        if found is not None and found.text:
            return found, None
        if found is None:
            break
        await asyncio.sleep(LOOK_AGAIN)
    alive = asyncio.create_task(still_making(held))
    try:
        return await ask(), held
    except BaseException:
        await in_thread(release)(held=held)
        raise
    finally:
        alive.cancel()


async def still_making(held: Held) -> None:
    """Say again and again that a judgement is being made, so that nobody else begins; a dead process says no more."""
    while True:
        await asyncio.sleep(WORD)
        await in_thread(renew)(held=held, now=timezone.now())


@transaction.atomic(durable=True)
def renew(*, held: Held, now: datetime) -> None:
    """Hold a judgement that is being made for a while longer."""
    CachedJudgement.objects.filter(digest=held.digest, holder=held.holder).update(lease_until=now + LEASE)


@transaction.atomic(durable=True)
def look(*, held: Held, now: datetime) -> Completion | None:
    """Return what is known; an empty answer while somebody else is making it; nothing when it is ours to make."""
    row, created = CachedJudgement.objects.select_for_update().get_or_create(
        digest=held.digest,
        defaults={"holder": held.holder, "lease_until": now + LEASE, "at": now},
    )
    if created:
        return None
    if row.answer:
        return Completion(text=row.answer, model=row.model, known=True)
    if row.lease_until is not None and row.lease_until > now:
        return Completion(text="", model="", known=True)
    row.holder, row.lease_until = held.holder, now + LEASE
    row.save(update_fields=["holder", "lease_until"])
    return None


async def settle(*, held: Held | None, completion: Completion | None) -> None:
    """Keep an answer that was usable for whoever wants the same; forget that one was wanted where it was not."""
    if held is None:
        return
    if completion is None or not completion.text:
        await in_thread(release)(held=held)
    else:
        await in_thread(keep)(held=held, completion=completion)


@transaction.atomic(durable=True)
def keep(*, held: Held, completion: Completion) -> bool:
    """Write down a usable answer; say whether it was still ours to give."""
    mine = CachedJudgement.objects.filter(digest=held.digest, holder=held.holder)
    text = completion.text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")
    return bool(mine.update(answer=text, model=completion.model[:120], holder="", lease_until=None))


@transaction.atomic(durable=True)
def release(*, held: Held) -> None:
    """Let somebody else make a judgement that we did not."""
    CachedJudgement.objects.filter(digest=held.digest, holder=held.holder).delete()


@transaction.atomic(durable=True)
def clear() -> int:
    """Forget every judgement that is known; return how many. Those that are being made stay."""
    gone, _ = CachedJudgement.objects.exclude(answer="").delete()
    return gone
