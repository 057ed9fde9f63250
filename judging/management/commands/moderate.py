"""Moderate a score from the command line: the same services that the admin and the API call."""

import argparse
import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from django.core.management.base import CommandError
from django.db.models import Manager, Model
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from debates.decimals import in_places
from debates.errors import NotFound
from debates.management.base import BaseCommand, person
from debates.models import Debate
from judging.engine import appeals
from judging.engine.appeals import AppealDecision, Remedy
from scoring import selectors
from scoring.enums import GIVEN_CODES, ActorKind, AppealState, ApprovalState, EntryKind, HeldChoice
from scoring.management import tables
from scoring.models import Appeal, Approval, Conflict, Evaluation, Fact, RescoreSet
from scoring.models.appeal import WAITING
from scoring.services import approvals, conflicts, moderation, rescore, undo
from scoring.services.actions import ACTIONS, NAMED, Action, Intent
from scoring.services.steps import Done, Order
from scoring.services.undo import UndoOrder

M = TypeVar("M", bound=Model)
REMEDIES = (
    EntryKind.OVERRIDE, EntryKind.OVERRIDE_LIFTED, EntryKind.STRIKE, EntryKind.REINSTATE, EntryKind.ROLLBACK,
)  # fmt: skip
"""The acts that an appeal can be allowed by; which of them fit one, the service says."""


def moment_or_sequence(text: str) -> int | datetime:
    """Read what --as-of takes: the number of an entry, or a time."""
    if text.isascii() and text.isdigit():
        return int(text)
    try:
        moment = parse_datetime(text)
    except ValueError:
        moment = None
    if moment is None:
        raise argparse.ArgumentTypeError(f"{text!r} is neither an entry's number nor a time like 2026-01-31T18:00:00Z")
    aware = moment if timezone.is_aware(moment) else timezone.make_aware(moment)
    if aware > timezone.now():
        raise argparse.ArgumentTypeError(f"{text} has not come yet; leave --as-of out to see how things stand now")
    return aware


def _facts(order: Order, public_ids: Sequence[uuid.UUID]) -> list[int]:
    pks = dict(
        Fact.objects.filter(evaluation_id=order.evaluation_id, public_id__in=public_ids).values_list("public_id", "pk")
    )
    missing = [str(public_id) for public_id in public_ids if public_id not in pks]
    if missing:
        raise NotFound(f"This evaluation has no fact {', '.join(missing)}.")
    return list(pks.values())


def intent_of(kind: EntryKind, order: Order, options: Mapping[str, Any], *, carried: str = "") -> Intent:
    """Read an action with its inputs, and with the step that an unfreeze carries.

    Shape: ``carried`` begins the names of the options of that step.
    """
    inputs = {name: options[carried + name] for name in ACTIONS[kind].inputs}
    if "facts" in inputs:
        inputs["facts"] = _facts(order, inputs["facts"])
    if kind is EntryKind.UNFREEZE:
        inputs["choice"] = HeldChoice(inputs["choice"])
        further = {f"then_{action.inputs[0]}": kind for kind, action in ACTIONS.items() if action.follows_unfreeze}
        steps = [step for option, step in further.items() if options[option] is not None]
        inputs["then"] = intent_of(steps[0], order, options, carried="then_") if steps else None
    return Intent(kind, **inputs)


