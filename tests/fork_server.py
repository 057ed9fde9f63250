"""Servers that have imported what takes long, and fork: what they are asked for begins at once, in its own process.

The server of the libraries has imported nothing of ours and read no settings: its child runs a program as Python itself
would, with an environment of its own; only what Python reads as it starts, as PYTHONHASHSEED, does nothing there. The
server of a stage has loaded everything, for one environment: its child runs a management command or an act. A killed
child dies as any other process does.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, Literal

ROOT = Path(__file__).resolve().parent.parent
LIBRARIES = """
    PIL.ImageFont attr autobahn.twisted.websocket channels.layers croniter cryptography.fernet django.contrib.admin
    django.contrib.admindocs.utils django.contrib.staticfiles.storage django.contrib.syndication.views django.core.cache
    django.core.mail django.core.management django.db.backends.postgresql.base django.db.models django.forms
    django.template.loader django.test.client django.urls django_stubs_ext docutils.parsers.rst.roles environs
    fido2.server inflection jsonschema markdown_it nh3 procrastinate prometheus_client psutil psycopg_pool
    pydantic.json_schema requests snowballstemmer.english_stemmer twisted.web.http uritemplate
    uvicorn.protocols.websockets.websockets_impl whitenoise yaml
"""
"""What a start imports that asks for no settings; Twisted's reactor, which holds files open, is left out."""
MOST = 1 << 20
"""Bytes of a request at most: an environment may be long."""


class Child:
    """A process that a server started, with what a test needs of ``subprocess.Popen``."""

    def __init__(self, server: ForkServer, pid: int) -> None:
        self.server, self.pid = server, pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Say how it ended, or nothing while it lives."""
        return self.returncode

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, if it still lives."""
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def wait(self, timeout: float) -> int:
        with self.server.news:
            if not self.server.news.wait_for(lambda: self.returncode is not None, timeout):
                raise subprocess.TimeoutExpired(str(self.pid), timeout)
        assert self.returncode is not None
        return self.returncode


class ForkServer:
    """The test's side: starts children and hears how they end."""

    def __init__(self, has: Literal["libraries", "everything"], environment: Mapping[str, str]) -> None:
        self.channel, theirs = socket.socketpair()
        words = ["-m", "tests.fork_server", has]
        self.process: subprocess.Popen[bytes] | Child
        with theirs:
            if has == "libraries":
                self.process = subprocess.Popen(
                    [sys.executable, *words], cwd=ROOT, env=dict(environment), stdin=theirs, start_new_session=True
                )
            else:
                self.process = libraries().start(*words, environment=environment, stdin=theirs, err=2)
        self.living: dict[int, Child] = {}
        self.born: list[Child] = []
        self.news, self.asking = threading.Condition(), threading.Lock()
        self.listener = threading.Thread(target=self.listen, daemon=True)
        self.listener.start()

    def listen(self) -> None:
        """Take note of what is said until there is nothing more."""
        with self.channel.makefile() as lines:
            for line in lines:
                report = json.loads(line)
                with self.news:
                    if "born" in report:
                        self.born.append(Child(self, report["born"]))
                        self.living[report["born"]] = self.born[-1]
                    else:  # the number is given again
                        self.living.pop(report["ended"]).returncode = report["code"]
                    self.news.notify_all()

    def start(
        self,
        *words: str,
        environment: Mapping[str, str] | None = None,
        stdin: socket.socket | None = None,
        out: IO[Any] | int | None = None,
        err: IO[Any] | int | None = None,
    ) -> Child:
        """Start a child, which prints nowhere, unless it is said where.

        Shape: ``words`` are, where the server has but libraries, what Python itself would be asked for; else a
        management command, or the module of an act, with its arguments.
        """
        with self.asking, Path(os.devnull).open("r+b") as nowhere:
            noise = 2 if os.environ.get("MOOT_TEST_NOISE") else nowhere
            files = [stdin or nowhere, nowhere if out is None else out, noise if err is None else err]
            descriptors = [file if isinstance(file, int) else file.fileno() for file in files]
            request = json.dumps({"words": words, "environment": environment and dict(environment)}) + "\n"
            socket.send_fds(self.channel, [request.encode()], descriptors)
            with self.news:
                if not self.news.wait_for(lambda: self.born, timeout=180):
                    raise AssertionError("the fork server does not answer")
                return self.born.pop(0)

    def close(self) -> None:
        """End the server; its children are ended by whoever asked for them."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=120)
        self.listener.join(timeout=120)
        self.channel.close()


@functools.cache
def libraries() -> ForkServer:
    """Return the server that has but libraries: there is one for all tests of a process."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    server = ForkServer("libraries", environment)
    atexit.register(server.close)
    return server


