"""Reading panels: judges' reports, what they gave, and how far they agreed after each round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers

from debates.api.fields import any_of
from debates.api.paging import Paging
from debates.api.views import Many, One
from judging.api import serializers as api_serializers
from judging.models import Consensus, JudgeReport, JudgeScore

REPORT = ("debate", "participant", "round", "turn")
SCORE = ("fact__evaluation", "report__debate", "report__participant", "report__round")


class Reports(Many):
    """List the sections of judges' reports, oldest first."""

    tag, everybody, newest_first, Output = "panels", True, False, api_serializers.JudgeReport

    class Query(Paging):
        """Of which panel, judge and round."""

        debate = any_of(serializers.UUIDField(), source="debate__public_id")
        participant = any_of(serializers.UUIDField(), source="participant__public_id")
        round = any_of(serializers.IntegerField(min_value=0, max_value=10**4), source="round__number")
        readable = serializers.BooleanField(required=False, allow_null=True, default=None)

    def rows(self) -> QuerySet[JudgeReport]:
        return JudgeReport.objects.select_related(*REPORT).filter(debate__in=self.debates())

    def chosen(self, rows: QuerySet[JudgeReport], asked: Mapping[str, Any]) -> QuerySet[JudgeReport]:
        return super().chosen(rows, {name: to for name, to in asked.items() if to is not None})


class OneReport(One):
    """Show a section of a judge's report."""

    tag, everybody, Output = "panels", True, api_serializers.JudgeReport

    def row(self) -> JudgeReport:
        return self.one(JudgeReport.objects.select_related(*REPORT).filter(debate__in=self.debates()))


class JudgeScores(Many):
    """List what judges gave, criterion by criterion and round by round, oldest first."""

    tag, everybody, newest_first, Output = "panels", True, False, api_serializers.JudgeScore
    column = "fact_id"

    class Query(Paging):
        """Of which panel, judge, criterion and round."""

        debate = any_of(serializers.UUIDField(), source="report__debate__public_id")
        participant = any_of(serializers.UUIDField(), source="report__participant__public_id")
        evaluation = any_of(serializers.UUIDField(), source="fact__evaluation__public_id")
        key = any_of(serializers.CharField(max_length=40))
        round = any_of(serializers.IntegerField(min_value=0, max_value=10**4), source="report__round__number")

    def rows(self) -> QuerySet[JudgeScore]:
        return JudgeScore.objects.select_related(*SCORE).filter(report__debate__in=self.debates())


class Consensuses(Many):
    """List how far panels agreed after each of their rounds, oldest first."""

    tag, everybody, newest_first, Output = "panels", True, False, api_serializers.Consensus

    class Query(Paging):
        """Of which panel and round."""

        debate = any_of(serializers.UUIDField(), source="debate__public_id")
        round = any_of(serializers.IntegerField(min_value=0, max_value=10**4), source="round__number")

    def rows(self) -> QuerySet[Consensus]:
        return Consensus.objects.select_related("debate", "round").filter(debate__in=self.debates())
