"""``manage.py run_debate``: plays one debate from the command line and shows what moves."""

import asyncio
import json
import logging
from argparse import _ArgumentGroup
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.contrib.admin import site
from django.core.management.base import CommandError, CommandParser
from django.urls import reverse
from django.utils import timezone
from rest_framework.exceptions import ValidationError

from debates.absolute_urls import whole
from debates.api import unknown_fields
from debates.errors import DomainError, Invalid, NotFound, about
from debates.management.base import INTERRUPTED, BaseCommand, Unwritten
from debates.models import Debate, Event, Turn
from debates.rules import read_json
from debates.services import seats
from debates.types import Kind, Role, Status, TurnKind
from judging.engine import lifecycle, tasks
from judging.engine.creation import create_draft, faults_in, requested
from judging.formats import costs, criterion, shared_fields
from judging.formats import open as open_debate
from judging.formats.criterion.spec import MOST_CRITERIA_PER_ASSESSMENT
from judging.formats.files import words_of
from judging.formats.open import spec
from judging.formats.open.spec import ChairSpec
from judging.formats.registry import format_of
from judging.formats.spec import LONGEST_SUBJECT, LONGEST_TITLE, DebateSpec
from judging.pages.participants import VOICES
from judging.providers.scripted import LONGEST_SCRIPT, read_script
from judging.rules import frameworks
from judging.types import OFFLINE, are_unable
from scoring import rubrics, selectors

BAD_INPUT = 2
NOT_CONCLUDED = 1
NOT_ASSESSED = 3
LOUD = 2


