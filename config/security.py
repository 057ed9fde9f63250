"""The content security policy of every page, in the shape that Django 6 reads."""

from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase

HEADER = "Content-Security-Policy"


class ContentSecurityPolicy:
    """Send ``settings.SECURE_CSP`` with every response that carries no policy of its own."""

    async_capable = True
    sync_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse | Awaitable[HttpResponse]]) -> None:
        self.get_response = get_response
        self.policy = "; ".join(f"{name} {' '.join(sources)}" for name, sources in settings.SECURE_CSP.items())
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        if self.is_async:
            return self.later(request)
        response = self.get_response(request)
        assert isinstance(response, HttpResponseBase)  # noqa: S101 -- narrows the union for the type checker
        return self.sealed(response)

    async def later(self, request: HttpRequest) -> HttpResponseBase:
        """The same for the asynchronous chain."""
        response = self.get_response(request)
        assert isinstance(response, Awaitable)  # noqa: S101 -- narrows the union for the type checker
        return self.sealed(await response)

    def sealed(self, response: HttpResponseBase) -> HttpResponseBase:
        """Return the response with the policy set, unless it has one."""
        response.headers.setdefault(HEADER, self.policy)
        return response
