"""Alerts: what a moderator should look at."""

from __future__ import annotations

from django.contrib import admin

from debates.admin import ReadOnly, as_lines
from scoring.models import Alert


@admin.register(Alert)
class AlertAdmin(ReadOnly[Alert]):
    kept_because = "An alert is acknowledged or dismissed, with a reason."
    list_display = ("code", "severity", "state", "debate", "evaluation", "handled_by", "at")
    list_filter = ("state", "severity", "code")
    list_select_related = ("debate", "evaluation", "handled_by")
    search_fields = ("public_id", "debate__title", "evaluation__key")
    ordering = ("-id",)
    hidden = ("evidence",)
    extra = ("evidence_shown",)

    @admin.display(description="evidence")
    def evidence_shown(self, alert: Alert) -> str:
        """Return the numbers that the alert rests on."""
        return as_lines(alert.evidence)
