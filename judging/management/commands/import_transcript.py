"""``manage.py import_transcript``: has a debate judged that really happened."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from debates.errors import DomainError
from debates.types import Status
from judging import foreground, outcomes
from judging.management import fairness, tables
from judging.management.commands.run_debate import BAD_INPUT, NOT_CONCLUDED, words_of
from judging.services import control
from judging.services import tables as table_services
from judging.spec import Limits
from judging.tables import transcripts

LONGEST_FILE = 20_000_000


class Command(BaseCommand):
    """Judge a debate that really happened."""

    help = "Read a transcript (JSON, NAME: words, or ConvoKit utterances), have it judged, and print the result."

    def add_arguments(self, parser: CommandParser) -> None:
        """Say what can be asked for."""
        parser.add_argument("file")
        parser.add_argument("--motion", default="", help="what was debated; needed where the file does not say")
        parser.add_argument("--conversation", default="", help="which conversation of a ConvoKit file; else the first")
        parser.add_argument("--provider", default="heuristic", help="who judges")
        tables.add_judging(parser)
        fairness.add_arguments(parser)
        parser.add_argument("--max-calls", type=int, help="conclude, partial, once so many calls were made")
        parser.add_argument("--json", action="store_true", help="print the result document and nothing else")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Store the debate, have it judged, and say what it comes to."""
        try:
            text = words_of(options["file"], what="transcript", longest=LONGEST_FILE)
            wanted = transcripts.as_table(
                transcripts.read(text, conversation=options["conversation"]),
                motion=options["motion"],
                judging=options["judging"],
                judge_concurrency=options["judge_concurrency"],
                provider=options["provider"],
                limits=Limits(calls=options["max_calls"]),
                fairness=fairness.of(options),
            )
            debate = table_services.create(wanted=wanted, by=None, now=timezone.now())
            control.start(debate_id=debate.pk, by=None, now=timezone.now())
        except DomainError as refusal:
            raise CommandError(refusal.message, returncode=BAD_INPUT) from refusal
        asyncio.run(foreground.play_to_the_end(debate_id=debate.pk, tell=lambda _event: None))
        debate.refresh_from_db()
        document = outcomes.document(debate=debate)
        as_json = json.dumps(document, indent=2, ensure_ascii=False)
        self.stdout.write(as_json if options["json"] else tables.report(document))
        if debate.status != Status.CONCLUDED.value:
            raise CommandError(f"The debate is {debate.status}. {debate.problem}".strip(), returncode=NOT_CONCLUDED)
