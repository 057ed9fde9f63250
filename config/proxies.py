"""Where a request comes from: what a proxy says of it counts where the operator named the proxy, and nowhere else.

# Note [Who rewrites the address]
A server that reads ``X-Forwarded-For`` by itself, as uvicorn does by default for whoever comes from this machine,
leaves nothing to tell a proxy's word from a caller's. It says so by port 0, which no caller has. All such requests are
counted as from one address: a limit that is shared is better than none.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

import structlog

from debates import addresses
from debates.addresses import Address

log = structlog.get_logger(__name__)
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Scope = dict[str, Any]
PASSED_ON = b"x-forwarded-for"
OF_PROXIES = frozenset({PASSED_ON, b"x-forwarded-proto", b"x-forwarded-host", b"x-forwarded-port", b"forwarded"})
UNKNOWN = "0.0.0.0"  # noqa: S104 -- no address that is listened at


def networks(names: Iterable[str]) -> list[Network]:
    """Return the proxies that are named, each as an address or a network.

    Raises: ``ValueError`` for what is neither.
    """
    return [ipaddress.ip_network(name) for name in names]


def believing(application: Callable[..., Awaitable[None]], *, proxies: Sequence[Network]) -> Callable[..., Any]:
    """Return an ASGI application that is told where requests come from as far as that can be believed."""

    async def believed(scope: Scope, receive: Any, send: Any) -> None:
        known = scope["type"] in {"http", "websocket"}
        await application(seen(scope, proxies=proxies) if known else scope, receive, send)

    return believed


def seen(scope: Scope, *, proxies: Sequence[Network]) -> Scope:
    """Return a request with its client, and without what a client that is no proxy said in a proxy's place."""
    host, port = scope.get("client") or ("", None)
    peer = addresses.parsed(host)
    if port == 0 and PASSED_ON in dict(scope["headers"]):
        log.error("the web server has read X-Forwarded-For itself; start uvicorn with --no-proxy-headers")
        return {**scope, "client": [UNKNOWN, 0], "headers": without(scope["headers"], OF_PROXIES)}
    if peer is None or not among(peer, proxies):
        client = scope.get("client") if peer is None else [str(peer), port]
        return {**scope, "client": client, "headers": without(scope["headers"], OF_PROXIES)}
    passed = [
        hop for name, value in scope["headers"] if name == PASSED_ON for hop in value.decode("latin-1").split(",")
    ]
    return {**scope, "client": [str(farthest(peer, passed, proxies)), port], "headers": scope["headers"]}


def farthest(peer: Address, passed: Sequence[str], proxies: Sequence[Network]) -> Address:
    """Return the first address, read from the nearest back, that is no proxy of ours; what is no address ends it."""
    client = peer
    for hop in reversed(passed):
        before = addresses.parsed(hop.strip())
        if before is None:
            break
        client = before
        if not among(client, proxies):
            break
    return client


def among(place: Address, proxies: Sequence[Network]) -> bool:
    """Say whether an address is one of the proxies that are named."""
    return any(place in network for network in proxies)


def without(headers: Iterable[tuple[bytes, bytes]], names: frozenset[bytes]) -> list[tuple[bytes, bytes]]:
    """Return headers but for some."""
    return [(name, value) for name, value in headers if name not in names]
