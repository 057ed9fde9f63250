"""What judges of panels reported and gave, how far they agreed, and how they do, on a page above their reports."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path
from django.utils import timezone

from debates.admin import ReadOnly, as_lines
from judging.engine import metrics
from judging.engine.metrics import Judge
from judging.formats.repeats_admin import Readings
from judging.models import Consensus, JudgeReport, JudgeScore

KEPT_BECAUSE = "It shows how a panel came to its scores."
DAYS = 30
ADDRESS = "judging_judgereport_health"


def named(judge: Judge) -> str:
    return " ".join(part for part in (judge.provider, judge.model, judge.strategy) if part)


@admin.register(JudgeReport)
class JudgeReportAdmin(ReadOnly[JudgeReport]):
    """Judges' reports, with a page on how those judges do."""

    kept_because = KEPT_BECAUSE
    list_display = ("pk", "debate", "round", "participant", "readable", "at")
    list_filter = ("readable",)
    list_select_related = ("debate", "round", "participant")
    search_fields = ("public_id", "debate__title", "participant__name")
    ordering = ("-id",)
    hidden = ("body",)
    extra = ("body_shown",)
    change_list_template = "admin/judging/judgereport_list.html"

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.health_view)
        return [path("health/", view, name=ADDRESS), *super().get_urls()]

    def health_view(self, request: HttpRequest) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        health_of = metrics.health(since=timezone.now() - timedelta(days=DAYS))
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "How judges do",
            "days": DAYS,
            "judges": [{"name": named(judge), "health": health} for judge, health in health_of.items()],
        }
        return TemplateResponse(request, "admin/judging/judges.html", context)

    @admin.display(description="body")
    def body_shown(self, report: JudgeReport) -> str:
        return as_lines(report.body)


@admin.register(JudgeScore)
class JudgeScoreAdmin(Readings, ReadOnly[JudgeScore]):
    kept_because = "It is struck on the page of its score; it stays in the history."
    list_display = (
        "pk",
        "report",
        "key",
        "given",
        "wanted",
        "refused",
        "spread",
        "flipped",
        "quotes_found",
        "quotes_missing",
    )
    list_filter = ("refused", "flipped")
    list_select_related = ("report",)
    search_fields = ("fact__public_id", "key", "report__debate__title", "report__participant__name")
    ordering = ("-pk",)


@admin.register(Consensus)
class ConsensusAdmin(ReadOnly[Consensus]):
    kept_because = KEPT_BECAUSE
    list_display = ("pk", "debate", "round", "agreed", "reason_code", "overall", "recommendation", "at")
    list_filter = ("agreed", "reason_code", "recommendation")
    list_select_related = ("debate", "round")
    search_fields = ("public_id", "debate__title")
    ordering = ("-id",)
    hidden = ("policy", "found")
    extra = ("policy_shown", "found_shown")

    @admin.display(description="policy")
    def policy_shown(self, consensus: Consensus) -> str:
        return as_lines(consensus.policy)

    @admin.display(description="found")
    def found_shown(self, consensus: Consensus) -> str:
        return as_lines(consensus.found)
