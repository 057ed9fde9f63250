"""The content security policy of every page, in the shape that Django 6 reads."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.deprecation import MiddlewareMixin

HEADER = "Content-Security-Policy"
FRAMED = frozenset({200, 500, 503})
NOT_KEPT = "private, no-store"
PERSONAL = ("/accounts/", "/invitations/", "/seats/", "/calendar/", "/mail/", "/metrics")
UNCOMPRESSED = (*PERSONAL, "/admin/", "/api/", "/stream/")
"""Where answers may hold a secret beside what somebody asked for, or are compared by a strong ETag."""


class Compressed(GZipMiddleware):
    """Compress pages, but none that may hold a secret.

    Who can have a text of their own put beside a secret, and sees how long the compressed answer is, guesses the secret
    letter by letter (BREACH). The one secret on the pages that are left is the token of forms, which Django writes anew
    each time; each answer has a random length besides; and no request that the page of another site makes carries a
    session.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if request.path.startswith(UNCOMPRESSED) or request.path.endswith(("/people/", "/prepare/")):
            return response
        return super().process_response(request, response)


class ContentSecurityPolicy(MiddlewareMixin):
    """Send ``settings.SECURE_CSP`` with a response that has no policy, and have nothing of one person kept for another.

    What is about a debate that is not public is kept out of search, page, document, picture and feed alike; and so are
    the API and, by ``debates.consumers``, every stream.

    A board may stand in the frames that ``settings.EMBED_ORIGINS`` names, and so may a fault in its place.

    Sockets of this host are named: some browsers, Safari before 15.4 among them, take ``'self'`` for pages alone.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if settings.EMBED_ORIGINS and is_embed(request) and response.status_code in FRAMED:
            rules = {**settings.SECURE_CSP, "frame-ancestors": settings.EMBED_ORIGINS}
            response.headers[HEADER] = written(rules)
            response.headers.pop("X-Frame-Options", None)
        response.headers.setdefault(HEADER, policy(sockets=sockets(request)))
        if is_personal(request):
            kept = "private, no-cache" if "ETag" in response.headers else NOT_KEPT
            response.headers.setdefault("Cache-Control", kept)
        if getattr(request, "out_of_search", False) or request.path.startswith(("/api/", "/stream/")):
            response.headers["X-Robots-Tag"] = "noindex"
        return response


def is_personal(request: HttpRequest) -> bool:
    """Say whether an answer may depend on who asks, or is reached by an address that is a secret."""
    return settings.SESSION_COOKIE_NAME in request.COOKIES or request.path.startswith(PERSONAL)


def is_embed(request: HttpRequest) -> bool:
    """Say whether the score board for other sites was asked for, also where nobody has looked its address up yet."""
    return request.path.startswith("/debates/") and request.path.endswith("/embed/")


@lru_cache
def policy(*, sockets: str) -> str:
    rules = {**settings.SECURE_CSP, "connect-src": [*settings.SECURE_CSP["connect-src"], *sockets.split()]}
    return written(rules)


def written(rules: Mapping[str, Iterable[str]]) -> str:
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in rules.items())


def sockets(request: HttpRequest) -> str:
    """Return where sockets of the host that was asked for are, or nothing for a host that is not ours."""
    try:
        return f"{'wss' if request.is_secure() else 'ws'}://{request.get_host()}"
    except DisallowedHost:
        return ""
