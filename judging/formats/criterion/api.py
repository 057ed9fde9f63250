"""A criterion debate as somebody wants it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from rest_framework import serializers

from debates.api.fields import Choice, GivenNumber, words
from debates.errors import NotFound
from debates.models import Debate
from debates.types import Conduct, Visibility
from judging.formats import panel as panel_format
from judging.formats.criterion import NAME
from judging.formats.criterion.spec import OPTIONAL_PERSONAS, PERSONAS, UPDATES, CriterionSpec
from judging.formats.forms import MostSpentSerializer, OptionsSerializer, fairness_of, limits_of
from scoring import rubrics
from scoring.types import Parameters

FORMAT = [(NAME, NAME.upper())]
PLAIN = (
    "title", "subject", "criteria", "rounds", "challenges_per_criterion", "personas", "score_updates", "provider",
    "providers", "model",
)  # fmt: skip


class FirstSerializer(serializers.Serializer[Any]):
    """What a criterion's account is opened with."""

    score = GivenNumber(help_text="1 to 10, at most 2 places.")
    confidence = GivenNumber(required=False, default="0.5", help_text="0 to 1, at most 2 places.")


class CriterionDebateSerializer(serializers.Serializer[Any]):
    """A criterion debate as somebody wants it."""

    format = Choice(choices=FORMAT, required=False, default=NAME)
    title = serializers.CharField(max_length=200)
    subject = serializers.CharField(max_length=200_000)
    rubric = serializers.SlugField(help_text="The slug of a stored rubric.", max_length=50)
    criteria = serializers.ListField(
        child=serializers.CharField(max_length=20), required=False, default=list, max_length=100
    )
    rounds = serializers.IntegerField(required=False, default=3, min_value=1, max_value=5)
    challenges_per_criterion = serializers.IntegerField(required=False, default=3, min_value=1, max_value=10)
    personas = serializers.ListField(
        child=Choice(choices=[*PERSONAS, *OPTIONAL_PERSONAS]),
        required=False,
        default=list(PERSONAS),
        max_length=6,
    )
    score_updates = Choice(choices=list(UPDATES), required=False, default=UPDATES[0])
    initial = serializers.DictField(child=FirstSerializer(), required=False, default=dict)
    panel = serializers.UUIDField(
        required=False, allow_null=True, default=None, help_text="A concluded panel that gives the initial scores."
    )
    provider = serializers.CharField(required=False, default="heuristic", max_length=40)
    providers = serializers.DictField(child=serializers.CharField(max_length=40), required=False, default=dict)
    model = serializers.CharField(required=False, allow_blank=True, default="", max_length=120)
    limits = MostSpentSerializer(required=False, default=dict)
    fairness = OptionsSerializer(required=False, default=dict)
    visibility = words(Visibility, required=False, default=Visibility.PUBLIC.value)
    conducted_by = words(Conduct, required=False, default=Conduct.ENGINE.value)
    weight_by_confidence = serializers.BooleanField(required=False, default=False)


def panel_of(panel: UUID | None, *, readable: QuerySet[Debate]) -> str:
    """Return the id of the panel that gives the initial scores, if one is named.

    Raises: ``NotFound`` where the caller may not read it.
    """
    if panel is None:
        return ""
    if not readable.filter(public_id=panel, format=panel_format.NAME).exists():
        raise NotFound(f"There is no panel {panel} that you may read.")
    return str(panel)


def spec_of(data: Mapping[str, Any], *, readable: QuerySet[Debate]) -> CriterionSpec:
    """Return a request for a debate as the service takes it.

    Raises: ``Invalid``, ``NotFound``.
    """
    same = {name: data[name] for name in PLAIN}
    initial = {code: (first["score"], first["confidence"]) for code, first in data["initial"].items()}
    return CriterionSpec(
        **same,
        rubric=rubrics.snapshot(slug=data["rubric"]),
        initial=initial,
        panel=panel_of(data["panel"], readable=readable),
        limits=limits_of(data["limits"]),
        fairness=fairness_of(data["fairness"]),
        visibility=Visibility(data["visibility"]),
        conducted_by=Conduct(data["conducted_by"]),
        score=Parameters.from_options({"weight_by_confidence": data["weight_by_confidence"]}),
    )


EXAMPLE = {
    "title": "Soil probes",
    "subject": "We will measure 120 wells in 2027.",
    "rubric": "venture",
    "rounds": 2,
}
