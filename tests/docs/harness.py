"""Where the commands of the documentation are run as they stand there: a directory that looks like the project."""

import os
import pty
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from config.embedded import binaries
from tests.docs import blocks
from tests.docs.not_run import LEFT_OUT
from tests.environment import plain
from tests.project.source_files import ROOT, files, text

PATIENCE = 240.0
BEFORE = '. "$STAGE/.shell"\nset -aeuo pipefail\n'
STEP = BEFORE + '{}\nexport -p > "$STAGE/.shell"\n'

Words = Mapping[str, str | Callable[[], str]]
Ready = Callable[[str], bool]
Answers = Sequence[tuple[str, str]]
Found = TypeVar("Found")


class Stage:
    """A directory with everything of the project in it, a virtual environment that is made, and data of its own."""

    def __init__(self, directory: Path, **environment: str) -> None:
        self.directory = directory
        self.servers: dict[str, Server] = {}
        for name in {file.relative_to(ROOT).parts[0] for file in files()} - {"deploy"}:
            directory.joinpath(name).symlink_to(ROOT / name)
        shutil.copytree(ROOT / "deploy", directory / "deploy")  # a page has its reader write there
        make_environment(directory / ".venv")
        self.shell = directory / ".shell"
        self.shell.touch()
        kept = plain()
        programs = [str(directory / ".venv" / "bin"), str(binaries.installed()), kept["PATH"]]
        self.environment = {**kept, "PATH": os.pathsep.join(programs), "STAGE": str(directory), **environment}
        self.environment |= {"MOOT_DATA_DIR": str(directory / "data"), "PYTHONUNBUFFERED": "1"}

    def follow(
        self,
        page: str,
        *,
        words: Words | None = None,
        before: Mapping[str, Callable[[], object]] | None = None,
        servers: Mapping[str, Ready] | None = None,
        answers: Mapping[str, Answers] | None = None,
        stdin: Mapping[str, str] | None = None,
        ends: Mapping[str, Sequence[int]] | None = None,
    ) -> dict[str, str]:
        """Run every command of a page in order, in one shell, but for those that are left out for a reason.

        Shape: ``words`` are what the page cannot know, with what stands for them here, found when it is needed;
        ``before`` is done before a command that begins so; ``servers`` begin commands that go on until the stage ends,
        with what tells from what they say that they run; ``answers`` are questions of a command with what is typed;
        ``stdin`` is what a command is fed; ``ends`` are exit statuses that a page promises beside 0. The result is each
        command with what it said.
        """
        self.shell.write_text("")
        told = {}
        for command in wanted(page):
            for ready in matching(before or {}, command):
                ready()
            line = replaced(command, words or {})
            if servers and (ready := next(matching(servers, command), None)):
                self.servers[command] = Server(self, line, ready=ready)
            elif typed := next(matching(answers or {}, command), None):
                told[command] = self.converse(line, typed)
            else:
                promised = next(matching(ends or {}, command), (0,))
                told[command] = self.run(line, next(matching(stdin or {}, command), ""), ends=promised)
        return told

    def run(self, command: str, stdin: str = "", *, ends: Sequence[int] = (0,)) -> str:
        """Run a command to its end, with what earlier ones exported; return what it said on both channels.

        Raises: ``AssertionError`` with all of it, where the command fails.
        """
        ran = subprocess.run(
            ["bash", "-c", STEP.format(command)],
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=PATIENCE,
            check=False,
            **self.place,
        )
        assert ran.returncode in ends, f"{command}\nended with {ran.returncode}:\n{ran.stdout}"
        return ran.stdout

    @property
    def place(self) -> dict[str, object]:
        """Return how every process here is started."""
        return {"cwd": self.directory, "env": self.environment, "text": True, "start_new_session": True}

    def converse(self, command: str, answers: Answers) -> str:
        """Run a command at a terminal, and type an answer to each question once it has been asked."""
        ours, theirs = pty.openpty()
        script = ["bash", "-c", STEP.format(command)]
        process = subprocess.Popen(script, stdin=theirs, stdout=theirs, stderr=theirs, **self.place)
        os.close(theirs)
        said = ""
        try:
            for question, answer in answers:
                said += heard(ours, until=question)
                os.write(ours, f"{answer}\n".encode())
            said += heard(ours)
            assert process.wait(timeout=PATIENCE) == 0, f"{command}\n{said}"
        finally:
            process.kill()
            process.wait()
            os.close(ours)
        return said

    def end(self, number: signal.Signals = signal.SIGTERM) -> list[int]:
        """End the servers that run, and return their exit statuses."""
        ended = [server.end(number) for server in self.servers.values()]
        self.servers.clear()
        return ended


