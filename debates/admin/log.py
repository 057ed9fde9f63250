"""Django's own history of what was done in the admin, for auditors."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.admin.models import LogEntry

from debates.admin.reading import ReadOnly


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnly[LogEntry]):
    kept_because = "It says who did what in the admin."
    list_display = ("action_time", "user", "action_flag", "content_type", "object_repr", "said")
    list_filter = ("action_flag", "content_type")
    list_select_related = ("user", "content_type")
    search_fields = ("object_repr", "change_message", "user__username")
    ordering = ("-id",)

    @admin.display(description="message")
    def said(self, entry: LogEntry) -> str:
        """Return what was done, in words."""
        return entry.get_change_message()
