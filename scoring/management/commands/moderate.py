"""Moderate a score from the command line: the same services that the admin and the API call."""

from __future__ import annotations

import argparse
import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from debates.errors import DomainError, NotFound
from debates.models import Debate
from scoring import selectors
from scoring.kinds import ActorKind, HeldChoice
from scoring.models import Approval, Evaluation, Fact, ScoreChange
from scoring.services import approvals, moderation
from scoring.services.entries import text
from scoring.services.moderation import Done, Order

Act = Callable[[Order, Mapping[str, Any]], Done | Approval]
COLUMNS = ("entry", "at (UTC)", "kind", "round", "value", "delta", "computed", "facts", "by", "reason")


def moment_or_sequence(given: str) -> int | datetime:
    """Read what --as-of takes: the number of an entry, or a time."""
    if given.isascii() and given.isdigit():
        return int(given)
    try:
        moment = parse_datetime(given)
    except ValueError:
        moment = None
    if moment is None:
        raise argparse.ArgumentTypeError(f"{given!r} is neither an entry's number nor a time like 2026-01-31T18:00:00Z")
    return moment if timezone.is_aware(moment) else timezone.make_aware(moment)


def _facts(order: Order, options: Mapping[str, Any]) -> list[int]:
    wanted = options["facts"]
    found = dict(
        Fact.objects.filter(evaluation_id=order.evaluation_id, public_id__in=wanted).values_list("public_id", "pk")
    )
    missing = [str(one) for one in wanted if one not in found]
    if missing:
        raise NotFound(f"This evaluation has no fact {', '.join(missing)}.")
    return list(found.values())


def _now() -> datetime:
    return timezone.now()


ACTIONS: Mapping[str, tuple[str, Act]] = {
    "freeze": (
        "let nothing move a score until it is unfrozen",
        lambda order, _: moderation.freeze(order=order, now=_now()),
    ),
    "unfreeze": (
        "let a score move again, and apply or discard what was held",
        lambda order, given: moderation.unfreeze(order=order, choice=HeldChoice(given["held"]), now=_now()),
    ),
    "override": (
        "set a score by hand, or ask a second person to approve it",
        lambda order, given: approvals.request_or_override(order=order, value=given["value"], now=_now()),
    ),
    "lift": ("remove an override", lambda order, _: moderation.lift(order=order, now=_now())),
    "strike": (
        "take facts out of what counts",
        lambda order, given: moderation.strike(order=order, facts=_facts(order, given), now=_now()),
    ),
    "reinstate": (
        "put facts back into what counts",
        lambda order, given: moderation.reinstate(order=order, facts=_facts(order, given), now=_now()),
    ),
    "rollback": (
        "take a score back to what it was after an earlier entry",
        lambda order, given: moderation.roll_back(order=order, target=given["to"], now=_now()),
    ),
}


