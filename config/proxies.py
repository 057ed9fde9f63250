"""Where a request comes from: what a proxy says of it counts where the operator named the proxy, and nowhere else.

# Note [Who rewrites the address]
A server that reads ``X-Forwarded-For`` by itself, as uvicorn does by default for whoever comes from this machine,
leaves nothing to tell a proxy's word from a caller's. It says so by port 0, which no caller has. All such requests are
counted as from one address: a limit that is shared is better than none.
"""

import ipaddress
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from debates import addresses
from debates.addresses import Address

log = logging.getLogger(__name__)
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Scope = dict[str, Any]
FORWARDED_FOR = b"x-forwarded-for"
FORWARDING_HEADERS = frozenset(
    {FORWARDED_FOR, b"x-forwarded-proto", b"x-forwarded-host", b"x-forwarded-port", b"forwarded"}
)
UNKNOWN = "0.0.0.0"  # noqa: S104 -- no address that is listened at


def proxy_middleware(application: Callable[..., Awaitable[None]], *, proxies: Sequence[Network]) -> Callable[..., Any]:
    """Return an ASGI application that gives another one requests with the client that can be believed."""

    async def middleware(scope: Scope, receive: Any, send: Any) -> None:
        has_client = scope["type"] in {"http", "websocket"}
        await application(resolve_client(scope, proxies=proxies) if has_client else scope, receive, send)

    return middleware


def resolve_client(scope: Scope, *, proxies: Sequence[Network]) -> Scope:
    """Return a request with its client, and without what a client that is no proxy said in a proxy's place."""
    host, port = scope.get("client") or ("", None)
    peer = addresses.parsed(host)
    if port == 0 and FORWARDED_FOR in dict(scope["headers"]):
        log.error("the web server has read X-Forwarded-For itself; start uvicorn with --no-proxy-headers")
        return {**without_forwarding(scope), "client": [UNKNOWN, 0]}
    if peer is None:
        return without_forwarding(scope)
    if not is_proxy(peer, proxies):
        return {**without_forwarding(scope), "client": [str(peer), port]}
    hops = [
        hop for name, value in scope["headers"] if name == FORWARDED_FOR for hop in value.decode("latin-1").split(",")
    ]
    return {**scope, "client": [str(client_address(peer, hops, proxies)), port]}


def client_address(peer: Address, hops: Sequence[str], proxies: Sequence[Network]) -> Address:
    """Return the first address, read from the nearest back, that is no proxy of ours; what is no address ends it."""
    client = peer
    for hop in reversed(hops):
        address = addresses.parsed(hop.strip())
        if address is None:
            break
        client = address
        if not is_proxy(client, proxies):
            break
    return client


def is_proxy(address: Address, proxies: Sequence[Network]) -> bool:
    return any(address in network for network in proxies)


def without_forwarding(scope: Scope) -> Scope:
    headers = [(name, value) for name, value in scope["headers"] if name not in FORWARDING_HEADERS]
    return {**scope, "headers": headers}
