"""Open debates: created, and read as their judging left them: response evaluations, effects, states, standings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from debates.api.doors import Many, One
from debates.api.fields import GivenNumber
from debates.api.fields import words as one_of
from debates.api.paging import Paging
from debates.errors import Invalid
from debates.types import Format, Visibility
from judging import frameworks
from judging.api import shapes
from judging.api.fairness import Options, fairness_of
from judging.api.limits import MostSpent, limits_of
from judging.models import Effect, ParticipantState, ResponseEvaluation, Standing
from judging.rules.effects import Strategy
from judging.rules.interjection import Accountability
from judging.rules.rulesets import RULE_SETS
from judging.rules.standing import Credit
from judging.rules.state import Surrender
from judging.tables import spec
from judging.tables.spec import Chair, Judging, TableSpec
from judging.types import EffectSource, Judgement

# -- creating --------------------------------------------------------------------------------------------------------


class GivenChair(serializers.Serializer[Any]):
    """Somebody at the table."""

    name = serializers.CharField(max_length=spec.LONGEST_NAME)
    framework = serializers.ChoiceField(choices=["", *frameworks.frameworks()], required=False, default="")
    stance = GivenNumber(required=False, default="0", help_text="-1 to 1, at most 2 places.")
    conviction = GivenNumber(required=False, default="0.5", help_text="0 to 1, at most 2 places.")
    strategy = one_of(Strategy, required=False, default=Strategy.ADAPTIVE.value)
    provider = serializers.CharField(required=False, allow_blank=True, default="", max_length=40)
    model = serializers.CharField(required=False, allow_blank=True, default="", max_length=120)

    def to_internal_value(self, data: Any) -> Any:
        """Read one chair; a field that is not known is refused rather than ignored."""
        strange = sorted(str(one) for one in set(data) - set(self.fields)) if isinstance(data, Mapping) else []
        if strange:
            raise ValidationError({strange[0][:80]: ["There is no such field."]}, code="unknown_field")
        return super().to_internal_value(data)


class OpenDebateInput(serializers.Serializer[Any]):
    """An open debate as somebody wants it: a motion, and a preset or chairs of one's own."""

    format = serializers.ChoiceField(choices=[Format.OPEN.value])
    motion = serializers.CharField(max_length=spec.LONGEST_MOTION, help_text="At least 10 characters.")
    title = serializers.CharField(required=False, allow_blank=True, default="", max_length=200)
    preset = serializers.ChoiceField(choices=list(frameworks.presets()), required=False)
    chairs = GivenChair(many=True, required=False, max_length=spec.MOST_CHAIRS)  # type: ignore[call-arg]  # of the list
    exchanges = serializers.IntegerField(required=False, default=3, min_value=1, max_value=spec.MOST_EXCHANGES)
    tone = serializers.ChoiceField(choices=list(frameworks.tones()), required=False, default=frameworks.SPIRITED)
    introduction = serializers.BooleanField(required=False, default=True)
    judging = one_of(Judging, required=False, default=Judging.FULL.value)
    accountability = one_of(Accountability, required=False, default=Accountability.MODERATE.value)
    interjections = serializers.BooleanField(required=False, default=True)
    persuasion = serializers.BooleanField(required=False, default=True)
    effects = serializers.ChoiceField(
        choices=["", EffectSource.JUDGE.value, EffectSource.WORDS.value],
        required=False,
        default="",
        help_text="Empty: a model weighs, else the word lists count.",
    )
    rule_set = serializers.ChoiceField(choices=list(RULE_SETS), required=False, default="classic")
    rules = serializers.DictField(required=False, default=dict, help_text="What is changed in the rule set.")
    words = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField(max_length=80), max_length=spec.MOST_WORDS),
        required=False,
        default=dict,
        help_text="Further words for the lists `persuasion`, `attack`, `evidence`.",
    )
    fairness = Options(required=False, default=dict)
    credit = one_of(Credit, required=False, default=Credit.SHARED.value)
    provider = serializers.CharField(required=False, default="heuristic", max_length=40)
    model = serializers.CharField(required=False, allow_blank=True, default="", max_length=120)
    limits = MostSpent(required=False, default=dict)
    visibility = one_of(Visibility, required=False, default=Visibility.PUBLIC.value)


EXAMPLE = {
    "format": "open",
    "motion": "Cities should make public transport free.",
    "preset": "three_way_ethics",
    "exchanges": 3,
    "tone": "respectful",
    "accountability": "strict",
}
PLAIN = (
    "motion", "title", "exchanges", "tone", "introduction", "judging", "accountability", "interjections", "persuasion",
    "effects", "rule_set", "rules", "words", "credit", "provider", "model",
)  # fmt: skip