class Command(BaseCommand):
    help = "Freeze, override, strike, roll back: what a moderator may do to a score; and show its history."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        for name, (meaning, _) in ACTIONS.items():
            one = actions.add_parser(name, help=meaning)
            one.add_argument("evaluation", type=uuid.UUID, help="public id of the evaluation")
            self.add_person(one)
            self.add_details(one, name)
        whole = actions.add_parser("rollback-debate", help="take all scores of a debate back to their opening")
        whole.add_argument("debate", type=uuid.UUID, help="public id of the debate")
        self.add_person(whole)
        show = actions.add_parser("show", help="print a score and its history")
        show.add_argument("evaluation", type=uuid.UUID, help="public id of the evaluation")
        show.add_argument("--as-of", type=moment_or_sequence, metavar="ENTRY|TIME", help="as it was then")

    def add_person(self, parser: argparse.ArgumentParser) -> None:
        """Take who acts and why."""
        parser.add_argument("--as", dest="username", required=True, metavar="USERNAME", help="who acts")
        parser.add_argument("--reason", required=True, help="why, in at least 10 characters")

    def add_details(self, parser: argparse.ArgumentParser, action: str) -> None:
        """Take what one action needs beyond that."""
        if action != "freeze":
            parser.add_argument("--seen", type=int, metavar="N", help="the moderation version you looked at")
        if action == "unfreeze":
            choices = [choice.value for choice in HeldChoice]
            parser.add_argument("--held", choices=choices, required=True, help="what becomes of held rounds")
        if action == "override":
            parser.add_argument("--value", required=True, help="the score, at most 2 places")
        if action in {"strike", "reinstate"}:
            parser.add_argument("--facts", type=uuid.UUID, nargs="+", required=True, metavar="ID", help="public ids")
        if action == "rollback":
            parser.add_argument("--to", type=int, required=True, metavar="SEQUENCE", help="number of an earlier entry")

    def handle(self, *, action: str, **options: Any) -> None:
        try:
            if action == "show":
                self.show(options)
            elif action == "rollback-debate":
                self.roll_back_debate(options)
            else:
                self.moderate(action, options)
        except DomainError as refusal:
            raise CommandError(refusal.message, returncode=1) from refusal

    def moderate(self, action: str, options: Mapping[str, Any]) -> None:
        """Do one action on one evaluation."""
        by, evaluation = person(options["username"]), evaluation_of(options["evaluation"])
        seen = options.get("seen")
        if action != "freeze" and seen is None:
            raise CommandError(
                f"Look before you act: {headline(evaluation)}. If that is what you want to change, add"
                f" --seen {evaluation.moderation_version}.",
                returncode=1,
            )
        order = Order(evaluation_id=evaluation.pk, by=by, reason=options["reason"], seen=seen, door=ActorKind.SYSTEM)
        done = ACTIONS[action][1](order, options)
        if isinstance(done, Approval):
            self.stdout.write(f"Waits for a second person: request {done.public_id}. Nothing has moved.")
            return
        for entry in done.entries:
            moved = f"{text(entry.value_before)} -> {text(entry.value_after)}"
            self.stdout.write(f"Entry {entry.sequence}, {entry.get_kind_display()}: {moved}.")
        self.stdout.write(f"Now {headline(evaluation_of(options['evaluation']))}.")

    def roll_back_debate(self, options: Mapping[str, Any]) -> None:
        """Take a whole debate back."""
        debate = Debate.objects.filter(public_id=options["debate"]).first()
        if debate is None:
            raise NotFound(f"There is no debate {options['debate']}.")
        moved = moderation.roll_back_debate(
            debate_id=debate.pk,
            by=person(options["username"]),
            reason=options["reason"],
            now=_now(),
            door=ActorKind.SYSTEM,
        )
        self.stdout.write(f"Back at their opening: {moved} evaluation{'' if moved == 1 else 's'}.")

    def show(self, options: Mapping[str, Any]) -> None:
        """Print a score and its history, up to a moment if one is given."""
        evaluation, when = evaluation_of(options["evaluation"]), options["as_of"]
        if when is None:
            last = selectors.as_of(evaluation=evaluation, sequence=max(evaluation.version, 1))
            self.stdout.write(headline(evaluation))
        else:
            number, moment = (when, None) if isinstance(when, int) else (None, when)
            last = selectors.as_of(evaluation=evaluation, sequence=number, moment=moment)
            then = f"{text(last.value_after)} after entry {last.sequence}" if last else "not open yet"
            self.stdout.write(f"{evaluation}: {then}")
        if last is None:
            return
        entries = selectors.history(evaluation=evaluation).filter(sequence__lte=last.sequence)
        for line in [*aligned([COLUMNS, *(row(entry) for entry in entries)]), "", *facts_of(last)]:
            self.stdout.write(line)


def person(username: str) -> User:
    """Return who acts.

    Raises: ``NotFound``.
    """
    found = User.objects.filter(username=username).first()
    if found is None:
        raise NotFound(f"There is no user {username}.")
    return found


def evaluation_of(public: uuid.UUID) -> Evaluation:
    """Return the evaluation that is meant.

    Raises: ``NotFound``.
    """
    found = Evaluation.objects.filter(public_id=public).first()
    if found is None:
        raise NotFound(f"There is no evaluation {public}.")
    return found


def headline(evaluation: Evaluation) -> str:
    """Say in one line where a score stands."""
    parts = [
        f"initial {text(evaluation.initial_score)}",
        f"computed {text(evaluation.computed_score) or 'none'}",
        f"override {text(evaluation.override_score) or 'none'}",
        f"final {text(evaluation.final_score) or 'none'}",
    ]
    if evaluation.frozen_at:
        parts.append(f"frozen since {evaluation.frozen_at:%Y-%m-%d %H:%M:%S} UTC, {len(evaluation.held)} facts held")
    version = f"moderation version {evaluation.moderation_version}"
    return f"{evaluation} is at {version}: {', '.join(parts)}"


def row(entry: ScoreChange) -> tuple[str, ...]:
    """Return one line of the history."""
    return (
        str(entry.sequence),
        f"{entry.at:%Y-%m-%d %H:%M:%S}",
        entry.get_kind_display(),
        str(entry.round.number) if entry.round else "",
        f"{text(entry.value_before)} -> {text(entry.value_after)}",
        text(entry.delta) or "",
        text(entry.computed_after) or "",
        str(len(entry.facts) or ""),
        str(entry.actor or entry.actor_kind),
        " ".join(str(entry.reason or entry.reason_code).split()),
    )


def facts_of(entry: ScoreChange) -> list[str]:
    """Return every fact of an entry's run that had come by then, and what had become of it."""
    came = ScoreChange.objects.filter(evaluation=entry.evaluation_id, run_number=entry.run_number)
    ids = {one for facts in came.filter(sequence__lte=entry.sequence).values_list("facts", flat=True) for one in facts}
    lines = [
        (
            str(fact.public_id),
            str(fact.round.number),
            text(fact.amount) or "",
            "counts" if fact.pk in entry.basis else "held" if fact.pk in entry.held else "does not count",
        )
        for fact in Fact.objects.filter(pk__in=ids).select_related("round").order_by("pk")
    ]
    return aligned([("fact", "round", "amount", "now"), *lines])


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as lines of a plain table."""
    widths = [max(len(line[column]) for line in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in rows]