class Command(BaseCommand):
    help = (
        "Freeze, override, strike, roll back, decide appeals: what a moderator may do; and show the history of a score."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        for kind, action in ACTIONS.items():
            parser = actions.add_parser(action.name, help=action.meaning)
            parser.set_defaults(kind=kind)
            parser.add_argument("evaluation", type=uuid.UUID, help="public id of the evaluation")
            self.add_person(parser)
            codes = [code.value for code in GIVEN_CODES]
            parser.add_argument("--code", choices=codes, default="", help="what kind of reason it is")
            self.add_details(parser, action)
        self.add_undo(actions.add_parser("undo", help="take the last act on a score back, or your own last act"))
        whole = actions.add_parser("rollback-debate", help="take all scores of a debate back to their opening")
        whole.add_argument("debate", type=uuid.UUID, help="public id of the debate")
        self.add_person(whole)
        show = actions.add_parser("show", help="print a score and its history, or the scores of a debate")
        show.add_argument("public_id", type=uuid.UUID, help="public id of the evaluation, or of the debate")
        show.add_argument("--as-of", type=moment_or_sequence, metavar="ENTRY|TIME", help="as it was then")
        self.add_appeals(actions)
        actions.add_parser("requests", help="list the overrides that wait for a second person")
        apply_set = actions.add_parser(
            "apply-set", help="apply a staged rescore set, whole or without some of its scores"
        )
        apply_set.add_argument("set", type=uuid.UUID, help="public id of the set")
        self.add_actor(apply_set)
        apply_set.add_argument(
            "--leave-out", type=uuid.UUID, nargs="+", default=[], metavar="ID", help="scores that stay as they are"
        )
        declare = actions.add_parser("declare-conflict", help="declare a conflict of interest in a debate")
        declare.add_argument("debate", type=uuid.UUID, help="public id of the debate")
        declare.add_argument("--about", default="", metavar="USERNAME", help="whose it is; else of who acts")
        self.add_person(declare)
        withdraw = actions.add_parser("withdraw-conflict", help="say that a declared conflict stands no more")
        withdraw.add_argument("conflict", type=uuid.UUID, help="public id of the declaration")
        self.add_person(withdraw)
        for name, meaning in {"approve": "let a large override be written", "refuse": "let it not be written"}.items():
            parser = actions.add_parser(name, help=f"as the second person, {meaning}")
            parser.add_argument("request", type=uuid.UUID, help="public id of the request; requests lists them")
            self.add_person(parser)

    def add_appeals(self, actions: Any) -> None:
        actions.add_parser("appeals", help="list the appeals that wait")
        for name, meaning in {
            "claim-appeal": "take an appeal on for 30 minutes",
            "release-appeal": "give one back",
        }.items():
            parser = actions.add_parser(name, help=meaning)
            parser.add_argument("appeal", type=uuid.UUID, help="public id of the appeal; appeals lists them")
            self.add_actor(parser)
        parser = actions.add_parser("decide-appeal", help="decide an appeal that you have claimed")
        parser.add_argument("appeal", type=uuid.UUID, help="public id of the appeal")
        outcomes = [outcome.value for outcome in appeals.OUTCOMES]
        parser.add_argument("--outcome", choices=outcomes, required=True, help="what becomes of it")
        remedy = parser.add_mutually_exclusive_group()
        remedy.add_argument("--by", choices=[ACTIONS[kind].name for kind in REMEDIES], help="the act that allows it")
        remedy.add_argument("--entry", type=int, metavar="SEQUENCE", help="or an entry that you wrote for it already")
        parser.add_argument("--value", help="where --by override sets the score")
        parser.add_argument(
            "--evaluation", type=uuid.UUID, metavar="ID", help="public id of the score, where it is about a result"
        )
        parser.add_argument("--seen", type=int, metavar="N", help="the moderation version of the score you looked at")
        self.add_person(parser)

    def add_actor(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--as", dest="username", required=True, metavar="USERNAME", help="who acts")

    def add_person(self, parser: argparse.ArgumentParser) -> None:
        self.add_actor(parser)
        parser.add_argument("--reason", required=True, help="why, for everybody, in at least 10 characters")
        parser.add_argument("--note", default="", help="what moderators alone read besides")

    def add_undo(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "evaluation", type=uuid.UUID, nargs="?", help="public id; without one, the score of your own last act"
        )
        self.add_person(parser)
        parser.add_argument("--seen", type=int, metavar="N", help="the moderation version you looked at")
        parser.add_argument(
            "--entry", type=int, metavar="SEQUENCE", help="the entry that is meant, not just the newest"
        )
        choices = [choice.value for choice in HeldChoice]
        parser.add_argument("--held", dest="choice", choices=choices, help="what becomes of what was held since")
        parser.add_argument("--alone", action="store_true", help="leave the other scores of the act as they are")

    def add_details(self, parser: argparse.ArgumentParser, action: Action) -> None:
        if action.versioned:
            parser.add_argument("--seen", type=int, metavar="N", help="the moderation version you looked at")
        if "choice" in action.inputs:
            choices = [choice.value for choice in HeldChoice]
            parser.add_argument(
                "--held", dest="choice", choices=choices, required=True, help="what becomes of held rounds"
            )
            self.add_further(parser)
        if "value" in action.inputs:
            parser.add_argument("--value", required=True, help="the score, at most 2 places")
        if "facts" in action.inputs:
            parser.add_argument("--facts", type=uuid.UUID, nargs="+", required=True, metavar="ID", help="public ids")
        if "target" in action.inputs:
            parser.add_argument(
                "--to", dest="target", type=int, required=True, metavar="SEQUENCE", help="number of an earlier entry"
            )

    def add_further(self, parser: argparse.ArgumentParser) -> None:
        then = parser.add_mutually_exclusive_group()
        then.add_argument(
            "--then-override", dest="then_value", metavar="VALUE", help="and set it by hand, all or nothing"
        )
        then.add_argument(
            "--then-strike", dest="then_facts", type=uuid.UUID, nargs="+", metavar="ID", help="and strike facts"
        )
        then.add_argument(
            "--then-rollback", dest="then_target", type=int, metavar="SEQUENCE", help="and go back to an earlier entry"
        )

    def handle(self, *, action: str, **options: Any) -> None:
        act = self.moderate if "kind" in options else getattr(self, action.replace("-", "_"))
        act(options)

    def apply_set(self, options: Mapping[str, Any]) -> None:
        """Apply a staged set, and say what stayed as it was."""
        by, staged = person(options["username"]), RescoreSet.objects.filter(public_id=options["set"]).first()
        if staged is None:
            raise NotFound("There is no such rescore set.")
        leave_out = set(options["leave_out"])
        ids = dict(Evaluation.objects.filter(public_id__in=leave_out).values_list("public_id", "pk"))
        if len(ids) < len(leave_out):
            raise NotFound(f"There is no evaluation {', '.join(sorted(map(str, leave_out - set(ids))))}.")
        done = rescore.apply(
            set_id=staged.pk, by=by, now=timezone.now(), leave_out=list(ids.values()), door=ActorKind.SYSTEM
        )  # fmt: skip
        stayed = f"; {len(ids)} stay as they are" if ids else ""
        self.stdout.write(f"Applied: {len(done)} scores were acted on{stayed}.")

    def moderate(self, options: Mapping[str, Any]) -> None:
        kind, seen = options["kind"], options.get("seen")
        by, evaluation = person(options["username"]), row_of(Evaluation.objects, options["evaluation"])
        if ACTIONS[kind].versioned and seen is None:
            raise look_first(evaluation)
        why = why_of(options)
        order = Order(
            evaluation_id=evaluation.pk, by=by, seen=seen, door=ActorKind.SYSTEM, reason_code=options["code"], **why
        )
        self.tell(moderation.perform(order=order, intent=intent_of(kind, order, options), now=timezone.now()))

    def undo(self, options: Mapping[str, Any]) -> None:
        """Take the last act back; without a version, say what it was and which version to name."""
        by, entry, seen = person(options["username"]), options["entry"], options["seen"]
        if options["evaluation"] is None:
            newest = undo.last_act_of(by=by)
            evaluation, entry = newest.evaluation, entry or newest.sequence
        else:
            evaluation = row_of(Evaluation.objects, options["evaluation"])
        act = undo.last_act(evaluation=evaluation, entry=entry, alone=options["alone"])
        if seen is None:
            scores = f" It was done to {len(act.entries)} scores." if len(act.entries) > 1 else ""
            was = f"The last act was {undo.described(act.last)}.{scores} If that is what you want to undo, add"
            raise look_first(evaluation, was)
        order = UndoOrder(
            evaluation_id=evaluation.pk,
            by=by,
            seen=seen,
            door=ActorKind.SYSTEM,
            entry=entry,
            choice=HeldChoice(options["choice"]) if options["choice"] else None,
            alone=options["alone"],
            **why_of(options),
        )
        done = undo.undo(order=order, now=timezone.now())
        for result in [done] if isinstance(done, Approval) else done:
            self.tell(result)

    def tell(self, done: Done | Approval) -> None:
        if isinstance(done, Approval):
            self.stdout.write(f"Waits for a second person: request {done.public_id}. Nothing has moved.")
            return
        for entry in done.entries:
            moved = f"{in_places(entry.value_before)} -> {in_places(entry.value_after)}"
            self.stdout.write(f"Entry {entry.sequence}, {entry.get_kind_display()}: {moved}.")
        self.stdout.write(f"Now {tables.headline(Evaluation.objects.get(pk=done.evaluation.pk))}.")

    def requests(self, _options: Mapping[str, Any]) -> None:
        waiting = Approval.objects.filter(state=ApprovalState.WAITING.value).order_by("pk")
        rows = waiting.select_related("evaluation", "requested_by", "because")
        self.list(tables.REQUESTS, map(tables.of_request, rows), otherwise="Nothing waits for a second person.")

    def approve(self, options: Mapping[str, Any]) -> None:
        asked, by = row_of(Approval.objects, options["request"]), person(options["username"])
        self.tell(approvals.approve(approval_id=asked.pk, by=by, now=timezone.now(), **why_of(options)))

    def refuse(self, options: Mapping[str, Any]) -> None:
        """Refuse an override, or take one's own request back."""
        asked, by = row_of(Approval.objects, options["request"]), person(options["username"])
        approvals.refuse(approval_id=asked.pk, by=by, now=timezone.now(), **why_of(options))
        self.stdout.write(f"Request {asked.public_id} is refused. Nothing has moved.")

    def appeals(self, _options: Mapping[str, Any]) -> None:
        related = ("debate", "entry__evaluation", "fact__evaluation", "appellant", "because")
        waiting = Appeal.objects.filter(WAITING).select_related(*related).order_by("pk")
        self.list(tables.APPEALS, map(tables.of_appeal, waiting), otherwise="No appeal waits.")

    def claim_appeal(self, options: Mapping[str, Any]) -> None:
        appeal, by = row_of(Appeal.objects, options["appeal"]), person(options["username"])
        appeals.claim(appeal_id=appeal.pk, by=by, now=timezone.now())
        self.stdout.write(f"Appeal {appeal.public_id} is yours for 30 minutes.")

    def release_appeal(self, options: Mapping[str, Any]) -> None:
        appeal, by = row_of(Appeal.objects, options["appeal"]), person(options["username"])
        appeals.release(appeal_id=appeal.pk, by=by)
        self.stdout.write(f"Appeal {appeal.public_id} is given back to the queue.")

    def decide_appeal(self, options: Mapping[str, Any]) -> None:
        """Decide an appeal; of an act without a version, say where the score stands and which version to name."""
        appeal, by = row_of(Appeal.objects, options["appeal"]), person(options["username"])
        decision = AppealDecision(
            by=by,
            outcome=AppealState(options["outcome"]),
            remedy=self.remedy(appeal, options),
            door=ActorKind.SYSTEM,
            **why_of(options),
        )
        done = appeals.decide(appeal_id=appeal.pk, decision=decision, now=timezone.now())
        self.stdout.write(f"Appeal {appeal.public_id} is {appeals.ENDED[decision.outcome]}.")
        if done.act is not None:
            self.stdout.write(f"Now {tables.headline(Evaluation.objects.get(pk=done.act.evaluation_id))}.")

    def remedy(self, appeal: Appeal, options: Mapping[str, Any]) -> Remedy | None:
        if options["by"] is None and options["entry"] is None:
            return None
        named = options["evaluation"]
        evaluation = row_of(Evaluation.objects, named) if named else appeals.against(appeal).evaluation
        if evaluation is None:
            raise CommandError("An appeal against a result is allowed on a score: add --evaluation.", returncode=1)
        if options["by"] is None:
            return Remedy(evaluation.pk, entry=options["entry"])
        if options["seen"] is None:
            raise look_first(evaluation)
        intent = appeals.intent_for(appeal, NAMED[options["by"]], value=options["value"])
        return Remedy(evaluation.pk, intent=intent, seen=options["seen"])

    def declare_conflict(self, options: Mapping[str, Any]) -> None:
        debate, by = row_of(Debate.objects, options["debate"]), person(options["username"])
        declared = conflicts.declare(
            debate_id=debate.pk, by=by, now=timezone.now(), username=options["about"], **why_of(options)
        )
        self.stdout.write(f"On record as {declared.public_id}: {declared.person} does not moderate this debate.")

    def withdraw_conflict(self, options: Mapping[str, Any]) -> None:
        declared, by = row_of(Conflict.objects, options["conflict"]), person(options["username"])
        conflicts.withdraw(conflict_id=declared.pk, by=by, now=timezone.now(), **why_of(options))
        self.stdout.write("Withdrawn; both rows stay on record.")

    def rollback_debate(self, options: Mapping[str, Any]) -> None:
        debate = row_of(Debate.objects, options["debate"])
        moved = moderation.roll_back_debate(
            debate_id=debate.pk,
            by=person(options["username"]),
            reason=options["reason"],
            note=options["note"],
            now=timezone.now(),
            door=ActorKind.SYSTEM,
        )
        self.stdout.write(f"Back at their opening: {moved} evaluation{'' if moved == 1 else 's'}.")

    def show(self, options: Mapping[str, Any]) -> None:
        """Print a score and its history, up to a moment if one is given; or the scores of a debate."""
        when = options["as_of"]
        debate = Debate.objects.filter(public_id=options["public_id"]).first() if when is None else None
        if debate is not None:
            self.show_debate(debate)
            return
        evaluation = row_of(Evaluation.objects, options["public_id"])
        if when is None:
            last = selectors.as_of(evaluation=evaluation, sequence=max(evaluation.version, 1))
            self.stdout.write(tables.headline(evaluation))
        else:
            number, moment = (when, None) if isinstance(when, int) else (None, when)
            if number is not None and number > evaluation.version:
                raise NotFound(f"This score has {evaluation.version} entr{'y' if evaluation.version == 1 else 'ies'}.")
            last = selectors.as_of(evaluation=evaluation, sequence=number, moment=moment)
            then = f"{in_places(last.value_after)} after entry {last.sequence}" if last else "not open yet"
            self.stdout.write(f"{evaluation}: {then}")
        if last is None:
            return
        entries = selectors.history(evaluation=evaluation).filter(sequence__lte=last.sequence)
        history = tables.aligned([tables.ENTRIES, *(tables.of_entry(entry) for entry in entries)])
        self.stdout.write("\n".join([*history, "", *tables.facts_of(last)]))

    def show_debate(self, debate: Debate) -> None:
        self.stdout.write(f"{debate.title}, {debate.status}")
        scores = Evaluation.objects.filter(debate=debate).order_by("position", "pk")
        self.list(tables.SCORES, map(tables.of_score, scores))

    def list(self, heads: tuple[str, ...], rows: Iterable[tuple[str, ...]], *, otherwise: str = "") -> None:
        """Print rows below their heads; where there are none and something is to be said then, that."""
        lines = tables.aligned([heads, *rows])
        self.stdout.write(otherwise if otherwise and len(lines) == 1 else "\n".join(lines))


def look_first(evaluation: Evaluation, what: str = "If that is what you want to change, add") -> CommandError:
    where = f"Look before you act: {tables.headline(evaluation)}. {what} --seen {evaluation.moderation_version}."
    return CommandError(where, returncode=1)


def why_of(options: Mapping[str, Any]) -> dict[str, str]:
    return {"reason": options["reason"], "note": options["note"]}


def row_of(rows: Manager[M], public_id: uuid.UUID) -> M:
    row = rows.filter(public_id=public_id).first()
    if row is None:
        own = {Approval: "request", Conflict: "conflict"}
        called = own.get(rows.model, rows.model._meta.verbose_name)  # noqa: SLF001 -- Django's public name
        raise NotFound(f"There is no {called} {public_id}.")
    return row
