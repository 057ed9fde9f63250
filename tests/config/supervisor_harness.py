"""A supervisor process of the test's own, with small scripts for children that note what happens to them."""

import contextlib
import signal
import subprocess
import sys
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]

PREAMBLE = """
import os, pathlib, signal, sys, time
note = pathlib.Path(__file__).with_suffix(".notes")
def write(word):
    with note.open("a") as file:
        file.write(f"{word}\\n")
"""


class Supervised:
    """A supervisor process, and what its children noted."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.process: subprocess.Popen[str] | None = None
        self.scripts: list[str] = []

    def script(self, name: str, body: str, *, once: bool = False) -> None:
        file = self.directory / f"{name}.py"
        file.write_text(PREAMBLE + body)
        self.scripts.append(f"{'once:' if once else ''}{file}")

    def start(self, *, grace: float = 20, **options: object) -> None:
        command = [sys.executable, "-m", "tests.config.supervisor_process", str(grace), *self.scripts]
        # Whoever runs the tests under nohup passes on that a closed terminal is ignored.
        options.setdefault("preexec_fn", lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))
        self.process = subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True, **options)

    def noted(self, name: str) -> list[str]:
        """Return what a child has noted so far."""
        with contextlib.suppress(FileNotFoundError):
            return (self.directory / f"{name}.notes").read_text().split()
        return []

    def notes(self, name: str, *, at_least: int = 1) -> list[str]:
        """Wait for so many notes of a child, and return them."""
        assert self.process is not None
        while len(words := self.noted(name)) < at_least:
            assert self.process.poll() is None, f"the supervisor has ended; {name} noted {words}"
            time.sleep(0.01)
        return words

    def send(self, number: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def finish(self) -> tuple[int, list[str]]:
        assert self.process is not None
        said, _ = self.process.communicate(timeout=120)
        return self.process.returncode, said.splitlines()
