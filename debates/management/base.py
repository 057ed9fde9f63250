"""What every command of ours is made from: what it writes shows words of others and never obeys them."""

import argparse
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO, cast

from django.contrib.auth.models import User
from django.core.checks import Tags
from django.core.management import base
from django.core.management.base import CommandError, OutputWrapper

from debates.errors import DomainError, NotFound
from debates.printable import printable


class PrintableWrapper(OutputWrapper):
    """A stream that escapes what a terminal would act upon; a style of ours is put around it afterwards."""

    def write(  # type: ignore[override]  # as Django's own does
        self, msg: str = "", style_func: Any = None, ending: str | None = None
    ) -> None:
        super().write(printable(str(msg)), style_func, ending)


class BaseCommand(base.BaseCommand):
    """A command that writes what is printable, whoever calls it and wherever it writes to; refusals end it in words."""

    requires_system_checks: list[str] | tuple[str, ...] = [Tags.files]
    """What settings name; ``check`` and ``migrate`` look at all addresses and models too, which takes a while."""

    refused = 1
    """The exit status of a refusal."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except DomainError as refusal:
            raise CommandError(refusal.message, returncode=self.refused) from refusal

    def __setattr__(self, name: str, value: Any) -> None:
        if name in {"stdout", "stderr"}:
            value = wrapped(value)
        super().__setattr__(name, value)


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
        _write_whole(path, text + "\n")
    except FileExistsError as error:
        message = f"{path} is there already, and what was kept is never overwritten. Name a new file."
        raise CommandError(message, returncode=2) from error
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.", returncode=2) from error


def _write_whole(path: Path, text: str) -> None:
    """Write a file that appears whole, and stays, or not at all.

    Raises: ``FileExistsError``, ``OSError``.
    """
    if path.exists():
        raise FileExistsError
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with aside.open("x", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(aside, path)
        except OSError:  # it is taken by now, or no file has two names there, as on a stick
            if path.exists():
                raise FileExistsError from None
            aside.rename(path)
    finally:
        aside.unlink(missing_ok=True)
    with suppress(OSError):  # not every file system keeps its directories at once
        directory = os.open(path.parent, os.O_RDONLY)
        os.fsync(directory)
        os.close(directory)
