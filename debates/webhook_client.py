"""Sending deliveries to an address that somebody gave us: no private address, no redirect, little time.

# Note [The address that is connected to]
A name is looked up once, the answer is checked, and the connection is made to that very answer; the name is not looked
up again while the connection lasts. So a name that points elsewhere a moment later leads nowhere.
"""

import http.client
import io
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Self
from urllib.parse import SplitResult, urlsplit

from debates.printable import visible

CONNECT_SECONDS = 5
WHOLE_SECONDS = 15
MOST_PLACES = 3
LONGEST_ANSWER = 64 * 1024
LONGEST_READ = 8 * LONGEST_ANSWER
"""Bytes of an answer on the line: its body, and all that may frame it. A chunk of one byte takes six."""
LONGEST_PROBLEM = 200
GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")
TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
SPECIAL = tuple(
    ipaddress.ip_network(network)
    for network in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3ffe::/16", "3fff::/20",
    )
)  # fmt: skip
"""What is not of the open internet within IPv4 and GLOBAL_UNICAST. Source: IANA's registries of special-purpose
addresses; its exceptions for anycast services are not made, and tunnels (6to4, Teredo) lead nobody knows where."""
Resolve = Callable[..., list[Any]]
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


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
    if not host or parts.username is not None or not all("!" <= character <= "~" for character in url):
        raise Refused("An address is https://host/path, in ASCII, without a name or password in it.")
    if parts.scheme != "https" and not (parts.scheme == "http" and host in allowed):
        raise Refused("Only https is sent to.")
    with suppress(ValueError):
        if host not in allowed and not is_public(ipaddress.ip_address(host)):
            raise Refused(f"{host} is not a public address.")
    return parts


