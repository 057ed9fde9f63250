"""``manage.py import_transcript``: has a debate judged that really happened."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from debates.errors import Invalid
from debates.management.base import BaseCommand
from debates.types import Status
from judging.engine import tasks
from judging.engine.creation import create_draft
from judging.formats import shared_fields
from judging.formats.files import words_of
from judging.formats.open import results, transcripts
from judging.formats.open.spec import TableSpec
from judging.formats.open.transcripts import Transcript
from judging.formats.parsing import LONGEST_TEXT
from judging.formats.spec import Limits
from judging.management.commands import run_debate
from judging.management.commands.run_debate import BAD_INPUT, NOT_CONCLUDED
from judging.types import OFFLINE

LONGEST_FILE = 20_000_000
CUT = "{cut} of {turns} turns have more than {longest} characters; of each of them so many are taken."


class Command(BaseCommand):
    refused = BAD_INPUT
    help = "Read a transcript (JSON, NAME: words, or ConvoKit utterances), have it judged, and print the result."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--motion", default="", help="what was debated; needed where the file does not say")
        parser.add_argument("--conversation", default="", help="which conversation of a ConvoKit file; else the first")
        parser.add_argument("--speakers", default="", help="a JSON file of who they are: role, side, stance by name")
        parser.add_argument("--provider", default=OFFLINE, help="who judges")
        run_debate.add_judging(parser)
        shared_fields.add_fairness_arguments(parser)
        parser.add_argument("--max-calls", type=int, help="conclude, partial, once so many calls were made")
        parser.add_argument("--json", action="store_true", help="print the result document and nothing else")

    def handle(self, *_args: Any, **options: Any) -> None:
        text = words_of(options["file"], what="transcript", longest=LONGEST_FILE)
        transcript = transcripts.read(text, conversation=options["conversation"])
        if options["speakers"]:
            speakers = words_of(options["speakers"], what="speakers", longest=LONGEST_FILE)
            transcript = transcripts.with_speakers(transcript, speakers)
        debate = create_draft(spec=table_of(transcript, options), by=None, now=timezone.now())
        run_debate.start(debate)
        self.stderr.write(warnings(transcript), str, ending="")
        asyncio.run(tasks.play_to_the_end(debate_id=debate.pk, tell=lambda _event: None))
        debate.refresh_from_db()
        document = results.document(debate=debate)
        as_json = json.dumps(document, indent=2, ensure_ascii=False)
        self.stdout.write(as_json if options["json"] else run_debate.open_report(document))
        if debate.status != Status.CONCLUDED.value:
            raise CommandError(f"The debate is {debate.status}. {debate.problem}".strip(), returncode=NOT_CONCLUDED)


def warnings(transcript: Transcript) -> str:
    """Return what is judged otherwise than it was said; nothing where all is as it was."""
    cut = transcripts.cut(transcript)
    return f"{CUT.format(cut=cut, turns=len(transcript.lines), longest=LONGEST_TEXT)}\n" if cut else ""


def table_of(transcript: Transcript, options: Mapping[str, Any]) -> TableSpec:
    """Return the debate that a transcript becomes, judged as the arguments say.

    Raises: ``Invalid``.
    """
    if not (options["motion"] or transcript.motion):
        raise Invalid("The transcript does not say what was debated: name it with --motion.")
    return transcripts.as_table(
        transcript,
        motion=options["motion"],
        provider=options["provider"],
        limits=Limits(calls=options["max_calls"]),
        fairness=shared_fields.fairness_from(options),
        **{name: options[name] for name in ("judging", "judge_concurrency") if options[name] is not None},
    )
