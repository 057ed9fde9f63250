"""How judges of panels do, as one page above the list of their reports."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path
from django.utils import timezone

from judging.engine import metrics
from judging.engine.metrics import Judge
from judging.models import JudgeReport

DAYS = 30
ADDRESS = "judging_judgereport_health"


class WithHealth(admin.ModelAdmin[JudgeReport]):
    """Judges' reports, with a page on how those judges do."""

    change_list_template = "admin/judging/judgereport_list.html"

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.health_view)
        return [path("health/", view, name=ADDRESS), *super().get_urls()]

    def health_view(self, request: HttpRequest) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        found = metrics.health(since=timezone.now() - timedelta(days=DAYS))
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "How judges do",
            "days": DAYS,
            "judges": [{"name": named(judge), "health": health} for judge, health in found.items()],
        }
        return TemplateResponse(request, "admin/judging/judges.html", context)


def named(judge: Judge) -> str:
    return " ".join(part for part in (judge.provider, judge.model, judge.strategy) if part)
