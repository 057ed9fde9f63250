"""Reading panels: judges' reports, what they gave, and how far they agreed after each round."""

from __future__ import annotations

from rest_framework import serializers

from debates.api.fields import any_of
from debates.api.paging import PagingSerializer
from debates.api.permissions import ANYBODY
from debates.api.views import ApiView, ListView, RetrieveView
from judging.api import serializers as api_serializers
from judging.models import Consensus, JudgeReport, JudgeScore


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
