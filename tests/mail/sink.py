"""A mail server on loopback that keeps what it is handed; what it answers can be chosen."""

import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage


class Sink:
    """Keeps (recipient, message) of each mail. ``answers`` is what it says to a command, by its first word.

    Taking a mail takes ``seconds``; ``look`` is called meanwhile.
    """

    HANGS_UP = ""

    def __init__(self, *, port: int = 0, seconds: float = 0) -> None:
        self.mails: list[tuple[str, EmailMessage]] = []
        self.answers: dict[str, str] = {}
        self.commands: list[str] = []
        self.connections = 0
        self.seconds = seconds
        self.look: Callable[[], object] = lambda: None
        sink = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                sink.connections += 1
                sink.converse(self)

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True

        self.server = Server(("127.0.0.1", port), Handler)
        self.port = self.server.server_address[1]
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02})
        self.thread.start()

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    def converse(self, line: socketserver.StreamRequestHandler) -> None:
        """Speak SMTP until the other side has enough."""

        def say(text: str) -> None:
            line.wfile.write(f"{text}\r\n".encode())

        say("220 sink")
        recipient, begun = "", False
        while command := line.rfile.readline().decode().strip():
            word = command.split()[0].upper()
            nested = word == "MAIL" and begun
            answer = "503 nested MAIL command" if nested else self.answers.get(word, "250 ok")
            if word == "QUIT":
                return say("221 bye")
            self.commands.append(command)
            begun = word != "RSET" and (begun or word == "MAIL")
            if word == "RCPT":
                recipient = command.partition("<")[2].partition(">")[0]
            if word == "DATA" and answer == "250 ok":
                say("354 go on")
                if not self.take(recipient, line):
                    return None
                self.look()
                time.sleep(self.seconds)
                answer, begun = self.answers.get(".", "250 taken"), False
            if answer == self.HANGS_UP:
                return None
            say(answer)
        return None

    def take(self, recipient: str, line: socketserver.StreamRequestHandler) -> bool:
        """Read a mail to its end and keep it; say whether it came whole."""
        lines = []
        while (text := line.rfile.readline()) != b".\r\n":
            if not text.endswith(b"\r\n"):
                return False
            lines.append(text.removeprefix(b".") if text.startswith(b"..") else text)
        message = message_from_bytes(b"".join(lines), policy=policy.default)
        if "." not in self.answers:
            self.mails.append((recipient, message))
        return True

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@contextmanager
def sinking(**options: object) -> Iterator[Sink]:
    """Run a sink, and end it."""
    sink = Sink(**options)  # type: ignore[arg-type]
    try:
        yield sink
    finally:
        sink.close()
