"""The facts that scores are computed from."""

from __future__ import annotations

from django.contrib import admin

from debates.admin import ReadOnly, as_lines
from scoring.models import Fact


@admin.register(Fact)
class FactAdmin(ReadOnly[Fact]):
    kept_because = "Scores are computed from it."
    about = "What scores are computed from. The page of a score shows each of them in words."
    list_display = (
        "id",
        "evaluation",
        "round",
        "run_number",
        "kind",
        "amount",
        "impact",
        "weight",
        "participant",
        "at",
    )
    list_filter = ("kind",)
    list_select_related = ("evaluation", "round", "participant")
    search_fields = ("public_id", "evaluation__key", "evaluation__debate__title")
    ordering = ("-id",)
    hidden = ("parts",)
    extra = ("parts_shown",)

    @admin.display(description="parts")
    def parts_shown(self, fact: Fact) -> str:
        return as_lines(fact.parts)
