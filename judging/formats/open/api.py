"""An open debate as somebody wants it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from debates.api.fields import Choice, GivenNumber
from debates.api.fields import words as one_of
from debates.errors import Invalid
from debates.types import Kind, Visibility
from judging.formats.forms import MostSpentSerializer, OptionsSerializer, fairness_of, limits_of
from judging.formats.open import NAME, spec
from judging.formats.open.spec import ChairSpec, Judging, TableSpec
from judging.rules import frameworks
from judging.rules.interjection import Accountability
from judging.rules.persuasion import RULE_SETS, Strategy
from judging.rules.standing import Credit
from judging.types import EffectSource

FORMAT = [(NAME, NAME.upper())]
PLAIN = (
    "motion", "title", "exchanges", "tone", "introduction", "judging", "accountability", "interjections", "persuasion",
    "effects", "judge_concurrency", "turn_seconds", "rule_set", "rules", "words", "credit", "provider", "model",
)  # fmt: skip


class GivenChairSerializer(serializers.Serializer[Any]):
    """Somebody at the table."""

    name = serializers.CharField(max_length=spec.LONGEST_NAME)
    framework = Choice(choices=["", *frameworks.frameworks()], required=False, default="")
    stance = GivenNumber(required=False, default="0", help_text="-1 to 1, at most 2 places.")
    conviction = GivenNumber(required=False, default="0.5", help_text="0 to 1, at most 2 places.")
    strategy = one_of(Strategy, required=False, default=Strategy.ADAPTIVE.value)
    provider = serializers.CharField(required=False, allow_blank=True, default="", max_length=40)
    model = serializers.CharField(required=False, allow_blank=True, default="", max_length=120)
    kind = one_of(
        Kind,
        required=False,
        default=Kind.ENGINE.value,
        help_text="Who speaks: an engine, a person, or a program of yours.",
    )


class OpenDebateSerializer(serializers.Serializer[Any]):
    """An open debate as somebody wants it: a motion, and a preset or chairs of one's own."""

    format = Choice(choices=FORMAT)
    motion = serializers.CharField(max_length=spec.LONGEST_MOTION, help_text="At least 10 characters.")
    title = serializers.CharField(required=False, allow_blank=True, default="", max_length=200)
    preset = Choice(choices=list(frameworks.presets()), required=False)
    chairs = GivenChairSerializer(many=True, required=False, max_length=spec.MOST_CHAIRS)  # type: ignore[call-arg]  # of the list
    exchanges = serializers.IntegerField(required=False, default=3, min_value=1, max_value=spec.MOST_EXCHANGES)
    tone = Choice(choices=list(frameworks.tones()), required=False, default=frameworks.SPIRITED)
    turn_seconds = serializers.IntegerField(
        required=False,
        default=86_400,
        min_value=1,
        max_value=spec.MOST_SECONDS,
        help_text="How long a person or a program has for a turn.",
    )
    introduction = serializers.BooleanField(required=False, default=True)
    judging = one_of(Judging, required=False, default=Judging.FULL.value)
    judge_concurrency = serializers.IntegerField(
        required=False,
        default=3,
        min_value=1,
        max_value=spec.MOST_AT_ONCE,
        help_text="How many judgements of responses are asked for at once.",
    )
    accountability = one_of(Accountability, required=False, default=Accountability.MODERATE.value)
    interjections = serializers.BooleanField(required=False, default=True)
    persuasion = serializers.BooleanField(required=False, default=True)
    effects = Choice(
        choices=["", EffectSource.JUDGE.value, EffectSource.WORDS.value],
        required=False,
        default="",
        help_text="Empty: a model weighs, else the word lists count.",
    )
    rule_set = Choice(choices=list(RULE_SETS), required=False, default="classic")
    rules = serializers.DictField(required=False, default=dict, help_text="What is changed in the rule set.")
    words = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField(max_length=80), max_length=spec.MOST_WORDS),
        required=False,
        default=dict,
        help_text="Further words for the lists `persuasion`, `attack`, `evidence`.",
    )
    fairness = OptionsSerializer(required=False, default=dict)
    credit = one_of(Credit, required=False, default=Credit.SHARED.value)
    provider = serializers.CharField(required=False, default="heuristic", max_length=40)
    model = serializers.CharField(required=False, allow_blank=True, default="", max_length=120)
    limits = MostSpentSerializer(required=False, default=dict)
    visibility = one_of(Visibility, required=False, default=Visibility.PUBLIC.value)
    repeat_of = serializers.UUIDField(
        required=False, allow_null=True, default=None, help_text="An open debate that has ended and is held again."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse keys that would have no effect, even where they say what would be so anyway."""
        without = spec.idle(
            persuasion=attrs["persuasion"], judging=attrs["judging"], interjections=attrs["interjections"]
        )
        named = {name: f"Without effect, because {why}." for name, why in without.items() if name in self.initial_data}
        if named:
            raise serializers.ValidationError(named)
        return attrs


def spec_of(data: Mapping[str, Any]) -> TableSpec:
    """Return a request for an open debate as the service takes it.

    Raises: ``Invalid``.
    """
    return TableSpec(
        **{name: data[name] for name in PLAIN},
        chairs=chairs_of(data),
        fairness=fairness_of(data["fairness"]),
        limits=limits_of(data["limits"]),
        visibility=Visibility(data["visibility"]),
        repeat_of=str(data["repeat_of"] or ""),
    )


def chairs_of(data: Mapping[str, Any]) -> tuple[ChairSpec, ...]:
    """Return who sits at the table: those of a preset, or those that are named.

    Raises: ``Invalid`` for both or neither.
    """
    if ("preset" in data) == ("chairs" in data):
        raise Invalid("chairs and preset: give one of them.")
    if "preset" in data:
        return spec.from_preset(data["preset"])
    return tuple(ChairSpec(**chair) for chair in data["chairs"])


EXAMPLE = {
    "format": "open",
    "motion": "Cities should make public transport free.",
    "preset": "three_way_ethics",
    "exchanges": 3,
    "tone": "respectful",
    "accountability": "strict",
}
