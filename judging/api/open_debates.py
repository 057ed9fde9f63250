"""Open debates as their judging left them: response evaluations, effects, states, standings."""

from __future__ import annotations

from rest_framework import serializers

from debates.api.fields import any_of
from debates.api.fields import words as one_of
from debates.api.paging import PagingSerializer
from debates.api.permissions import ANYBODY
from debates.api.views import ApiView, ListView, RetrieveView
from judging.api import serializers as api_serializers
from judging.models import Effect, ParticipantState, ResponseEvaluation, Standing
from judging.rules.persuasion import Surrender
from judging.types import EffectSource, Judgement


class OfRoundSerializer(PagingSerializer):
    """Rows of one debate and exchange."""

    debate = any_of(serializers.UUIDField(), source="round__thread__debate__public_id")
    round = any_of(serializers.IntegerField(min_value=0, max_value=10**4), source="round__number")


class ResponseEvaluationView(ApiView):
    tag, access, serializer_class = "response evaluations", ANYBODY, api_serializers.ResponseEvaluationSerializer
    queryset = ResponseEvaluation.objects.select_related(
        "turn__participant", "round__thread__debate", "fact__evaluation", "call"
    ).defer("call__raw_answer")
    debate_field = "round__thread__debate"


class ResponseEvaluations(ResponseEvaluationView, ListView):
    """List how responses of open debates were judged for fairness, oldest first."""

    newest_first = False

    class Query(OfRoundSerializer):
        """Of which debate and exchange, whose, of which turn, and what is known."""

        participant = any_of(serializers.UUIDField(), source="turn__participant__public_id")
        turn = any_of(serializers.UUIDField(), source="turn__public_id")
        evaluation = any_of(serializers.UUIDField(), source="fact__evaluation__public_id")
        state = any_of(one_of(Judgement))


class OneResponseEvaluation(ResponseEvaluationView, RetrieveView):
    """Show how one response was judged."""


class Effects(ListView):
    """List what responses of open debates did to those who listened, oldest first."""

    tag, access, serializer_class = "effects", ANYBODY, api_serializers.EffectSerializer
    queryset = Effect.objects.select_related("turn__debate", "turn__round", "speaker", "listener")
    debate_field, newest_first = "turn__debate", False

    class Query(PagingSerializer):
        """Of which debate and exchange, who spoke and who listened, and by what it was weighed."""

        debate = any_of(serializers.UUIDField(), source="turn__debate__public_id")
        round = any_of(serializers.IntegerField(min_value=0, max_value=10**4), source="turn__round__number")
        turn = any_of(serializers.UUIDField(), source="turn__public_id")
        speaker = any_of(serializers.UUIDField(), source="speaker__public_id")
        listener = any_of(serializers.UUIDField(), source="listener__public_id")
        weighed_by = any_of(one_of(EffectSource), source="source")


class States(ListView):
    """List where participants of open debates stood, at first and after each response that reached them."""

    tag, access, serializer_class = "states", ANYBODY, api_serializers.StateSerializer
    queryset = ParticipantState.objects.select_related("participant__debate", "effect__turn__round")
    debate_field, newest_first = "participant__debate", False

    class Query(PagingSerializer):
        """Of which debate and exchange, whose, and why they gave up."""

        debate = any_of(serializers.UUIDField(), source="participant__debate__public_id")
        round = any_of(serializers.IntegerField(min_value=0, max_value=10**4), source="effect__turn__round__number")
        participant = any_of(serializers.UUIDField(), source="participant__public_id")
        surrender = any_of(one_of(Surrender))


class Standings(ListView):
    """List the standings of open debates, participant by participant after the openings and each exchange."""

    tag, access, serializer_class = "standings", ANYBODY, api_serializers.StandingSerializer
    queryset = Standing.objects.select_related("fact__evaluation", "round__thread__debate", "participant")
    debate_field, newest_first, column = "round__thread__debate", False, "fact_id"

    class Query(OfRoundSerializer):
        """Of which debate and exchange, and whose."""

        participant = any_of(serializers.UUIDField(), source="participant__public_id")
        evaluation = any_of(serializers.UUIDField(), source="fact__evaluation__public_id")
