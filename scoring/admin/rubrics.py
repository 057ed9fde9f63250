"""Rubrics in all their versions, to look at. They are written on their pages, which are the same for everybody."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from debates.admin import ReadOnly, ReadOnlyInline
from scoring.models import Criterion, Rubric


class CriterionInline(ReadOnlyInline[Criterion, Rubric]):
    model = Criterion
    fields = ("position", "code", "name", "category", "weight", "question", "high", "low")


@admin.register(Rubric)
class RubricAdmin(ReadOnly[Rubric]):
    """A version with its criteria. "View on site" leads to its page, where the newest is edited as the next."""

    kept_because = "Every version of a rubric is kept; debates were made with it."
    list_display = ("name", "slug", "version", "criteria_count", "created_by", "created_at")
    search_fields = ("name", "slug")
    ordering = ()  # as the model has it
    inlines = (CriterionInline,)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("scoring.add_rubric")

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Lead to the page on which rubrics are made."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        return HttpResponseRedirect(reverse("new-rubric"))

    def view_on_site(self, obj: Model) -> str:
        assert isinstance(obj, Rubric)  # noqa: S101 -- narrows the type
        return reverse("rubric", args=[obj.public_id])


@admin.register(Criterion)
class CriterionAdmin(ReadOnly[Criterion]):
    """All criteria to search through; each stands on the page of its rubric."""

    kept_because = "Every version of a rubric keeps its criteria; save another one without it."
    list_display = ("code", "name", "category", "weight", "rubric")
    list_filter = ("rubric",)
    search_fields = ("code", "name", "question")
    ordering = ()  # as the model has it