def start(*words: str, environment: Mapping[str, str]) -> Child:
    """Start what Python would with these words, in the directory of the project, and with this environment alone."""
    return libraries().start(*words, environment=environment)


def run(*words: str, environment: Mapping[str, str], timeout: float = 600) -> subprocess.CompletedProcess[str]:
    """Run what Python would with these words to its end."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = libraries().start(*words, environment=environment, out=out, err=err)
        try:
            code = child.wait(timeout)
        finally:
            child.send_signal(signal.SIGKILL)
            child.wait(timeout=120)
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(words, code, out.read().decode(), err.read().decode())


# -- the server's own side -------------------------------------------------------------------------------------------


def main() -> None:
    """Load, then fork for each request until there is no more to read."""
    channel = socket.socket(fileno=0)
    has_everything = sys.argv[1] == "everything"
    gc.disable()  # all of this stays
    load_everything() if has_everything else load_libraries()
    gc.freeze()
    gc.enable()
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    while True:
        ready, _, _ = select.select([channel, reading], [], [])
        if reading in ready:
            os.read(reading, 1024)
            bury(channel)
        if channel in ready:
            request, files, _, _ = socket.recv_fds(channel, MOST, 3)
            if not request:
                return
            while not request.endswith(b"\n"):
                request += channel.recv(MOST)
            if pid := os.fork():
                say(channel, born=pid)
                for file in files:
                    os.close(file)
                continue
            channel.detach()
            os.close(reading)
            os.close(writing)
            become_a_process(files)
            live(has_everything=has_everything, **json.loads(request))
            return


def load_libraries() -> None:
    with warnings.catch_warnings(action="ignore"):
        for name in LIBRARIES.split():
            importlib.import_module(name)


def load_everything() -> None:
    """Import what children will need, without opening a connection."""
    import django

    django.setup()
    from judging.management.commands import worker  # noqa: F401
    from scoring import verify  # noqa: F401
    from tests import factories, playing  # noqa: F401
    from tests.crash import call_log, in_database  # noqa: F401
    from tests.judging.formats.open import playing as open_playing  # noqa: F401

    if place := os.environ.get("MOOT_TEST_ASKED"):
        call_log.note(Path(place))


def say(channel: socket.socket, **report: int) -> None:
    channel.sendall((json.dumps(report) + "\n").encode())


def bury(channel: socket.socket) -> None:
    """Tell of every child that has ended."""
    with contextlib.suppress(ChildProcessError):
        while (child := os.waitpid(-1, os.WNOHANG))[0]:
            say(channel, ended=child[0], code=os.waitstatus_to_exitcode(child[1]))


def become_a_process(files: list[int]) -> None:
    """Have a session, signals, inputs and outputs as if it had been started."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)


def live(*, has_everything: bool, words: list[str], environment: Mapping[str, str] | None) -> None:
    if has_everything:
        end_with(words)
    os.environ.clear()
    os.environ.update(environment or {})
    if "COVERAGE_PROCESS_CONFIG" in os.environ:
        import coverage

        coverage.process_startup()
    if words[0] == "-c":
        sys.argv = ["-c", *words[2:]]
        exec(words[1], {"__name__": "__main__"})  # noqa: S102 -- as Python does
    elif words[0] == "-m":
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = words
        runpy.run_path(words[0], run_name="__main__")


def end_with(words: list[str]) -> None:
    """Do one thing where everything is loaded, and end at once."""
    code = 1
    try:
        perform(words)
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except Exception:  # noqa: BLE001 -- a child says what was wrong, whatever it was
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
        os._exit(code)


def perform(words: list[str]) -> None:
    """Do an act, which a module performs, or what ``manage.py`` does with these words."""
    from django.core.management import execute_from_command_line

    if "." in words[0]:
        importlib.import_module(words[0]).perform(*words[1:])
    else:
        execute_from_command_line(["manage.py", *words])


if __name__ == "__main__":
    main()
