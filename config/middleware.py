"""A name for every request, in its answer and in every line that is logged meanwhile; who else's pages may ask; how
many requests are served at once; and which pages are read from a replica.
"""

import asyncio
import codecs
import logging
import os
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, tzinfo
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.core.handlers.asgi import ASGIRequest
from django.db import connections
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.decorators import async_only_middleware
from django.utils.deprecation import MiddlewareMixin

from config import problems
from debates import replica, selectors
from debates.live.handshake import SESSION
from debates.printable import CONTEXT, Fields
from debates.problems import HEADER, name_of

log = logging.getLogger(__name__)
API = "/api/"
TURN_SECONDS = 30.0
"""How long a request waits for its turn before it is answered that it should come again."""
UNLIMITED = frozenset({"/healthz"})
CHARSETS = frozenset({"ascii", "utf-8"})
METHODS = "GET, HEAD, POST, DELETE, OPTIONS"
HEADERS = "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, X-Request-ID"
EXPOSED = "ETag, Location, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, Replica-Lag, X-Request-ID"

OLD_ENOUGH = frozenset({
    "account-entry", "account-json", "card", "debate", "debate-appeals", "debate-moderation", "embed", "feed", "index",
    "paper", "result", "result-document", "score-account",
})  # fmt: skip
"""Pages that may be read from a replica. Each of one debate has its ``address``; the others confirm what they list."""


class Named:
    """Middleware: name a request, let the pages of named origins ask the API, log what the API was asked."""

    async_capable = True
    sync_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        if self.is_async:
            return self.later(request)
        begun = self.begin(request)
        response: HttpResponseBase = preflight(request) or self.get_response(request)
        return self.end(request, response, begun)

    async def later(self, request: HttpRequest) -> HttpResponseBase:
        begun = self.begin(request)
        response: HttpResponseBase = preflight(request) or await self.get_response(request)
        return self.end(request, response, begun)

    def begin(self, request: HttpRequest) -> float:
        """Name the request, as it names itself where that is a name, before anything is looked up for it."""
        name = name_of(request.headers.get(HEADER, ""))
        weigh_what_came_in_pieces(request)
        forget_what_names_no_session(request)
        read_as_text(request)
        request.request_id = name  # type: ignore[attr-defined]  # read by config.problems
        CONTEXT.set({"request": name})
        return time.monotonic()

    def end(self, request: HttpRequest, response: HttpResponseBase, begun: float) -> HttpResponseBase:
        """Send the name back; log a request to the API with who asked, which is how the use of keys is audited."""
        response.headers[HEADER] = request.request_id  # type: ignore[attr-defined]  # set above
        if request.path.startswith(API):
            milliseconds = round((time.monotonic() - begun) * 1000)
            about = {"method": request.method, "path": request.path, "status": response.status_code}
            log.info(Fields("api", **about, milliseconds=milliseconds, **getattr(request, "asked_by", {})))
            share(request, response)
        return response


def weigh_what_came_in_pieces(request: HttpRequest) -> None:
    """Note the size of a body that came without one: Django refuses what is too large by its declared size alone."""
    stream = getattr(request, "_stream", None)
    if (
        isinstance(request, ASGIRequest)
        and not request.META.get("CONTENT_LENGTH")
        and stream is not None
        and stream.seekable()
    ):
        request.META["CONTENT_LENGTH"] = str(stream.seek(0, os.SEEK_END))
        stream.seek(0)


def forget_what_names_no_session(request: HttpRequest) -> None:
    """Drop a session cookie that Django never set: some of what a quoted cookie can hold, no database takes."""
    if not SESSION.fullmatch(request.COOKIES.get(settings.SESSION_COOKIE_NAME, "none")):
        del request.COOKIES[settings.SESSION_COOKIE_NAME]


def read_as_text(request: HttpRequest) -> None:
    """Read as UTF-8 what names another charset: Python counts ``bz2`` among those, and would unpack without a limit."""
    if request.encoding and codecs.lookup(request.encoding).name not in CHARSETS:
        request.encoding = "utf-8"


