"""Database work for async code: short transactions on a few threads, each on a connection that is known to live."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial, wraps
from typing import ParamSpec, TypeVar

from django.db import close_old_connections, connection

P = ParamSpec("P")
T = TypeVar("T")
THREADS = 8
TRUSTED_SECONDS = 5
_pool = ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="database")
_used = threading.local()


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
    if time.monotonic() - getattr(_used, "at", 0) > TRUSTED_SECONDS:
        close_old_connections()
    try:
        return function()
    finally:
        if connection.errors_occurred:
            close_old_connections()
        _used.at = time.monotonic()
