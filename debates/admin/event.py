"""Debates, who takes part, what they are about, and the stream."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Model
from django.urls import reverse

from debates.admin.read_only import ReadOnly, ReadOnlyInline, as_lines, shortened
from debates.models import Debate, Event, EventHead, Participant, Subject, Thread


class ParticipantInline(ReadOnlyInline[Participant, Debate]):
    model = Participant
    fields = ("position", "role", "kind", "name", "provider", "model", "user")


class ThreadInline(ReadOnlyInline[Thread, Debate]):
    model = Thread
    fields = ("position", "key", "status", "run_number", "rounds_played", "ended_because")


@admin.register(Debate)
class DebateAdmin(ReadOnly[Debate]):
    kept_because = "A debate is kept with all its turns, verdicts and scores."
    list_display = (
        "title",
        "format",
        "status",
        "conducted_by",
        "visibility",
        "rounds",
        "partial",
        "created_by",
        "created_at",
    )
    list_filter = ("status", "format", "visibility", "conducted_by", "partial")
    list_select_related = ("created_by",)
    search_fields = ("title", "public_id")
    inlines = (ParticipantInline, ThreadInline)
    hidden = ("parameters",)
    extra = ("parameters_shown",)

    @admin.display(description="parameters")
    def parameters_shown(self, debate: Debate) -> str:
        return as_lines(debate.parameters)

    def view_on_site(self, obj: Model) -> str:
        assert isinstance(obj, Debate)  # noqa: S101 -- narrows the type
        return reverse("debate", args=[obj.public_id])


@admin.register(Subject)
class SubjectAdmin(ReadOnly[Subject]):
    kept_because = "Debates were held about it."
    list_display = ("title", "beginning", "created_by", "created_at")
    list_select_related = ("created_by",)
    search_fields = ("title", "public_id")

    @admin.display(description="text")
    def beginning(self, subject: Subject) -> str:
        return shortened(subject.text)


@admin.register(Participant)
class ParticipantAdmin(ReadOnly[Participant]):
    kept_because = "A debate is kept with everybody who spoke in it."
    list_display = ("name", "role", "kind", "provider", "model", "user", "debate")
    list_filter = ("role", "kind")
    list_select_related = ("debate", "user")
    search_fields = ("name", "public_id", "debate__title")


@admin.register(Event)
class EventAdmin(ReadOnly[Event]):
    kept_because = "The stream of a debate has no gaps."
    about = "The log of each debate, as pages and programs follow it. It has no gaps and is never rewritten."
    list_display = ("debate", "seq", "type", "audience", "at")
    list_filter = ("audience",)
    list_select_related = ("debate",)
    search_fields = ("type", "debate__title")
    ordering = ("-id",)
    hidden = ("data",)
    extra = ("data_shown",)

    @admin.display(description="data")
    def data_shown(self, event: Event) -> str:
        return as_lines(event.data)


@admin.register(EventHead)
class EventHeadAdmin(ReadOnly[EventHead]):
    kept_because = "It says how far the stream of a debate reaches."
    about = "How many events the stream of each debate has."
    list_display = ("debate", "seq")
    list_select_related = ("debate",)
    search_fields = ("debate__title",)
    ordering = ("-pk",)
