"""The one address of a running site: whether it can be had, and whether it answers."""

import contextlib
import errno
import http.client
import socket
from dataclasses import dataclass

HIGHEST_PORT = 65_535
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 -- names what it is compared with


class NotFree(Exception):
    """Nobody can listen at the address; the message says why and what to do."""


@dataclass(frozen=True, kw_only=True)
class Address:
    """A host and a port to listen at."""

    host: str
    port: int

    @property
    def url(self) -> str:
        """The address a browser on this machine can use."""
        host = EVERYWHERE.get(self.host, self.host)
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    @property
    def endpoint(self) -> str:
        """The address in the words of Twisted, with a queue that a thousand reconnecting watchers fit into."""
        interface = self.host.replace(":", r"\:")
        return f"tcp:port={self.port}:interface={interface}:backlog=4096"

    def refuse_taken(self) -> None:
        """Refuse an address that the server could not have either.

        Raises: ``NotFree``.
        """
        if not 1 <= self.port <= HIGHEST_PORT:
            raise NotFree(f"--port must be a whole number from 1 to {HIGHEST_PORT}; got {self.port}.")
        try:
            family, kind, protocol, _name, place = socket.getaddrinfo(
                self.host or None, self.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
            with socket.socket(family, kind, protocol) as trial:
                trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                trial.bind(place)
        except OSError as error:
            raise NotFree(self.explain(error)) from error

    def explain(self, error: OSError) -> str:
        if error.errno == errno.EADDRINUSE:
            return (
                f"Port {self.port} on {self.host} is in use, perhaps by another `manage.py up`. "
                f'Choose another one, as in --port {self.port + 1} (make run RUN="--port {self.port + 1}"), '
                "or find who has it: "
                f"`ss -ltnp 'sport = :{self.port}'` or `lsof -i :{self.port}`."
            )
        if error.errno == errno.EACCES:
            return f"Port {self.port} needs the rights of root. Choose one from 1024 on with --port."
        return f"Nobody can listen at {self.host} port {self.port}: {error.strerror}. Choose with --host and --port."

    def answers(self) -> bool:
        """Tell whether a web server answers there, whatever it says."""
        host = EVERYWHERE.get(self.host, self.host)
        with contextlib.closing(http.client.HTTPConnection(host, self.port, timeout=10)) as visitor:
            try:
                visitor.request("GET", "/")
                visitor.getresponse()
            except (OSError, http.client.HTTPException):
                return False
        return True
