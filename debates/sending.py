"""Sending a delivery to an address that somebody gave us: no private address, no redirect, little time.

# Note [The address that is connected to]
A name is looked up once, the answer is checked, and the connection is made to that very answer; the name is not looked
up again. So a name that points elsewhere a moment later leads nowhere.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult, urlsplit

CONNECT_SECONDS = 5
WHOLE_SECONDS = 15
MOST_PLACES = 3
NAT64 = ipaddress.ip_network("64:ff9b::/96")
Resolve = Callable[..., list[Any]]


class Refused(Exception):
    """The address is none that we send to; the message says why."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: a status, or why there is none."""

    status: int | None
    milliseconds: int
    problem: str = ""


def target(url: str, *, allowed: Collection[str]) -> SplitResult:
    """Return an address in its parts.

    Shape: ``allowed`` names hosts that may be private, and may be spoken to without TLS.
    Raises: ``Refused``.
    """
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname, parts.port
    except ValueError as error:
        raise Refused(f"This is no address: {error}.") from error
    if not host or parts.username is not None or not url.isascii() or any(one <= " " for one in url):
        raise Refused("An address is https://host/path, in ASCII, without a name or password in it.")
    if parts.scheme != "https" and not (parts.scheme == "http" and host in allowed):
        raise Refused("Only https is sent to.")
    with suppress(ValueError):
        if host not in allowed and not is_public(ipaddress.ip_address(host)):
            raise Refused(f"{host} is not a public address.")
    return parts


def is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Say whether an address is one of the open internet, also where it is wrapped in another."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if address in NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
    return address.is_global and not address.is_multicast


def send(
    *,
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    allowed: Collection[str],
    resolve: Resolve = socket.getaddrinfo,
) -> Answer:
    """POST a body and return what came back; whatever goes wrong is an answer, too."""
    begun = time.monotonic()
    try:
        status, problem = _post(target(url, allowed=allowed), body, headers, allowed, resolve), ""
    except (Refused, OSError, http.client.HTTPException, ValueError) as error:
        status, problem = None, f"{type(error).__name__}: {error}"[:200]
    milliseconds = round((time.monotonic() - begun) * 1000)
    if status is not None and not 200 <= status < 300:
        problem = "redirects are not followed" if 300 <= status < 400 else f"answered {status}"
    return Answer(status, milliseconds, problem)


def _post(
    parts: SplitResult, body: bytes, headers: Mapping[str, str], allowed: Collection[str], resolve: Resolve
) -> int:
    host, usual = str(parts.hostname), 443 if parts.scheme == "https" else 80
    port = parts.port or usual
    line = connected(host, port, allowed=allowed, resolve=resolve)
    if parts.scheme == "https":
        line = ssl.create_default_context().wrap_socket(line, server_hostname=host, do_handshake_on_connect=False)
    ends = threading.Timer(WHOLE_SECONDS, _cut, [line])  # with the socket that is read: wrapping empties the other
    ends.start()
    try:
        if isinstance(line, ssl.SSLSocket):
            line.do_handshake()
        speaker = http.client.HTTPConnection(host, port)
        speaker.sock = line
        where = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        named = f"[{host}]" if ":" in host else host
        ours = {
            "Host": named if port == usual else f"{named}:{port}",
            "Content-Type": "application/json",
            "User-Agent": "Moot",
        }
        speaker.request("POST", where, body, {**ours, **headers})
        return speaker.getresponse().status
    finally:
        ends.cancel()
        line.close()


def _cut(line: socket.socket) -> None:
    """End a connection that takes too long, whatever it is doing."""
    with suppress(OSError):
        socket.socket.shutdown(line, socket.SHUT_RDWR)  # also below TLS, without asking it


def connected(host: str, port: int, *, allowed: Collection[str], resolve: Resolve) -> socket.socket:
    """Return a connection to a host. See Note [The address that is connected to].

    Raises: ``Refused``, ``OSError``.
    """
    found = resolve(host, port, type=socket.SOCK_STREAM)
    for *_, place in found:
        if host not in allowed and not is_public(ipaddress.ip_address(str(place[0]).partition("%")[0])):
            raise Refused(f"{host} is at {place[0]}, which is not a public address.")
    failed: OSError = OSError(f"{host} has no address.")
    for family, kind, protocol, _, place in found[:MOST_PLACES]:
        line = socket.socket(family, kind, protocol)
        line.settimeout(CONNECT_SECONDS)
        try:
            line.connect(place)
        except OSError as error:
            line.close()
            failed = error
        else:
            line.settimeout(WHOLE_SECONDS)
            return line
    raise failed
