"""``manage.py erase``: take words away for good; scores, entries and hashes stay verifiable."""

import argparse
import uuid
from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError

from debates.errors import NotFound
from debates.management.base import BaseCommand, person
from debates.models import Debate, Participant
from judging.engine import erasure
from judging.engine.erasure import Order, Target
from scoring.models import Erasure


class Command(BaseCommand):
    help = "Erase the words of a debate, of one voice in it, or of a person everywhere. Shows first; --yes does it."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        whose = parser.add_mutually_exclusive_group(required=True)
        whose.add_argument("--debate", type=uuid.UUID, metavar="PUBLIC_ID", help="everybody's words in a debate")
        whose.add_argument("--participant", type=uuid.UUID, metavar="PUBLIC_ID", help="one voice of a debate")
        whose.add_argument("--person", metavar="USERNAME", help="an account, and its words in every debate")
        whose.add_argument("--list", action="store_true", help="what was erased, by whom and why")
        parser.add_argument("--as", dest="by", metavar="USERNAME", help="who signs the erasure")
        parser.add_argument("--reason", default="", help="why, in at least 10 characters")
        parser.add_argument("--yes", action="store_true", help="do it; without this nothing is changed")

    def handle(self, **options: Any) -> None:
        if options["list"]:
            for row in Erasure.objects.select_related("by", "because", "debate", "participant", "user"):
                place = row.participant or row.debate
                whose = place.public_id if place else row.user
                self.stdout.write(f"{row.at:%Y-%m-%d %H:%M} UTC  {row.scope} {whose}  {row.by}: {row.because}")
            return
        self.carry_out(target_of(options), options)

    def carry_out(self, target: Target, options: Mapping[str, Any]) -> None:
        if not options["yes"]:
            self.show(erasure.preview(target=target), "would go")
            self.stdout.write("Nothing was changed; --yes --as USERNAME --reason WHY does it, and it cannot be undone.")
            return
        if not options["by"]:
            raise CommandError("Say with --as who signs the erasure.")
        done = erasure.erase(order=Order(target=target, by=person(options["by"]), reason=options["reason"]))
        erasure.forget_statistics()
        self.show(done.counts, "gone")

    def show(self, counts: Mapping[str, int], word: str) -> None:
        for what, rows in counts.items():
            self.stdout.write(f"{rows:>8}  {what} {word}")
        if not counts:
            self.stdout.write("There is nothing left to erase.")


def target_of(options: Mapping[str, Any]) -> Target:
    """Return whose words are meant.

    Raises: ``NotFound``.
    """
    if options["person"]:
        return person(options["person"])
    model: type[Debate | Participant] = Debate if options["debate"] else Participant
    public = options["debate"] or options["participant"]
    row = model.objects.filter(public_id=public).first()
    if row is None:
        raise NotFound(f"There is no {model._meta.verbose_name} {public}.")  # noqa: SLF001 -- Django's public name
    return row
