"""An answer of the scripted provider that is held back, so that something happens surely while a call is under way."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from judging.engine.db_threads import in_thread
from judging.providers import provider
from judging.types import Completion, Request


@dataclass
class Held:
    """Whether somebody has asked what is answered late, and whether it is answered now."""

    asked: asyncio.Event = field(default_factory=asyncio.Event)
    let_go: asyncio.Event = field(default_factory=asyncio.Event)


@contextmanager
def held(which: Callable[[Request], bool]) -> Iterator[Held]:
    """Hold the answer to the first of these requests back until it is let go; all others are answered at once."""
    scripted, one = provider("scripted"), Held()
    usual = scripted.complete

    async def complete(request: Request) -> Completion:
        if which(request) and not one.asked.is_set():
            one.asked.set()
            await one.let_go.wait()
        return await usual(request)

    scripted.complete = complete
    try:
        yield one
    finally:
        scripted.complete = usual


def asks(purpose: str) -> Callable[[Request], bool]:
    """Return whether a request has this purpose, as a question."""
    return lambda request: request.purpose == purpose


def meanwhile(which: Callable[[Request], bool], doing: Coroutine[Any, Any, object], act: Callable[[], object]) -> None:
    """Do something to its end, and act, as somebody elsewhere does, while the first such call of it is under way."""

    async def both(late: Held) -> None:
        async with asyncio.timeout(30), asyncio.TaskGroup() as group:
            group.create_task(doing)
            await late.asked.wait()
            await in_thread(act)()
            late.let_go.set()

    with held(which) as late:
        asyncio.run(both(late))
