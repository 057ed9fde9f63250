"""Open debates on the command line: what is asked for, what is shown while they are played, and the report."""

from __future__ import annotations

import json
from argparse import _ArgumentGroup
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.core.management.base import CommandParser
from rest_framework.exceptions import ValidationError

from debates.absolute_urls import whole
from debates.api import unknown_fields
from debates.errors import Invalid
from debates.models import Debate, Event, Turn
from debates.rules import unique_keys
from debates.services import seats
from debates.types import Kind, Role, TurnKind
from judging.engine.new_debates import faults_in, requested
from judging.formats import forms
from judging.formats import open as open_debate
from judging.formats.open import spec
from judging.formats.open.spec import ChairSpec
from judging.formats.registry import format_of
from judging.formats.spec import DebateSpec
from judging.management.file_collector import words_of
from judging.rules import frameworks

JUDGED = ("judging", "accountability", "judge_concurrency")
SEATED = {"evaluator": "gives responses their marks", "persuasion_judge": "weighs what responses do to who listens"}
"""Who judges an open debate, from a seat or as an engine."""
DEFAULT_PRESET = "classic_clash"
LONGEST_REQUEST = 1_000_000
SEATS = {Kind.HUMAN.value: "a person", Kind.EXTERNAL.value: "a program of somebody's own"}


def add_arguments(parser: CommandParser) -> None:
    group = parser.add_argument_group("open debates")
    group.add_argument("--motion", default="", help="what is debated; at least ten characters")
    group.add_argument(
        "--preset", default=DEFAULT_PRESET, help=f"who sits at the table: {', '.join(frameworks.presets())}"
    )
    group.add_argument(
        "--request",
        default="",
        metavar="FILE",
        help="JSON with what the API takes for an open debate, such as chairs, effects, rules and words; what is said "
        "on the command line too holds as said there",
    )
    group.add_argument("--exchanges", type=int, default=3, help="1 to 30")
    for kind, who in SEATS.items():
        group.add_argument(
            f"--{kind}", action="append", default=[], metavar="NAME", help=f"{who} speaks for this chair; repeatable"
        )
    group.add_argument("--turn-seconds", type=int, default=86_400, help="how long they have for a turn")
    group.add_argument("--tone", default=frameworks.SPIRITED, help=", ".join(frameworks.tones()))
    group.add_argument("--accountability", default="moderate", help=", ".join(frameworks.accountability()))
    add_judging(group)
    for name, does in SEATED.items():
        forms.add_seat_argument(group, f"--{name.replace('_', '-')}", does=does)
    group.add_argument("--rule-set", default="classic", help="classic or firm: how hard it is to persuade")
    group.add_argument("--repeat-of", default="", help="the id of an open debate that is held again")


def add_judging(parser: CommandParser | _ArgumentGroup) -> None:
    parser.add_argument("--judging", default="full", help="full, quick or off: how responses are judged for fairness")
    parser.add_argument(
        "--judge-concurrency", type=int, default=3, help="how many judgements are asked for at once, 1 to 12"
    )


def spec_of(options: Mapping[str, Any], *, script: Sequence[Mapping[str, Any]]) -> DebateSpec:
    """Return the open debate that the command line asks for.

    Raises: ``Invalid`` and its kin, naming the option.
    """
    asked = request_in(options["request"]) if options["request"] else {}
    if not options["motion"] and not asked.get("motion"):
        raise Invalid("--motion says what an open debate is about; it must not be empty.")
    names = ("motion", "turn_seconds", "ballot_seconds", "exchanges", "tone", *JUDGED, *SEATED, "rule_set")
    format_ = format_of(open_debate.NAME)
    usual = {name: field.default for name, field in format_.serializer().fields.items()}
    common = {**forms.body_from(options), "script": script, "repeat_of": options["repeat_of"] or None}
    typed = {name: value for name, value in common.items() if value and value != usual[name]}
    typed |= {name: options[name] for name in names if options[name] not in ("", usual[name])}
    body = {**common, **asked, **typed}
    body.pop("preset", None)
    return requested(format_=format_, body={**body, "chairs": chairs_in(asked, options)}, by=None)


def request_in(path: str) -> dict[str, Any]:
    """Return what a file asks for; whether its values may be asked for is looked at with all the rest.

    Raises: ``Invalid`` where it is no JSON object, or has what no open debate has.
    """
    text = words_of(path, what="request", longest=LONGEST_REQUEST)
    try:
        body = json.loads(text.lstrip("\ufeff"), parse_float=str, object_pairs_hook=unique_keys)
    except (ValueError, RecursionError) as error:
        raise Invalid(f"request: {path} is not JSON that can be read: {error}.") from error
    if not isinstance(body, dict):
        raise Invalid(f'request: {path} must hold a JSON object, such as {{"motion": ..., "chairs": [...]}}.')
    serializer = format_of(open_debate.NAME).serializer()
    try:
        unknown_fields.refuse(serializer, body)
        unknown_fields.refuse_other_types(serializer, body)
    except ValidationError as refusal:
        fault = next(faults_in(refusal.detail))
        raise Invalid(f"request: {path}: {fault.field}: {fault.message}") from refusal
    return body


def chairs_in(asked: Mapping[str, Any], options: Mapping[str, Any]) -> list[Any]:
    """Return who sits at the table as a request names them: of a file, or of a preset; some people's or programs'.

    Raises: ``Invalid`` for a file that says both, and as ``chairs_of``.
    """
    if "chairs" in asked and ("preset" in asked or options["preset"] != DEFAULT_PRESET):
        raise Invalid("request: chairs and preset: give one of them.")
    if "chairs" in asked and not (options["human"] or options["external"]):
        return list(asked["chairs"]) if isinstance(asked["chairs"], list) else [asked["chairs"]]
    if "chairs" in asked:
        raise Invalid("--human and --external name chairs of a preset; a chair of a file says its own kind.")
    preset = options["preset"] if options["preset"] != DEFAULT_PRESET else asked.get("preset", DEFAULT_PRESET)
    chairs = chairs_of({**options, "preset": preset})
    return [{name: str(getattr(chair, name)) for name in spec.COLUMNS} for chair in chairs]


def chairs_of(options: Mapping[str, Any]) -> list[ChairSpec]:
    """Return who sits at the table: the chairs of the preset, some of them people's or programs'.

    Raises: ``Invalid`` for a name that nobody has at this table, or that is asked for twice.
    """
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
        self.names = {str(participant.public_id): participant.name for participant in debate.participants.all()}

    def tell(self, event: Event) -> None:
        data = event.data
        who = self.names.get(data.get("participant", ""), "Arbiter")
        if event.type == "turn:added":
            speaker = "Arbiter" if data["role"] == Role.ARBITER.value else who
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


def report(document: Mapping[str, Any]) -> str:
    """Return the end of an open debate as people read it; where persuasion is not weighed nobody stands anywhere."""
    lines = [document["debate"]["motion"], ""]
    if document["victory"]:
        won = document["winner"] or "nobody"
        lines += [f"Won by {won} ({document['victory'].replace('_', ' ')}).", ""]
    elif document["exercise"]:
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