def preflight(request: HttpRequest) -> HttpResponse | None:
    """Answer a browser that asks whether a page of another origin may ask the API."""
    is_preflight = "Access-Control-Request-Method" in request.headers
    if request.method != "OPTIONS" or not is_preflight or not request.path.startswith(API):
        return None
    return HttpResponse(status=204)


def share(request: HttpRequest, response: HttpResponseBase) -> None:
    """Let a page of an origin that the settings name read the answer. Never with cookies: such pages bring a key."""
    origin = request.headers.get("Origin")
    patch_vary_headers(response, ["Origin"])
    if origin is None or origin not in settings.CORS_ORIGINS:
        return
    response.headers["Access-Control-Allow-Origin"] = origin
    response.headers["Access-Control-Expose-Headers"] = EXPOSED
    if request.method == "OPTIONS":
        response.headers["Access-Control-Allow-Methods"] = METHODS
        response.headers["Access-Control-Allow-Headers"] = HEADERS
        response.headers["Access-Control-Max-Age"] = "600"


def in_own_zone(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Show and read times in the zone of the profile of whoever asks; for programs, and for everybody else, in UTC.

    Where that names none, and for everybody else, static/times.js asks the browser on pages.
    """

    def respond(request: HttpRequest) -> HttpResponse:
        zone: tzinfo = UTC
        if settings.SESSION_COOKIE_NAME in request.COOKIES and not request.path.startswith(API):
            zone = selectors.zone_of(user_id=request.user.pk) if request.user.pk else UTC
        with timezone.override(zone):
            return get_response(request)

    return respond


@async_only_middleware
def limit_concurrency(
    get_response: Callable[[HttpRequest], Awaitable[HttpResponseBase]],
) -> Callable[[HttpRequest], Awaitable[HttpResponseBase]]:
    """Serve as many requests at once as there are connections; the others wait for their turn without a thread.

    Under ASGI each request has a thread of its own. A thousand of them, each waiting for one of ten connections, take
    the processor from those that have one, until nobody is given any. A slow reader keeps no connection: it is given
    back when the answer is made. Whoever leaves keeps the turn until the thread is done that works for them: nothing
    stops it, and a turn without a connection would be of no use to others.
    """
    if not settings.POOLED:
        raise MiddlewareNotUsed("Connections are not pooled here.")
    turns = asyncio.Semaphore(settings.POOLED)

    async def respond(request: HttpRequest) -> HttpResponseBase:
        if request.path in UNLIMITED:
            return await get_response(request)
        try:
            async with asyncio.timeout(TURN_SECONDS):
                await turns.acquire()
        except TimeoutError:
            return await sync_to_async(problems.away)(request)  # it may parse what was typed
        try:
            return await get_response(request)
        finally:
            try:
                await sync_to_async(connections.close_all)()  # in the request's own thread, so after all it does there
            finally:
                turns.release()

    return respond


class FromReplica(MiddlewareMixin):
    """Have pages read from the replica, for who is not signed in and brings nothing of an act of theirs.

    Who may read a debate the primary says. Whatever the replica refuses, fails at or does not know yet is asked of the
    primary as if there were no replica. Where the primary fails, that is the answer, as it were without a replica.
    """

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponseBase], args: Sequence[Any], named: Mapping[str, Any]
    ) -> HttpResponseBase | None:
        if not may_be_old(request):
            return None
        seconds = replica.lag()
        if seconds is None:
            return None
        try:
            with replica.allowed():
                if "address" in named:
                    replica.confirm_address(named["address"])
                response = view(request, *args, **named)
        except (Http404, replica.Behind):
            return None
        response.headers[replica.HEADER] = replica.written(seconds)
        return response


def may_be_old(request: HttpRequest) -> bool:
    """Say whether a request is for one of those pages, by somebody without a session who has filled in no form here."""
    match = request.resolver_match
    ours = {settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME}
    return (
        request.method in {"GET", "HEAD"}
        and match is not None
        and match.view_name in OLD_ENOUGH
        and not ours & request.COOKIES.keys()
    )
