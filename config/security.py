"""The content security policy of every page, in the shape that Django 6 reads."""

from collections.abc import Awaitable, Callable
from functools import lru_cache

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, HttpResponseBase

HEADER = "Content-Security-Policy"
NOT_KEPT = "private, no-store"
PERSONAL = ("/accounts/", "/seats/", "/metrics")


class ContentSecurityPolicy:
    """Send ``settings.SECURE_CSP`` with every response that carries no policy of its own.

    Sockets of this host are named: some browsers, Safari before 15.4 among them, take ``'self'`` for pages alone.
    """

    async_capable = True
    sync_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse | Awaitable[HttpResponse]]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        if self.is_async:
            return self.later(request)
        response = self.get_response(request)
        assert isinstance(response, HttpResponseBase)  # noqa: S101 -- narrows the union for the type checker
        return sealed(request, response)

    async def later(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        assert isinstance(response, Awaitable)  # noqa: S101 -- narrows the union for the type checker
        return sealed(request, await response)


def sealed(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Return the response with the policy set, unless it has one, and with nothing of one person kept for another."""
    response.headers.setdefault(HEADER, policy(sockets=sockets(request)))
    if is_personal(request):
        response.headers.setdefault("Cache-Control", "private, no-cache" if "ETag" in response.headers else NOT_KEPT)
    return response


def is_personal(request: HttpRequest) -> bool:
    """Say whether an answer may depend on who asks, or is reached by an address that is a secret."""
    return settings.SESSION_COOKIE_NAME in request.COOKIES or request.path.startswith(PERSONAL)


@lru_cache
def policy(*, sockets: str) -> str:
    rules = {**settings.SECURE_CSP, "connect-src": [*settings.SECURE_CSP["connect-src"], *sockets.split()]}
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in rules.items())


def sockets(request: HttpRequest) -> str:
    """Return where sockets of the host that was asked for are, or nothing for a host that is not ours."""
    try:
        return f"{'wss' if request.is_secure() else 'ws'}://{request.get_host()}"
    except DisallowedHost:
        return ""
