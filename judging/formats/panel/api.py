"""A panel as somebody wants it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from debates.api.fields import Choice, GivenNumber, words
from debates.errors import Invalid
from debates.types import Visibility
from judging.formats.forms import MostSpentSerializer, OptionsSerializer, fairness_of, limits_of
from judging.formats.panel import NAME, spec
from judging.formats.panel.spec import LONGEST_CODE, LONGEST_TASK, MOST_CRITERIA, MOST_SEATS, JudgeSeat, PanelSpec
from judging.formats.spec import LONGEST_TITLE
from judging.heuristics.panel import STRATEGIES
from judging.rules.consensus import Policy
from scoring import rubrics

FORMAT = [(NAME, NAME.upper())]
THREE = (JudgeSeat(), JudgeSeat(), JudgeSeat())
RUBRICS = ("template", "criteria", "rubric")


class WeighedSerializer(serializers.Serializer[Any]):
    """A criterion and how much it weighs."""

    name = serializers.CharField(
        max_length=LONGEST_CODE, help_text="Such as `correctness`; a known one brings its own question."
    )
    weight = GivenNumber(help_text="Above 0; only the proportions matter.")


class PlaceSerializer(serializers.Serializer[Any]):
    """One voice of a panel."""

    provider = serializers.CharField(required=False, default="heuristic", max_length=40)
    model = serializers.CharField(required=False, allow_blank=True, default="", max_length=120)
    strategy = Choice(
        choices=list(STRATEGIES), required=False, allow_blank=True, default="", help_text="How an offline judge reads."
    )


class TermsSerializer(serializers.Serializer[Any]):
    """What counts as agreement; what is left out stays at its default."""

    spread = GivenNumber(required=False, help_text="Of the overall scores, 0 to 4.")
    criterion_spread = GivenNumber(required=False, help_text="On each criterion, 0 to 4.")
    quorum = serializers.IntegerField(required=False, min_value=2, max_value=9)
    early_exit = serializers.BooleanField(required=False)
    pass_mark = GivenNumber(required=False, help_text="1 to 5. No judge sees it.")
    revision_mark = GivenNumber(required=False, help_text="1 to 5. No judge sees it.")


class PanelDebateSerializer(serializers.Serializer[Any]):
    """A panel as somebody wants it. Exactly one of `template`, `criteria` and `rubric` says what is judged."""

    format = Choice(choices=FORMAT)
    title = serializers.CharField(max_length=200)
    subject = serializers.CharField(max_length=200_000)
    task = serializers.CharField(max_length=LONGEST_TASK, help_text="What the subject was to accomplish.")
    template = Choice(choices=list(spec.TEMPLATES), required=False)
    criteria = serializers.ListField(child=WeighedSerializer(), required=False, min_length=1, max_length=MOST_CRITERIA)
    rubric = serializers.SlugField(required=False, max_length=50, help_text="The slug of a stored rubric.")
    judges = serializers.ListField(
        child=PlaceSerializer(),
        required=False,
        default=list,
        max_length=MOST_SEATS,
        help_text="2 to 9; three offline ones, if left out.",
    )
    reporter = PlaceSerializer(required=False, default=dict, help_text="Who writes the closing words.")
    rounds = serializers.IntegerField(required=False, default=3, min_value=0, max_value=3)
    policy = TermsSerializer(required=False, default=dict)
    not_applicable = serializers.DictField(
        child=serializers.CharField(max_length=LONGEST_TITLE),
        required=False,
        default=dict,
        help_text="Criteria that do not apply, each with why.",
    )
    limits = MostSpentSerializer(required=False, default=dict)
    fairness = OptionsSerializer(required=False, default=dict)
    visibility = words(Visibility, required=False, default=Visibility.PUBLIC.value)
    repeat_of = serializers.UUIDField(
        required=False, allow_null=True, default=None, help_text="A panel that has ended and is held again."
    )


def spec_of(data: Mapping[str, Any]) -> PanelSpec:
    chosen = {name: data[name] for name in ("title", "subject", "task", "not_applicable")}
    seats = [JudgeSeat(**seat) for seat in data["judges"]]
    return PanelSpec(
        **chosen,
        seats=seats or THREE,
        rubric=rubric_of(data),
        reporter=JudgeSeat(**data["reporter"]),
        policy=Policy.from_options({**data["policy"], "debate_rounds": data["rounds"]}),
        limits=limits_of(data["limits"]),
        fairness=fairness_of(data["fairness"]),
        visibility=Visibility(data["visibility"]),
        repeat_of=str(data["repeat_of"] or ""),
    )


def rubric_of(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what the judges are asked about.

    Raises: ``Invalid`` unless there is exactly one of the three ways to say it.
    """
    named = [name for name in RUBRICS if name in data]
    if len(named) != 1:
        raise Invalid(f"Give one of {', '.join(RUBRICS)}; got {' and '.join(named) or 'none'}.")
    if "template" in data:
        return spec.template(data["template"])
    if "rubric" in data:
        return rubrics.snapshot(slug=data["rubric"])
    return spec.weighed([(row["name"], row["weight"]) for row in data["criteria"]])


EXAMPLE = {
    "format": "panel",
    "title": "cache.py",
    "subject": "def answer(key):\n    return kept[key]\n",
    "task": "Keep answers for an hour; never serve a stale one.",
    "criteria": [{"name": "correctness", "weight": "60"}, {"name": "design", "weight": "40"}],
    "rounds": 2,
}