class Server:
    """A command that goes on, and what it has said."""

    def __init__(self, stage: Stage, command: str, *, ready: Ready) -> None:
        self.file = stage.directory / f".server-{len(stage.servers)}"
        with self.file.open("w") as out:
            script = ["bash", "-c", f"{BEFORE}exec {command}"]
            self.process = subprocess.Popen(script, stdout=out, stderr=subprocess.STDOUT, **stage.place)
        deadline = time.monotonic() + PATIENCE
        while not ready(self.said):
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.end(signal.SIGTERM)
                raise AssertionError(f"{command}\nis not ready; it said:\n{self.said}")
            time.sleep(0.1)

    @property
    def said(self) -> str:
        return self.file.read_text()

    def end(self, number: signal.Signals) -> int:
        """Send a signal to the whole command, as a terminal does, and return its exit status."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, number)
        return self.process.wait(timeout=120)


def wanted(page: str) -> list[str]:
    """Return the commands of a page that are run."""
    return [one for one in blocks.commands(page) if not one.startswith(tuple(LEFT_OUT.get(page, {})))]


def matching(table: Mapping[str, Found], command: str) -> Iterator[Found]:
    """Yield what a table of beginnings of commands has for this one."""
    return (found for begin, found in table.items() if command.startswith(begin))


def says(words: str) -> Ready:
    """Tell from what a server says that it runs: it says this."""
    return lambda said: words in said


def answers_at(port: int) -> Ready:
    """Tell from its port that a server runs."""

    def answers(_said: str) -> bool:
        with socket.socket() as visitor:
            return visitor.connect_ex(("127.0.0.1", port)) == 0

    return answers


def make_environment(directory: Path) -> None:
    """Let ``.venv`` be the environment that runs this test, with notes that say that everything is installed."""
    directory.mkdir()
    for name in ("bin", "lib", "include", "pyvenv.cfg"):
        directory.joinpath(name).symlink_to(Path(sys.prefix) / name)
    directory.joinpath(".made").touch()
    pinned = ""
    for note, pins in ((".runtime", ""), (".llm", "-llm"), (".development", "-dev")):
        pinned += text(ROOT / f"requirements{pins}.txt")
        directory.joinpath(note).write_text(pinned)


def replaced(command: str, words: Words) -> str:
    """Return a command with what stands here for what a page cannot know."""
    for word, meant in words.items():
        if word in command:
            command = command.replace(word, meant if isinstance(meant, str) else meant())
    return command


def heard(terminal: int, *, until: str | None = None) -> str:
    """Read from a terminal until some words were said, or to the end."""
    said, deadline = "", time.monotonic() + PATIENCE
    while until is None or until not in said:
        ready, _, _ = select.select([terminal], [], [], max(0.0, deadline - time.monotonic()))
        assert ready, f"nobody says {until!r} but {said!r}"
        try:
            found = os.read(terminal, 65536)
        except OSError:  # the other end was closed: that is how a terminal of Linux says so
            found = b""
        if not found:
            assert until is None, f"nobody says {until!r} but {said!r}"
            break
        said += found.decode(errors="replace")
    return said
