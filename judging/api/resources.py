"""Reading challenges, verdicts, panels and reviews; exporting verdicts; working reviews off."""

from __future__ import annotations

from typing import Any

from django.db.models import F
from django.utils import timezone
from rest_framework import serializers
from rest_framework.response import Response

from debates.api.export_columns import Among
from debates.api.exporting import Export
from debates.api.fields import GivenNumber, any_of, words
from debates.api.paging import PagingSerializer
from debates.api.permissions import ANYBODY, RequiredAccess
from debates.api.views import ActionView, ApiView, ListView, RetrieveView
from debates.types import Scope
from judging.api import serializers as api_serializers
from judging.engine import reviews
from judging.engine.reviews import Decision
from judging.models import Challenge, Consensus, JudgeReport, JudgeScore, Review, Verdict
from judging.types import ReviewReason, ReviewState, Severity, Winner
from scoring.api.moderation import ReasonSerializer
from scoring.enums import ActorKind


class Challenges(ListView):
    """List challenges, oldest first."""

    tag, access, serializer_class = "challenges", ANYBODY, api_serializers.ChallengeSerializer
    queryset, debate_field = Challenge.objects.select_related("thread__debate", "turn"), "thread__debate"
    newest_first = False

    class Query(PagingSerializer):
        """Of which debate, criterion and run, and how severe."""

        debate = any_of(serializers.UUIDField(), source="thread__debate__public_id")
        key = any_of(serializers.CharField(max_length=40), source="thread__key")
        run = any_of(serializers.IntegerField(min_value=1, max_value=10**6), source="run_number")
        severity = any_of(words(Severity))


VERDICT = ("fact__evaluation", "round__thread__debate", "challenge", "call")


class VerdictView(ApiView):
    tag, access, serializer_class = "verdicts", ANYBODY, api_serializers.VerdictSerializer
    queryset, debate_field = Verdict.objects.select_related(*VERDICT), "round__thread__debate"


class Verdicts(VerdictView, ListView):
    """List verdicts, oldest first."""

    newest_first, column = False, "fact_id"

    class Query(PagingSerializer):
        """Of which debate, criterion, round and run, and who won."""

        debate = any_of(serializers.UUIDField(), source="round__thread__debate__public_id")
        evaluation = any_of(serializers.UUIDField(), source="fact__evaluation__public_id")
        key = any_of(serializers.CharField(max_length=40), source="round__thread__key")
        round = any_of(serializers.IntegerField(min_value=0, max_value=10**4), source="round__number")
        run = any_of(serializers.IntegerField(min_value=1, max_value=10**6), source="round__run_number")
        winner = any_of(words(Winner))


class OneVerdict(VerdictView, RetrieveView):
    """Show a verdict, by the id of its fact."""

    lookup_field = "fact__public_id"


class ExportVerdicts(Export):
    """Export rulings, oldest first, each with whether it counts now."""

    name, queryset = "verdicts", Verdict.objects.all()
    debate_field, column = "round__thread__debate", "fact_id"
    columns = {
        "debate": "round__thread__debate__public_id",
        "evaluation": "fact__evaluation__public_id",
        "verdict": "fact__public_id",
        "key": "round__thread__key",
        "run": "round__run_number",
        "round": "round__number",
        "challenge": "challenge__label",
        "severity": "challenge__severity",
        "winner": "winner",
        "adjustment": "fact__amount",
        "impact": "fact__impact",
        "confidence": "fact__weight",
        "counts": Among(F("fact_id"), F("fact__evaluation__basis")),
        "provider": "call__provider",
        "model": "call__model",
        "at": "fact__at",
        "reasoning": "reasoning",
    }


# Panels: judges' reports, what they gave, and how far they agreed after each round.


class ReportView(ApiView):
    tag, access, serializer_class = "panels", ANYBODY, api_serializers.JudgeReportSerializer
    queryset, debate_field = JudgeReport.objects.select_related("debate", "participant", "round", "turn"), "debate"


class Reports(ReportView, ListView):
    """List the sections of judges' reports, oldest first."""

    newest_first = False

    class Query(PagingSerializer):
        """Of which panel, judge and round."""

        debate = any_of(serializers.UUIDField(), source="debate__public_id")
        participant = any_of(serializers.UUIDField(), source="participant__public_id")
        round = any_of(serializers.IntegerField(min_value=0, max_value=10**4), source="round__number")
        readable = serializers.BooleanField(required=False, allow_null=True, default=None)


