"""How responses of open debates argued, what they did to whom, and where all stood; and judgements known already."""

from __future__ import annotations

from django.contrib import admin

from debates.admin import ReadOnly, as_lines
from judging.formats.repeats_admin import Readings
from judging.models import CachedJudgement, Effect, ParticipantState, ResponseEvaluation, Standing

KEPT_BECAUSE = "Standings are computed from it, and can be computed again."


@admin.register(ResponseEvaluation)
class ResponseEvaluationAdmin(Readings, ReadOnly[ResponseEvaluation]):
    kept_because = "It is struck on the page of its score; it stays in the history."
    list_display = (
        "pk", "turn", "round", "state", "steel_manning", "self_critique", "consistency", "honesty",
        "requires_interjection", "violation", "spread", "flipped",
    )  # fmt: skip
    list_filter = ("state", "violation", "flipped")
    list_select_related = ("turn", "round")
    search_fields = ("public_id", "turn__participant__name", "turn__debate__title")
    ordering = ("-id",)
    hidden = ("grounds", "readings")
    extra = ("grounds_shown", "readings_shown")

    @admin.display(description="grounds")
    def grounds_shown(self, evaluation: ResponseEvaluation) -> str:
        return as_lines(evaluation.grounds)


@admin.register(Effect)
class EffectAdmin(Readings, ReadOnly[Effect]):
    kept_because = KEPT_BECAUSE
    list_display = ("pk", "turn", "speaker", "listener", "persuasion", "attack", "evidence", "source", "flipped")
    list_filter = ("source", "flipped")
    list_select_related = ("turn", "speaker", "listener")
    search_fields = ("speaker__name", "listener__name", "turn__debate__title")
    ordering = ("-id",)


@admin.register(ParticipantState)
class ParticipantStateAdmin(ReadOnly[ParticipantState]):
    kept_because = KEPT_BECAUSE
    list_display = ("pk", "participant", "number", "stance", "conviction", "surrender", "at")
    list_filter = ("surrender",)
    list_select_related = ("participant",)
    search_fields = ("participant__name", "participant__debate__title")
    ordering = ("-id",)


@admin.register(Standing)
class StandingAdmin(ReadOnly[Standing]):
    kept_because = KEPT_BECAUSE
    list_display = ("pk", "participant", "round", "stance", "persuasion", "resistance", "penalty")
    list_select_related = ("participant", "round")
    search_fields = ("fact__public_id", "participant__name", "participant__debate__title")
    ordering = ("-pk",)


@admin.register(CachedJudgement)
class CachedJudgementAdmin(ReadOnly[CachedJudgement]):
    kept_because = "It spares a call to a provider; `manage.py retain` lets go of what is old."
    about = "Judgements that are known already, so that the same question is not paid for twice."
    list_display = ("digest", "model", "holder", "lease_until", "at")
    search_fields = ("digest", "model")
    ordering = ("-at",)
