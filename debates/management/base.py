"""What every command of ours is made from: what it writes shows words of others and never obeys them."""

import argparse
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Any, NoReturn, TextIO, cast

from django.contrib.auth.models import User
from django.core.checks import Tags
from django.core.management import base
from django.core.management.base import CommandError, OutputWrapper

from debates.errors import DomainError, NotFound
from debates.printable import printable

INTERRUPTED = 130
NOT_READ = 141
"""The exit status where whoever was to read what is written has gone: as a shell counts the signal that tells of it."""


class Unwritten(Exception):
    """What a command has to say could not be written; what it did is done, and its message says what is not."""


class PrintableWrapper(OutputWrapper):
    """A stream that escapes what a terminal would act upon; a style of ours is put around it afterwards."""

    def write(  # type: ignore[override]  # as Django's own does
        self, msg: str = "", style_func: Any = None, ending: str | None = None
    ) -> None:
        try:
            super().write(printable(str(msg)), style_func, ending)
        except OSError as error:
            raise Unwritten from error

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            raise Unwritten from error


class BaseCommand(base.BaseCommand):
    """A command that writes what is printable, whoever calls it and wherever it writes to; refusals end it in words."""

    requires_system_checks: list[str] | tuple[str, ...] = [Tags.files]
    """What settings name; ``check`` and ``migrate`` look at all addresses and models too, which takes a while."""

    refused = 1
    """The exit status of a refusal."""

    def run_from_argv(self, argv: list[str]) -> None:
        first: Unwritten | None = None  # later on what is left of the words cannot be written either
        try:
            try:
                super().run_from_argv(argv)
            except Unwritten as error:
                first = error
                raise
            finally:
                self.stdout.flush()
        except Unwritten as error:
            first = first or error
            _end_unwritten(first.__cause__, undone=str(first))

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except DomainError as refusal:
            raise CommandError(refusal.message, returncode=self.refused) from refusal
        except KeyboardInterrupt as interrupt:
            raise CommandError("Interrupted.", returncode=INTERRUPTED) from interrupt

    def __setattr__(self, name: str, value: Any) -> None:
        if name in {"stdout", "stderr"}:
            value = wrapped(value)
        super().__setattr__(name, value)


def _end_unwritten(why: BaseException | None, *, undone: str) -> NoReturn:
    """End without a verdict: the statuses that a command has for one would be taken for what it found."""
    gone = isinstance(why, BrokenPipeError)
    with suppress(OSError):
        if not gone and isinstance(why, OSError):
            sys.stderr.write(f"What it has to say cannot be written: {why.strerror}.\n")
        sys.stderr.write(f"{undone}\n" if undone else "")
    for stream in (sys.stdout, sys.stderr):  # else what is left in them is tried once more at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(NOT_READ if gone else os.EX_IOERR)


def person(username: str) -> User:
    user = User.objects.filter(username=username).first()
    if user is None:
        raise NotFound(f"There is nobody called {username!r}.")
    return user


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """Return what reads the value of an option that is a whole number of a range; both ends belong to it."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
            raise argparse.ArgumentTypeError(f"must be a whole number from {low} to {high}; got {text}")
        return int(text)

    return read


def wrapped(stream: OutputWrapper) -> PrintableWrapper:
    out = cast("TextIO", stream._out)  # noqa: SLF001 -- it has no other name
    printable_stream = PrintableWrapper(out, ending=stream.ending)
    printable_stream.style_func = stream.style_func
    return printable_stream


def write_new(path: Path, text: str) -> None:
    """Write a file that is kept; it appears whole or not at all.

    Raises: ``CommandError`` with status 2 where there is one of that name, or it cannot be written.
    """
    try:
        write_whole(path, f"{text}\n")
    except FileExistsError as error:
        message = f"{path} is there already, and what was kept is never overwritten. Name a new file."
        raise CommandError(message, returncode=2) from error
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.", returncode=2) from error


def write_whole(path: Path, text: str, *, replaces: bool = False) -> None:
    """Write a file that appears whole, and stays, or not at all, if need be in the place of another.

    Raises: ``FileExistsError``, ``OSError``.
    """
    if path.exists() and not replaces:
        raise FileExistsError
    aside = path.with_name(f".{path.name}.{token_hex(8)}")
    file = aside.open("x", encoding="utf-8", newline="\n")
    try:
        with file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if replaces or not _linked(aside, path):
            aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
    with suppress(OSError):  # not every file system keeps its directories at once
        directory = os.open(path.parent, os.O_RDONLY)
        os.fsync(directory)
        os.close(directory)


def _linked(aside: Path, path: Path) -> bool:
    try:
        os.link(aside, path)
    except OSError:  # it is taken by now, or no file has two names there, as on a stick
        if path.exists():
            raise FileExistsError from None
        return False
    return True
