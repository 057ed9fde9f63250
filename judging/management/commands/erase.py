"""``manage.py erase``: take words away for good; scores, entries and hashes stay verifiable."""

import argparse
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import CommandError

from debates.errors import DomainError, NotAllowedNow, NotFound
from debates.management.base import BaseCommand, person, write_new
from debates.models import Debate, Participant
from judging.engine import erasure
from judging.engine.erasure import Order, Target
from judging.management.commands.judge import REPORTS
from scoring.enums import Scope
from scoring.models import Erasure


@dataclass(frozen=True, slots=True)
class ListedErasure:
    """An erasure of another database: the whole of a debate or a voice by its public id, of a person by its number."""

    at: datetime
    scope: Scope
    of: str

    def target(self) -> Target | None:
        """Return whose words these are here; nothing where there are none, or an account got its number later."""
        if self.scope is Scope.USER:
            return User.objects.filter(pk=int(self.of), date_joined__lte=self.at).first()
        model: type[Debate | Participant] = Debate if self.scope is Scope.DEBATE else Participant
        return model.objects.filter(public_id=self.of).first()


def read_list(file: str) -> Sequence[ListedErasure]:
    """Read what ``--list --json`` wrote, the oldest first."""
    try:
        rows = json.loads(Path(file).read_text(encoding="utf-8"))
        erasures = [ListedErasure(datetime.fromisoformat(row["at"]), Scope(row["scope"]), row["of"]) for row in rows]
        for listed in erasures:
            int(listed.of) if listed.scope is Scope.USER else uuid.UUID(listed.of)
        return sorted(erasures, key=lambda listed: listed.at)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{file} cannot be read: {error.strerror}") from error
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise argparse.ArgumentTypeError(f"{file} was not written by erase --list --json") from error


class Command(BaseCommand):
    help = "Erase the words of a debate, of one voice in it, or of a person everywhere. Shows first; --yes does it."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        whose = parser.add_mutually_exclusive_group(required=True)
        whose.add_argument("--debate", type=uuid.UUID, metavar="PUBLIC_ID", help="everybody's words in a debate")
        whose.add_argument("--participant", type=uuid.UUID, metavar="PUBLIC_ID", help="one voice of a debate")
        whose.add_argument("--person", metavar="USERNAME", help="an account, and its words in every debate")
        whose.add_argument("--list", action="store_true", help="what was erased, by whom and why")
        whose.add_argument(
            "--again", type=read_list, metavar="FILE", help="what was erased since a dump that was restored"
        )
        parser.add_argument("--json", action="store_true", help="print the list as JSON, for --again")
        parser.add_argument("--out", type=Path, metavar="FILE", help="write that list to a new file")
        parser.add_argument("--as", dest="by", metavar="USERNAME", help="who signs the erasure")
        parser.add_argument("--reason", default="", help="why, in at least 10 characters")
        parser.add_argument("--yes", action="store_true", help="do it; without this nothing is changed")

    def handle(self, **options: Any) -> None:
        if options["out"] and not (options["list"] and options["json"]):
            raise CommandError("--out goes with --list --json.", returncode=2)
        if options["list"]:
            self.show_list(as_json=options["json"], out=options["out"])
        elif options["again"] is not None:
            self.erase_again(options["again"], options)
        else:
            self.carry_out(target_of(options), options)
            forget_statistics(options)

    def show_list(self, *, as_json: bool, out: Path | None) -> None:
        rows = Erasure.objects.select_related("by", "because", "debate", "participant", "user")
        if as_json:
            listed = [
                {"at": row.at.isoformat(), "scope": row.scope, "of": str(place_of(row) or row.user_id)} for row in rows
            ]
            text = json.dumps(listed, indent=2)
            write_new(out, text) if out else self.stdout.write(text)
            return
        for row in rows:
            whose = place_of(row) or row.user
            self.stdout.write(f"{row.at:%Y-%m-%d %H:%M} UTC  {row.scope} {whose}  {row.by}: {row.because}")

    def erase_again(self, erasures: Sequence[ListedErasure], options: Mapping[str, Any]) -> None:
        """Erase what a list names and is here, one after the other; what is refused is said, and the next one goes."""
        refused = 0
        for listed in erasures:
            target = listed.target()
            if target is None or not erasure.preview(target=target):
                continue
            self.stdout.write(f"{listed.scope} {listed.of}:")
            try:
                self.carry_out(target, options)
            except DomainError as refusal:
                refused += 1
                self.stderr.write(refusal.message)
        forget_statistics(options)
        if refused:
            raise CommandError(f"{refused} of {len(erasures)} were refused.")

    def carry_out(self, target: Target, options: Mapping[str, Any]) -> None:
        if not options["yes"]:
            self.show(erasure.preview(target=target), "would go")
            how = "--yes --as USERNAME --reason WHY does it, and it cannot be undone."
            try:
                erasure.refuse(target=target)
            except NotAllowedNow as refusal:
                how = f"as it is, it would be refused: {refusal.message}"
            self.stdout.write(f"Nothing was changed; {how}")
            return
        if not options["by"]:
            raise CommandError("Say with --as who signs the erasure.")
        done = erasure.erase(order=Order(target=target, by=person(options["by"]), reason=options["reason"]))
        self.show(done.counts, "gone")
        reports = settings.DATA_DIR / REPORTS
        if reports.is_dir():
            self.stdout.write(f"Reports that judge has written stay: look in {reports}.")

    def show(self, counts: Mapping[str, int], word: str) -> None:
        for what, rows in counts.items():
            self.stdout.write(f"{rows:>8}  {what} {word}")
        if not counts:
            self.stdout.write("There is nothing left to erase.")


def forget_statistics(options: Mapping[str, Any]) -> None:
    """Have the samples of words go that the database keeps of what was just erased."""
    if options["yes"]:
        erasure.forget_statistics()


def place_of(row: Erasure) -> uuid.UUID | None:
    place = row.participant or row.debate
    return place.public_id if place else None


def target_of(options: Mapping[str, Any]) -> Target:
    if options["person"]:
        return person(options["person"])
    model: type[Debate | Participant] = Debate if options["debate"] else Participant
    public = options["debate"] or options["participant"]
    row = model.objects.filter(public_id=public).first()
    if row is None:
        raise NotFound(f"There is no {model._meta.verbose_name} {public}.")  # noqa: SLF001 -- Django's public name
    return row
