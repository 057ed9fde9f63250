"""Debates, who takes part, what they are about, what is said in them, their logs, and Django's own history."""

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.utils.html import format_html
from django.utils.text import capfirst

from debates.admin.read_only import MadeOnPages, ReadOnly, ReadOnlyInline, shortened
from debates.models import AwaitedTurn, Debate, Event, EventHead, Participant, Round, Subject, Thread, Turn


class ParticipantInline(ReadOnlyInline[Participant, Debate]):
    model = Participant
    fields = ("position", "role", "kind", "name", "provider", "model", "user")


class ThreadInline(ReadOnlyInline[Thread, Debate]):
    model = Thread
    fields = ("position", "key", "status", "run_number", "rounds_played", "ended_because")


@admin.register(Debate)
class DebateAdmin(MadeOnPages[Debate]):
    made_at, shown_at = "new-debate", "debate"
    kept_because = "A debate is kept with all its turns, verdicts and scores."
    list_display = ("heading", "format", "state", "visibility", "created_by", "created_at")
    list_filter = ("status", "format", "visibility", "conducted_by", "partial")
    search_fields = ("title", "public_id")
    inlines = (ParticipantInline, ThreadInline)

    @admin.display(description="title", ordering="title")
    def heading(self, debate: Debate) -> str:
        return shortened(debate.title, longest=64)

    @admin.display(description="status", ordering="status")
    def state(self, debate: Debate) -> str:
        return f"{debate.get_status_display()}{', partial' if debate.partial else ''}"


@admin.register(Subject)
class SubjectAdmin(ReadOnly[Subject]):
    kept_because = "Debates were held about it."
    list_display = ("title", "beginning", "created_by", "created_at")
    search_fields = ("title", "public_id")

    @admin.display(description="text")
    def beginning(self, subject: Subject) -> str:
        return shortened(subject.text)


@admin.register(Participant)
class ParticipantAdmin(ReadOnly[Participant]):
    kept_because = "A debate is kept with everybody who spoke in it."
    list_display = ("name", "role", "kind", "provider", "model", "user", "debate")
    list_filter = ("role", "kind")
    search_fields = ("name", "public_id", "debate__title")
    ordering = ()  # as the model has it


@admin.register(Event)
class EventAdmin(ReadOnly[Event]):
    kept_because = "The stream of a debate has no gaps."
    about = "The log of each debate, as pages and programs follow it. It has no gaps and is never rewritten."
    list_display = ("debate", "seq", "type", "audience", "at")
    list_filter = ("audience",)
    search_fields = ("type", "debate__title")


@admin.register(EventHead)
class EventHeadAdmin(ReadOnly[EventHead]):
    kept_because = "It says how far the stream of a debate reaches."
    about = "How many events the stream of each debate has."
    list_display = ("debate", "seq")
    search_fields = ("debate__title",)
    ordering = ("-pk",)


@admin.register(Thread)
class ThreadAdmin(ReadOnly[Thread]):
    kept_because = "A debate is kept with all its threads."
    list_display = ("key", "debate", "status", "run_number", "rounds_played", "fence", "ended_because")
    list_filter = ("status",)
    search_fields = ("key", "public_id", "debate__title")


@admin.register(Round)
class RoundAdmin(ReadOnly[Round]):
    kept_because = "Scores rest on it."
    list_display = ("thread", "run_number", "number", "opened_at", "closed_at")
    search_fields = ("public_id", "thread__key", "thread__debate__title")


@admin.register(Turn)
class TurnAdmin(ReadOnly[Turn]):
    kept_because = "What was said stays said."
    list_display = ("id", "debate", "thread", "round", "participant", "kind", "strategy", "beginning", "at")
    list_filter = ("kind",)
    search_fields = ("public_id", "debate__title", "thread__key")

    @admin.display(description="text")
    def beginning(self, turn: Turn) -> str:
        return shortened(turn.text)


@admin.register(AwaitedTurn)
class AwaitedTurnAdmin(ReadOnly[AwaitedTurn]):
    kept_because = "It says who could speak, and until when."
    list_display = ("participant", "round", "kind", "number", "at", "deadline")
    list_filter = ("kind",)
    search_fields = ("public_id", "participant__name", "round__thread__debate__title")


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnly[LogEntry]):
    """Django's own history of what was done in the admin, for auditors."""

    kept_because = "It says who did what in the admin."
    list_display = ("action_time", "user", "said", "done_to")
    list_filter = ("action_flag", ("content_type", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("content_type",)
    search_fields = ("object_repr", "change_message", "user__username")
    hidden = ("id", "action_flag", "content_type", "object_id", "object_repr", "change_message")
    extra = ("said", "done_to")

    @admin.display(description="what was done")
    def said(self, entry: LogEntry) -> str:
        return entry.get_change_message() or entry.get_action_flag_display()

    @admin.display(description="to")
    def done_to(self, entry: LogEntry) -> str:
        kind = entry.content_type.name if entry.content_type else ""  # type: ignore[attr-defined]  # the stubs lack it
        address = entry.get_admin_url()
        name = format_html('<a href="{}">{}</a>', address, entry.object_repr) if address else entry.object_repr
        return format_html('{}<span class="quiet below">{}</span>', name, capfirst(kind))
