"""What opens a stream: whose request it is, from where it comes, and where it wants to begin."""

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest

from debates.live.frames import Close, RefusedStream, are_parts
from debates.live.reader import epoch_of
from debates.models.access import bearer_in

Scope = Mapping[str, Any]
HIGHEST = 2**63 - 1
SESSION = re.compile(r"[a-z0-9]{1,40}")
"""What Django names sessions by; nothing else is looked for, because many are looked up at once."""


@dataclass(frozen=True, slots=True)
class Position:
    """Where somebody wants to begin: after which event, of which log."""

    after: int = 0
    epoch: UUID | None = None


@dataclass(frozen=True, slots=True)
class Visitor:
    """Whoever asks: the key of their session or the API key they bring, and the address they come from."""

    session: str | None
    bearer: str | None
    address: str


def visitor(scope: Scope) -> Visitor:
    """Return who asks. An API key is taken instead of cookies; without an origin, as programs come, no cookies
    count on a WebSocket.

    Raises: ``RefusedStream`` for an unknown host and for another site's page.
    """
    request = request_of(scope)
    try:
        own = f"{request.scheme}://{request.get_host()}"
    except DisallowedHost as error:
        raise RefusedStream(Close.ORIGIN_REFUSED, "This host is not served here.") from error
    origin = request.META.get("HTTP_ORIGIN")
    if origin is not None and origin.lower() != own.lower() and not trusted(origin):
        raise RefusedStream(Close.ORIGIN_REFUSED, "Pages of other sites may not follow debates here.")
    if request.META.get("HTTP_SEC_FETCH_SITE") == "cross-site" and origin is None:
        raise RefusedStream(Close.ORIGIN_REFUSED, "Pages of other sites may not follow debates here.")
    key = bearer_in(request.headers.get("Authorization", ""))
    known = key is None and (origin is not None or scope["type"] == "http")
    session = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "") if known else ""
    return Visitor(
        session=session if SESSION.fullmatch(session) else None,
        bearer=key,
        address=str(request.META.get("REMOTE_ADDR") or ""),
    )


def header(scope: Scope, name: str) -> str:
    value: bytes = dict(scope["headers"]).get(name.lower().encode(), b"")
    return value.decode("latin-1")


def request_of(scope: Scope) -> ASGIRequest:
    """Return what was asked as Django reads it; a WebSocket begins as a GET."""
    scheme = {"ws": "http", "wss": "https"}.get(scope.get("scheme", "http"), scope.get("scheme", "http"))
    return ASGIRequest({**scope, "type": "http", "method": scope.get("method", "GET"), "scheme": scheme}, io.BytesIO())


def trusted(origin: str) -> bool:
    """Say whether a page of this origin may do what pages of our own may, as Django's protection of forms decides."""
    page = urlsplit(origin.lower())
    return any(
        page.scheme == allowed.scheme
        and (
            page.netloc == allowed.netloc
            or (allowed.netloc.startswith("*.") and page.netloc.endswith(allowed.netloc[1:]))
        )
        for allowed in map(urlsplit, settings.CSRF_TRUSTED_ORIGINS)
    )


def parameters(scope: Scope) -> dict[str, list[str]]:
    """Return what stands behind the question mark.

    Raises: ``RefusedStream``.
    """
    try:
        return parse_qs(scope.get("query_string", b"").decode("ascii"), keep_blank_values=True, max_num_fields=20)
    except ValueError as error:
        raise RefusedStream(Close.BAD_REQUEST, "The parameters cannot be read.") from error


def position(scope: Scope) -> Position:
    """Return where a WebSocket or a new stream of events wants to begin.

    Raises: ``RefusedStream``.
    """
    asked = parameters(scope)
    after, epoch = (single(asked, name) for name in ("after", "epoch"))
    return Position(
        after=number(after) if after is not None else 0, epoch=epoch_named(epoch) if epoch is not None else None
    )


def resumed(scope: Scope) -> Position | None:
    """Return where a browser left off that comes back to a stream of events, or nothing.

    Raises: ``RefusedStream``.
    """
    last = header(scope, "Last-Event-ID")
    if not last:
        return None
    epoch, _, after = last.rpartition(":")
    return Position(after=number(after), epoch=epoch_named(epoch))


def shown(scope: Scope) -> dict[str, int]:
    """Return which parts a page shows that opens a stream: {name: as of which event it was drawn}; none of a program.

    Raises: ``RefusedStream``.
    """
    text = single(parameters(scope), "shows")
    named = [word.partition(":") for word in text.split(",")] if text else []
    parts = {name: number(seq) for name, _, seq in named}
    if not are_parts(parts):
        raise RefusedStream(Close.BAD_REQUEST, "shows must be at most 200 parts, as in heading:12,overall:7.")
    return parts


def single(parameters: Mapping[str, list[str]], name: str) -> str | None:
    """Return a parameter that is given once, or nothing."""
    values = parameters.get(name, [])
    if len(values) > 1:
        raise RefusedStream(Close.BAD_REQUEST, f"{name} is given {len(values)} times.")
    return values[0] if values else None


def number(text: str) -> int:
    """Return the number of an event, or 0 for the beginning."""
    if not re.fullmatch(r"[0-9]{1,19}", text) or int(text) > HIGHEST:
        raise RefusedStream(Close.BAD_REQUEST, "The number of an event is a whole number from 0 on.")
    return int(text)


def epoch_named(text: str) -> UUID:
    epoch = epoch_of(text)
    if epoch is None:
        raise RefusedStream(Close.BAD_REQUEST, "epoch must be what a hello frame said.")
    return epoch
