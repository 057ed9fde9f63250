"""The jobs that wait or failed. The queue's own admin page filters by lock, which lists every lock there is."""

from __future__ import annotations

from django.contrib import admin
from procrastinate.contrib.django.models import ProcrastinateJob

from debates.admin import ReadOnly, as_lines

admin.site.unregister(ProcrastinateJob)


@admin.register(ProcrastinateJob)
class JobAdmin(ReadOnly[ProcrastinateJob]):
    kept_because = "The worker removes a job when it is done; the sweep asks again for what is missing."
    about = "Work that waits for a worker, is under way, or failed."
    list_display = ("id", "task_name", "queue_name", "status", "attempts", "priority", "scheduled_at")
    list_filter = ("status",)
    search_fields = ("task_name", "queue_name")
    ordering = ("-id",)
    hidden = ("args",)
    extra = ("args_shown",)

    @admin.display(description="arguments")
    def args_shown(self, job: ProcrastinateJob) -> str:
        return as_lines(job.args)
