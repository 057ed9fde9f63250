"""A name for every request, in its answer and in every line that is logged meanwhile; and who else's pages may ask."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import patch_vary_headers

from debates.live.handshake import SESSION
from debates.printable import CONTEXT, Fields
from debates.problems import HEADER, name_of

log = logging.getLogger(__name__)
API = "/api/"
METHODS = "GET, HEAD, POST, DELETE, OPTIONS"
HEADERS = "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, X-Request-ID"
EXPOSED = "ETag, Location, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, X-Request-ID"


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
        request.request_id = name  # type: ignore[attr-defined]  # read by config.problems
        CONTEXT.set({"request": name})
        return time.monotonic()

    def end(self, request: HttpRequest, response: HttpResponseBase, begun: float) -> HttpResponseBase:
        """Send the name back; log a request to the API with who asked, which is how the use of keys is audited."""
        response.headers[HEADER] = request.request_id  # type: ignore[attr-defined]  # set above
        if request.path.startswith(API):
            milliseconds = round((time.monotonic() - begun) * 1000)
            about = {"method": request.method, "path": request.path, "status": response.status_code}
            log.info(Fields("api", **about, milliseconds=milliseconds, **asked_by(request)))
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


def asked_by(request: HttpRequest) -> dict[str, str]:
    """Return which key or person asked, as authentication has noted it."""
    caller: dict[str, str] = getattr(request, "asked_by", {})
    return caller


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
