"""A process that has loaded everything once and forks: what it is asked for begins at once, as a process of its own.

``python -m tests.crash.fork_server`` reads a line ``{"words": [...], "out": file, "quiet": bool}`` for each child it is
to start, answers with its process id, and says when it has ended. A killed child dies as any other process does.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import select
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parent.parent.parent


class Child:
    """A process that the nursery started, with what a test needs of ``subprocess.Popen``."""

    def __init__(self, nursery: Nursery, pid: int) -> None:
        self.nursery, self.pid = nursery, pid

    @property
    def returncode(self) -> int | None:
        """How it ended, as ``Popen`` says it; nothing while it lives."""
        return self.nursery.ended.get(self.pid)

    def poll(self) -> int | None:
        """Say how it ended, or nothing while it lives."""
        return self.returncode

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, if it still lives."""
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def wait(self, timeout: float) -> int:
        with self.nursery.news:
            if not self.nursery.news.wait_for(lambda: self.returncode is not None, timeout):
                raise subprocess.TimeoutExpired(str(self.pid), timeout)
        assert self.returncode is not None
        return self.returncode


class Nursery:
    """The test's side: starts children and hears how they end."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        command = [sys.executable, "-m", "tests.crash.fork_server"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=dict(environment), stdin=pipe, stdout=pipe, text=True, start_new_session=True
        )
        self.ended: dict[int, int] = {}
        self.born: list[int] = []
        self.news = threading.Condition()
        self.listener = threading.Thread(target=self.listen, daemon=True)
        self.listener.start()

    def listen(self) -> None:
        """Take note of what is said until there is nothing more."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            told = json.loads(line)
            with self.news:
                if "born" in told:
                    self.born.append(told["born"])
                else:
                    self.ended[told["ended"]] = told["code"]
                self.news.notify_all()

    def start(self, *words: str, out: str = os.devnull, with_log: bool = False) -> Child:
        """Start a child: a management command, or an act; what it prints goes to a file, and without one nowhere.

        With its log, standard error goes there too.
        """
        assert self.process.stdin is not None
        quiet = with_log or (out == os.devnull and not os.environ.get("MOOT_TEST_NOISE"))
        self.process.stdin.write(json.dumps({"words": words, "out": out, "quiet": quiet}) + "\n")
        self.process.stdin.flush()
        with self.news:
            if not self.news.wait_for(lambda: self.born, timeout=180):
                raise AssertionError("the nursery does not answer")
            return Child(self, self.born.pop(0))

    def close(self) -> None:
        """End the nursery; its children are ended by whoever asked for them."""
        self.process.kill()
        self.process.wait(timeout=120)
        self.listener.join(timeout=120)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()


# -- the nursery's own side ------------------------------------------------------------------------------------------


def main() -> None:
    """Load everything, then fork for each line until there is no more to read."""
    load()
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    waiting = b""
    while True:
        ready, _, _ = select.select([0, reading], [], [])
        if reading in ready:
            os.read(reading, 1024)
            bury()
        if 0 in ready:
            read = os.read(0, 65536)
            if not read:
                return
            *lines, waiting = (waiting + read).split(b"\n")
            for line in lines:
                fork(json.loads(line))


def load() -> None:
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


def say(**told: int) -> None:
    os.write(1, (json.dumps(told) + "\n").encode())


def bury() -> None:
    """Tell of every child that has ended."""
    with contextlib.suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            say(ended=found[0], code=os.waitstatus_to_exitcode(found[1]))


def fork(wanted: Mapping[str, Any]) -> None:
    """Start one child and say who it is."""
    pid = os.fork()
    if pid:
        say(born=pid)
    else:
        live(wanted["words"], wanted["out"], quiet=wanted["quiet"])


def live(words: list[str], out: str, *, quiet: bool) -> NoReturn:
    """Be a process of its own: a session, signals and outputs as if it had been started, and one command."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 1)
    if quiet:
        os.dup2(1, 2)
    code = 1
    try:
        run(words)
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except Exception:  # noqa: BLE001 -- a child says what was wrong, whatever it was
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
        os._exit(code)


def run(words: list[str]) -> None:
    """Do an act, which a module performs, or what ``manage.py`` does with these words."""
    from django.core.management import execute_from_command_line

    if "." in words[0]:
        importlib.import_module(words[0]).perform(*words[1:])
    else:
        execute_from_command_line(["manage.py", *words])


if __name__ == "__main__":
    main()
