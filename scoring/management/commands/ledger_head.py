"""Print the heads of all chains, to be kept where nobody who can write the database can write."""

import argparse
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from debates.management.base import BaseCommand
from scoring import verify
from scoring.management.commands.verify_ledger import VERSION


class Command(BaseCommand):
    help = "Print the last number and hash of every chain as JSON, for verify_ledger --heads."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--out", type=Path, metavar="FILE", help="write to a new file instead of the screen")

    def handle(self, *, out: Path | None, **_options: Any) -> None:
        heads = verify.heads()
        document = {
            "version": VERSION,
            "made_at": timezone.now().isoformat(),
            "heads": {name: {"sequence": last, "hash": digest} for name, (last, digest) in heads.scores.items()},
            "logs": {name: {"number": last, "hash": digest} for name, (last, digest) in heads.logs.items()},
        }
        text = json.dumps(document, indent=2)
        if out is None:
            self.stdout.write(text)
            return
        try:
            write_new(out, text + "\n")
        except FileExistsError as error:
            message = f"{out} is there already, and heads that were kept are never overwritten. Name a new file."
            raise CommandError(message, returncode=2) from error
        except OSError as error:
            raise CommandError(f"{out} cannot be written: {error.strerror}.", returncode=2) from error
        self.stdout.write(
            f"Wrote the heads of {len(heads.scores)} evaluations and {len(heads.logs)} logs to {out}."
            " Keep it outside this database's reach."
        )


def write_new(path: Path, text: str) -> None:
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
