"""What judges of panels reported and gave, and how far they agreed."""

from __future__ import annotations

from django.contrib import admin

from debates.admin import ReadOnly, as_lines
from judging.admin.judge_health import WithHealth
from judging.formats.repeats_admin import Readings
from judging.models import Consensus, JudgeReport, JudgeScore

KEPT_BECAUSE = "It shows how a panel came to its scores."


@admin.register(JudgeReport)
class JudgeReportAdmin(WithHealth, ReadOnly[JudgeReport]):
    kept_because = KEPT_BECAUSE
    list_display = ("pk", "debate", "round", "participant", "readable", "at")
    list_filter = ("readable",)
    list_select_related = ("debate", "round", "participant")
    search_fields = ("public_id", "debate__title", "participant__name")
    ordering = ("-id",)
    hidden = ("body",)
    extra = ("body_shown",)

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
