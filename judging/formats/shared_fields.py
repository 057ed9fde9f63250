"""What can be asked for of every format, by the API and on the command line: fairness, limits."""

from argparse import _ArgumentGroup
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.core.management.base import CommandParser
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from debates.api.fields import Choice, GivenNumber, words
from debates.decimals import plain
from debates.errors import DomainError, about
from debates.models import Debate, Participant
from debates.types import Kind, Role, Visibility
from judging.formats.spec import MOST_SECONDS, SLOWEST_PACE, USUAL_BALLOT_SECONDS, Limits, model_of
from judging.models import Script
from judging.providers.scripted import checked_script, read_script
from judging.rules.fairness import ONCE, REPEATS, Fairness
from judging.types import OFFLINE
from scoring.rules.numbers import decimal_of


class OptionsSerializer(serializers.Serializer[Any]):
    """What a debate does against the moods of its judges."""

    swap = serializers.BooleanField(
        required=False, label="Both orders", help_text="Judge everything in both orders; the mean counts."
    )
    blind_names = serializers.BooleanField(
        required=False, label="Names hidden", help_text="Show judges labels instead of names."
    )
    repeats = Choice(
        choices=list(REPEATS),
        called={times: "once" if times == 1 else f"{times} times" for times in REPEATS},
        required=False,
        label="Judged how often",
        help_text="Judgements in each order; the median counts.",
    )


def fairness_of(options: Mapping[str, Any]) -> Fairness:
    with about("fairness"):
        return Fairness.from_options(dict(options))


MODELS = "openai"
"""The provider where somebody asks for a model."""
SCRIPTED = "scripted"


MOST_MONEY = Decimal(999_999)


class MostSpentSerializer(serializers.Serializer[Any]):
    """What a debate may cost; nothing means without limit."""

    money = GivenNumber(
        required=False,
        label="Most money",
        help_text="The debate concludes, partial, before it costs more. It needs a price for every model.",
    )
    tokens = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=10**12,
        label="Most tokens",
        help_text="The debate concludes, partial, before models read and write more.",
    )
    calls = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=10**6,
        label="Most calls",
        help_text="The debate concludes, partial, once so many questions were put to providers.",
    )


VISIBLE: Mapping[str, str] = {
    Visibility.PUBLIC: "everybody, and it is listed",
    Visibility.UNLISTED: "whoever has its address",
    Visibility.PRIVATE: "who takes part or has a role in it, and who may see all debates",
}


def visibility_field() -> Choice:
    return words(
        Visibility,
        called=VISIBLE,
        required=False,
        default=Visibility.PUBLIC.value,
        label="Who may read it",
        help_text="Who may read the debate and its result, from the moment it is made.",
    )


def pace_field() -> serializers.IntegerField:
    return serializers.IntegerField(
        required=False,
        default=0,
        min_value=0,
        max_value=SLOWEST_PACE,
        label="Seconds between steps",
        help_text="How long it rests after each answer, so that an audience can follow; 0: as fast as it can.",
    )


SPEAKS: Mapping[str, str] = {OFFLINE: "offline, by rule", MODELS: "a language model", SCRIPTED: "a script"}
"""Who can be asked, in words."""
SITS: Mapping[str, str] = {Kind.ENGINE: "an engine", Kind.HUMAN: "a person", Kind.EXTERNAL: "a program of somebody"}
"""Who sits on a seat, in words."""


def seat_field(*, label: str, help_text: str) -> Choice:
    """Return the field of who judges: whoever is no engine is invited to a seat."""
    return words(Kind, called=SITS, required=False, default=Kind.ENGINE.value, label=label, help_text=help_text)


def ballot_seconds_field() -> serializers.IntegerField:
    return serializers.IntegerField(
        required=False,
        default=USUAL_BALLOT_SECONDS,
        min_value=1,
        max_value=MOST_SECONDS,
        label="Time for a ballot",
        help_text="How many seconds a person or a program that judges has for a ballot.",
    )


def add_seat_argument(parser: CommandParser | _ArgumentGroup, name: str, *, does: str) -> None:
    kinds = [kind.value for kind in Kind]
    parser.add_argument(name, choices=kinds, help=f"who {does}; an invitation is printed")


def add_ballot_seconds(parser: CommandParser) -> None:
    text = f"how long a person or a program has for a ballot, 1 to {MOST_SECONDS}; {USUAL_BALLOT_SECONDS} if left out"
    parser.add_argument("--ballot-seconds", type=int, metavar="N", help=text)


def asked_model(voice: Participant) -> str:
    """Return the model of a voice; none of one that argues by rule, which may have been given one all the same."""
    return "" if voice.provider == OFFLINE else voice.model


def seats_asked_for(debate: Debate, kept: Mapping[str, Any], seats: Mapping[str, str]) -> dict[str, Any]:
    """Return the part of a request that says from which seats people and programs judge.

    Shape: ``seats`` are fields of the request, each with the name of its participant.
    """
    judges = {judge.name: judge.kind for judge in debate.participants.all() if judge.role == Role.JUDGE.value}
    asked = {field: judges[name] for field, name in seats.items() if name in judges}
    return {**asked, "ballot_seconds": kept["ballot_seconds"]} if asked else {}


