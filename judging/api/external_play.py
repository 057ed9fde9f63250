"""Debates that are conducted elsewhere: rounds with verdicts come in, scores go out."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework import serializers, status
from rest_framework.response import Response

from debates.api.views import V1
from debates.models import Debate, Round, Thread
from judging.api import serializers as api_serializers
from judging.api.debates import ConductView
from judging.engine import external_play
from judging.engine.external_play import PartRejected, Posted
from judging.formats.parsing import Concluded
from scoring.api import serializers as scores
from scoring.api.resources import EVALUATIONS
from scoring.models import Evaluation


class PostRound(ConductView):
    """Post the next round of a thread: what was said, and how it was ruled. It is counted like the engine's own.

    Challenges of round 1 are named C1, C2, ... in the order they come in; later rounds may press those still open.
    Every defence needs a verdict, and nothing else gets one.
    """

    tag, answers = "rounds", status.HTTP_201_CREATED
    serializer_class = scores.EvaluationSerializer
    example = {
        "number": 1,
        "challenges": [{"persona": "skeptic", "severity": "significant", "text": "Who pays?"}],
        "defences": [{"challenge": "C1", "reply": "defend", "text": "The district does."}],
        "verdicts": [
            {
                "challenge": "C1",
                "winner": "evaluator",
                "adjustment": "0.5",
                "impact": "0.1",
                "reasoning": "The contract is quoted.",
            }
        ],
    }

    class Input(serializers.Serializer[Any]):
        """One round."""

        number = serializers.IntegerField(min_value=1, max_value=5)
        challenges = api_serializers.PostedChallengeSerializer(many=True, required=False, default=list)
        presses = api_serializers.PostedPressSerializer(many=True, required=False, default=list)
        defences = api_serializers.PostedDefenceSerializer(many=True, required=False, default=list)
        verdicts = api_serializers.PostedVerdictSerializer(many=True, required=False, default=list)

    def write(self, row: Debate) -> Response:
        """Count it once, or write down that it was refused: after its own transaction, which leaves nothing of it."""
        try:
            return super().write(row)
        except PartRejected as refused:
            external_play.keep_rejected(refused=refused, now=timezone.now())
            raise

    def act(self, row: Debate, data: dict[str, Any]) -> Any:
        return external_play.post_round.once(
            self.record,
            debate_id=row.pk,
            key=self.kwargs["key"],
            by=self.caller,
            posted=Posted(**data),
            now=timezone.now(),
        )

    def answer(self, result: Any) -> Response:
        rows = Evaluation.objects.select_related(*EVALUATIONS)
        return self.respond(
            get_object_or_404(rows, debate__public_id=self.kwargs["id"], thread__key=self.kwargs["key"])
        )

    def location(self, data: Any) -> str:
        """Return the address of the round; the answer is its score."""
        posted = Round.objects.get(
            thread__public_id=data["thread"], run_number=data["run"], number=self.request.data["number"]
        )
        return f"{V1}/rounds/{posted.public_id}/"


class CompleteThread(ConductView):
    """End a thread before its last round, partial: what has counted stays counted."""

    tag, serializer_class = "threads", scores.EvaluationSerializer

    def act(self, row: Debate, data: dict[str, Any]) -> Thread:
        return external_play.complete_thread.once(
            self.record, debate_id=row.pk, key=self.kwargs["key"], by=self.caller, now=timezone.now()
        )

    def answer(self, result: Thread) -> Response:
        return self.respond(get_object_or_404(Evaluation.objects.select_related(*EVALUATIONS), thread=result))


class CompleteDebate(ConductView):
    """Conclude a debate that is conducted elsewhere, with its arbiter's words if it has any.

    Where a thread has rounds left and something open, the debate is concluded as partial: `completed_early`.
    """

    example = {"summary": "It holds where it is measured.", "strengths": [], "weaknesses": [], "advice": []}

    class Input(serializers.Serializer[Any]):
        """What the arbiter says."""

        summary = serializers.CharField(required=False, allow_blank=True, default="", max_length=8000)
        strengths = serializers.ListField(
            child=serializers.CharField(max_length=4000), required=False, default=list, max_length=20
        )
        weaknesses = serializers.ListField(
            child=serializers.CharField(max_length=4000), required=False, default=list, max_length=20
        )
        advice = serializers.ListField(
            child=serializers.CharField(max_length=4000), required=False, default=list, max_length=20
        )

    def act(self, row: Debate, data: dict[str, Any]) -> Debate:
        return external_play.complete.once(
            self.record, debate_id=row.pk, by=self.caller, words=Concluded(**data), now=timezone.now()
        )
