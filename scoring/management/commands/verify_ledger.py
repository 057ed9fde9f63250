"""Prove the ledger: every chain, hash, projection and computed score again from the facts."""

import argparse
import json
import re
import uuid
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.db import DatabaseError
from psycopg.errors import UndefinedTable

from debates.management.base import BaseCommand
from debates.models import Debate
from scoring import verify
from scoring.errors import CANNOT_VERIFY

VERSION = 1
"""Of the file that ``ledger_head`` writes."""

NO_PUBLIC_ID = re.compile(r"site|number [0-9]{1,18}")
"""What names a log of no debate, or of one that is gone."""


def heads_of(file: str) -> verify.Heads:
    try:
        document = json.loads(Path(file).read_text(encoding="utf-8"))
        version = document["version"]
        scores = {str(uuid.UUID(name)): number_and_hash(head, "sequence") for name, head in document["heads"].items()}
        logs = {
            name if NO_PUBLIC_ID.fullmatch(name) else str(uuid.UUID(name)): number_and_hash(head, "number")
            for name, head in document["logs"].items()
        }
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{file} cannot be read: {error.strerror}") from error
    except (AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError) as error:
        raise argparse.ArgumentTypeError(f"{file} was not written by ledger_head") from error
    if version != VERSION:
        raise argparse.ArgumentTypeError(f"{file} was not written by ledger_head of this release")
    if not scores and not logs:
        raise argparse.ArgumentTypeError(f"{file} holds no heads, so nothing can be compared with it")
    return verify.Heads(scores=scores, logs=logs)


def number_and_hash(head: Any, name: str) -> tuple[int, str]:
    return int(head[name]), bytes.fromhex(head["hash"]).hex()


class Command(BaseCommand):
    help = (
        "Prove the ledger from its facts and say exactly what does not agree; exit status 1 if anything does not,"
        " 2 for what cannot be asked, 3 where nothing could be verified."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--debate", type=uuid.UUID, metavar="PUBLIC_ID", help="prove one debate only")
        parser.add_argument("--heads", type=heads_of, metavar="FILE", help="heads that ledger_head wrote earlier")
        parser.add_argument("--json", action="store_true", help="print the report as JSON")

    def handle(self, *, debate: uuid.UUID | None, heads: verify.Heads | None, **options: Any) -> None:
        try:
            report = verify.verify(debate_id=None if debate is None else self.id_of(debate), heads=heads)
        except DatabaseError as error:
            if isinstance(error.__cause__, UndefinedTable):
                raise  # manage.py says what to do
            raise CommandError(
                f"The ledger cannot be verified: {str(error).strip()}", returncode=CANNOT_VERIFY
            ) from error
        if options["json"]:
            self.stdout.write(json.dumps({"ok": not report.faults, **asdict(report)}, indent=2))
        else:
            self.print(report, compared=heads is not None)
        if report.faults:
            places = "one place" if len(report.faults) == 1 else f"{len(report.faults)} places"
            raise CommandError(f"The ledger does not agree with itself in {places}.", returncode=1)

    def id_of(self, public: uuid.UUID) -> int:
        debate_id = Debate.objects.filter(public_id=public).values_list("pk", flat=True).first()
        if debate_id is None:
            raise CommandError(f"There is no debate {public}.", returncode=2)
        return debate_id

    def print(self, report: verify.Report, *, compared: bool) -> None:
        for fault in report.faults:
            self.stdout.write(str(fault))
        if compared:
            self.stdout.write(f"{report.heads} kept head{'' if report.heads == 1 else 's'} compared.")
        count = len(report.faults)
        verdict = f"{count} fault{'' if count == 1 else 's'}." if count else "nothing that does not agree."
        self.stdout.write(f"{report.evaluations} evaluations, {report.entries} entries: {verdict}")
