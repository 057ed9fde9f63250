"""Open debates as their judging left them: response evaluations, effects, states, standings."""

from __future__ import annotations

from django.db.models import QuerySet
from rest_framework import serializers

from debates.api.fields import any_of
from debates.api.fields import words as one_of
from debates.api.paging import Paging
from debates.api.views import Many, One
from judging.api import serializers as api_serializers
from judging.models import Effect, ParticipantState, ResponseEvaluation, Standing
from judging.rules.persuasion import Surrender
from judging.types import EffectSource, Judgement


class OfRound(Paging):
    """Rows of one debate and exchange."""

    debate = any_of(serializers.UUIDField(), source="round__thread__debate__public_id")
    round = any_of(serializers.IntegerField(min_value=0, max_value=10**4), source="round__number")


JUDGED = ("turn__participant", "round__thread__debate", "fact__evaluation", "call")


class ResponseEvaluations(Many):
    """List how responses of open debates were judged for fairness, oldest first."""

    tag, everybody, newest_first = "response evaluations", True, False
    Output = api_serializers.ResponseEvaluation

    class Query(OfRound):
        """Of which debate and exchange, whose, of which turn, and what is known."""

        participant = any_of(serializers.UUIDField(), source="turn__participant__public_id")
        turn = any_of(serializers.UUIDField(), source="turn__public_id")
        evaluation = any_of(serializers.UUIDField(), source="fact__evaluation__public_id")
        state = any_of(one_of(Judgement))

    def rows(self) -> QuerySet[ResponseEvaluation]:
        rows = ResponseEvaluation.objects.select_related(*JUDGED).defer("call__raw_answer")
        return rows.filter(round__thread__debate__in=self.debates())


class OneResponseEvaluation(One):
    """Show how one response was judged."""

    tag, everybody, Output = "response evaluations", True, api_serializers.ResponseEvaluation

    def row(self) -> ResponseEvaluation:
        rows = ResponseEvaluation.objects.select_related(*JUDGED).defer("call__raw_answer")
        return self.one(rows.filter(round__thread__debate__in=self.debates()))


class Effects(Many):
    """List what responses of open debates did to those who listened, oldest first."""

    tag, everybody, newest_first, Output = "effects", True, False, api_serializers.Effect

    class Query(Paging):
        """Of which debate and exchange, who spoke and who listened, and by what it was weighed."""

        debate = any_of(serializers.UUIDField(), source="turn__debate__public_id")
        round = any_of(serializers.IntegerField(min_value=0, max_value=10**4), source="turn__round__number")
        turn = any_of(serializers.UUIDField(), source="turn__public_id")
        speaker = any_of(serializers.UUIDField(), source="speaker__public_id")
        listener = any_of(serializers.UUIDField(), source="listener__public_id")
        weighed_by = any_of(one_of(EffectSource), source="source")

    def rows(self) -> QuerySet[Effect]:
        rows = Effect.objects.select_related("turn__debate", "turn__round", "speaker", "listener")
        return rows.filter(turn__debate__in=self.debates())


class States(Many):
    """List where participants of open debates stood, at first and after each response that reached them."""

    tag, everybody, newest_first, Output = "states", True, False, api_serializers.State

    class Query(Paging):
        """Of which debate and exchange, whose, and why they gave up."""

        debate = any_of(serializers.UUIDField(), source="participant__debate__public_id")
        round = any_of(serializers.IntegerField(min_value=0, max_value=10**4), source="effect__turn__round__number")
        participant = any_of(serializers.UUIDField(), source="participant__public_id")
        surrender = any_of(one_of(Surrender))

    def rows(self) -> QuerySet[ParticipantState]:
        rows = ParticipantState.objects.select_related("participant__debate", "effect__turn__round")
        return rows.filter(participant__debate__in=self.debates())


class Standings(Many):
    """List the standings of open debates, participant by participant after the openings and each exchange."""

    tag, everybody, newest_first, Output = "standings", True, False, api_serializers.Standing
    column = "fact_id"

    class Query(OfRound):
        """Of which debate and exchange, and whose."""

        participant = any_of(serializers.UUIDField(), source="participant__public_id")
        evaluation = any_of(serializers.UUIDField(), source="fact__evaluation__public_id")

    def rows(self) -> QuerySet[Standing]:
        rows = Standing.objects.select_related("fact__evaluation", "round__thread__debate", "participant")
        return rows.filter(round__thread__debate__in=self.debates())
