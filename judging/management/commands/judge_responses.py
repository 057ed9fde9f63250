"""``manage.py judge_responses``: has responses judged that were given elsewhere, one or thousands, without a debate."""

import json
import logging
from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from debates.management.base import BaseCommand
from debates.models import Debate, Event
from debates.rules import IN_PLAY
from debates.types import Status, Visibility
from judging.engine import lifecycle
from judging.engine.creation import create_draft, requested, unread
from judging.formats import costs, shared_fields
from judging.formats.files import words_of
from judging.formats.open.spec import Judging
from judging.formats.registry import format_of
from judging.formats.responses import NAME, results, spec
from judging.formats.responses.play import BATCH
from judging.formats.responses.spec import ResponsesSpec
from judging.management.commands.run_debate import BAD_INPUT, LOUD, NOT_CONCLUDED, play, say_nothing, script_of, where
from judging.rules.adherence import Accountability
from judging.types import OFFLINE
from scoring.management.tables import aligned

UNFINISHED = [status.value for status in (Status.DRAFT, *IN_PLAY)]


class Command(BaseCommand):
    refused = BAD_INPUT
    help = (
        "Judge responses of a file (CSV, JSON lines, JSON) against their frameworks and print their marks. The same "
        "command again goes on where the last one was interrupted; what is known already is not asked again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help=f"a table with a line of names, or JSON lines: {', '.join(spec.COLUMNS)}")
        parser.add_argument("--motion", required=True, help="what the responses are about: a motion, or a question")
        parser.add_argument("--title", default="", help="what the batch is called; else by what it is about")
        parser.add_argument("--judging", default=Judging.FULL.value, choices=[Judging.FULL.value, Judging.QUICK.value])
        parser.add_argument("--judge-concurrency", type=int, default=3, help="judgements asked for at once, 1 to 12")
        parser.add_argument(
            "--accountability",
            default=Accountability.MODERATE.value,
            choices=[degree.value for degree in Accountability],
            help="how strictly it is said for which responses a debate would be interrupted",
        )
        parser.add_argument("--provider", help=f"{OFFLINE} if left out")
        parser.add_argument("--model", default="", help="a model, or model@endpoint; it needs no --provider")
        parser.add_argument("--script", help="a file of answers for the scripted provider: JSON, or JSON lines")
        shared_fields.add_limits(parser)
        kinds = [kind.value for kind in Visibility]
        parser.add_argument("--visibility", choices=kinds, default="public", help="who sees it on the site")
        parser.add_argument("--json", action="store_true", help="print the result document and nothing else")

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["verbosity"] < LOUD:
            logging.getLogger("scoring").setLevel(logging.WARNING)  # every score is in the table
        loud = bool(options["verbosity"]) and not options["json"]
        debate, goes_on = batch_of(spec_of(options))
        if loud:
            self.stderr.write(f"{where(debate)}{'; it goes on' if goes_on else ''}", str)
            self.stderr.write(costs.told(format_of(NAME).cost(debate=debate)), str)
            for warning in unread(debate=debate, participants=list(debate.participants.all())):
                self.stderr.write(warning, str)
        run(debate)
        tell = Progress(self.stderr.write, of=len(debate.parameters[BATCH]["ids"])).tell if loud else say_nothing
        play(debate, tell=tell, by="the same command, or by any worker")
        debate.refresh_from_db()
        document = results.document(debate=debate)
        self.stdout.write(json.dumps(document, indent=2, ensure_ascii=False) if options["json"] else table(document))
        if debate.status != Status.CONCLUDED.value or debate.partial or document["responses"]["failed"]:
            raise CommandError(short(debate, document), returncode=NOT_CONCLUDED)


def spec_of(options: Mapping[str, Any]) -> ResponsesSpec:
    common = shared_fields.body_from({"swap": False, "blind_names": False, "repeats": None, **options})
    names = ("motion", "title", "judging", "judge_concurrency", "accountability", "visibility")
    body = {
        **{name: common[name] for name in ("provider", "model", "limits")},
        **{name: options[name] for name in names},
        "script": script_of(options["script"]) if options["script"] else (),
        "responses": words_of(options["file"], what="responses", longest=spec.LONGEST_FILE),
    }
    batch_spec = requested(format_=format_of(NAME), body=body, by=None)
    assert isinstance(batch_spec, ResponsesSpec)  # noqa: S101 -- it is what this format makes of a request
    return batch_spec


def batch_of(batch_spec: ResponsesSpec) -> tuple[Debate, bool]:
    """Return the batch that is to be judged, and whether it was begun already: one that was interrupted goes on."""
    begun = Debate.objects.filter(
        format=NAME, status__in=UNFINISHED, created_by=None, parameters__batch__digest=spec.digest(batch_spec)
    )
    debate = begun.order_by("pk").last()
    if debate is not None:
        return debate, True
    return create_draft(spec=batch_spec, by=None, now=timezone.now()), False


def run(debate: Debate) -> None:
    """Start a batch, or let it go on; one that is being judged is left to whoever works, this command among them."""
    if debate.status == Status.DRAFT.value:
        lifecycle.start(debate_id=debate.pk, by=None, now=timezone.now())
    elif debate.status == Status.PAUSED.value:
        lifecycle.resume(debate_id=debate.pk, by=None, now=timezone.now())


class Progress:
    """Says how many responses have been dealt with, part by part."""

    def __init__(self, write: Any, *, of: int) -> None:
        self.write, self.of, self.done = write, of, 0

    def tell(self, event: Event) -> None:
        if event.type == "response:evaluated":
            self.done += 1
        elif event.type == "round:complete":
            self.write(f"{self.done:>6} of {self.of}", str)


HEADS = ("Response", "Speaker", "Framework", "Total", "Steel", "Self", "Consist", "Honesty", "Would interject")


def table(document: Mapping[str, Any]) -> str:
    """Return a result as a table for people, and what it comes to in a line."""
    lines = aligned([HEADS, *(cells(row) for row in document["rows"])])
    all_ = document["responses"]
    states = ", ".join(f"{all_[name]} {name}" for name in ("scored", "quick", "failed", "left") if all_[name])
    mean = f" Mean {document['mean']}." if document["mean"] else ""
    return "\n".join(
        [*lines, "", f"{all_['given']} responses: {states}.{mean} Would interject: {document['interjections']}."]
    )


def cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    own = results.called(row["framework"])
    framework = own if len(own) <= 24 else f"{own[:21]}..."
    marks = [row["marks"][name]["mark"] for name in row["marks"]] or ["-"] * 4
    if row["state"] == "quick":
        marks = ["tried" if row["quick"][name] else "not tried" for name in ("steel_manning", "self_critique")] + [
            "-"
        ] * 2
    total = row["final"] or row["state"] or "not judged"
    return (row["id"], row["speaker"], framework or "-", total, *marks, (row["interjection"] or "-").replace("_", " "))


def short(debate: Debate, document: Mapping[str, Any]) -> str:
    """Return why a batch came to less than it should, and what helps."""
    if debate.status != Status.CONCLUDED.value:
        return f"The batch is {debate.status}. {debate.problem}".strip()
    left, failed = document["responses"]["left"], document["responses"]["failed"]
    why = [f"Not judged: {left} ({debate.partial_reason.replace('_', ' ')})."] if left else []
    why += [f"Not judged: {failed}, because the judge's answer could not be read."] if failed else []
    return f"{' '.join(why)} The same command again judges them; the others are known and cost nothing."
