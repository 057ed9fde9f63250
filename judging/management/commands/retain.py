"""``manage.py retain``: let go of what is older than so many days and no longer needed."""

import argparse
from datetime import timedelta
from typing import Any

from django.utils import timezone

from debates.management.base import BaseCommand, whole_number
from judging.engine import erasure, retention


class Command(BaseCommand):
    help = f"Remove what is old and no longer needed: {', '.join(retention.names())}. Scores stay."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--older-than", type=whole_number(1, 36_500), required=True, metavar="DAYS", help="at least 1"
        )
        parser.add_argument("--dry-run", action="store_true", help="only say what would go")

    def handle(self, *, older_than: int, dry_run: bool, **_options: Any) -> None:
        now = timezone.now()
        act = retention.preview if dry_run else retention.retain
        counts = act(before=now - timedelta(days=older_than), now=now)
        if not dry_run:
            erasure.forget_statistics()
        for what, rows in counts.items():
            self.stdout.write(f"{rows:>8}  {what} {'would go' if dry_run else 'gone'}")
