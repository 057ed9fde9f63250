"""Open debates on the command line: what is asked for, what is shown while they are played, and the report."""

from __future__ import annotations

from argparse import _ArgumentGroup
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.core.management.base import CommandParser

from debates.absolute_urls import whole
from debates.errors import Invalid
from debates.models import Debate, Event, Turn
from debates.services import seats
from debates.types import Kind, Role, TurnKind
from judging.engine.new_debates import requested
from judging.formats import forms
from judging.formats import open as open_debate
from judging.formats.open import spec
from judging.formats.open.spec import ChairSpec
from judging.formats.registry import format_of
from judging.formats.spec import DebateSpec
from judging.rules import frameworks

JUDGED = ("judging", "accountability", "judge_concurrency")
DEFAULT_PRESET = "classic_clash"
SEATS = {Kind.HUMAN.value: "a person", Kind.EXTERNAL.value: "a program of somebody's own"}


def add_arguments(parser: CommandParser) -> None:
    group = parser.add_argument_group("open debates")
    group.add_argument("--motion", default="", help="what is debated; at least ten characters")
    group.add_argument(
        "--preset", default=DEFAULT_PRESET, help=f"who sits at the table: {', '.join(frameworks.presets())}"
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
    if not options["motion"]:
        raise Invalid("--motion says what an open debate is about; it must not be empty.")
    names = ("motion", "turn_seconds", "exchanges", "tone", *JUDGED, "rule_set")
    format_ = format_of(open_debate.NAME)
    columns = spec.COLUMNS
    usual = {name: field.default for name, field in format_.serializer().fields.items()}
    body = {
        **forms.body_from(options),
        "script": script,
        **{name: options[name] for name in names if options[name] != usual[name]},
        "chairs": [{name: str(getattr(chair, name)) for name in columns} for chair in chairs_of(options)],
        "repeat_of": options["repeat_of"] or None,
    }
    return requested(format_=format_, body=body, by=None)


def chairs_of(options: Mapping[str, Any]) -> list[ChairSpec]:
    """Return who sits at the table: the chairs of the preset, some of them people's or programs'.

    Raises: ``Invalid`` for a name that nobody has at this table, or that is asked for twice.
    """
    chairs = {chair_spec.name.casefold(): chair_spec for chair_spec in spec.from_preset(options["preset"])}
    wanted = [(kind, name) for kind in SEATS for name in options[kind]]
    for kind, name in wanted:
        chair = chairs.get(name.strip().casefold())
        if chair is None or chair.kind != Kind.ENGINE.value:
            named = ", ".join(each.name for each in chairs.values())
            raise Invalid(f"--{kind} names one of {named}, each once; got {name}.")
        chairs[chair.name.casefold()] = replace(chair, kind=kind)
    return list(chairs.values())


def invitations(*, debate: Debate) -> str:
    """Invite somebody to every chair that is no engine's; return a line for each with the address of the invitation."""
    rows = debate.participants.exclude(kind=Kind.ENGINE.value).order_by("position")
    lines = []
    for row in rows:
        address = whole("take-seat", seats.invite(participant_id=row.pk, by=None))
        lines.append(f"{SEATS[row.kind].capitalize()} speaks for {row.name}: {address}\n")
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
