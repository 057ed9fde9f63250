"""Threads, rounds and turns, those that are awaited too."""

from __future__ import annotations

from django.contrib import admin

from debates.admin.read_only import ReadOnly, shortened
from debates.models import AwaitedTurn, Round, Thread, Turn


@admin.register(Thread)
class ThreadAdmin(ReadOnly[Thread]):
    kept_because = "A debate is kept with all its threads."
    list_display = ("key", "debate", "status", "run_number", "rounds_played", "fence", "ended_because")
    list_filter = ("status",)
    list_select_related = ("debate",)
    search_fields = ("key", "public_id", "debate__title")
    ordering = ("-id",)


@admin.register(Round)
class RoundAdmin(ReadOnly[Round]):
    kept_because = "Scores rest on it."
    list_display = ("thread", "run_number", "number", "opened_at", "closed_at")
    list_select_related = ("thread",)
    search_fields = ("public_id", "thread__key", "thread__debate__title")
    ordering = ("-id",)


@admin.register(Turn)
class TurnAdmin(ReadOnly[Turn]):
    kept_because = "What was said stays said."
    list_display = ("id", "debate", "thread", "round", "participant", "kind", "strategy", "beginning", "at")
    list_filter = ("kind",)
    list_select_related = ("debate", "thread", "round", "participant")
    search_fields = ("public_id", "debate__title", "thread__key")
    ordering = ("-id",)

    @admin.display(description="text")
    def beginning(self, turn: Turn) -> str:
        return shortened(turn.text)


@admin.register(AwaitedTurn)
class AwaitedTurnAdmin(ReadOnly[AwaitedTurn]):
    kept_because = "It says who could speak, and until when."
    list_display = ("participant", "round", "kind", "number", "at", "deadline")
    list_filter = ("kind",)
    list_select_related = ("participant", "round")
    search_fields = ("public_id", "participant__name", "round__thread__debate__title")
    ordering = ("-id",)
