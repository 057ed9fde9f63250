"""Print the heads of all chains, to be kept where nobody who can write the database can write."""

import argparse
import json
from pathlib import Path
from typing import Any

from django.utils import timezone

from debates.management.base import BaseCommand, write_new
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
        write_new(out, text)
        self.stdout.write(
            f"Wrote the heads of {len(heads.scores)} evaluations and {len(heads.logs)} logs to {out}."
            " Keep it outside this database's reach."
        )
