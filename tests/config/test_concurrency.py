"""A web process serves as many requests at once as it has connections; who waits is told so in the end."""

import asyncio
import threading
from typing import Any

import pytest
from asgiref.sync import ThreadSensitiveContext, async_to_sync, sync_to_async
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpResponse
from django.test import RequestFactory

from config import middleware


class Views:
    """What stands behind the middleware: requests that last until they are let go, or fail."""

    def __init__(self, *, error: Exception | None = None) -> None:
        self.at_once = self.most = 0
        self.go_on = asyncio.Event()
        self.error = error

    async def __call__(self, request: Any) -> HttpResponse:
        if self.error:
            raise self.error
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        try:
            await self.go_on.wait()
        finally:
            self.at_once -= 1
        return HttpResponse(request.path)


@pytest.fixture(autouse=True)
def two_connections(settings: Any) -> None:
    settings.POOLED = 2


async def ask(respond: Any, *paths: str) -> list[asyncio.Task[HttpResponse]]:
    """Ask at once, and return when everybody is served or stands and waits."""
    tasks = [asyncio.ensure_future(respond(RequestFactory().get(path))) for path in paths]
    for _ in range(20):
        await asyncio.sleep(0)
    return tasks


async def answers(views: Views, tasks: list[asyncio.Task[HttpResponse]]) -> list[int]:
    """Let everybody go, and return the statuses of their answers."""
    views.go_on.set()
    return [response.status_code for response in await asyncio.gather(*tasks)]


def test_a_crowd_is_served_in_turns():
    @async_to_sync
    async def crowd() -> tuple[int, int, list[int]]:
        views = Views()
        tasks = await ask(middleware.limit_concurrency(views), *["/debates/"] * 20)
        return views.at_once, views.most, await answers(views, tasks)

    assert crowd() == (2, 2, [200] * 20)


def test_whether_the_process_lives_is_answered_at_once():
    @async_to_sync
    async def crowd() -> int:
        views = Views()
        tasks = await ask(middleware.limit_concurrency(views), *["/debates/"] * 3, "/healthz")
        at_once = views.at_once
        await answers(views, tasks)
        return at_once

    assert crowd() == 3


def test_who_waits_too_long_is_asked_to_come_again(monkeypatch):
    monkeypatch.setattr(middleware, "TURN_SECONDS", 0.05)

    @async_to_sync
    async def crowd() -> tuple[HttpResponse, list[int]]:
        views = Views()
        respond = middleware.limit_concurrency(views)
        served = await ask(respond, "/debates/", "/debates/")
        last = await respond(RequestFactory().get("/api/v1/debates/"))
        return last, await answers(views, served)

    last, served = crowd()

    assert (last.status_code, last.headers["Retry-After"]) == (503, "5")
    assert served == [200, 200]


def test_a_turn_is_free_again_after_a_fault():
    @async_to_sync
    async def faults() -> list[str]:
        respond = middleware.limit_concurrency(Views(error=ZeroDivisionError("broken")))
        tasks = await ask(respond, *["/debates/"] * 5)
        return [repr(error) for error in await asyncio.gather(*tasks, return_exceptions=True)]

    assert faults() == [repr(ZeroDivisionError("broken"))] * 5


def test_a_turn_is_free_again_after_who_left():
    @async_to_sync
    async def crowd() -> list[int]:
        views = Views()
        respond = middleware.limit_concurrency(views)
        left = await ask(respond, *["/debates/"] * 4)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        return await answers(views, await ask(respond, "/debates/", "/debates/"))

    assert crowd() == [200, 200]


def test_who_leaves_keeps_the_turn_until_the_thread_is_done_that_works_for_them():
    """A thread cannot be stopped, and has a connection: a page that is asked for and left would take it from others."""
    working, go_on = threading.Semaphore(0), threading.Event()

    def work(request: Any) -> HttpResponse:
        working.release()
        go_on.wait(60)
        return HttpResponse(request.path)

    async def crowd() -> tuple[list[str], int]:
        served: list[str] = []

        async def serve(request: Any) -> HttpResponse:
            served.append(request.path)
            return await sync_to_async(work)(request) if request.path == "/left/" else HttpResponse(request.path)

        respond = middleware.limit_concurrency(serve)
        left = await ask(respond_in_own_thread(respond), "/left/", "/left/")
        await asyncio.to_thread(lambda: [working.acquire(timeout=60) for _ in left])
        for task in left:
            task.cancel()
        [after] = await ask(respond_in_own_thread(respond), "/after/")
        meanwhile = list(served)
        go_on.set()
        await asyncio.gather(*left, return_exceptions=True)
        return meanwhile, (await after).status_code

    assert asyncio.run(crowd()) == (["/left/", "/left/"], 200)


def respond_in_own_thread(respond: Any) -> Any:
    """Return what handles a request as Django does under ASGI: with a thread for it alone."""

    async def handle(request: Any) -> HttpResponse:
        async with ThreadSensitiveContext():
            return await respond(request)

    return handle


def test_without_a_pool_it_is_not_used(settings):
    settings.POOLED = 0

    with pytest.raises(MiddlewareNotUsed):
        middleware.limit_concurrency(Views())
