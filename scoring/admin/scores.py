"""Evaluations and the facts they are computed from."""

from __future__ import annotations

from decimal import Decimal

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html

from debates.admin import ReadOnly, as_lines
from scoring.models import Evaluation, Fact
from scoring.rules.numbers import half_up


def shown(value: Decimal | None) -> str:
    """Return a score with two places, or a dash where there is none."""
    return "-" if value is None else str(half_up(value, places=2))


@admin.register(Evaluation)
class EvaluationAdmin(ReadOnly[Evaluation]):
    kept_because = "A score is kept with its whole ledger."
    list_display = (
        "name_shown", "debate", "instrument", "initial", "computed", "override", "final", "state",
    )  # fmt: skip
    list_filter = ("instrument", "counted", "debate_complete", ("frozen_at", admin.EmptyFieldListFilter))
    list_select_related = ("debate",)
    search_fields = ("key", "name", "public_id", "debate__title")
    ordering = ("-id",)
    hidden = ("head_hash",)
    extra = ("head_hash_shown", "ledger")

    @admin.display(description="evaluation", ordering="key")
    def name_shown(self, one: Evaluation) -> str:
        """Return code and name."""
        return str(one)

    @admin.display(ordering="initial_score")
    def initial(self, one: Evaluation) -> str:
        """Return the score it began with."""
        return shown(one.initial_score)

    @admin.display(ordering="computed_score")
    def computed(self, one: Evaluation) -> str:
        """Return what the facts give."""
        return shown(one.computed_score)

    @admin.display(ordering="override_score")
    def override(self, one: Evaluation) -> str:
        """Return what a moderator set."""
        return shown(one.override_score)

    @admin.display(ordering="final_score")
    def final(self, one: Evaluation) -> str:
        """Return what counts, or that nothing does yet."""
        return "not evaluated" if one.final_score is None else shown(one.final_score)

    @admin.display
    def state(self, one: Evaluation) -> str:
        """Return every state that a moderator has to know of, in words."""
        words = [
            "frozen" if one.frozen_at else "",
            "overridden" if one.override_score is not None else "",
            f"held {len(one.held)}" if one.held else "",
            "fallback" if one.counted and not one.basis else "",
            "complete" if one.debate_complete else "",
        ]
        return ", ".join(word for word in words if word) or "in play"

    @admin.display(description="head hash")
    def head_hash_shown(self, one: Evaluation) -> str:
        """Return the hash of the newest entry."""
        return bytes(one.head_hash).hex()

    @admin.display
    def ledger(self, one: Evaluation) -> str:
        """Return the way to every entry of this evaluation."""
        address = reverse(f"{self.admin_site.name}:scoring_scorechange_changelist")
        return format_html('<a href="{}?evaluation__id__exact={}">{} entries</a>', address, one.pk, one.version)


@admin.register(Fact)
class FactAdmin(ReadOnly[Fact]):
    kept_because = "Scores are computed from it."
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
        """Return what the amount is made of."""
        return as_lines(fact.parts)
