"""Open debates on the command line: what is asked for, what is shown while they are played, and the report."""

from __future__ import annotations

from argparse import _ArgumentGroup
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.core.management.base import CommandParser
from django.urls import reverse

from debates.errors import Invalid
from debates.models import Debate, Event, Turn
from debates.services import seats
from debates.types import Kind, Role, TurnKind
from judging.formats import forms
from judging.formats.open import spec
from judging.formats.open.spec import ChairSpec, TableSpec
from judging.formats.spec import Limits
from judging.rules import frameworks

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


def spec_of(options: Mapping[str, Any], *, script: Sequence[Mapping[str, Any]]) -> TableSpec:
    """Return the open debate that the command line asks for.

    Raises: ``Invalid`` and its kin, naming the option.
    """
    if not options["motion"]:
        raise Invalid("--motion says what an open debate is about; it must not be empty.")
    return TableSpec(
        motion=options["motion"],
        chairs=chairs_of(options),
        turn_seconds=options["turn_seconds"],
        exchanges=options["exchanges"],
        tone=options["tone"],
        accountability=options["accountability"],
        judging=options["judging"],
        judge_concurrency=options["judge_concurrency"],
        rule_set=options["rule_set"],
        provider="scripted" if script else options["provider"],
        script=script,
        limits=Limits(calls=options["max_calls"]),
        fairness=forms.fairness_from(options),
        repeat_of=options["repeat_of"],
    )


def chairs_of(options: Mapping[str, Any]) -> list[ChairSpec]:
    """Return who sits at the table: the chairs of the preset, some of them people's or programs'.

    Raises: ``Invalid`` for a name that nobody has at this table, or that is asked for twice.
    """
    chairs = {one.name.casefold(): one for one in spec.from_preset(options["preset"])}
    wanted = [(kind, name) for kind in SEATS for name in options[kind]]
    for kind, name in wanted:
        one = chairs.get(name.strip().casefold())
        if one is None or one.kind != Kind.ENGINE.value:
            named = ", ".join(each.name for each in chairs.values())
            raise Invalid(f"--{kind} names one of {named}, each once; got {name}.")
        chairs[one.name.casefold()] = replace(one, kind=kind)
    return list(chairs.values())


def invitations(*, debate: Debate) -> str:
    """Invite somebody to every chair that is no engine's; return a line for each with the address of the invitation."""
    rows = debate.participants.exclude(kind=Kind.ENGINE.value).order_by("position")
    lines = []
    for one in rows:
        address = reverse("take-seat", args=[seats.invite(participant_id=one.pk, by=None)])
        lines.append(f"{SEATS[one.kind].capitalize()} speaks for {one.name}: {address}\n")
    return "".join(lines)


class OpenProgress:
    """Says on a terminal who speaks at the table, and what comes of it. It reads nothing while the debate is played."""

    def __init__(self, *, write: Callable[[str], Any], debate: Debate) -> None:
        self.write = write
        self.names = {str(one.public_id): one.name for one in debate.participants.all()}

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
    return "\n\n".join(f"{one.participant.name} ({one.kind}): {one.text}" for one in rows)


def report(document: Mapping[str, Any]) -> str:
    """Return the end of an open debate as people read it; where persuasion is not weighed nobody stands anywhere."""
    lines = [document["debate"]["motion"], ""]
    if document["victory"]:
        won = document["winner"] or "nobody"
        lines += [f"Won by {won} ({document['victory'].replace('_', ' ')}).", ""]
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
