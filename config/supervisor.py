"""Keeps a few Python programs running and ends them together. Knows nothing of Django, databases or debates."""

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, TracebackType
from typing import Self

from config.parent_watch import GRACE

FIRST_DELAY = 0.5
LONGEST_DELAY = 30.0
STEADY_AFTER = 30.0
TICK = 0.2


class Stopped(Exception):
    """Somebody asked for the end while something was waited for."""


@dataclass(frozen=True, kw_only=True)
class Program:
    """A program to run: ``arguments`` are those of the Python interpreter, a file or ``-m`` and a module first."""

    name: str
    arguments: Sequence[str]


@dataclass(kw_only=True)
class Child:
    """A program that shall run for as long as the supervisor does."""

    program: Program
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    due: float = 0.0
    deaths: int = 0

    def delay(self, *, now: float) -> float:
        """Note that it ended, and return for how many seconds to leave it: longer each time it ends young."""
        self.deaths = 1 if now - self.started > STEADY_AFTER else self.deaths + 1
        doubled: int = 2 ** min(self.deaths - 1, 10)
        return min(LONGEST_DELAY, FIRST_DELAY * doubled)


@dataclass(kw_only=True)
class Watch:
    """Something to look after, every so many seconds."""

    look: Callable[[], None]
    every: float
    due: float = 0.0


@dataclass(kw_only=True)
class Supervisor:
    """Runs children, restarts those that end, and ends all on SIGINT, SIGTERM or SIGHUP; a second one kills at once.

    Children are in sessions of their own, so that Ctrl-C in the terminal reaches the supervisor alone, and on a leash,
    so that they do not outlive it when it is killed. To be used as a context manager, in the main thread.
    """

    say: Callable[[str], None]
    directory: Path
    grace: float = GRACE
    signals: int = 0
    _children: list[Child] = field(default_factory=list)
    _watches: list[Watch] = field(default_factory=list)
    _interruptible: bool = False

    def __enter__(self) -> Self:
        self._hold, self._leash = os.pipe()[::-1]
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self._old_wake = signal.set_wakeup_fd(self._wake_write, warn_on_full_buffer=False)
        heard = [signal.SIGINT, signal.SIGTERM]
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup asked to survive the terminal
            heard.append(signal.SIGHUP)
        self._old = {number: signal.signal(number, self._hear) for number in heard}
        self._old[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, lambda *_: None)  # only to wake us
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()
        for number, handler in self._old.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._old_wake)
        for descriptor in (self._hold, self._leash, self._wake_read, self._wake_write):
            os.close(descriptor)

    @property
    def stopping(self) -> bool:
        return self.signals > 0

    def add(self, program: Program) -> None:
        self._children.append(Child(program=program))

    def watch(self, look: Callable[[], None], *, every: float) -> None:
        """Have ``look`` called while ``run`` runs, about every so many seconds."""
        self._watches.append(Watch(look=look, every=every))

    def once(self, program: Program) -> int:
        """Run a program to its end and return its exit status.

        Raises: ``Stopped`` if the end was asked for meanwhile; the program has been ended then.
        """
        child = Child(program=program)
        self._children.append(child)
        child.process = self._start(program)
        while child.process.poll() is None and not self.stopping:
            self._pause(TICK)
        if self.stopping:
            raise Stopped
        self._children.remove(child)
        return child.process.returncode

    def run(self) -> None:
        """Keep everything running until the end is asked for, then end it all."""
        with contextlib.suppress(Stopped):
            while not self.stopping:
                for child in self._children:
                    self._tend(child)
                for watch in self._watches:
                    self._look(watch)
                self._pause(TICK)
        self.end()

    def end(self) -> None:
        """End all children: SIGTERM, a grace, SIGKILL for what is left."""
        for child in self._children:
            if child.process is not None and child.process.poll() is None:
                child.process.terminate()
        deadline = time.monotonic() + self.grace
        while self._living() and time.monotonic() < deadline:
            self._pause(TICK)
        for child in self._living():
            self.say(f"{child.program.name} did not end within {self.grace:g} s and was killed.")
        self._kill()
        self._children.clear()

    @contextlib.contextmanager
    def interruptible(self) -> Iterator[None]:
        """Let the wish to end break off what is done in here.

        Raises: ``Stopped``.
        """
        if self.stopping:
            raise Stopped
        self._interruptible = True
        try:
            yield
        finally:
            self._interruptible = False

    def _hear(self, _number: int, _frame: FrameType | None) -> None:
        self.signals += 1
        if self.signals > 2:
            os._exit(1)  # somebody insists
        if self.signals == 2:
            self._kill(wait=False)
        if self._interruptible:
            self._interruptible = False
            raise Stopped

    def _start(self, program: Program) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "config.parent_watch", str(self._leash), *program.arguments]
        return subprocess.Popen(  # noqa: S603 -- our own programs
            command,
            cwd=self.directory,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            pass_fds=[self._leash],
            start_new_session=True,
        )

    def _tend(self, child: Child) -> None:
        now = time.monotonic()
        if child.process is not None and child.process.poll() is not None:
            delay = child.delay(now=now)
            self.say(f"{child.program.name} {how_it_ended(child.process.returncode)}; again in {delay:g} s.")
            child.process, child.due = None, now + delay
        if child.process is None and now >= child.due:
            child.process, child.started = self._start(child.program), now

    def _look(self, watch: Watch) -> None:
        if time.monotonic() >= watch.due and not self.stopping:
            watch.look()
            watch.due = time.monotonic() + watch.every

    def _living(self) -> list[Child]:
        return [child for child in self._children if child.process is not None and child.process.poll() is None]

    def _kill(self, *, wait: bool = True) -> None:
        """Kill what lives, with its own children; its group is still its own, because it has not been reaped."""
        for child in self._living():
            assert child.process is not None  # noqa: S101 -- for the type checker
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(child.process.pid, signal.SIGKILL)
            if wait:
                child.process.wait()

    def _pause(self, seconds: float) -> None:
        """Wait, but not longer than until the next signal, a child's end included."""
        if select.select([self._wake_read], [], [], seconds)[0]:
            with contextlib.suppress(BlockingIOError):
                os.read(self._wake_read, 1024)


def how_it_ended(status: int) -> str:
    if status < 0:
        return f"was ended by {signal.Signals(-status).name}"
    return f"ended with status {status}"
