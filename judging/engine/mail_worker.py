"""Hands over what is in the outbox, in every worker, as long as it lives. No transaction is open meanwhile."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone

from debates import mail_backend
from debates.mail_backend import Handed, Handing, Unreachable
from debates.printable import Fields
from debates.services import mail_delivery
from judging.engine.db_threads import in_thread
from judging.engine.tasks import over_and_over

log = logging.getLogger(__name__)
T = TypeVar("T")
BETWEEN_LOOKS = 1
_line = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")


async def send_mail() -> None:
    """Send what is due, over and over, until it is cancelled; a mail that is under way then is ended first."""
    await over_and_over(send_due, every=BETWEEN_LOOKS)


async def send_due() -> bool:
    """Hand over what is due now, and say whether more may be."""
    await in_thread(mail_delivery.give_up_on_lost)(now=timezone.now())
    mail_ids = await in_thread(mail_delivery.waiting)(now=timezone.now())
    if not mail_ids:
        return False
    try:
        connection = await on_the_line(mail_backend.opened)
    except Unreachable as problem:
        log.warning(Fields("no mail server", why=str(problem), waiting=len(mail_ids)))
        await in_thread(mail_delivery.put_off)(mail_ids=mail_ids, problem=str(problem), now=timezone.now())
        return False
    try:
        for mail_id in mail_ids:
            if not await to_its_end(send_one(connection, mail_id)):
                return False
    finally:
        await on_the_line(lambda: mail_backend.close(connection))
    return len(mail_ids) == mail_delivery.MOST_AT_ONCE


async def send_one(connection: BaseEmailBackend, mail_id: int) -> bool:
    """Hand one mail over and write down what became of it; say whether the line is still good."""
    try:
        message = await in_thread(mail_delivery.claim)(mail_id=mail_id, now=timezone.now())
    except Exception as error:  # it is tried again later; a mail that cannot be written hinders no other
        log.exception(Fields("could not write a mail", mail=mail_id))
        problem = f"{mail_delivery.NOT_WRITTEN} {type(error).__name__}"
        await in_thread(mail_delivery.put_off)(mail_ids=[mail_id], problem=problem, now=timezone.now())
        return True
    if message is None:
        return True
    outcome: Handed = await on_the_line(lambda: mail_backend.hand_over(connection, message))
    await in_thread(mail_delivery.record)(mail_id=mail_id, outcome=outcome, now=timezone.now())
    return outcome.handing in {Handing.TAKEN, Handing.REFUSED}


async def to_its_end(work: Coroutine[Any, Any, T]) -> T:
    """Do something that must not be cut in half; whoever is cancelled meanwhile waits for it."""
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise


async def on_the_line(work: Callable[[], T]) -> T:
    """Do something slow with the mail server, in the one thread that speaks to it."""
    return await asyncio.get_running_loop().run_in_executor(_line, work)
