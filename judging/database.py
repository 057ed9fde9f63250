"""Database work for async code: short transactions on a few threads, each on a connection that is known to live."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial, wraps
from typing import ParamSpec, TypeVar

from django.db import close_old_connections

P = ParamSpec("P")
T = TypeVar("T")
THREADS = 8
_pool = ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="database")


def in_thread(function: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """Return an awaitable form of a short database function.

    The call is shielded, so that cancelling a job never cuts a commit in half; no connection is trusted after a wait.
    """

    @wraps(function)
    async def later(*args: P.args, **kwargs: P.kwargs) -> T:
        work = partial(_run, partial(function, *args, **kwargs))
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(_pool, work))

    return later


def _run(function: Callable[[], T]) -> T:
    close_old_connections()
    try:
        return function()
    finally:
        close_old_connections()