def is_public(address: Address) -> bool:
    """Say whether an address is one of the open internet, also where an IPv4 address is written as one of IPv6."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped
        if address in TRANSLATED:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
        if address not in GLOBAL_UNICAST:
            return False
    return not any(address in network for network in SPECIAL)


class Receiver:
    """Whoever listens at an address: spoken to over one connection for as long as both ends keep it."""

    def __init__(self, *, url: str, allowed: Collection[str], resolve: Resolve = socket.getaddrinfo) -> None:
        self._url, self._allowed, self._resolve = url, allowed, resolve
        self._connection: Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def post(self, *, body: bytes, headers: Mapping[str, str]) -> Answer:
        """POST a body and return what came back. An answer that is not whole within ``WHOLE_SECONDS`` is none."""
        begun = time.monotonic()
        try:
            status, problem = self._post(body, headers, until=begun + WHOLE_SECONDS), ""
        except (Refused, OSError, http.client.HTTPException, ValueError) as error:
            self._close()
            status, problem = None, visible(f"{type(error).__name__}: {error}")[:LONGEST_PROBLEM]
        milliseconds = round((time.monotonic() - begun) * 1000)
        if status is not None and not 200 <= status < 300:
            problem = "redirects are not followed" if 300 <= status < 400 else f"answered {status}"
        return Answer(status, milliseconds, problem)

    def _post(self, body: bytes, headers: Mapping[str, str], *, until: float) -> int:
        if self._connection is not None and self._connection.sock is not None:
            try:
                return self._connection.post(body, headers, until=until)
            except ConnectionError:  # closed while nothing was said: once more
                self._close()
        if self._connection is None:
            self._connection = Connection(target(self._url, allowed=self._allowed), self._allowed, self._resolve)
        return self._connection.post(body, headers, until=until)

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class Connection(http.client.HTTPConnection):
    """A connection to where a name led when it was looked at. See Note [The address that is connected to]."""

    def __init__(self, parts: SplitResult, allowed: Collection[str], resolve: Resolve) -> None:
        self.default_port = 443 if parts.scheme == "https" else 80
        super().__init__(str(parts.hostname), parts.port or self.default_port)
        self._parts, self._allowed, self._resolve = parts, allowed, resolve
        self._until = 0.0

    def connect(self) -> None:
        """Connect; the parent asks for it whenever there is no connection."""
        line = connected(
            self.host, self.port, allowed=self._allowed, resolve=self._resolve, left=lambda: left(self._until)
        )
        try:
            if self._parts.scheme == "https":
                line = trust().wrap_socket(line, server_hostname=self.host, do_handshake_on_connect=False)
                line.settimeout(left(self._until))
                line.do_handshake()
        except BaseException:
            line.close()
            raise
        self.sock = Timed(line, left=lambda: left(self._until))

    def post(self, body: bytes, headers: Mapping[str, str], *, until: float) -> int:
        """POST a body and return the status of the answer, once it is whole.

        Raises: ``Refused``, ``OSError``, ``http.client.HTTPException``.
        """
        self._until = until
        where = (self._parts.path or "/") + (f"?{self._parts.query}" if self._parts.query else "")
        self.request("POST", where, body, {"Content-Type": "application/json", "User-Agent": "Moot", **headers})
        with self.getresponse() as response:
            try:
                read_whole(response)
            except ConnectionError as error:  # it was heard: whoever sends again at once tells it twice
                raise http.client.IncompleteRead(b"") from error
            if not response.isclosed() or is_followed_by_words(response):  # longer than anybody reads
                self.close()
            return response.status


def read_whole(response: http.client.HTTPResponse) -> None:
    """Read an answer to its end, or as much as anybody reads; what a receiver says before it, by 102 or 103, is none.

    Raises: ``OSError``, ``http.client.HTTPException``.
    """
    while HTTPStatus.SWITCHING_PROTOCOLS < response.status < HTTPStatus.OK:
        response.headers = None  # type: ignore[assignment]  # so that the next is read
        response.begin()
    if response.fp.raw.ended:  # type: ignore[attr-defined]  # a TimedReading; an end is no end of the headers
        raise http.client.IncompleteRead(b"")
    part = response.read(LONGEST_ANSWER)
    if response.length and len(part) < LONGEST_ANSWER:
        raise http.client.IncompleteRead(part, response.length)


def is_followed_by_words(response: http.client.HTTPResponse) -> bool:
    """Say whether an answer that has no body is followed by something that would be read as the next answer."""
    if response.status in {HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED}:
        return bool(response.getheader("Transfer-Encoding") or response.getheader("Content-Length", "0") != "0")
    return response.status == HTTPStatus.SWITCHING_PROTOCOLS


class Timed:
    """A socket, as ``http.client`` uses one, that is used until a moment and no longer, however slowly the other drips.

    Shape: ``left`` returns the seconds that are left.
    """

    def __init__(self, line: socket.socket, *, left: Callable[[], float]) -> None:
        self._line, self._left = line, left

    def sendall(self, data: bytes) -> None:
        self._line.settimeout(self._left())
        self._line.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        """Return what is read from; it keeps the socket open until it is closed itself."""
        return io.BufferedReader(TimedReading(self._line, self._left))

    def close(self) -> None:
        """Close it once nobody reads any more."""
        self._line.close()


class TimedReading(io.RawIOBase):
    """What is read of one answer from a socket: until a moment and no longer, and no more than ``LONGEST_READ`` bytes.

    ``http.client`` alone has no such bound: a chunk of the size -1 is all that comes, trailers and 1xx never end.
    """

    def __init__(self, line: socket.socket, left: Callable[[], float]) -> None:
        super().__init__()
        self._line, self._left, self._source = line, left, line.makefile("rb", buffering=0)
        self.ended, self._most = False, LONGEST_READ

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._line.settimeout(self._left())
        count: int | None = self._source.readinto(buffer)
        self.ended = count == 0
        self._most -= count or 0
        if self._most < 0:
            raise http.client.HTTPException(f"an answer of more than {LONGEST_READ} bytes")
        return count

    def close(self) -> None:
        self._source.close()
        super().close()


def left(until: float) -> float:
    """Return the seconds until a moment.

    Raises: ``TimeoutError`` when it is over.
    """
    seconds = until - time.monotonic()
    if seconds <= 0:
        raise TimeoutError(f"no whole answer in {WHOLE_SECONDS} seconds")
    return seconds


@lru_cache(maxsize=1)
def trust() -> ssl.SSLContext:
    """Return whom TLS trusts; read once, for it takes longer than a delivery."""
    return ssl.create_default_context()


def connected(
    host: str, port: int, *, allowed: Collection[str], resolve: Resolve, left: Callable[[], float]
) -> socket.socket:
    """Return a connection to a host. See Note [The address that is connected to].

    Raises: ``Refused``, ``OSError``.
    """
    addresses = looked_up(host, port, resolve=resolve, left=left)
    places = [place for *_, place in addresses]
    if host not in allowed and not all(is_public(ipaddress.ip_address(str(p[0]).partition("%")[0])) for p in places):
        raise Refused(f"{host} has an address that is not public.")
    failed: OSError = OSError(f"{host} has no address.")
    for family, kind, protocol, _, place in addresses[:MOST_PLACES]:
        line = socket.socket(family, kind, protocol)
        try:
            line.settimeout(min(CONNECT_SECONDS, left()))
            line.connect(place)
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else a body waits for the head's receipt
        except OSError as error:
            line.close()
            failed = error
        else:
            return line
    raise failed


def looked_up(host: str, port: int, *, resolve: Resolve, left: Callable[[], float]) -> list[Any]:
    """Return where a name leads. Nothing ends a look-up: one that takes longer is left to itself.

    Raises: ``OSError``, ``ValueError``.
    """
    answer: Future[list[Any]] = Future()

    def look() -> None:
        try:
            answer.set_result(resolve(host, port, type=socket.SOCK_STREAM))
        except Exception as error:  # noqa: BLE001  # it is raised where it is awaited
            answer.set_exception(error)

    try:
        threading.Thread(target=look, daemon=True).start()
    except RuntimeError as error:
        raise OSError(str(error)) from error
    wait([answer], timeout=left())
    left()
    return answer.result(timeout=0)
