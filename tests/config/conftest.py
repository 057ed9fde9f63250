"""Clusters and their users, as processes of their own."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import postgres

PROJECT = Path(__file__).resolve().parents[2]


class User:
    """A process that holds a lease on a cluster."""

    def __init__(self, root: Path, *arguments: str) -> None:
        command = [sys.executable, "-m", "tests.config.cluster_user", str(root), *arguments]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, cwd=PROJECT, text=True, stdin=pipe, stdout=pipe, stderr=pipe, process_group=0
        )

    def ready(self) -> int:
        """Wait until it has its cluster, and return the user id it runs with."""
        assert self.process.stdout is not None
        words = self.process.stdout.readline().split()
        assert words[:1] == ["ready"], self.process.stderr and self.process.stderr.read()
        return int(words[1])

    def release(self) -> None:
        """Let it give its lease back and end."""
        self.process.communicate("release\n", timeout=120)

    def kill(self, number: signal.Signals = signal.SIGKILL) -> None:
        """End it by a signal and wait until it is gone."""
        self.process.send_signal(number)
        self.process.communicate(timeout=120)


@pytest.fixture
def use() -> Iterator[Callable[..., User]]:
    """Start users that are gone when the test is."""
    users: list[User] = []

    def start(root: Path, *arguments: str) -> User:
        users.append(User(root, *arguments))
        return users[-1]

    yield start
    for user in users:
        with contextlib.suppress(ValueError):  # its pipes are closed: it has ended
            user.kill()


@pytest.fixture(scope="session")
def shared_root() -> Iterator[Path]:
    """The root of a cluster, made once."""
    with postgres.short_directory() as directory:
        root = directory / "pg"
        with postgres.throwaway_cluster(root=root):
            pass
        yield root


@pytest.fixture
def stopped(shared_root: Path) -> Iterator[postgres.Throwaway]:
    """A stopped cluster that the test leaves whole; it is stopped again afterwards."""
    throwaway = postgres.Throwaway(shared_root)
    yield throwaway
    throwaway.stop()


@pytest.fixture
def root(stopped: postgres.Throwaway) -> Path:
    """The root of that cluster."""
    return stopped.root


@pytest.fixture
def to_spoil(shared_root: Path) -> Iterator[postgres.Throwaway]:
    with postgres.short_directory() as directory:
        throwaway = postgres.Throwaway(directory / "pg")
        subprocess.run(["cp", "-a", str(shared_root), str(throwaway.root)], check=True)
        try:
            yield throwaway
        finally:
            throwaway.stop()


@pytest.fixture
def own_account() -> str:
    """The name of an account that is not root: ours, or for root one that has nothing to do with Moot."""
    return "nobody" if os.geteuid() == 0 else ""
