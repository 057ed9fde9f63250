"""``manage.py conformance PATH...``: runs files of worked numbers through the rules of the score."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from debates.management.base import BaseCommand
from judging.management import conformance


class Command(BaseCommand):
    """Exit status 0: all equal. 1: something differs. 2: a file cannot be read as vectors."""

    help = "Run vector files, or directories of them, through the rules and print one line for each case."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a file, or a directory of *.json")

    def handle(self, *_args: object, **options: Any) -> None:
        different = equal = 0
        try:
            for outcome in conformance.run(paths=options["paths"]):
                equal += outcome.equal
                different += not outcome.equal
                verdict = "equal" if outcome.equal else f"different: {outcome.difference}"
                self.stdout.write(f"{outcome.file} {outcome.case} {verdict}")
        except conformance.BadVectors as refusal:
            raise CommandError(refusal.message, returncode=2) from refusal
        self.stdout.write(f"{equal} equal, {different} different")
        if different:
            raise SystemExit(1)