class OneReport(ReportView, RetrieveView):
    """Show a section of a judge's report."""


class JudgeScores(ListView):
    """List what judges gave, criterion by criterion and round by round, oldest first."""

    tag, access, serializer_class = "panels", ANYBODY, api_serializers.JudgeScoreSerializer
    queryset = JudgeScore.objects.select_related(
        "fact__evaluation", "report__debate", "report__participant", "report__round"
    )
    debate_field, newest_first, column = "report__debate", False, "fact_id"

    class Query(PagingSerializer):
        """Of which panel, judge, criterion and round."""

        debate = any_of(serializers.UUIDField(), source="report__debate__public_id")
        participant = any_of(serializers.UUIDField(), source="report__participant__public_id")
        evaluation = any_of(serializers.UUIDField(), source="fact__evaluation__public_id")
        key = any_of(serializers.CharField(max_length=40))
        round = any_of(serializers.IntegerField(min_value=0, max_value=10**4), source="report__round__number")


class Consensuses(ListView):
    """List how far panels agreed after each of their rounds, oldest first."""

    tag, access, serializer_class = "panels", ANYBODY, api_serializers.ConsensusSerializer
    queryset, debate_field = Consensus.objects.select_related("debate", "round"), "debate"
    newest_first = False

    class Query(PagingSerializer):
        """Of which panel and round."""

        debate = any_of(serializers.UUIDField(), source="debate__public_id")
        round = any_of(serializers.IntegerField(min_value=0, max_value=10**4), source="round__number")


class ReviewView(ApiView):
    tag, serializer_class = "reviews", api_serializers.ReviewSerializer
    access, write_access = (
        RequiredAccess(permission="judging.view_review"),
        RequiredAccess(Scope.MODERATE, "judging.resolve_review"),
    )
    queryset, debate_field = Review.objects.select_related("debate", "claimed_by", "settled_by"), "debate"


class Reviews(ReviewView, ListView):
    """List reviews, newest first."""

    class Query(PagingSerializer):
        """Of which debate, why, and where they stand."""

        debate = any_of(serializers.UUIDField(), source="debate__public_id")
        reason_code = any_of(words(ReviewReason))
        state = any_of(words(ReviewState))


class OneReview(ReviewView, RetrieveView):
    """Show a review."""


class ReviewAction(ReviewView, ActionView):
    """Something that is done to a review."""

    def answer(self, result: Review) -> Response:
        return self.reread()


class ClaimReview(ReviewAction):
    """Take a review on for 30 minutes, or hold it for another 30."""

    def act(self, row: Review, data: dict[str, Any]) -> Review:
        return reviews.claim.once(self.record, review_id=row.pk, by=self.caller, now=timezone.now())


class ReleaseReview(ReviewAction):
    """Give a review back, so that somebody else may take it on."""

    def act(self, row: Review, data: dict[str, Any]) -> Review:
        return reviews.release.once(self.record, review_id=row.pk, by=self.caller)


class SettleReview(ReviewAction):
    """Settle a review: each criterion in dispute gets its value as an override with its own reason, all in one step.

    `seen` is the moderation version of the criterion's score; a criterion without a score needs none.
    """

    example = {"decisions": {"correctness": {"value": "4", "reason": "The proof in section 2 holds.", "seen": 0}}}

    class Input(serializers.Serializer[Any]):
        """What is decided, by criterion."""

        class One(ReasonSerializer):
            """One decision."""

            value = GivenNumber()
            seen = serializers.IntegerField(
                required=False, min_value=0, max_value=10**6, allow_null=True, default=None,
                help_text="The `moderation_version` of the criterion's score that was seen; without a score, nothing.",
            )  # fmt: skip

        decisions = serializers.DictField(child=One(), allow_empty=False)

    def act(self, row: Review, data: dict[str, Any]) -> Review:
        decisions = {code: Decision(**decision) for code, decision in data["decisions"].items()}
        return reviews.settle.once(
            self.record, review_id=row.pk, by=self.caller, decisions=decisions, now=timezone.now(), door=ActorKind.API
        )
