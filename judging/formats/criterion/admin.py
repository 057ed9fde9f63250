"""Challenges, answers, verdicts, syntheses."""

from __future__ import annotations

from django.contrib import admin

from debates.admin import ReadOnly, as_lines
from debates.admin.read_only import shortened
from judging.formats.repeats_admin import Readings
from judging.models import Challenge, Defence, Synthesis, Verdict


@admin.register(Challenge)
class ChallengeAdmin(ReadOnly[Challenge]):
    kept_because = "What was said stays said."
    list_display = ("id", "label", "thread", "run_number", "persona", "severity", "quoted")
    list_filter = ("severity",)
    list_select_related = ("thread",)
    search_fields = ("public_id", "persona", "thread__key", "thread__debate__title")
    ordering = ("-id",)

    @admin.display(description="quote")
    def quoted(self, challenge: Challenge) -> str:
        return shortened(challenge.quote) or "-"


@admin.register(Defence)
class DefenceAdmin(ReadOnly[Defence]):
    kept_because = "What was said stays said."
    list_display = ("pk", "challenge", "round", "reply")
    list_filter = ("reply",)
    list_select_related = ("challenge", "round")
    search_fields = ("challenge__label", "challenge__thread__key", "challenge__thread__debate__title")
    ordering = ("-pk",)


@admin.register(Verdict)
class VerdictAdmin(Readings, ReadOnly[Verdict]):
    kept_because = "A verdict is struck on the page of its score; it stays in the history."
    list_display = ("pk", "challenge", "round", "winner", "adjustment", "impact", "flipped", "reasoned")
    list_filter = ("winner", "flipped")
    list_select_related = ("fact", "challenge", "round")
    search_fields = ("fact__public_id", "challenge__thread__key", "challenge__thread__debate__title")
    ordering = ("-pk",)

    @admin.display(ordering="fact__amount")
    def adjustment(self, verdict: Verdict) -> str:
        return f"{verdict.fact.amount:+.2f}"

    @admin.display(ordering="fact__impact")
    def impact(self, verdict: Verdict) -> str:
        return f"{verdict.fact.impact:+.2f}"

    @admin.display(description="reasoning")
    def reasoned(self, verdict: Verdict) -> str:
        return shortened(verdict.reasoning)


@admin.register(Synthesis)
class SynthesisAdmin(ReadOnly[Synthesis]):
    kept_because = "It says what was concluded, and when."
    list_display = ("debate", "number", "at")
    list_select_related = ("debate",)
    search_fields = ("debate__title",)
    ordering = ("-id",)
    hidden = ("numbers",)
    extra = ("numbers_shown",)

    @admin.display(description="numbers")
    def numbers_shown(self, synthesis: Synthesis) -> str:
        return as_lines(synthesis.numbers)