class Command(BaseCommand):
    refused = BAD_INPUT
    help = (
        "Play a criterion debate about a text file, or an open debate on a motion, and print the result. "
        "Exit status 3: nothing could be assessed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("subject", nargs="?", help="a text or Markdown file; its first heading becomes the title")
        parser.add_argument("--format", default=criterion.NAME, choices=list(PLAYED))
        parser.add_argument("--rubric", default="venture", help="a stored rubric, or the path of a rubric file")
        parser.add_argument("--criteria", default="", help="play only these, for example P1,S2")
        parser.add_argument("--rounds", type=int, default=3, help="1 to 5")
        parser.add_argument(
            "--criteria-per-assessment",
            type=int,
            default=1,
            metavar="N",
            help=f"criteria that one question before play is about, 1 to {MOST_CRITERIA_PER_ASSESSMENT}",
        )
        shared_fields.add_seat_argument(parser, "--arbiter", does="rules")
        shared_fields.add_ballot_seconds(parser)
        parser.add_argument("--provider", help=f"{OFFLINE} if left out")
        parser.add_argument("--model", default="", help="a model, or model@endpoint; it needs no --provider")
        parser.add_argument("--panel", default="", help="the id of a concluded panel that gives the initial scores")
        parser.add_argument("--script", help="a file of answers for the scripted provider: JSON, or JSON lines")
        shared_fields.add_limits(parser)
        parser.add_argument("--json", action="store_true", help="print the result document and nothing else")
        shared_fields.add_fairness_arguments(parser)
        shared_fields.add_pace_argument(parser)
        add_arguments(parser)
        self.usual = {name: parser.get_default(name) for kind in PLAYED.values() for name in kind.options}

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["verbosity"] < LOUD:
            logging.getLogger("scoring").setLevel(logging.WARNING)  # every score change is shown here already
        refuse_foreign(options, usual=self.usual)
        debate = created(options)
        if options["verbosity"] and not options["json"]:
            self.stderr.write(where(debate), str)
            self.stderr.write(
                costs.told(format_of(debate.format).cost(debate=debate)), str
            )  # news, so not in the red of errors
        self.stderr.write(invitations(debate=debate), str, ending="")
        start(debate)
        watched = self.stdout.isatty() and not options["json"]
        progress = PLAYED[debate.format].progress(self.stdout.write if watched else say_nothing, debate)
        play(debate, tell=progress.tell)
        debate.refresh_from_db()
        self.stdout.write(told(debate, as_json=options["json"]))
        if debate.status != Status.CONCLUDED.value:
            raise CommandError(f"The debate is {debate.status}. {debate.problem}".strip(), returncode=NOT_CONCLUDED)
        if unassessed(debate):
            raise CommandError("Nothing could be assessed. A model or a person must judge.", returncode=NOT_ASSESSED)


def start(debate: Debate) -> None:
    """Start a draft.

    Raises: ``CommandError`` saying besides where it is, for it is nobody's.
    """
    try:
        lifecycle.start(debate_id=debate.pk, by=None, now=timezone.now())
    except DomainError as refusal:
        message = f"{refusal.message} In the admin it can be started or cancelled: {in_admin(debate)}"
        raise CommandError(message, returncode=BAD_INPUT) from refusal


def play(debate: Debate, *, tell: Callable[[Event], None], by: str = "any worker (manage.py worker)") -> None:
    """Play a debate to its end here.

    Raises: ``CommandError`` where that is interrupted, ``Unwritten`` where nothing can be told any more, either saying
    ``by`` whom it is played on: it is nobody's.
    """
    goes_on = f"It is played on by {by}; in the admin it can be cancelled: {in_admin(debate)}"
    try:
        asyncio.run(tasks.play_to_the_end(debate_id=debate.pk, tell=tell))
    except KeyboardInterrupt as interrupt:
        raise CommandError(f"Interrupted. {goes_on}", returncode=INTERRUPTED) from interrupt
    except Unwritten as unwritten:
        debate.refresh_from_db()
        raise Unwritten("" if debate.status in tasks.ENDS else goes_on) from unwritten.__cause__


def in_admin(debate: Debate) -> str:
    return reverse(f"{site.name}:debates_debate_change", args=[debate.pk])


def unassessed(debate: Debate) -> bool:
    """Say whether a judge could assess nothing of a debate, and said so."""
    return are_unable(list(debate.threads.values_list("ended_because", flat=True)))


def where(debate: Debate) -> str:
    return f"Debate {debate.public_id}; on the site: {reverse('debate', args=[debate.public_id])}"


def refuse_foreign(options: Mapping[str, Any], *, usual: Mapping[str, Any]) -> None:
    """Refuse options that another format than the one asked for knows."""
    for format_, kind in PLAYED.items():
        chosen = [name for name in kind.options if options[name] != usual[name]]
        if format_ != options["format"] and chosen:
            named = ", ".join("a file" if name == "subject" else f"--{name.replace('_', '-')}" for name in chosen)
            raise Invalid(f"{named}: only debates of --format {format_} know this; asked for is {options['format']}.")


def created(options: Mapping[str, Any]) -> Debate:
    script = script_of(options["script"]) if options["script"] else ()
    return create_draft(spec=PLAYED[options["format"]].spec_of(options, script), by=None, now=timezone.now())


def told(debate: Debate, *, as_json: bool) -> str:
    document = format_of(debate.format).result_document(debate=debate)
    if as_json:
        return json.dumps(document, indent=2, ensure_ascii=False)
    return PLAYED[debate.format].report(debate, document)


def say_nothing(_line: Any) -> None:
    """Take a line, or an event, and write nothing."""


class CriterionProgress:
    def __init__(self, *, write: Callable[[str], object], debate: Debate) -> None:
        self.write, self.total, self.played = write, debate.threads.count() * debate.rounds, 0
        self.stood = dict[str, str]()

    def tell(self, event: Event) -> None:
        data = event.data
        if event.type == "round:complete":
            self.played += 1
        elif event.type == "score:updated":
            done, criterion = f"{self.played + 1:>3}/{self.total}", data["criterion"]
            before = self.stood.get(criterion, data["originalScore"])
            self.stood[criterion] = data["currentScore"]
            self.write(f"{done}  round {data['round']}  {criterion:<4} {before:>5} -> {data['currentScore']}")
        elif event.type == "criterion:complete" and data["partial"]:
            self.write(f"         {data['criterion']} ended early: {data['because']}")


# -- reading what was asked ------------------------------------------------------------------------------------------


def spec_of(options: Mapping[str, Any], *, script: Sequence[Mapping[str, Any]]) -> DebateSpec:
    if not options["subject"]:
        raise Invalid("subject: a criterion debate needs a text file; --format open needs --motion instead.")
    text = words_of(options["subject"], what="subject", longest=LONGEST_SUBJECT)
    body = {
        **shared_fields.body_from(options),
        "script": script,
        "title": title_of(text, path=options["subject"]),
        "subject": text,
        "rubric": "read",
        "criteria": [code.strip() for code in options["criteria"].split(",") if code.strip()],
        "rounds": options["rounds"],
        "panel": options["panel"] or None,
        "criteria_per_assessment": options["criteria_per_assessment"],
        **{name: options[name] for name in ("arbiter", "ballot_seconds") if options[name] is not None},
    }
    with about("rubric"):
        read = {"rubric": rubric_of(options["rubric"])}
    return requested(format_=format_of(criterion.NAME), body=body, by=None, read=read)


def title_of(text: str, *, path: str) -> str:
    """Return the first heading of a Markdown text, or the name of its file."""
    first = text.strip().splitlines()[0]
    title = first.lstrip("#").strip() if first.startswith("#") else Path(path).stem
    return title[:LONGEST_TITLE] or Path(path).stem


def rubric_of(name: str) -> Mapping[str, Any]:
    """Return a stored rubric by its slug, or one from a file."""
    if name.endswith((".json", ".yaml", ".yml")) or "/" in name or Path(name).is_file():
        text = words_of(name, what="rubric", longest=LONGEST_SUBJECT)
        try:
            return rubrics.read(text)
        except Invalid as error:
            raise Invalid(f"rubric: {name}: {error.message.removeprefix('rubric: ')}") from error
    try:
        return rubrics.snapshot(slug=name)
    except NotFound as error:
        raise NotFound(f"rubric: {error.message} Nor is there a file of this name.") from error


def script_of(path: str) -> Sequence[Mapping[str, Any]]:
    with about("script"):
        return read_script(words_of(path, what="script", longest=LONGEST_SCRIPT))


# -- telling what came of it -----------------------------------------------------------------------------------------


def report(document: Mapping[str, Any], *, journeys: Mapping[str, Sequence[str]]) -> str:
    """Return a result as a table for people: how each score went, and what it comes to."""
    lines = [document["debate"]["title"], ""]
    lines += [_row(evaluation, journeys.get(evaluation["criterion"], ())) for evaluation in document["evaluations"]]
    if document["evaluations"]:
        lines += [f"{row['criterion']:<5}{row['name']:<28.28} not assessed" for row in document["notAssessed"]]
    whole, scored = document["overall"], document["scored"]
    lines += [
        "",
        f"Overall    {whole['before'] or '-'} -> {whole['after'] or 'not evaluated'}"
        + recommended(document)
        + (f"   ({scored['criteria']} of {scored['of']} criteria)" if scored["criteria"] < scored["of"] else ""),
        f"Rulings    {ruled(document)}",
        f"Strengths  {', '.join(document['strengths']) or '-'}",
        f"Weaknesses {', '.join(document['weaknesses']) or '-'}",
        f"Judged by  {', '.join(sorted({judge_of(row) for row in document['judgedBy']}))}",
    ]
    if document["debate"]["partial"]:
        lines.append(f"Partial    {document['debate']['partialReason']}")
    lines += ["", *unable(document)] if document["notAssessed"] else []
    if document["synthesis"]:
        lines += ["", document["synthesis"]]
    return "\n".join(lines)


def recommended(document: Mapping[str, Any]) -> str:
    """Return how good an overall is, and what it recommends or why it recommends nothing."""
    whole = document["overall"]
    if whole["after"] is None:
        return ""
    if whole["band"] is None:
        return "   no verdict counts: this is where the debate began, and no result of it"
    if whole["recommendation"]:
        return f"   {whole['band']}: {whole['recommendation']}"
    if document["debate"]["status"] == Status.CANCELLED:
        return f"   {whole['band']}; it was cancelled, so nothing is recommended"
    return f"   {whole['band']}; only {percent(whole['coverage'])} of the weight has a score, so nothing is recommended"


def unable(document: Mapping[str, Any]) -> list[str]:
    """Return a line for each reason why criteria are not assessed: which they are, why, and what helps."""
    because: dict[tuple[str, str], list[str]] = {}
    for row in document["notAssessed"]:
        because.setdefault((row["why"], row["helps"]), []).append(row["criterion"])
    every = len(because) == 1 and not document["evaluations"]
    return [
        f"Not assessed  {'every criterion' if every else ', '.join(codes)}: {why} {helps}"
        for (why, helps), codes in because.items()
    ]


def judge_of(row: Mapping[str, str]) -> str:
    voice = VOICES.get(row["kind"], row["provider"])
    return f"{voice} ({row['model']})" if row["model"] else voice


def percent(share: str | None) -> str:
    return f"{Decimal(share) * 100:.0f} %" if share is not None else "-"


def ruled(document: Mapping[str, Any]) -> str:
    if not document["verdicts"]:
        return "none"
    won = document["winners"]
    return (
        f"{won['evaluator']} for the evaluator, {won['red_team']} for the red team, {won['draw']} drawn"
        f" (survival rate {percent(document['survivalRate'])})"
    )


def _row(evaluation: Mapping[str, Any], journey: Sequence[str]) -> str:
    kept = evaluation["final"] is not None and evaluation["override"] is None and not evaluation["verdicts"]
    path = f"{evaluation['initial']} kept: nothing counted" if kept else " -> ".join([evaluation["initial"], *journey])
    final = evaluation["final"] or "not evaluated"
    return f"{evaluation['criterion']:<5}{evaluation['name']:<28.28} {path:<38} {final:>6}"


# -- what differs between formats --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlayedFormat:
    """How this command plays one format: the options of it alone, and what it makes of them and of what happens."""

    options: Sequence[str]
    spec_of: Callable[[Mapping[str, Any], Sequence[Mapping[str, Any]]], DebateSpec]
    progress: Callable[[Callable[[str], object], Debate], Any]
    report: Callable[[Debate, Mapping[str, Any]], str]


OF_OPEN_DEBATES = (
    "motion", "preset", "request", "exchanges", "tone", "accountability", "judging", "judge_concurrency", "evaluator",
    "persuasion_judge", "rule_set", "human", "external", "turn_seconds", "repeat_of",
)  # fmt: skip
PLAYED: Mapping[str, PlayedFormat] = {
    criterion.NAME: PlayedFormat(
        options=("subject", "rubric", "criteria", "rounds", "panel", "criteria_per_assessment", "arbiter"),
        spec_of=lambda options, script: spec_of(options, script=script),
        progress=lambda write, debate: CriterionProgress(write=write, debate=debate),
        report=lambda debate, document: report(document, journeys=selectors.journeys(debate_id=debate.pk)),
    ),
    open_debate.NAME: PlayedFormat(
        options=OF_OPEN_DEBATES,
        spec_of=lambda options, script: open_spec_of(options, script=script),
        progress=lambda write, debate: OpenProgress(write=write, debate=debate),
        report=lambda debate, document: f"{transcript(debate=debate)}\n\n{open_report(document)}",
    ),
}
"""What this command can play."""


# -- open debates: what is asked for, what is shown while they are played, and the report ------------------------------


JUDGED = ("judging", "accountability", "judge_concurrency")
SEATED = {"evaluator": "gives responses their marks", "persuasion_judge": "weighs what responses do to who listens"}
"""Who judges an open debate, from a seat or as an engine."""
DEFAULT_PRESET = "classic_clash"
LONGEST_REQUEST = 1_000_000
SEATS = {Kind.HUMAN.value: "a person", Kind.EXTERNAL.value: "a program of somebody's own"}


def add_arguments(parser: CommandParser) -> None:
    group = parser.add_argument_group("open debates")
    group.add_argument("--motion", default="", help="what is debated; at least ten characters")
    group.add_argument("--preset", help=f"who sits at the table: {', '.join(frameworks.presets())}")
    group.add_argument(
        "--request",
        default="",
        metavar="FILE",
        help="JSON with what the API takes for an open debate, such as chairs, effects, rules and words; what is said "
        "on the command line too holds as said there",
    )
    group.add_argument("--exchanges", type=int, help="1 to 30")
    for kind, who in SEATS.items():
        group.add_argument(
            f"--{kind}", action="append", default=[], metavar="NAME", help=f"{who} speaks for this chair; repeatable"
        )
    group.add_argument("--turn-seconds", type=int, help="how long they have for a turn")
    group.add_argument("--tone", help=", ".join(frameworks.tones()))
    group.add_argument("--accountability", help=", ".join(frameworks.accountability()))
    add_judging(group)
    for name, does in SEATED.items():
        shared_fields.add_seat_argument(group, f"--{name.replace('_', '-')}", does=does)
    group.add_argument("--rule-set", help="classic or firm: how hard it is to persuade")
    group.add_argument("--repeat-of", default="", help="the id of an open debate that is held again")


def add_judging(parser: CommandParser | _ArgumentGroup) -> None:
    parser.add_argument("--judging", help="full, quick or off: how responses are judged for fairness")
    parser.add_argument("--judge-concurrency", type=int, help="how many judgements are asked for at once, 1 to 12")


def open_spec_of(options: Mapping[str, Any], *, script: Sequence[Mapping[str, Any]]) -> DebateSpec:
    """Return the open debate that the command line asks for."""
    asked = request_in(options["request"]) if options["request"] else {}
    if not options["motion"] and not asked.get("motion"):
        raise Invalid("--motion says what an open debate is about; it must not be empty.")
    names = ("motion", "turn_seconds", "ballot_seconds", "exchanges", "tone", *JUDGED, *SEATED, "rule_set")
    common = {**shared_fields.body_from(options), "script": script, "repeat_of": options["repeat_of"] or None}
    typed = {name: value for name, value in common.items() if value or name == "pace"}
    if options["provider"] is None and typed["provider"] == OFFLINE:
        del typed["provider"]
    if typed.get("provider") == OFFLINE:
        asked = without_models(asked)
    typed |= {name: options[name] for name in names if options[name] not in ("", None)}
    for name in ("limits", "fairness"):
        of_file = asked.get(name, {})  # what is no object is refused as it is
        typed[name] = {**of_file, **common[name]} if isinstance(of_file, dict) else of_file
    body = {**common, **asked, **typed}
    body.pop("preset", None)
    return requested(format_=format_of(open_debate.NAME), body={**body, "chairs": chairs_in(asked, options)}, by=None)


def request_in(path: str, *, format_: str = open_debate.NAME) -> dict[str, Any]:
    """Return what a file asks for; whether its values may be asked for is looked at with all the rest."""
    text = words_of(path, what="request", longest=LONGEST_REQUEST)
    body = read_json(text, name=f"request: {path}", parse_float=str)
    if not isinstance(body, dict):
        raise Invalid(f"request: {path} must hold a JSON object, as the API takes it for the format {format_}.")
    if body.get("format", format_) != format_:
        raise Invalid(f"request: {path}: format: must be {format_} here; got {body['format']!r:.80}.")
    serializer = format_of(format_).serializer()
    try:
        unknown_fields.refuse(serializer, body)
        unknown_fields.refuse_other_types(serializer, body)
    except ValidationError as refusal:
        fault = next(faults_in(refusal.detail))
        raise Invalid(f"request: {path}: {fault.field}: {fault.message}") from refusal
    return body


def without_models(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return a request without the models of whoever names no provider: they are asked offline."""
    chairs = asked.get("chairs")
    if isinstance(chairs, list):  # what is none is refused as it is
        chairs = [
            {**chair, "model": ""} if isinstance(chair, dict) and not chair.get("provider") else chair
            for chair in chairs
        ]
    return {**asked, "model": "", **({"chairs": chairs} if "chairs" in asked else {})}


def chairs_in(asked: Mapping[str, Any], options: Mapping[str, Any]) -> list[Any]:
    """Return who sits at the table as a request names them: of a file, or of a preset; some people's or programs'."""
    if "chairs" in asked and ("preset" in asked or options["preset"] is not None):
        raise Invalid("request: chairs and preset: give one of them.")
    if "chairs" in asked and not (options["human"] or options["external"]):
        return list(asked["chairs"]) if isinstance(asked["chairs"], list) else [asked["chairs"]]
    if "chairs" in asked:
        raise Invalid("--human and --external name chairs of a preset; a chair of a file says its own kind.")
    preset = asked.get("preset", DEFAULT_PRESET) if options["preset"] is None else options["preset"]
    chairs = chairs_of({**options, "preset": preset})
    return [{name: str(getattr(chair, name)) for name in spec.COLUMNS} for chair in chairs]


def chairs_of(options: Mapping[str, Any]) -> list[ChairSpec]:
    """Return who sits at the table: the chairs of the preset, some of them people's or programs'."""
    chairs = {chair_spec.name.casefold(): chair_spec for chair_spec in spec.from_preset(options["preset"])}
    kinds_and_names = [(kind, name) for kind in SEATS for name in options[kind]]
    for kind, name in kinds_and_names:
        chair = chairs.get(name.strip().casefold())
        if chair is None or chair.kind != Kind.ENGINE.value:
            named = ", ".join(each.name for each in chairs.values())
            raise Invalid(f"--{kind} names one of {named}, each once; got {name}.")
        chairs[chair.name.casefold()] = replace(chair, kind=kind)
    return list(chairs.values())


def invitations(*, debate: Debate) -> str:
    """Invite somebody to every seat that is no engine's; return a line for each with the address of the invitation."""
    rows = debate.participants.exclude(kind=Kind.ENGINE.value).order_by("position")
    lines = []
    for row in rows:
        address = whole("take-seat", seats.invite(participant_id=row.pk, by=None))
        does = "judges as" if row.role == Role.JUDGE.value else "speaks for"
        lines.append(f"{SEATS[row.kind].capitalize()} {does} {row.name}: {address}\n")
    return "".join(lines)


class OpenProgress:
    """Says on a terminal who speaks at the table, and what comes of it. It reads nothing while the debate is played."""

    def __init__(self, *, write: Callable[[str], Any], debate: Debate) -> None:
        self.write = write
        participants = list(debate.participants.all())
        self.names = {str(participant.public_id): participant.name for participant in participants}
        self.arbiter = next(row.name for row in participants if row.role == Role.ARBITER.value)

    def tell(self, event: Event) -> None:
        data = event.data
        who = self.names.get(data.get("participant", ""), self.arbiter)
        if event.type == "turn:added":
            speaker = self.arbiter if data["role"] == Role.ARBITER.value else who
            self.write(f"{data.get('round', ''):>3}  {speaker}: {data['kind']}")
        elif event.type == "response:evaluated":
            self.write(f"       fairness of {who}: {data.get('total') or data['state']}")
        elif event.type == "state:changed":
            self.write(f"       {who}: stance {short(data['stance'])}, conviction {short(data['conviction'])}")
        elif event.type == "participant:surrendered":
            self.write(f"       {who} gives up ({data['reason']})")
        elif event.type == "turn:forfeited":
            self.write(f"{data['round']:>3}  {who} says nothing")
        elif event.type == "turn:awaited":
            self.write(f"{data['round']:>3}  waiting for {who} until {data['deadline'][:19].replace('T', ' ')} UTC")


def transcript(*, debate: Debate) -> str:
    turns = Turn.objects.filter(debate=debate).exclude(text="").exclude(kind=TurnKind.SYNTHESIS.value)
    rows = turns.select_related("participant").order_by("id")
    return "\n\n".join(f"{row.participant.name} ({row.kind}): {row.text}" for row in rows)


def open_report(document: Mapping[str, Any]) -> str:
    """Return the end of an open debate as people read it; where persuasion is not weighed nobody stands anywhere."""
    lines = [document["debate"]["motion"], ""]
    if document["victory"] and document["debate"]["status"] == Status.CONCLUDED.value:
        won = document["winner"] or "nobody"
        lines += [f"Won by {won} ({document['victory'].replace('_', ' ')}).", ""]
    else:
        lines += [document["sentence"], ""]
    lines.append(f"{'':<14}{'standing':>12}{'fairness':>10}{'stance':>10}{'conviction':>12}")
    weighed = bool(document["scores"])
    for name, state in document["states"].items():
        gone = f"  gave up ({state['surrendered']})" if state["surrendered"] else ""
        standing, fairness = document["scores"].get(name) or "-", document["adherence"][name] or "-"
        stance, conviction = (short(state[key]) if weighed else "-" for key in ("stance", "conviction"))
        lines.append(f"{name[:13]:<14}{short(standing):>12}{fairness:>10}{stance:>10}{conviction:>12}{gone}")
    if document["synthesis"]:
        lines += ["", document["synthesis"]]
    if document["debate"]["partial"]:
        lines.append(f"Partial: {document['debate']['partialReason']}")
    return "\n".join(lines)


def short(number: str) -> str:
    """Return a decimal with at most four places, for a column; the document has them all."""
    whole, point, places = number.partition(".")
    return f"{whole}{point}{places[:4]}"
