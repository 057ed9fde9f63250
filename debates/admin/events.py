"""Django's own history of what was done in the admin, for auditors."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.utils.html import format_html
from django.utils.text import capfirst

from debates.admin.read_only import ReadOnly


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnly[LogEntry]):
    kept_because = "It says who did what in the admin."
    list_display = ("action_time", "user", "said", "done_to")
    list_filter = ("action_flag", ("content_type", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("user", "content_type")
    search_fields = ("object_repr", "change_message", "user__username")
    ordering = ("-id",)
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