@extend_schema_field({"type": ["array", "string"], "items": {"type": "object", "additionalProperties": True}})
class ScriptField(serializers.Field[Any, Any, Any, Any]):
    """The answers that a script replays: a list of them, or its text, as a JSON list or as JSON lines."""

    def to_internal_value(self, data: Any) -> Any:
        try:
            return read_script(data) if isinstance(data, str) else checked_script(data)
        except DomainError as refusal:
            raise serializers.ValidationError(refusal.message, code=refusal.code) from refusal

    def to_representation(self, value: Any) -> Any:
        return value


def script_field() -> ScriptField:
    return ScriptField(
        required=False,
        default=list,
        label="Script",
        help_text="What the voices that are scripts answer: JSON, an answer a line. The first that fits is said.",
    )


def provider_field(*, label: str, help_text: str, **options: Any) -> serializers.CharField:
    return serializers.CharField(required=False, max_length=40, label=label, help_text=help_text, **options)


def model_field() -> serializers.CharField:
    return serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=120,
        label="Model",
        help_text="A name such as small, or small@endpoint; empty: the one that the settings name.",
    )


def common_request(debate: Debate) -> dict[str, Any]:
    """Return what requests for debates of every format have in common, as a debate was asked for."""
    money = plain(debate.limit_money) if debate.limit_money is not None else None
    limits = {"money": money, "tokens": debate.limit_tokens, "calls": debate.limit_calls}
    fairness = debate.parameters.get("fairness", {})
    body: dict[str, Any] = {
        "visibility": debate.visibility,
        "pace": debate.parameters.get("pace", 0),
        "script": Script.objects.filter(debate=debate).values_list("answers", flat=True).first(),
        "limits": {name: value for name, value in limits.items() if value is not None},
        "fairness": {name: value for name, value in fairness.items() if value != getattr(ONCE, name)},
    }
    return {name: value for name, value in body.items() if value}


def common_spec(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a request says of what can be asked for in every format, as specifications take it.

    Raises: ``Invalid``, ``OutOfRange``, ``NotANumber``, naming the field.
    """
    return {
        "limits": limits_of(data["limits"]),
        **({"fairness": fairness_of(data["fairness"])} if "fairness" in data else {}),
        "visibility": Visibility(data["visibility"]),
        "pace": data["pace"],
        "script": data["script"],
    }


def limits_of(limits: Mapping[str, Any]) -> Limits:
    money = None
    if "money" in limits:
        with about("limits.money"):
            money = decimal_of(
                limits["money"], name="limits: money", low=Decimal("0.000001"), high=MOST_MONEY, places=6
            )
    return Limits(money=money, tokens=limits.get("tokens"), calls=limits.get("calls"))


def provider_from(options: Mapping[str, Any]) -> str:
    return SCRIPTED if options["script"] else provider_for(options["provider"], model=options["model"])


def provider_for(named: str | None, *, model: str) -> str:
    """Return who is asked: where nobody is named, who asks models if there is one, else who judges offline.

    Raises: ``Invalid`` for a model beside the offline provider, which asks none.
    """
    model_of(model, offline=named == OFFLINE)
    return named or (MODELS if model else OFFLINE)


def body_from(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the options that every format has ask for, as the body of a request."""
    fairness = {name: options.get(name) for name in ("swap", "blind_names", "repeats")}
    return {
        "provider": provider_from(options),
        "model": options["model"],
        **({"pace": options["pace"]} if options.get("pace") is not None else {}),
        "limits": {name: options[f"max_{name}"] for name in LIMITED if options[f"max_{name}"] is not None},
        "fairness": {name: value for name, value in fairness.items() if value is not None and value is not False},
    }


def add_fairness_arguments(parser: CommandParser, *, named: bool = True) -> None:
    """Add how judges are asked.

    Shape: ``named`` says whether they know names that can be kept from them.
    """
    group = parser.add_argument_group("fairness")
    group.add_argument("--swap", action="store_true", help="have everything judged in both orders, and use the mean")
    if named:
        group.add_argument("--blind-names", action="store_true", help="show judges labels instead of names")
    group.add_argument("--repeats", type=int, help="1, 3 or 5 judgements in each order; the median counts")


LIMITED: Mapping[str, str] = {
    "calls": "conclude, partial, once so many calls were made",
    "tokens": "conclude, partial, before models read and write more",
    "money": "conclude, partial, before it costs more; it needs a price for every model",
}


def add_limits(parser: CommandParser) -> None:
    for name, help_text in LIMITED.items():
        parser.add_argument(f"--max-{name}", type=str if name == "money" else int, metavar="N", help=help_text)


def add_pace_argument(parser: CommandParser) -> None:
    help_text = f"rest so many seconds after each answer, for an audience to follow; at most {SLOWEST_PACE}"
    parser.add_argument("--pace", type=int, metavar="SECONDS", help=help_text)