def spec_of(given: Mapping[str, Any]) -> TableSpec:
    """Return a request for an open debate as the service takes it.

    Raises: ``Invalid``.
    """
    return TableSpec(
        **{name: given[name] for name in PLAIN},
        chairs=chairs_of(given),
        fairness=fairness_of(given["fairness"]),
        limits=limits_of(given["limits"]),
        visibility=Visibility(given["visibility"]),
    )


def chairs_of(given: Mapping[str, Any]) -> tuple[Chair, ...]:
    """Return who sits at the table: those of a preset, or those that are named.

    Raises: ``Invalid`` for both or neither.
    """
    if ("preset" in given) == ("chairs" in given):
        raise Invalid("chairs and preset: give one of them.")
    if "preset" in given:
        return spec.from_preset(given["preset"])
    return tuple(Chair(**one) for one in given["chairs"])


# -- reading ---------------------------------------------------------------------------------------------------------


class OfRound(Paging):
    """Rows of one debate and exchange."""

    debate = serializers.UUIDField(required=False, source="round__thread__debate__public_id")
    round = serializers.IntegerField(required=False, min_value=0, max_value=10**4, source="round__number")


JUDGED = ("turn__participant", "round__thread__debate", "fact__evaluation", "call")


class ResponseEvaluations(Many):
    """List how responses of open debates were judged for fairness, oldest first."""

    tag, everybody, newest_first = "response evaluations", True, False
    Output = shapes.ResponseEvaluation

    class Query(OfRound):
        """Of which debate and exchange, whose, of which turn, and what is known."""

        participant = serializers.UUIDField(required=False, source="turn__participant__public_id")
        turn = serializers.UUIDField(required=False, source="turn__public_id")
        evaluation = serializers.UUIDField(required=False, source="fact__evaluation__public_id")
        state = one_of(Judgement, required=False)

    def rows(self) -> QuerySet[ResponseEvaluation]:
        """Return them."""
        rows = ResponseEvaluation.objects.select_related(*JUDGED).defer("call__raw_answer")
        return rows.filter(round__thread__debate__in=self.debates())


class OneResponseEvaluation(One):
    """Show how one response was judged."""

    tag, everybody, Output = "response evaluations", True, shapes.ResponseEvaluation

    def row(self) -> ResponseEvaluation:
        """Return it."""
        rows = ResponseEvaluation.objects.select_related(*JUDGED).defer("call__raw_answer")
        return self.one(rows.filter(round__thread__debate__in=self.debates()))


class Effects(Many):
    """List what responses of open debates did to those who listened, oldest first."""

    tag, everybody, newest_first, Output = "effects", True, False, shapes.Effect

    class Query(Paging):
        """Of which debate and exchange, who spoke and who listened, and by what it was weighed."""

        debate = serializers.UUIDField(required=False, source="turn__debate__public_id")
        round = serializers.IntegerField(required=False, min_value=0, max_value=10**4, source="turn__round__number")
        turn = serializers.UUIDField(required=False, source="turn__public_id")
        speaker = serializers.UUIDField(required=False, source="speaker__public_id")
        listener = serializers.UUIDField(required=False, source="listener__public_id")
        weighed_by = one_of(EffectSource, required=False, source="source")

    def rows(self) -> QuerySet[Effect]:
        """Return them."""
        rows = Effect.objects.select_related("turn__debate", "turn__round", "speaker", "listener")
        return rows.filter(turn__debate__in=self.debates())


class States(Many):
    """List where participants of open debates stood, at first and after each response that reached them."""

    tag, everybody, newest_first, Output = "states", True, False, shapes.State

    class Query(Paging):
        """Of which debate and exchange, whose, and why they gave up."""

        debate = serializers.UUIDField(required=False, source="participant__debate__public_id")
        round = serializers.IntegerField(
            required=False, min_value=0, max_value=10**4, source="effect__turn__round__number"
        )
        participant = serializers.UUIDField(required=False, source="participant__public_id")
        surrender = one_of(Surrender, required=False)

    def rows(self) -> QuerySet[ParticipantState]:
        """Return them."""
        rows = ParticipantState.objects.select_related("participant__debate", "effect__turn__round")
        return rows.filter(participant__debate__in=self.debates())


class Standings(Many):
    """List the standings of open debates, participant by participant after the openings and each exchange."""

    tag, everybody, newest_first, Output = "standings", True, False, shapes.Standing
    column = "fact_id"

    class Query(OfRound):
        """Of which debate and exchange, and whose."""

        participant = serializers.UUIDField(required=False, source="participant__public_id")
        evaluation = serializers.UUIDField(required=False, source="fact__evaluation__public_id")

    def rows(self) -> QuerySet[Standing]:
        """Return them."""
        rows = Standing.objects.select_related("fact__evaluation", "round__thread__debate", "participant")
        return rows.filter(round__thread__debate__in=self.debates())
