"""``manage.py import_transcript``: has a debate judged that really happened."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from debates.errors import Invalid
from debates.management.base import BaseCommand
from debates.selectors import played_out
from debates.types import Status, Visibility
from judging.engine.creation import create_draft
from judging.formats import shared_fields
from judging.formats.files import words_of
from judging.formats.open import results, transcripts
from judging.formats.open.parsing import SHORTEST_TURN
from judging.formats.open.spec import Judging, TableSpec
from judging.formats.open.transcripts import Transcript
from judging.formats.parsing import LONGEST_TEXT
from judging.formats.spec import Limits, payable
from judging.management.commands import run_debate
from judging.management.commands.run_debate import BAD_INPUT, NOT_CONCLUDED
from judging.types import DEBATER, OFFLINE

LONGEST_FILE = 20_000_000
CUT = "{cut} of {turns} turns have more than {longest} characters; of each of them so many are taken."
LEFT_OUT = "What has less than {shortest} characters is left out: {who}."
NOBODY = ("[deleted]", "[removed]")
ONE_PERSON = "{name} is judged as one person, whoever they were: give each of them a name where they were several."
IN_FILE_ORDER = "Neither times nor replies say who spoke first: it is judged in the order of the file."


class Command(BaseCommand):
    refused = BAD_INPUT
    help = "Read a transcript (JSON, NAME: words, or ConvoKit utterances), have it judged, and print the result."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--motion", default="", help="what was debated; needed where the file does not say")
        parser.add_argument("--conversation", default="", help="which conversation of a ConvoKit file; else the first")
        parser.add_argument("--speakers", default="", help="a JSON file of who they are: role, side, stance by name")
        parser.add_argument("--provider", help=f"who judges; {OFFLINE} if left out")
        parser.add_argument("--model", default="", help="a model, or model@endpoint; it needs no --provider")
        run_debate.add_judging(parser)
        shared_fields.add_fairness_arguments(parser)
        shared_fields.add_limits(parser)
        kinds = [kind.value for kind in Visibility]
        parser.add_argument("--visibility", choices=kinds, default="public", help="who sees it on the site")
        parser.add_argument("--json", action="store_true", help="print the result document and nothing else")

    def handle(self, *_args: Any, **options: Any) -> None:
        text = words_of(options["file"], what="transcript", longest=LONGEST_FILE)
        transcript = transcripts.read(text, conversation=options["conversation"])
        if options["speakers"]:
            speakers = words_of(options["speakers"], what="speakers", longest=LONGEST_FILE)
            transcript = transcripts.with_speakers(transcript, speakers)
        debate = create_draft(spec=table_of(transcript, options), by=None, now=timezone.now())
        if options["verbosity"] and not options["json"]:
            self.stderr.write(run_debate.where(debate), str)
            self.stderr.write(who_speaks(transcript), str)
        run_debate.start(debate)
        self.stderr.write(warnings(transcript), str, ending="")
        run_debate.play(debate, tell=run_debate.say_nothing)
        debate.refresh_from_db()
        document = results.document(debate=debate)
        as_json = json.dumps(document, indent=2, ensure_ascii=False)
        self.stdout.write(as_json if options["json"] else run_debate.open_report(document))
        if debate.status != Status.CONCLUDED.value:
            raise CommandError(f"The debate is {debate.status}. {debate.problem}".strip(), returncode=NOT_CONCLUDED)
        if debate.partial:
            short = (
                "Everything was judged, without closing words" if played_out(debate) else "Not everything was judged"
            )
            message = f"{short} ({debate.partial_reason.replace('_', ' ')})."
            raise CommandError(message, returncode=NOT_CONCLUDED)


def who_speaks(transcript: Transcript) -> str:
    """Return everybody with their number of turns: a line of a list that is taken for somebody's is noticed here."""
    turns = Counter(line.speaker for line in transcript.lines)
    return f"Turns: {', '.join(f'{name} {count}' for name, count in turns.items())}."


def warnings(transcript: Transcript) -> str:
    """Return what is, or may be, judged otherwise than it was said; nothing where all is as it was."""
    cut = transcripts.cut(transcript)
    sentences = [CUT.format(cut=cut, turns=len(transcript.lines), longest=LONGEST_TEXT)] if cut else []
    if transcript.left_out:
        who = ", ".join(f"{name} {count}" for name, count in transcript.left_out.items())
        sentences.append(LEFT_OUT.format(shortest=SHORTEST_TURN, who=who))
    sentences += [ONE_PERSON.format(name=name) for name in transcript.speakers if name in NOBODY]
    sentences += [IN_FILE_ORDER] if transcript.in_file_order else []
    return "".join(f"{line}\n" for line in sentences)


def table_of(transcript: Transcript, options: Mapping[str, Any]) -> TableSpec:
    """Return the debate that a transcript becomes, judged as the arguments say."""
    if not (options["motion"] or transcript.motion):
        raise Invalid("The transcript does not say what was debated: name it with --motion.")
    asked = shared_fields.body_from({**options, "script": ""})
    table = transcripts.as_table(
        transcript,
        motion=options["motion"],
        provider=asked["provider"],
        model=options["model"],
        limits=shared_fields.limits_of(asked["limits"]),
        fairness=shared_fields.fairness_of(asked["fairness"]),
        visibility=Visibility(options["visibility"]),
        **{name: options[name] for name in ("judging", "judge_concurrency") if options[name] is not None},
    )
    return replace(table, limits=with_script(table))


def with_script(table: TableSpec) -> Limits:
    """Return the limits with room for the turns that are said again: who names a number of calls means judgements."""
    if table.limits.calls is None:
        return table.limits
    debaters = {chair.name for chair in table.chairs if chair.part == DEBATER}
    payable(table.limits, least=len(debaters & {*table.order[1]}) if table.judging == Judging.FULL else 1)
    return replace(table.limits, calls=table.limits.calls + len(table.script))
